# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts: what every shape of the catalogue keeps, and objects that are asked after a step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import CONTACTS, INTEGRATORS, Plane, Simulation, SpringNetwork, State
from hooke.core.contacts import Collider

SHAPES = [id for id, cls in CONTACTS.items() if issubclass(cls, Collider)]


@pytest.fixture
def cloud():
    """500 positions within 2 m of the origin, and velocities."""
    return np.random.default_rng(5).uniform(-2.0, 2.0, (2, 500, 3))


@pytest.mark.parametrize("id", CONTACTS)
def test_contact_is_described_and_made_without_arguments(id):
    assert CONTACTS[id].label and CONTACTS[id].description
    CONTACTS[id]()


@pytest.mark.parametrize("id", SHAPES)
def test_normals_are_the_gradient_of_the_distances(id, cloud):
    shape, x = CONTACTS[id](), cloud[0]
    step = 1e-6
    slopes = [
        (shape.distances(x + step * axis) - shape.distances(x - step * axis)) / (2 * step)
        for axis in np.eye(3)
    ]
    # Central differences of a distance, with curvature 1/|x| and more: a few of them lie near its centre or edges.
    away = np.abs(np.stack(slopes, 1) - shape.normals(x)).max(axis=1)
    assert np.median(away) < 1e-8
    assert_allclose(np.linalg.norm(np.broadcast_to(shape.normals(x), x.shape), axis=1), 1.0, rtol=1e-12)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("id", SHAPES)
@pytest.mark.parametrize("method", ["PROJECTIVE_DYNAMICS", "SYMPLECTIC_EULER"])
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_nothing_comes_in_or_gains_energy(id, method, friction, cloud):
    shape, (x, v) = CONTACTS[id](friction=friction), cloud
    outside = shape.distances(x) > 0.01
    assert 50 < outside.sum() < 495
    dust = SpringNetwork(x[outside], [])
    simulation = Simulation(dust, method, dt=0.02, gravity=(0, 0, 0), contacts=shape)
    simulation.state = State(x[outside], v[outside], 0.0)
    speeds = np.linalg.norm(v[outside], axis=1)
    for _ in range(10):
        simulation.step()
        assert shape.distances(simulation.state.x).min() > -1e-6
        slower = np.linalg.norm(simulation.state.v, axis=1)
        assert (slower <= speeds + 1e-3).all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("id", SHAPES)
def test_one_contact_or_several(id):
    network = SpringNetwork([[0.0, 0.0, 5.0]], [])
    runs = [Simulation(network, dt=0.05, contacts=given) for given in (CONTACTS[id](), [CONTACTS[id]()])]
    for one, other in zip(*(run.frames(30) for run in runs), strict=True):
        assert_array_equal(one, other)
        assert CONTACTS[id]().distances(one).min() > -1e-9


class Floor:
    """The floor z = 0, without friction, as any object may be one."""

    def __init__(self):
        self.seen = []

    def resolve(self, before, after):
        self.seen.append((before, after))
        x, v = after.x.copy(), after.v.copy()
        below = x[:, 2] < 0.0
        x[below, 2], v[below, 2] = 0.0, np.maximum(v[below, 2], 0.0)
        return State(x, v, after.t)


@pytest.mark.parametrize("id", INTEGRATORS)
def test_what_is_no_contact_is_asked_after_every_step(id):
    network, floor = SpringNetwork([[0.0, 0.0, 0.1]], []), Floor()
    simulation = Simulation(network, id, dt=0.02, contacts=(floor, Plane((0.0, 0.0, -9.0))))
    for _ in range(20):
        simulation.step()
    assert len(floor.seen) >= 20
    assert all(after.t > before.t for before, after in floor.seen)
    assert simulation.state.x[0, 2] >= 0.0


@pytest.mark.parametrize("id", INTEGRATORS)
def test_a_contact_serves_several_simulations(id):
    floor, network = Plane(), SpringNetwork([[0.0, 0.0, 0.01]], [])
    one, other = (Simulation(network, id, dt=0.02, contacts=floor) for _ in range(2))
    for _ in range(4):
        one.step()
    for _ in range(4):
        other.step()
    assert_array_equal(one.state.x, other.state.x)
    assert not hasattr(floor, "body")
