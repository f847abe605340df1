# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet of a material at several resolutions, seen where the coarsest has vertices."""

import numpy as np

from hooke.core import Settling, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from theory.courses import FPS, sheet


def motion(made_of, quads, seconds, every, effort="STANDARD"):
    """Positions [m] after every frame of the vertices of the coarsest sheet, shape (frames, rows, columns, 3).

    Rows run from the pinned edge to the free one. every: that many quads of this sheet make one of the coarsest.
    """
    course = sheet(quads)
    network = SpringNetwork.from_mesh(
        course.points, course.edges, course.faces, material=made_of, pins=course.pinned
    )
    simulation = Simulation(network, dt=1.0 / FPS, forces=Settling(), **EFFORTS[effort].settings)
    side = quads + 1
    return np.array([x.reshape(side, side, 3)[::every, ::every] for x in simulation.frames(seconds * FPS)])


def profile(x):
    """Mean of every row across the sheet, [m] along y and z; of the shape of x less its columns."""
    return x.mean(axis=-2)[..., 1:]


def apart(one, other):
    """RMS distance [m] of points at every frame; shape (frame count,)."""
    squares = np.sum((one - other) ** 2, axis=-1)
    return np.sqrt(squares.reshape(len(one), -1).mean(axis=1))
