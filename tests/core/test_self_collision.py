# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision: what comes close is found, momentum is kept, plies stay apart, stick and slide."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Plane, Simulation, SpringNetwork, State
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.surface import Surface
from hooke.core.topology import lattice_faces, lattice_points

from .nearness import edge_distances
from .plies import sheets
from .restoring import assert_restored_alike

G = 9.81
STANDARD = EFFORTS["STANDARD"].settings


def closest_apart(x, y):
    """Least distance between two sets of positions."""
    return np.linalg.norm(x[:, None] - y[None], axis=2).min()


def test_neighbours_at_rest_are_left_alone():
    # A thickness of several edges: nothing moves.
    network = sheets([(9, 9)], 0.01, [(0, 0, 0)])
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), contacts=SelfCollision(0.035), **STANDARD)
    simulation.step()
    assert_allclose(simulation.state.x, network.points, atol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", ["PROJECTIVE_DYNAMICS", "IMPLICIT_EULER"])
def test_two_free_sheets_collide_with_their_momentum(integrator):
    network = sheets([(9, 9), (7, 7)], 0.02, [(0, 0, 0), (0.013, 0.017, 0.03)], mass=0.02, stiffness=50.0)
    options = STANDARD if integrator == "PROJECTIVE_DYNAMICS" else {"substeps": 4}
    simulation = Simulation(
        network,
        integrator,
        dt=1 / 24,
        gravity=(0, 0, 0),
        contacts=SelfCollision(0.015, 0.3),
        **options,
    )
    v = np.zeros_like(network.points)
    v[81:] = 0.3, 0.0, -0.6
    simulation.state = State(network.points, v, 0.0)
    momentum = network.masses @ v
    energies = []
    for _ in range(6):
        simulation.step()
        found = simulation.diagnostics()
        energies.append(found["kinetic"] + found["potential"])
        assert_allclose(network.masses @ simulation.state.v, momentum, atol=1e-10 * np.linalg.norm(momentum))
    assert max(energies) <= 1.01 * 0.5 * np.sum(network.masses * (v**2).sum(axis=1))
    # It struck, and did not pass.
    assert simulation.state.v[:81, 2].mean() < -0.1
    assert simulation.state.x[81:, 2].mean() > simulation.state.x[:81, 2].mean()


@pytest.mark.nightly
@pytest.mark.parametrize("began", [0.3, 1.0])
def test_what_lies_below_forty_plies_keeps_its_distance(began):
    # What begins closer, too, which parts slowly.
    thickness = 0.01
    network = sheets([(9, 9), (7, 7)], 0.02, [(0, 0, 0), (0.013, 0.017, 0.1)], pins=np.arange(81))
    simulation = Simulation(
        network, dt=1 / 24, gravity=(0, 0, -40 * G), contacts=SelfCollision(thickness), **STANDARD
    )
    x = network.points.copy()
    x[81:, 2] = began * thickness
    simulation.state = State(x, np.zeros_like(x), 0.0)
    for frame in range(12):
        simulation.step()
        if frame > 3:
            assert simulation.state.x[81:, 2].min() > 0.8 * thickness


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize("speed", [0.5, 2.0, 5.0])
def test_no_sheet_passes_through_another_with_wider_meshes_than_the_thickness(speed):
    pins = np.arange(121)
    network = sheets([(11, 11), (8, 8)], 0.03, [(0, 0, 0), (0.041, 0.047, 0.1)], pins=pins, mass=0.05)
    simulation = Simulation(network, dt=1 / 24, contacts=SelfCollision(0.008), **STANDARD)
    v = np.zeros_like(network.points)
    v[121:, 2] = -speed
    simulation.state = State(network.points, v, 0.0)
    for _ in range(8):
        simulation.step()
        assert simulation.state.x[121:, 2].min() > 0.0


def one_above_another(low, low_shape, high, high_shape, speed):
    """A held lattice of one layer and a free one on its way down to it, and the number of points that are held."""
    faces = np.concatenate([lattice_faces(low_shape), lattice_faces(high_shape) + len(low)])
    points = np.concatenate([low, high])
    network = SpringNetwork.from_mesh(points, faces=faces, mass=0.05, pins=np.arange(len(low)))
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), contacts=SelfCollision(0.008), **STANDARD)
    v = np.zeros_like(points)
    v[len(low) :, 2] = -speed
    simulation.state = State(points, v, 0.0)
    return simulation, len(low)


def blades(speed):
    """Two upright sheets, the upper one on its way down, whose borders cross in the middles of edges."""
    low = lattice_points((5, 5, 1), 0.03)[:, [2, 0, 1]] - (0.0, 0.0, 0.12)
    high = lattice_points((6, 4, 1), 0.03)[:, [0, 2, 1]] + (-0.075, 0.075, 0.02)
    return one_above_another(low, (5, 5, 1), high, (6, 4, 1), speed)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("speed", [0.3, 2.0])
def test_borders_do_not_pass_through_borders(speed):
    # No vertex comes near a triangle: where the borders cross, both end in the middles of their edges.
    simulation, count = blades(speed)
    crossing = np.array([[count + 8, count + 12, 14, 19]])
    for _ in range(6):
        simulation.step()
        x = simulation.state.x
        assert edge_distances(x, crossing)[0] > 0.4 * 0.008
        assert x[crossing[0, :2], 2].mean() > x[crossing[0, 2:], 2].mean()


def roofs(speed):
    """Two sheets folded at right angles, ridge over ridge, the upper one on its way down: see `blades`."""
    low = lattice_points((6, 5, 1), 0.03) - (0.075, 0.06, 0.0)
    high = lattice_points((5, 6, 1), 0.03) - (0.06, 0.075, 0.0)
    low[:, 2], high[:, 2] = -np.abs(low[:, 1]), np.abs(high[:, 0]) + 0.02
    return one_above_another(low, (6, 5, 1), high, (5, 6, 1), speed)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("speed", [0.3, 2.0])
def test_folds_do_not_pass_through_folds(speed):
    # As with borders, but within the surfaces.
    simulation, count = roofs(speed)
    crossing = np.array([[12, 17, count + 14, count + 15]])
    for _ in range(6):
        simulation.step()
        x = simulation.state.x
        assert edge_distances(x, crossing)[0] > 0.4 * 0.008
        assert x[crossing[0, :2], 2].mean() < x[crossing[0, 2:], 2].mean()


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_a_rope_does_not_pass_through_a_rope(speed):
    # Two crossed ropes of 20 segments, the ends of one held; their vertices never come near each other.
    along_x = np.column_stack([np.linspace(-0.5, 0.5, 21), np.zeros(21), np.zeros(21)])
    along_y = np.column_stack([np.full(20, 0.025), np.linspace(-0.475, 0.475, 20), np.full(20, 0.05)])
    edges = np.array([(k, k + 1) for k in range(40) if k != 20])
    points = np.concatenate([along_x, along_y])
    network = SpringNetwork(points, edges, masses=0.002, pins=[0, 20], surface=Surface(edges))
    simulation = Simulation(network, dt=1 / 24, contacts=SelfCollision(0.01), **STANDARD)
    v = np.zeros_like(points)
    v[21:, 2] = -speed
    simulation.state = State(points, v, 0.0)
    pairs = np.array([(*one, *other) for one in edges[:20] for other in edges[20:]])
    for _ in range(10):
        simulation.step()
        assert edge_distances(simulation.state.x, pairs).min() > 0.4 * 0.01
    # It hangs over the other; in the meantime it would have fallen by 1.3 m and more.
    assert simulation.state.x[30:32, 2].mean() > -0.7


def stacked(thickness=0.008):
    """Four plies over a floor, half as far again from each other as they may be."""
    places = [(0.003 * k, 0.002 * k, 0.01 + 1.5 * thickness * k) for k in range(4)]
    network = sheets([(9, 9)] * 4, 0.01, places, mass=0.05)
    contacts = [Plane(), SelfCollision(thickness)]
    return Simulation(network, dt=1 / 24, contacts=contacts, **STANDARD)


@pytest.mark.nightly
def test_a_stack_lies_on_a_floor_with_its_plies_apart():
    simulation, thickness = stacked(), 0.008
    masses, peak = simulation.network.masses, 0.0
    for _ in range(10):
        simulation.step()
        kinetic = 0.5 * np.sum(masses * (simulation.state.v**2).sum(axis=1))
        peak = max(peak, kinetic)
    assert kinetic < 0.1 * peak
    plies = simulation.state.x.reshape(4, 81, 3)
    assert plies[..., 2].min() > -1e-9
    for one, other in combinations(plies, 2):
        assert closest_apart(one, other) > 0.8 * thickness
    assert (np.diff(plies[..., 2].mean(axis=1)) > 0.8 * thickness).all()


@pytest.mark.nightly
def test_the_same_bits_after_restore():
    one, other = stacked(), stacked()
    assert_restored_alike(one, other, 6)


@pytest.mark.nightly
def test_what_begins_crumpled_is_parted_slowly():
    rng = np.random.default_rng(6)
    network = sheets([(9, 9), (9, 9)], 0.02, [(0, 0, 0), (0.001, 0.002, 0.0005)], mass=0.05)
    points = network.points + rng.normal(scale=2e-3, size=network.points.shape)
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), contacts=SelfCollision(0.01), **STANDARD)
    simulation.state = State(points, np.zeros_like(points), 0.0)
    before = closest_apart(points[:81], points[81:])
    for _ in range(14):
        simulation.step()
        # As far as they keep within a substep is as fast as that, and by BDF2's velocity half as fast again.
        assert np.abs(simulation.state.v).max() < 1.5 * 0.01 * 72
    assert before < 0.003
    assert closest_apart(simulation.state.x[:81], simulation.state.x[81:]) > 2.0 * before


@pytest.mark.nightly
def test_what_lies_on_itself_everywhere_takes_bounded_memory():
    # Looked at all at once, what may be near took 257 MB here, and more with every ply.
    network = SpringNetwork.grid((24, 24), 0.02)
    rng = np.random.default_rng(0)
    points = 0.5 * network.points + rng.uniform(-0.03, 0.03, network.points.shape)
    simulation = Simulation(network, dt=1 / 24, acceleration="NEWTON", contacts=SelfCollision(0.008))
    simulation.state = State(points, np.zeros_like(points))
    tracemalloc.start()
    simulation.step()
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # What was found near is kept for the substeps that follow: 28 MB of pairs here, and of no more than that.
    assert most < 140e6 and kept < 40e6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"thickness": 0.0}, "thickness is 0 m"),
        ({"friction": -0.1}, "friction is -0.1"),
    ],
)
def test_what_is_out_of_range_is_named(arguments, said):
    with pytest.raises(ValueError, match=f"the self-collision's {said}"):
        SelfCollision(**arguments)


def test_bodies_of_others_than_the_particles_are_refused_in_a_sentence():
    network = SpringNetwork.grid((3, 3), 0.1)
    with pytest.raises(
        ValueError, match=r"bodies have shape \(4,\): give the number of its body for each of the 9"
    ):
        Simulation(network, dt=0.04, contacts=SelfCollision(bodies=[0, 0, 1, 1]))


@pytest.mark.parametrize("last", [{"quality": "FACES"}, {"bodies": "VERTICES"}])
def test_what_scripts_for_earlier_versions_ask_for_is_refused_in_a_sentence(last):
    with pytest.raises(ValueError, match=r"has no option 'quality': its|bodies is 'VERTICES': give"):
        SelfCollision(0.01, 0.3, **last)
