# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that is pulled around the edge of something slides over it: friction does not hold it whatever the pull."""

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork
from hooke.core.contacts import Box
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

FRAME = 1.0 / 24.0
THICKNESS, FRICTION = 0.005, 0.5


def cloth_on_a_table(side, size, pinned=False):
    """A cloth of cotton on a table of 1 m, and the mask of its edge in front."""
    grid = SpringNetwork.grid((side, side), size / (side - 1))
    points = grid.points - [*grid.points.mean(axis=0)[:2], -1.1 * THICKNESS]
    front = points[:, 0] > points[:, 0].max() - 1e-6
    pins = front * float(pinned)
    return SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), pins=pins)


def on_a_table(network):
    table = Box((1.0, 1.0, 0.8), (0.0, 0.0, -0.4), thickness=THICKNESS, friction=FRICTION)
    return Simulation(network, dt=FRAME, contacts=table, **EFFORTS["STANDARD"].settings)


@pytest.mark.nightly
def test_a_table_cloth_is_pulled_off_the_table():
    network = cloth_on_a_table(31, 1.6, pinned=True)
    simulation = on_a_table(network)
    pins = network.points[network.pinned]
    edges = network.rest_lengths < 1.1 * network.rest_lengths.min()

    def pulled(t):
        # Down first, so that it hangs all around, and 2.4 m away with 2 m/s.
        return pins + np.array([min(2.0 * max(t - 1.0, 0.0), 2.4), 0.0, -0.2 * min(t, 1.0)])

    strains = []
    for _ in range(60):
        simulation.step(pulled)
        strains.append(network.strains(simulation.state.x)[edges].max())
    assert np.median(strains) < 0.1
    assert max(strains) < 0.3
    assert strains[-1] < 0.1
    # Off it wholly.
    assert simulation.state.x[:, 0].min() > 0.5


@pytest.mark.newest
def test_a_strip_over_an_edge_stays_where_friction_on_the_edge_holds_it_too():
    # What hangs weighs more than friction on the table bears, and less than exp(friction * pi / 2) times that.
    hangs, length = 1.5, 1.2
    assert 1.0 < hangs < np.exp(FRICTION * np.pi / 2.0)
    over = length * hangs * FRICTION / (1.0 + hangs * FRICTION)
    grid = SpringNetwork.grid((31, 4), length / 30)
    points = grid.points - [length - 0.5 - over, 0.06, -1.01 * THICKNESS]
    hanging = np.maximum(points[:, 0] - 0.5 - THICKNESS, 0.0)
    points -= hanging[:, None] * [1.0, 0.0, 1.0]
    network = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    simulation = on_a_table(network)
    for _ in range(36):
        simulation.step()
    assert np.linalg.norm(simulation.state.x - points, axis=1).max() < 0.02
