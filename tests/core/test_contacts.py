# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts: what every shape of the catalogue keeps, and the three seats in a substep."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import CONTACTS, INTEGRATORS, Plane, Simulation, SpringNetwork, State
from hooke.core.contacts import Collider, Contact

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


@pytest.mark.parametrize("id", SHAPES)
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_nothing_stays_inside_or_moves_inwards_or_gains_energy(id, friction, cloud):
    shape = CONTACTS[id](friction=friction)
    x, v = cloud
    state = State(x, v, 0.1)
    inside = shape.distances(x) < 0.0
    assert 5 < inside.sum() < 495
    n = np.broadcast_to(shape.normals(x[inside]), (inside.sum(), 3))
    outside = x.copy()
    outside[inside] -= shape.distances(x[inside])[:, None] * n
    after = shape.resolve(State(outside, v, 0.0), state)
    assert shape.distances(after.x).min() > -1e-12
    assert np.einsum("ij,ij->i", after.v[inside], n).min() > -1e-12
    assert (np.linalg.norm(after.v, axis=1) <= np.linalg.norm(v, axis=1) + 1e-12).all()
    assert_array_equal(after.x[~inside], x[~inside])
    assert_array_equal(after.v[~inside], v[~inside])


@pytest.mark.parametrize("id", SHAPES)
def test_one_contact_or_several(id):
    network = SpringNetwork([[0.0, 0.0, 5.0]], [])
    runs = [Simulation(network, dt=0.05, contacts=given) for given in (CONTACTS[id](), [CONTACTS[id]()])]
    for one, other in zip(*(run.frames(30) for run in runs), strict=True):
        assert_array_equal(one, other)
        assert CONTACTS[id]().distances(one).min() > -1e-12


class FilteringFloor(Contact):
    """The floor z = 0 seen before and inside the iterations: Baraff and Witkin 1998, section 5, for the filter."""

    def prepare(self):
        self.seen, self.found, self.pushes = [], 0, np.zeros(1)

    def find(self, start, x, t):
        self.found += 1
        self.touching = x[2] < 0.0
        self.pushes = np.zeros(x.shape[1])
        return bool(self.touching.any())

    def place(self, x):
        x[2, self.touching] = 0.0

    def filter_gradient(self, gradient):
        self.pushes = np.where(self.touching, np.maximum(gradient[2], 0.0), 0.0)
        gradient[2] -= self.pushes

    def filter_increment(self, increment):
        increment[2, self.touching] = np.maximum(increment[2, self.touching], 0.0)

    def resolve(self, before, after):
        self.seen.append((self.body, before, self.pushes.sum()))
        return Plane(friction=0.0).resolve(before, after)


def lying():
    """A sheet of 0.5 kg lying on the floor, its springs at rest."""
    return SpringNetwork.grid((9, 9), 0.1, mass=0.5, stiffness=1e3)


@pytest.mark.parametrize("options", [{}, {"acceleration": "SECANT"}, {"time_stepping": "BDF2"}])
def test_inside_the_iterations_a_lying_sheet_feels_its_weight_and_stays_flat(options):
    # Every vertex stays where it is, borne by the floor: sum of N = m g, exactly, in every substep.
    network = lying()
    simulation = Simulation(network, dt=0.02, substeps=2, contacts=FilteringFloor(), iterations=2, **options)
    for _ in range(5):
        simulation.step()
    assert_allclose(simulation.state.x, network.points, atol=1e-14)
    # BDF2's first step is backward Euler's; a lying sheet weighs the same in both.
    contact = simulation.system.contacts._others[0]
    for body, before, push in contact.seen:
        assert body is simulation.body
        assert before.x.shape == network.points.shape
        assert push == pytest.approx(0.5 * 9.81, rel=1e-12)


def test_inside_the_iterations_a_landing_sheet_stretches_less():
    # A sheet draped over the edge of a step: one half lies, the other hangs from it; seen only after the solve the
    # lying vertices fall on by h^2 g in it and pull their neighbours.
    class Ledge(FilteringFloor):
        def find(self, start, x, t):
            super().find(start, x, t)
            self.touching &= x[0] < 0.45
            return bool(self.touching.any())

        def resolve(self, before, after):
            x, v = after.x.copy(), after.v.copy()
            below = (x[:, 2] < 0.0) & (x[:, 0] < 0.45)
            x[below, 2], v[below, 2] = 0.0, np.maximum(v[below, 2], 0.0)
            return State(x, v, after.t)

    class AfterOnly(Ledge):
        def find(self, start, x, t):
            return False

    strains = {}
    for contact in (Ledge, AfterOnly):
        pins = np.flatnonzero(lying().points[:, 0] == 0.0)
        network = SpringNetwork.grid((9, 9), 0.1, mass=0.5, stiffness=1e4, pins=pins)
        simulation = Simulation(network, dt=0.04, contacts=contact(), iterations=5)
        worst = []
        for _ in range(25):
            simulation.step()
            worst.append(np.abs(network.strains(simulation.state.x)).mean())
        strains[contact] = np.mean(worst)
    assert strains[Ledge] < 0.7 * strains[AfterOnly]


def test_a_contact_serves_several_simulations():
    floor = FilteringFloor()
    one, other = (Simulation(lying(), dt=0.02, contacts=floor) for _ in range(2))
    one.step()
    assert one.system.contacts._others[0].seen
    assert not other.system.contacts._others[0].seen
    assert not hasattr(floor, "body")


@pytest.mark.parametrize("id", INTEGRATORS)
def test_implicit_methods_have_all_seats_and_others_the_last(id):
    # L-BFGS as well: plain iterations are above.
    options = {"acceleration": "LBFGS"} if id == "PROJECTIVE_DYNAMICS" else {}
    network = SpringNetwork([[0.0, 0.0, 0.1]], [])
    simulation = Simulation(network, id, dt=0.02, contacts=FilteringFloor(), **options)
    for _ in range(20):
        simulation.step()
    contact = simulation.system.contacts._others[0]
    assert contact.found == (20 if id in ("PROJECTIVE_DYNAMICS", "IMPLICIT_EULER") else 0)
    assert len(contact.seen) >= 20
    assert simulation.state.x[0, 2] >= 0.0
