# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that is pulled around the edge of something slides over it: friction does not hold it whatever the pull."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork
from hooke.core.contacts import Box
from hooke.core.contacts.around_edges import TAUT, friction_around_edges
from hooke.core.contacts.meeting import Meeting
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

FRAME = 1.0 / 24.0
THICKNESS, FRICTION = 0.005, 0.5


def at_a_wall(angle, strain):
    """A particle in front of a wall across x, pulled through it at an angle [rad] to its normal, and its Meeting."""
    points = np.array([[0.0, 0.0, 0.0], [np.cos(angle), 0.0, np.sin(angle)]])
    network = SpringNetwork(points, [[0, 1]], masses=1.0, stiffness=100.0, rest_lengths=1.0 / (1.0 + strain))
    n = np.array([[-1.0, 0.0, 0.0]])
    return network, Meeting(np.array([0]), np.zeros(1), n, np.zeros((1, 3)), points[:1], np.zeros(1))


@pytest.mark.parametrize("strain", [0.05, 0.1, 2.0])
@pytest.mark.parametrize("angle", [0.0, 0.2, 0.6])
def test_friction_lacks_what_presses_in_place_of_pulling_along(angle, strain):
    network, met = at_a_wall(angle, strain)
    found = friction_around_edges(network, np.array([0]), network.points, met, FRICTION)
    beyond = 1.0 - TAUT / strain
    expected = FRICTION - beyond * (1.0 - np.sin(angle)) / np.cos(angle)
    # The other end touches nothing.
    assert_allclose(found, [max(expected, 0.0), FRICTION], rtol=1e-12)


@pytest.mark.parametrize(("angle", "strain"), [(0.1, 0.01), (0.1, -0.5), (1.0, 0.5), (np.pi, 0.5)])
def test_what_is_slack_or_goes_along_the_surface_or_off_it_rubs_as_it_is(angle, strain):
    network, met = at_a_wall(angle, strain)
    assert_allclose(friction_around_edges(network, np.array([0]), network.points, met, FRICTION), FRICTION)


def test_around_a_ball_no_spring_is_steep():
    # Springs of half the radius; what is taut lies around it as far as a quarter turn.
    grid = SpringNetwork.grid((7, 7), 0.5)
    x, y = (grid.points - grid.points.mean(axis=0))[:, :2].T
    far = np.hypot(x, y)
    share = np.sin(far) / np.maximum(far, 1e-300)
    points = np.column_stack([share * x, share * y, np.cos(far)])
    network = grid.changed(rest_lengths=0.5 * grid.spring_lengths(points))
    every = np.arange(len(points))
    met = Meeting(every, np.zeros(len(every)), points, np.zeros_like(points), points, np.zeros(len(every)))
    found = friction_around_edges(network, np.arange(network.spring_count), points, met, FRICTION)
    assert_allclose(found, FRICTION)


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
