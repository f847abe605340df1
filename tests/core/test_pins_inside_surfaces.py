# SPDX-License-Identifier: GPL-3.0-or-later
"""What pins hold inside a surface does not collide with it: it hangs as if nothing were there."""

import numpy as np
import pytest

from hooke.core import Plane, RigidMesh, Simulation, SpringNetwork
from hooke.core.contact.collider import held_inside
from hooke.core.contact.sphere import Sphere
from hooke.core.triangle_mesh.cube import cube

SPACING, COUNT = 0.1, 12


def chain(pinned=(0,)):
    """A chain along x from the origin of a stiffness that its weight stretches by a hundredth at most."""
    points = np.zeros((COUNT, 3))
    points[:, 0] = SPACING * np.arange(COUNT)
    edges = np.column_stack([np.arange(COUNT - 1), np.arange(1, COUNT)])
    pins = np.isin(np.arange(COUNT), pinned)
    return SpringNetwork(points, edges, masses=0.01, stiffness=100 * COUNT * 0.01 * 9.81 / SPACING, pins=pins)


@pytest.mark.parametrize(("depth", "held"), [(-0.01, 0), (0.05, 1), (0.15, 2), (0.25, 3), (5.0, COUNT)])
def test_a_pin_holds_what_its_springs_do_not_let_out(depth, held):
    network = chain()
    assert np.array_equal(held_inside(network, np.array([-depth])), np.arange(COUNT) < held)


def test_of_several_pins_each_holds_what_is_near_it():
    network = chain(pinned=(0, COUNT - 1))
    held = held_inside(network, np.array([-0.15, -0.25]))
    assert np.flatnonzero(held).tolist() == [0, 1, COUNT - 3, COUNT - 2, COUNT - 1]


def test_what_is_longer_at_rest_than_its_points_are_apart_may_come_out():
    network = chain()
    longer = SpringNetwork(network.points, network.edges, rest_lengths=3.0 * SPACING, pins=network.pins)
    assert held_inside(longer, np.array([-0.25])).sum() == 1


@pytest.mark.parametrize(("above", "held"), [(0.005, 0), (-0.05, 1), (-0.15, 2)])
def test_of_a_mesh_a_pin_holds_what_is_near_it_where_it_is_inside_itself(above, held):
    # Outside, nearer than it should keep, a collar goes round a neck: what hangs from it falls on the shoulders.
    network = chain()
    points, triangles = cube()
    block = RigidMesh(points + np.array([0.5, 0.0, -1.0 - above]), triangles, thickness=0.3)
    assert block.held(network).sum() == held


def swung(network, contacts=()):
    """Largest stretch over the swing of a chain from level to hanging."""
    simulation = Simulation(
        network,
        "PROJECTIVE_DYNAMICS",
        dt=1 / 24,
        substeps=5,
        iterations=20,
        acceleration="LBFGS",
        contacts=contacts,
    )
    return max(network.strains(x).max() for x in simulation.frames(24))


@pytest.mark.nightly
@pytest.mark.parametrize("inside", [0.05, 0.15, 0.25])
def test_a_chain_pinned_in_a_ball_swings_as_without_the_ball(inside):
    # What leaves the ball slides over its surface, so it is no longer than in the free swing but for what that bends.
    network = chain()
    ball = Sphere(radius=inside, friction=0.0)
    assert swung(network, [ball]) < 1.5 * swung(network) < 0.1


def test_what_no_pin_holds_collides():
    network = chain(pinned=(COUNT - 1,))
    simulation = Simulation(network, dt=1 / 24, substeps=5, contacts=[Plane((0.0, 0.0, -0.2))])
    *_, x = simulation.frames(24)
    assert x[:, 2].min() > -0.2 - 1e-6
    assert not Plane((0.0, 0.0, -0.2)).held(network).any()
