# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing goes through anything, and what is nowhere near itself is not looked at."""

import numpy as np
import pytest

from hooke.core import Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points

from .nearness import crossings

STANDARD = EFFORTS["STANDARD"].settings


@pytest.mark.nightly
@pytest.mark.parametrize(("shape", "seed"), [((31, 4, 1), 0), ((41, 6, 1), 1)])
def test_no_edge_goes_through_a_triangle_in_a_ribbon_that_is_thrown_on_its_end(shape, seed):
    # Of 1 cm: it crumples within half a thickness, with folds as sharp as its mesh can be.
    points = lattice_points(shape, 0.01)
    along, across, _ = points.T
    noise = 1e-3 * np.random.default_rng(seed).standard_normal(shape[0]).repeat(shape[1])
    start = np.column_stack([2e-3 * np.sin(2.0 * np.pi * along / 0.12 + 1.0) + noise, across, along + 0.02])
    network = SpringNetwork.from_mesh(points, faces=lattice_faces(shape), material=Material())
    contacts = [Plane(), SelfCollision(0.005)]
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, forces=Settling(), **STANDARD)
    simulation.state = State(start, np.tile([0.0, 0.0, -4.0], (len(start), 1)), 0.0)
    for _ in range(6):
        simulation.step()
        assert crossings(simulation.state.x, network.surface.triangles) == 0
    # It lies in a heap of less than half of its length.
    assert np.ptp(simulation.state.x[:, 2]) < 0.5 * np.ptp(along)


def test_an_edge_that_goes_through_a_triangle_is_seen():
    # Two triangles, of which one stands in the other: its edges go through that, and none once it stands beside it.
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    standing = np.array([[0.2, 0.2, -0.5], [0.2, 0.3, 0.5], [0.2, 0.2, 0.5]])
    triangles = np.arange(6).reshape(2, 3)
    assert crossings(np.concatenate([flat, standing]), triangles) == 2
    assert crossings(np.concatenate([flat, standing + np.array([2.0, 0.0, 0.0])]), triangles) == 0


@pytest.mark.parametrize("spacing", [0.02, 0.004])
def test_a_sheet_in_waves_is_nowhere_near_itself(spacing):
    # Slopes of up to 45 degrees: no two directions of the surface differ by more than 90.
    network = SpringNetwork.grid((41, 41), spacing)
    along, across, _ = network.points.T
    length = 12.0 * spacing
    height = length / (2.0 * np.pi) * np.sin(2.0 * np.pi * along / length)
    x = np.column_stack([along, across, height])
    contacts = Simulation(network, dt=1 / 24, contacts=SelfCollision(0.005)).system.contacts
    assert contacts.touching(x, x - 0.05, 0.0, 1 / 24, np.zeros(len(x))) is None
