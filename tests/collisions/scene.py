# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene of the subject `contact` is, and simulations of one by the core's Standard."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from theory.courses import FPS

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points

# Distance that all keep [m].
THICKNESS = 0.005


class Scene(NamedTuple):
    """What is simulated for so many frames.

    make: whether with contacts -> Simulation; solid: t [s] -> points [m] and triangles of a
    collider, or None; inside: x [m], t [s] -> how deep the deepest vertex is in a collider [m], negative outside, or
    None; apart: whether it is to be kept out of itself.
    """

    name: str
    frames: int
    make: Callable[[bool], Simulation]
    solid: Callable[[float], tuple] | None = None
    inside: Callable[[Any, float], float] | None = None
    apart: bool = False


def simulated(network, contacts):
    """A Simulation of a SpringNetwork with contacts, in air that lets it settle."""
    settings = EFFORTS["STANDARD"].settings
    return Simulation(network, dt=1 / FPS, forces=Settling(), contacts=contacts, **settings)


def started(simulation, x, v=None):
    """The same Simulation, which begins at x [m] with the velocities v [m/s], shapes (vertex_count, 3); None for 0."""
    simulation.state = State(x, np.zeros_like(x) if v is None else v, 0.0)
    return simulation


def dropped(name, side, contacts, solid, inside=None):
    """Scene of a sheet of 2 m with so many vertices a side, which falls from z = 0.6 m; the others as of Scene."""
    shape, spacing = (side, side, 1), 2.0 / (side - 1)
    points = lattice_points(shape, spacing) + np.array([-1.03, -0.98, 0.6])
    network = SpringNetwork.from_mesh(points, faces=lattice_faces(shape), material=Material())
    return Scene(name, 96, lambda touches: simulated(network, contacts if touches else ()), solid, inside)
