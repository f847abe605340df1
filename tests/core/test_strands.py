# SPDX-License-Identifier: GPL-3.0-or-later
"""Ropes, nets and lattices without a surface: their strands meet, rest on each other, and never pass."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import cKDTree

from hooke.core import Plane, Simulation, SpringNetwork, State, forces
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.topology import LATTICE_LEVELS, lattice_edges, lattice_points

from .nearness import edge_distances, triangle_distances

G = 9.81


def turned(axis, angle):
    """The matrix of a turn about an axis of unit length (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def at_random(rng):
    axis = rng.normal(size=3)
    return turned(axis / np.linalg.norm(axis), rng.uniform(0.0, np.pi))


def network_of(parts, **quantities):
    """One network of (points, edges), and the number of the part of every particle."""
    points, edges = zip(*parts, strict=True)
    starts = np.cumsum([0, *map(len, points)])
    joined = np.concatenate([of + start for of, start in zip(edges, starts, strict=False)])
    return SpringNetwork(np.concatenate(points), joined, **quantities), np.repeat(
        np.arange(len(points)), np.diff(starts)
    )


def chain(points):
    return points, np.column_stack([np.arange(len(points) - 1), np.arange(1, len(points))])


def rope(count, length):
    return chain(np.column_stack([np.linspace(-length / 2, length / 2, count), *np.zeros((2, count))]))


def lattice(shape, size):
    points = lattice_points(shape, size / (shape[0] - 1))
    return points - points.mean(axis=0), lattice_edges(shape, LATTICE_LEVELS if shape[2] > 1 else ("FACE",))


def close_rows(edges, x, reach):
    """Particles of all pairs of edges that share none, and may be closer than so much at x [m]."""
    ends = x[edges]
    longest = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max()
    pairs = cKDTree(ends.mean(axis=1)).query_pairs(longest + reach, output_type="ndarray")
    rows = np.sort(pairs, axis=1)
    rows = np.concatenate([edges[rows[:, 0]], edges[rows[:, 1]]], axis=1)
    return rows[(rows[:, :2, None] != rows[:, None, 2:]).all(axis=(1, 2))]


def apart(network, x, far, thickness):
    """Least distance over the thickness of edges farther than so much from each other at rest; endless if many."""
    rows = close_rows(network.edges, x, thickness)
    rows = rows[edge_distances(network.points, rows) > far]
    return edge_distances(x, rows).min(initial=np.inf) / thickness


def energy(simulation, gravity=G):
    """Of motion, of the springs as they are carried, and of the heights [J]."""
    state, masses = simulation.state, simulation.network.masses
    stored = forces.spring_energy(simulation.integrator.network, state.x)
    return 0.5 * masses @ (state.v**2).sum(axis=1) + stored + gravity * (masses @ state.x[:, 2])


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("stiffness", "effort"),
    [(1e3, "DRAFT"), (1e3, "STANDARD"), (1e4, "STANDARD"), (1e5, "STANDARD")],
)
def test_a_lattice_rests_on_a_lattice_with_edges_that_are_parallel(stiffness, effort):
    thickness, (points, edges) = 0.05, lattice((3, 3, 3), 0.6)
    network, bodies = network_of(
        [(points + np.array([0, 0, 0.32]), edges), (points + np.array([0.1, 0.05, 1.1]), edges)],
        masses=1 / 27,
        stiffness=stiffness,
    )
    contacts = [Plane(friction=0.5), SelfCollision(thickness, bodies=bodies)]
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, **EFFORTS[effort].settings)
    first = energy(simulation)
    for _ in range(20):
        simulation.step()
        assert energy(simulation) < first
        rows = close_rows(network.edges, simulation.state.x, thickness)
        rows = rows[bodies[rows[:, 0]] != bodies[rows[:, 2]]]
        assert edge_distances(simulation.state.x, rows).min(initial=1.0) > 0.8 * thickness
    # A thickness above the other's top.
    assert simulation.state.x[bodies == 1, 2].mean() == pytest.approx(0.3 + 0.6 + 0.05, abs=0.03)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(4))
def test_lattices_that_meet_in_the_air_keep_their_momentum(seed):
    rng = np.random.default_rng(seed)
    points, edges = lattice((3, 3, 3), 0.6)
    there = points @ at_random(rng).T + [0.05, 0.1, 1.2]
    network, bodies = network_of(
        [(points @ at_random(rng).T, edges), (there, edges)], masses=1 / 27, stiffness=1e3
    )
    contacts = SelfCollision(0.05, bodies=bodies)
    simulation = Simulation(
        network, dt=1 / 24, gravity=(0, 0, 0), contacts=contacts, **EFFORTS["STANDARD"].settings
    )
    v = np.zeros_like(network.points)
    v[bodies == 1, 2] = -3.0
    simulation.state = State(network.points, v, 0.0)
    first, momentum = energy(simulation, 0.0), network.masses @ v
    for _ in range(16):
        simulation.step()
        assert_allclose(network.masses @ simulation.state.v, momentum, atol=1e-12)
        assert energy(simulation, 0.0) < first * (1.0 + 1e-9)
    velocities, centres = (
        [of[bodies == number].mean(axis=0) for number in (0, 1)]
        for of in (simulation.state.v, simulation.state.x)
    )
    # It was struck, and they part: one strikes with a corner, and passes beside.
    assert velocities[0][2] < -0.5
    assert (velocities[1] - velocities[0]) @ (centres[1] - centres[0]) > 0.0


def coiled(rng):
    """A rope in turns of 2 cm above each other."""
    angle = np.arange(90) / 3.0
    points = np.column_stack([0.06 * np.cos(angle), 0.06 * np.sin(angle), 0.05 + 0.02 * angle / (2 * np.pi)])
    return chain(points + 1e-4 * rng.normal(size=points.shape))


def upright(rng):
    """A net that stands on an edge."""
    points, edges = lattice((11, 11, 1), 0.5)
    return points[:, [2, 1, 0]] + [0, 0, 0.3] + 1e-3 * rng.normal(size=points.shape), edges


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.combined
@pytest.mark.parametrize("of", [coiled, upright])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_falls_in_a_heap_on_a_floor_never_passes_through_itself(of, seed):
    thickness = 0.01
    network, _ = network_of([of(np.random.default_rng(seed))], masses=1e-3, stiffness=1e3)
    simulation = Simulation(
        network,
        dt=1 / 24,
        contacts=[Plane(friction=0.5), SelfCollision(thickness)],
        **EFFORTS["STANDARD"].settings,
    )
    far, found = 2.0 * network.rest_lengths.max(), [energy(simulation)]
    for _ in range(20):
        simulation.step()
        found.append(energy(simulation))
        assert apart(network, simulation.state.x, 0.0, thickness) > 0.0
    scale = G * network.masses.sum() * np.ptp(network.points[:, 2])
    assert np.diff(found).max() < 0.02 * scale
    assert apart(network, simulation.state.x, far, thickness) > 0.5


@pytest.mark.newest
def test_a_rope_bears_a_rope():
    thickness, (points, edges) = 0.01, rope(41, 1.0)
    across = points @ turned((0, 0, 1), np.pi / 2).T + [0.007, 0, 0.2]
    network, bodies = network_of(
        [(points, edges), (across, edges)], masses=0.2 / 41, stiffness=1e3, pins=[0, 40]
    )
    nearest = []
    # Of ropes that cross exactly the last bits decide which side gives way: 0.39 to 0.82 of the thickness.
    for lift in (0.0, 1e-9, -1e-9, 1e-6, 1e-3):
        simulation = Simulation(
            network, dt=1 / 24, contacts=SelfCollision(thickness), **EFFORTS["STANDARD"].settings
        )
        x = network.points + (bodies == 1)[:, None] * np.array([0.0, 0.0, lift])
        simulation.state = State(x, np.zeros_like(x))
        first, near = energy(simulation), []
        for _ in range(24):
            simulation.step()
            assert energy(simulation) < first
            near.append(apart(network, simulation.state.x, 0.1, thickness))
        nearest.append(min(near))
        # It would have fallen by 4.9 m.
        assert simulation.state.x[bodies == 1, 2].min() > -1.5
    assert np.median(nearest) > 0.5


def candidates(network, x, thickness):
    """Corners of all pairs that may come as near as that at x, as sets of particles."""
    contacts = Simulation(network, dt=1 / 24, contacts=SelfCollision(thickness)).system.contacts
    margins = np.zeros(len(x))
    found = contacts.touching(x, x, 0.0, 1 / 24, margins).candidates
    return set(map(frozenset, found.corners.tolist()))


def near_edges(points, edges, x, thickness):
    """Pairs of edges that come close at x, as brute force finds them, and those of a search."""
    rows = close_rows(edges, x, thickness)
    near = rows[edge_distances(x, rows) < thickness]
    return set(map(frozenset, near.tolist())), candidates(SpringNetwork(points, edges), x, thickness)


def test_turns_of_a_coil_are_looked_at_though_they_lie_beside_each_other_at_rest():
    points, edges = coiled(np.random.default_rng(0))
    near, found = near_edges(points, edges, points * [1, 1, 0.3], 0.01)
    assert len(near) > 200
    assert near <= found


def test_a_net_that_is_folded_along_a_diagonal_is_near_itself():
    # Its strands lie along its strands then, in the same directions as before.
    points, edges = lattice((12, 12, 1), 0.5)
    x, y, _ = points.T
    folded = np.column_stack([np.maximum(x, y), np.minimum(x, y), np.where(x > y, 0.005, 0.0)])
    near, found = near_edges(points, edges, folded, 0.008)
    assert len(near) > 100
    assert near <= found


@pytest.mark.newest
def test_layers_of_a_roll_are_looked_at_though_they_lie_beside_each_other_at_rest():
    # 4 mm apart at rest, so they keep less than the thickness; pressed on each other they are near.
    angle = np.arange(0.0, 6.0 * np.pi, 0.15)
    turns = angle / (2.0 * np.pi)

    def rolled(apart):
        radius = 0.04 + apart * turns
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

    flat = lattice_points((len(angle), 5, 1), 1.0)
    layer, across = flat[:, 0].astype(int), 0.008 * flat[:, 1]
    points, pressed = (np.column_stack([rolled(apart)[layer], across]) for apart in (0.004, 0.001))
    faces = np.array([(a, a + 5, a + 6, a + 1) for a in range(len(points) - 5) if a % 5 < 4])
    network = SpringNetwork.from_mesh(points, faces=faces)
    triangles = network.surface.triangles
    particles = np.repeat(np.arange(len(points)), len(triangles))[:, None]
    rows = np.concatenate([particles, np.tile(triangles, (len(points), 1))], axis=1)
    # What is a layer away, and no neighbour.
    rows = rows[(np.abs(rows[:, :1] - rows[:, 1:]) > 60).all(axis=1)]
    near = set(map(frozenset, rows[triangle_distances(pressed, rows) < 0.001].tolist()))
    assert len(near) > 500
    assert near <= candidates(network, pressed, 0.005)
