# SPDX-License-Identifier: GPL-3.0-or-later
"""Several bodies as one system: each moves as alone while nothing is near, and they collide with their momentum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import (
    INTEGRATORS,
    AirDrag,
    Member,
    Plane,
    Settling,
    Simulation,
    SpringNetwork,
    State,
    Together,
)
from hooke.core.contact.contact import Contact
from hooke.core.contact.part_contact import PartContact
from hooke.core.contacts import SelfCollision, Sphere
from hooke.core.effort import EFFORTS
from hooke.core.forces import Wind
from hooke.core.forces.force import Force
from hooke.core.solvers.attainable import Attainable
from hooke.core.system import System
from hooke.core.together import PartForce, joined

from .restoring import assert_restored_alike

G = 9.81
STANDARD = EFFORTS["STANDARD"].settings


def sheet(place, shape=(7, 6), spacing=0.05, **quantities):
    """A sheet of quads, its first corner at a place."""
    flat = SpringNetwork.grid(shape, spacing)
    faces = flat.surface.polygons
    return SpringNetwork.from_mesh(flat.points + place, faces=faces, **quantities)


def members():
    """A sheet softly pinned in wind over a plane, one of another pin stiffness over a ball, and one that is free."""
    weights = np.zeros(42)
    weights[:6], weights[6:9] = 1.0, 0.5
    other = np.zeros(42)
    other[-4:] = 0.25
    ball = Sphere(radius=0.2, center=(2.15, 0.12, -0.21), thickness=np.linspace(0.0, 0.01, 42))
    return [
        Member(sheet((0, 0, 0.0), pins=weights, pin_stiffness=3.0), (AirDrag(0.5), Wind(4.0))),
        Member(sheet((2, 0, 0.0), pins=other, pin_stiffness=50.0, mass=0.2), (Settling(0.1),), (ball,)),
        Member(sheet((4, 0, 0.1), mass=0.1), (), (Plane(), SelfCollision(0.01))),
    ]


def alone(member, *arguments, **settings):
    """A member's own Simulation."""
    return Simulation(
        member.network, *arguments, forces=member.forces, contacts=member.contacts, dt=1 / 24, **settings
    )


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", ["SYMPLECTIC_EULER", "VERLET", "RK4"])
def test_explicitly_each_moves_as_alone(integrator):
    together = Together(members(), integrator=integrator, dt=1 / 24, substeps=40)
    each = [alone(member, integrator, substeps=40) for member in members()]
    # The last to meet its plane does so in the fourth.
    for _ in range(4):
        together.step()
        for single, place in zip(each, together.places, strict=True):
            single.step()
            # Conjugate gradients of all members' contacts go along one direction, and leave each another part of its
            # last hundredths of a millimetre; what sticks and slips goes by these, and is 0.3 mm apart in the end.
            assert_allclose(together.state.x[place], single.state.x, atol=5e-4)


@pytest.mark.newest
def test_implicitly_each_moves_as_alone_as_closely_as_it_is_solved():
    # Without contacts, whose sticking and slipping follow from the last digits.
    settings = {"substeps": 4, "acceleration": "NEWTON", "iterations": 60, "tolerance": 1e-10}
    free = [member._replace(contacts=()) for member in members()]
    together = Together(free, dt=1 / 24, **settings)
    each = [alone(member, **settings) for member in free]
    for _ in range(5):
        together.step()
        for single, place in zip(each, together.places, strict=True):
            single.step()
            assert_allclose(together.state.x[place], single.state.x, atol=1e-8)


def touching(kind):
    """A Member in contact in the first frames, and gravity [m/s^2]: a sheet on a ball, a stiff block on a plane."""
    if kind == "drapes":
        ball = Sphere(radius=0.2, center=(0.15, 0.12, -0.22))
        return Member(sheet((0, 0, 0), mass=0.1), (), (ball,)), (0, 0, -G)
    floor = Plane(friction=0.5) if kind == "slides" else Plane(restitution=0.8)
    lattice = SpringNetwork.lattice((4, 4, 4), 0.1, masses=1 / 64, stiffness=1e5)
    points = lattice.points + np.array([0.0, 0.0, 0.0 if kind == "slides" else 0.1])
    block = SpringNetwork(
        points, lattice.edges, masses=1 / 64, stiffness=lattice.stiffness, surface=lattice.surface
    )
    slope = np.arctan(0.6) if kind == "slides" else 0.0
    return Member(block, (), (floor,)), (G * np.sin(slope), 0, -G * np.cos(slope))


# What drapes is answered for by a factor in single precision, in another order than alone: 18 substeps of it.
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "rounding"), [("drapes", 1e-6), ("slides", 1e-9), ("rebounds", 1e-9)])
def test_in_contact_each_moves_as_alone_to_rounding(kind, rounding):
    # Beside what touches nothing, which comes first: particles have other numbers than alone. What may lie on what
    # makes carried springs stiffer, so all are carried.
    member, gravity = touching(kind)
    settings = {**STANDARD, "carried_stiffness": "ALL", "gravity": gravity}
    together = Together([Member(sheet((9, 9, 5), mass=0.1)), member], dt=1 / 24, **settings)
    single = alone(member, **settings)
    for _ in range(6):
        together.step()
        single.step()
        assert_allclose(together.state.x[together.places[1]], single.state.x, atol=rounding)


def test_soft_pins_pull_as_they_do_alone():
    networks = [member.network for member in members()]
    network = joined(networks)
    rng = np.random.default_rng(3)
    x = network.points + rng.normal(scale=0.01, size=network.points.shape)
    v = np.zeros_like(x)
    found = System(_body(network), (0, 0, 0)).forces(x, v, 0.0)
    ends = np.cumsum([0, *(one.vertex_count for one in networks)])
    for one, begin, end in zip(networks, ends, ends[1:], strict=False):
        expected = System(_body(one), (0, 0, 0)).forces(x[begin:end], v[begin:end], 0.0)
        assert_allclose(found[begin:end], expected, atol=1e-12)


def _body(network):
    return Simulation(network, "VERLET", dt=0.01).body


@pytest.mark.parametrize("times", [2.0, 50.0])
def test_what_others_may_lie_on_is_carried_as_stiffly_as_they_weigh(times):
    """A sheet under one of so many times its weight: held at a side, it carries both at the strain of its own."""
    hanging = sheet((0, 0, 0), pins=np.arange(6), mass=0.1, stiffness=1e6)
    lying = sheet((0, 0, 0.1), mass=0.1 * (times - 1.0), stiffness=1e6)
    alone, both = (
        Attainable(network, 1 / 72, 3, (0.0, 0.0, -9.81)).of(network.stiffness)[: hanging.spring_count]
        for network in (hanging, joined([hanging, lying]))
    )
    assert (alone <= both).all() and alone.max() < 1e6
    if times > 4.0:
        # Nobody knows where it will be pressed.
        assert_array_equal(both, 1e6)
    else:
        loaded = alone > 1.5 * np.median(alone)
        assert loaded.any()
        assert_allclose(both[loaded], np.minimum(times * alone[loaded], 1e6), rtol=0.3)


def jelly(place, stiffness):
    """A cube of 4 particles along each side, 12 cm wide, 0.2 kg."""
    lattice = SpringNetwork.lattice((4, 4, 4), 0.04)
    return SpringNetwork(
        lattice.points + place,
        lattice.edges,
        masses=0.2 / 64,
        stiffness=stiffness,
        surface=lattice.surface,
    )


def colliding(integrator="PROJECTIVE_DYNAMICS", speed=1.0, **settings):
    """Two jellies, a little beside each other, that meet: one twice as stiff, both so stiff that they bear it."""
    one, other = (
        jelly(place, stiffness * max(1.0, speed**2))
        for place, stiffness in (((0, 0, 0), 40.0), ((0.18, 0.013, 0.017), 80.0))
    )
    between = SelfCollision(0.01, 0.3, bodies=np.repeat([0, 1], 64))
    running = Together(
        [Member(one), Member(other)],
        contacts=[between],
        integrator=integrator,
        dt=1 / 24,
        gravity=(0, 0, 0),
        **settings,
    )
    v = np.zeros((128, 3))
    v[:64, 0], v[64:, 0] = speed, -0.5 * speed
    running.state = State(running.network.points, v, 0.0)
    return running


def moments(running):
    """Momentum [kg m/s], and angular momentum about the origin [kg m^2/s]."""
    x, v, masses = running.state.x, running.state.v, running.network.masses[:, None]
    return (masses * v).sum(axis=0), (masses * np.cross(x, v)).sum(axis=0)


@pytest.mark.newest
# Every effort at a speed between, and the default at any: what they solve for is the same.
@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("effort", "speed"), [*((effort, 2.0) for effort in EFFORTS), ("STANDARD", 0.5), ("STANDARD", 6.0)]
)
def test_two_that_collide_keep_their_momentum_and_stay_apart(effort, speed):
    running = colliding(speed=speed, **EFFORTS[effort].settings)
    before, _ = moments(running)
    for _ in range(12):
        running.step()
        # The forces of a pair add up to nothing: rounding alone is left, of conjugate gradients too.
        assert_allclose(moments(running)[0], before, atol=1e-9 * np.linalg.norm(before))
    one, other = (running.state.x[place] for place in running.places)
    # It struck: what came faster pushed the other back, and did not pass.
    assert running.state.v[64:, 0].mean() > -0.25 * speed
    assert other[:, 0].mean() - one[:, 0].mean() > 0.12
    assert np.linalg.norm(one[:, None] - other, axis=2).min() > 0.005


@pytest.mark.sampled(6)
@pytest.mark.newest
@pytest.mark.parametrize("integrator", [name for name, of in INTEGRATORS.items() if of.stability_limit > 0.0])
def test_they_collide_whatever_the_integrator(integrator):
    # A fortieth of a frame is a stable step of every method; what is always stable needs none so short.
    running = colliding(integrator, substeps=40 if INTEGRATORS[integrator].stability_limit < np.inf else 8)
    before, _ = moments(running)
    for _ in range(5):
        running.step()
        assert_allclose(moments(running)[0], before, atol=1e-9 * np.linalg.norm(before))
    assert running.state.v[64:, 0].mean() > -0.25


def test_the_same_bits_after_restore():
    one, other = colliding(**STANDARD), colliding(**STANDARD)
    assert_restored_alike(one, other, 5)


def three_plies(**pairs):
    """Three sheets above each other: where the upper ones are after falling on the lowest, which is held."""
    networks = [sheet((0, 0, 0.03 * k), pins=np.arange(42) if k == 0 else None, mass=0.05) for k in range(3)]
    bodies = np.repeat([0, 1, 2], 42)
    running = Together(
        map(Member, networks), contacts=[SelfCollision(0.01, bodies=bodies, **pairs)], dt=1 / 24, **STANDARD
    )
    for _ in range(8):
        running.step()
    return [running.state.x[place, 2].mean() for place in running.places]


@pytest.mark.newest
def test_only_bodies_that_meet_collide():
    low, middle, high = three_plies()
    assert low < middle < high
    # The third meets the second alone.
    low, middle, high = three_plies(meeting=[[0, 0, 0], [0, 0, 1], [0, 1, 0]])
    assert middle < low - 0.1
    low, middle, high = three_plies(meeting=[[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert high < low - 0.1 < middle


def test_what_is_of_one_body_is_left_alone():
    # A strip whose end is folded back above it, much closer than the distance, beside a body far away.
    row = np.repeat(np.arange(8), 2)
    across = np.tile([0.0, 0.1], 8)
    strip = SpringNetwork.from_mesh(
        np.column_stack([0.1 * row, across, np.zeros(16)]),
        faces=[(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(7)],
    )
    folded = np.column_stack([0.1 * np.where(row > 5, 10 - row, row), across, 5e-3 * (row > 5)])
    for bodies, apart in ((None, True), (np.repeat([0, 1], [16, 42]), False)):
        running = Together(
            [Member(strip), Member(sheet((3, 0, 0)))],
            contacts=[SelfCollision(0.02, bodies=bodies)],
            dt=1 / 24,
        )
        state = State(np.concatenate([folded, running.network.points[16:]]), np.zeros((58, 3)), 0.0)
        still = state.x, state.x, 0.0, 0.01, np.zeros(58)
        assert (running.system.contacts.touching(*still) is not None) == apart


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ({"bodies": [-1, 0]}, "a body has the number -1"),
        ({"bodies": [0, 1], "meeting": [[0, 1], [0, 0]]}, "give a symmetric one"),
        ({"bodies": [0, 1], "meeting": [[0]]}, "give a symmetric one"),
    ],
)
def test_bodies_that_are_none_are_named(pairs, said):
    network = SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]])
    with pytest.raises(ValueError, match=said):
        Simulation(network, dt=0.1, contacts=[SelfCollision(0.1, **pairs)])


def test_a_part_passes_on_all_that_contacts_and_forces_have():
    for contract, part in ((Contact, PartContact), (Force, PartForce)):
        said = {name for name, of in vars(contract).items() if callable(of) and not name.startswith("_")}
        assert said - {"on", "prepare"} <= set(vars(part))
