# SPDX-License-Identifier: GPL-3.0-or-later
"""What pins hold near an obstacle, or in it: pins win, and nothing is thrown or torn for it."""

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork
from hooke.core.contact.held_corners import asked
from hooke.core.contact.pinned import NearPins
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points

RADIUS, KEPT, SPACING, DT = 0.06, 0.005, 0.03, 1.0 / 24.0


def rod():
    """A round rod along z, closed, of triangles [m]."""
    around, along = 24, 11
    turn, z = np.arange(around) * 2.0 * np.pi / around, np.linspace(-0.5, 0.5, along)
    ring = RADIUS * np.column_stack([np.cos(turn), np.sin(turn)])
    points = [np.column_stack([ring, np.full(around, height)]) for height in z]
    points = np.concatenate([*points, [[0.0, 0.0, z[0]], [0.0, 0.0, z[-1]]]])
    one, other, top = np.arange(around), (np.arange(around) + 1) % around, (along - 1) * around
    sides = [
        np.column_stack(of) + row * around
        for row in range(along - 1)
        for of in ((one, other, other + around), (one, other + around, one + around))
    ]
    ends = [
        np.column_stack([np.full(around, len(points) - 2), other, one]),
        np.column_stack([np.full(around, len(points) - 1), one + top, other + top]),
    ]
    return points, np.concatenate([*sides, *ends])


def strip(away):
    """A strip of 3 by 4 particles beside the rod, so far from its axis, pinned by its upper row."""
    points = lattice_points((3, 4, 1), SPACING)
    points -= points.mean(axis=0)
    points = np.column_stack([np.full(len(points), away), points[:, 1], points[:, 0]])
    top = points[:, 2] > points[:, 2].max() - 1e-9
    return SpringNetwork.from_mesh(
        points, faces=lattice_faces((3, 4, 1)), material=Material(), pins=1.0 * top
    ), top


def longest(simulation):
    network = simulation.network
    return float((network.spring_lengths(simulation.state.x) / network.rest_lengths).max()) - 1.0


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD"])
@pytest.mark.parametrize("left", [0.004, 0.002, -0.003])
def test_pins_that_come_to_a_mesh_throw_nobody(left, effort):
    away = RADIUS + 0.012
    network, top = strip(away)
    contacts = [RigidMesh(*rod(), friction=0.4, thickness=KEPT)]
    simulation = Simulation(network, dt=DT, contacts=contacts, **EFFORTS[effort].settings)
    begun, most = network.points[top], 0.0
    for frame in range(1, 37):
        way = min(0.012 - left, 0.02 * frame * DT)
        simulation.step(begun - [way, 0.0, 0.0])
        most = max(most, longest(simulation))
    # The next row has to be as far from the rod as it keeps, a side farther down.
    lacks = KEPT - min(left, KEPT)
    assert most < np.hypot(SPACING, lacks) / SPACING - 1.0 + 0.015
    np.testing.assert_array_equal(simulation.state.x[top], begun - [way, 0.0, 0.0])


@pytest.mark.nightly
def test_a_mesh_that_comes_to_pins_throws_nobody_and_leaves_them_as_they_were():
    network, top = strip(RADIUS + 0.012)

    def pose(t):
        matrix = np.eye(4)
        matrix[0, 3] = 0.015 * np.sin(np.pi * min(t / 1.5, 1.0)) ** 2
        return matrix

    contacts = [RigidMesh(*rod(), pose=pose, friction=0.4, thickness=KEPT)]
    simulation = Simulation(network, dt=DT, contacts=contacts, **EFFORTS["STANDARD"].settings)
    most = []
    for _ in range(60):
        simulation.step()
        most.append(longest(simulation))
    assert max(most) < 0.05
    assert most[-1] < 0.01
    np.testing.assert_array_equal(simulation.state.x[top], network.points[top])
    # Once it left, nobody is on its wrong side.
    assert simulation.state.x[:, 0].min() > RADIUS


@pytest.mark.parametrize("share", [0.5, 0.1, 1e-3, 1e-9])
def test_what_a_contact_asks_beside_a_pin_has_a_bound(share):
    corners, weights = np.array([[0, 1, 0, 0]]), np.array([[1.0 - share, share, 0.0, 0.0]])
    held = np.array([True, False])
    found = asked(corners, weights, held)[0]
    # A free corner that goes by what is lacked over its weight would go by as much as is lacked at most.
    assert found / share <= 1.0 + 1e-12
    assert asked(corners, weights, ~held)[0] == pytest.approx(
        (1.0 - share) ** 2 / ((1.0 - share) ** 2 + share**2)
    )
    assert asked(corners, weights, np.zeros(2, dtype=bool)) is None
    # Of what meets what pins hold, on its other side, all is asked.
    across = np.array([[1.0, -1.0, 0.0, 0.0]])
    assert asked(corners, across, held)[0] == 1.0
    # And so where cloth that is free meets it beside a pin.
    both = np.array([[0, 1, 2, 3]]), np.array([[1.0 - share, share, -0.5, -0.5]])
    assert asked(*both, np.array([True, False, False, False]))[0] == 1.0


def test_ways_from_pins_go_along_springs():
    network = SpringNetwork.grid((5, 4), 0.1, pins=[0])
    near = NearPins.of(network, 0.25)
    assert set(near.pins) == {0}
    straight = np.linalg.norm(network.points[near.particles] - network.points[0], axis=1)
    assert (near.ways >= straight - 1e-12).all()
    assert (near.ways <= np.abs(network.points[near.particles] - network.points[0]).sum(axis=1) + 1e-12).all()
    everybody = np.linalg.norm(network.points - network.points[0], axis=1)
    assert set(np.flatnonzero(everybody <= 0.21)) - {0} <= set(near.particles) | {0}
    which, lacks = near.lacks(np.array([0]), np.array([0.15]))
    np.testing.assert_allclose(lacks, 0.15 - near.ways[which])
    assert (near.ways[which] < 0.15).all()
