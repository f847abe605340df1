# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles that nothing is joined to: they keep their distance from each other, and from strands and faces."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import INTEGRATORS, Member, Plane, Simulation, SpringNetwork, State, Together
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS

from .restoring import assert_restored_alike

THICKNESS = 0.02
STANDARD = EFFORTS["STANDARD"].settings
NO_GRAVITY = (0.0, 0.0, 0.0)


def dust(points, mass=0.01):
    """Particles without springs."""
    return SpringNetwork(points, np.zeros((0, 2), dtype=int), masses=mass, stiffness=np.zeros(0))


def cloud(side, apart=1.3, seed=0):
    """So many grains a side, about so many thicknesses apart."""
    random = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) * apart
    return THICKNESS * (places + random.normal(scale=0.05, size=places.shape)) + (0.0, 0.0, 0.1)


def nearest(x):
    """The least distance between any two, in thicknesses."""
    apart = np.linalg.norm(x[:, None] - x[None], axis=2)
    return apart[np.triu_indices(len(x), 1)].min() / THICKNESS


def heap(side=7, friction=0.5):
    """Grains above a floor."""
    contacts = [Plane(friction=friction, thickness=THICKNESS), SelfCollision(THICKNESS, friction)]
    return Simulation(dust(cloud(side), 1e-3), dt=1 / 24, contacts=contacts, **STANDARD)


def shot(simulation, velocities):
    """A simulation that begins with velocities [m/s]."""
    simulation.state = State(simulation.state.x, np.array(velocities, dtype=float), 0.0)
    return simulation


@pytest.mark.combined
@pytest.mark.parametrize("speed", [0.5, 5.0, 300.0])
@pytest.mark.parametrize("aside", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("id", INTEGRATORS)
def test_two_that_meet_keep_their_distance_and_momentum(id, aside, speed):
    # The fastest goes by more than two hundred thicknesses in a substep.
    points = [[0.0, 0.0, 0.0], [aside * THICKNESS, 0.0, 0.1]]
    simulation = Simulation(
        dust(points), id, dt=1 / 24, substeps=3, gravity=NO_GRAVITY, contacts=SelfCollision(THICKNESS, 0.2)
    )
    shot(simulation, [[0, 0, 0], [0, 0, -speed]])
    for _ in range(8):
        simulation.step()
        assert nearest(simulation.state.x) > 0.99
    moved = simulation.state.v.sum(axis=0) / speed
    assert_allclose(moved, (0.0, 0.0, -1.0), atol=1e-9)
    # What was struck goes on, and nothing was won.
    assert simulation.state.v[0, 2] < -0.02 * speed
    assert (simulation.state.v**2).sum() < 1.01 * speed**2


def test_one_that_passes_beside_another_does_not_touch_it():
    simulation = Simulation(
        dust([[0, 0, 0], [1.05 * THICKNESS, 0, 0.4]]),
        dt=1 / 24,
        gravity=NO_GRAVITY,
        contacts=SelfCollision(THICKNESS),
        **STANDARD,
    )
    shot(simulation, [[0, 0, 0], [0, 0, -30.0]])
    for _ in range(3):
        simulation.step()
    assert_allclose(simulation.state.v, [[0, 0, 0], [0, 0, -30.0]], atol=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_a_heap_falls_on_a_floor_and_keeps_its_distances(friction):
    simulation, fastest = heap(friction=friction), 0.0
    for frame in range(36):
        simulation.step()
        speeds = np.linalg.norm(simulation.state.v, axis=1)
        fastest = max(fastest, speeds.max())
        # What comes down on others presses them together for a substep.
        assert nearest(simulation.state.x) > (0.4 if frame < 12 else 0.9)
        # A heap that falls on them presses the lowest into a tenth of their distance and a little more.
        assert simulation.state.x[:, 2].min() > 0.85 * THICKNESS
    if friction:
        # It is a heap: some lie on others, and rest, to a thousandth of what they fell with.
        assert (simulation.state.x[:, 2] > 1.5 * THICKNESS).sum() > 10
        assert np.median(speeds) < 1e-3 * fastest


def test_a_heap_goes_on_from_a_snapshot_to_the_same_bits():
    assert_restored_alike(heap(4), heap(4), frames=5)


def test_members_of_loose_particles_meet():
    one = cloud(3)
    above = one + np.array([0.3 * THICKNESS, 0.2 * THICKNESS, 0.12])
    members = [Member(dust(one)), Member(dust(above))]
    bodies = np.repeat([0, 1], len(one))
    together = Together(
        members, contacts=[SelfCollision(THICKNESS, bodies=bodies)], dt=1 / 24, gravity=NO_GRAVITY, **STANDARD
    )
    v = np.zeros((2 * len(one), 3))
    v[len(one) :, 2] = -2.0
    shot(together, v)
    for _ in range(10):
        together.step()
        x = together.state.x
        apart = np.linalg.norm(x[bodies == 0][:, None] - x[bodies == 1][None], axis=2)
        assert apart.min() > 0.9 * THICKNESS
    assert_allclose(0.01 * together.state.v.sum(axis=0), 0.01 * v.sum(axis=0), atol=1e-9)
    assert together.state.v[: len(one), 2].mean() < -0.1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("speed", [1.0, 30.0])
def test_dust_is_caught_by_a_net_of_strands_and_by_a_sheet(speed):
    # Below each grain the middle of a strand, and below these a sheet; both are held.
    width = 0.2
    ends = np.array(
        [[-width, y, 0.0] for y in (-0.1, 0.0, 0.1)] + [[width, y, 0.0] for y in (-0.1, 0.0, 0.1)]
    )
    sheet = np.array(
        [[-width, -width, -0.3], [width, -width, -0.3], [width, width, -0.3], [-width, width, -0.3]]
    )
    grains = np.array([[0.03, y, 0.1] for y in (-0.1, 0.0, 0.1)] + [[0.05, 0.05, 0.1], [-0.09, -0.04, 0.2]])
    points = np.concatenate([ends, sheet, grains])
    faces, strands = np.array([[6, 7, 8, 9]]), np.array([[0, 3], [1, 4], [2, 5]])
    network = SpringNetwork.from_mesh(points, edges=strands, faces=faces, mass=0.1, pins=np.arange(10))
    simulation = Simulation(
        network, dt=1 / 24, gravity=NO_GRAVITY, contacts=SelfCollision(THICKNESS), **STANDARD
    )
    v = np.zeros_like(points)
    v[10:, 2] = -speed
    shot(simulation, v)
    for _ in range(12):
        simulation.step()
    # They lie where they struck, but for a two-hundredth of the speed.
    height = simulation.state.x[10:, 2] - THICKNESS + [0.0, 0.0, 0.0, 0.3, 0.3]
    assert height.min() > -0.02 * THICKNESS
    assert np.abs(simulation.state.v).max() < 5e-3 * speed


def test_what_is_not_loose_meets_no_particle_of_its_own():
    # Corners of strands keep from strands what edges do, and a part's inner particles nothing.
    rope = np.column_stack([np.linspace(0.0, 0.3, 31), np.zeros((31, 2))])
    network = SpringNetwork.from_mesh(rope, edges=np.column_stack([np.arange(30), np.arange(1, 31)]))
    simulation = Simulation(network, dt=1 / 24, gravity=NO_GRAVITY, contacts=SelfCollision(0.035), **STANDARD)
    simulation.step()
    assert_allclose(simulation.state.x, rope, atol=1e-12)


def test_grains_that_begin_nearer_than_they_keep_part_slowly():
    # Pushed out at once some went at two hundred thicknesses a second.
    contacts = SelfCollision(THICKNESS, 0.5)
    simulation = Simulation(dust(cloud(5, 0.5)), dt=1 / 24, gravity=NO_GRAVITY, contacts=contacts, **STANDARD)
    for _ in range(8):
        simulation.step()
        assert np.abs(simulation.state.v).max() < 50.0 * THICKNESS
    assert nearest(simulation.state.x) > 0.98
