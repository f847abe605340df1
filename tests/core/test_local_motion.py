# SPDX-License-Identifier: GPL-3.0-or-later
"""How far what is near moves against particles, and that deforming meshes are exact as far as that."""

import numpy as np
import pytest

from hooke.core import SpringNetwork
from hooke.core.bodies import Cloth
from hooke.core.contacts import DeformingMesh
from hooke.core.state import State
from hooke.core.triangle_mesh import TriangleMesh
from hooke.core.triangle_mesh.clearances import Clearances
from hooke.core.triangle_mesh.local_motion import LocalMotion
from hooke.core.triangle_mesh.neighbour_list import NeighbourList
from hooke.core.triangle_mesh.posed import PosedMesh

from .surfaces import octasphere


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("size", [0.05, 0.3, 20.0])
def test_nothing_near_moves_farther_against_a_position(size, rng):
    x, points = rng.uniform(-1.0, 1.0, (200, 3)), rng.uniform(-0.7, 0.9, (500, 3))
    ways, moved = rng.normal(size=(200, 3)), rng.normal(size=(500, 3))
    found = LocalMotion(points, moved.T, moved.T, size).about(x.T).most_against(ways)
    near = np.linalg.norm(x[:, None] - points, axis=2) <= size
    against = np.linalg.norm(ways[:, None] - moved, axis=2)
    assert (found >= np.where(near, against, 0.0).max(axis=1) * (1.0 - 1e-12)).all()
    # Cells and those beside them: nothing counts that is farther than two of them along each axis.
    within = (np.abs(x[:, None] - points) <= 2.0 * max(size, 0.05)).all(axis=2)
    if size == 0.3:
        assert not found[~within.any(axis=1)].any()


def test_what_walks_together_moves_not_at_all(rng):
    x, points, way = rng.uniform(size=(50, 3)), rng.uniform(size=(80, 3)), np.array([[3.0, -2.0, 1.0]])
    together = LocalMotion(points, *[np.repeat(way, 80, axis=0).T] * 2, 0.2)
    assert not together.about(x.T).most_against(np.repeat(way, 50, axis=0)).any()


def test_what_is_no_number_or_nowhere_near_meets_nothing(rng):
    points = rng.uniform(size=(80, 3))
    x = np.array([[np.nan, 0.0, 0.0], [np.inf, 0.5, 0.5], [1e300, 0.0, 0.0], [9.0, 0.0, 0.0]])
    assert not LocalMotion(points, points.T, points.T, 0.2).about(x.T).most_against(np.ones((4, 3))).any()


@pytest.mark.newest
def test_distances_are_exact_as_far_as_particles_and_a_walking_mesh_meet(rng):
    """Two balls that walk at 5 m/s, one of which swings: distances below the relative way are the least there are."""
    ball, faces = octasphere(3)
    ball, aside = 0.2 * ball, np.array([0.25, 0.0, 0.0])
    points = np.concatenate([ball - aside, ball + aside])
    triangles = np.concatenate([faces, faces + len(ball)])
    swings = np.repeat([0.0, 1.0], len(ball))[:, None] * np.array([0.0, 3.0, 0.0])
    walk = np.array([0.0, 5.0, 0.0])
    mesh = DeformingMesh(lambda t: points + t * (walk + swings), triangles, thickness=0.01)
    x = rng.uniform(-0.6, 0.6, (3000, 3)) * (1.0, 0.5, 0.5)
    network = SpringNetwork(x, np.array([[0, 1]]), masses=1.0)
    mesh, dt = mesh.on(Cloth(network)), 0.01
    for step in range(4):
        start = State(x, np.zeros_like(x), step * dt)
        end = x + dt * walk + rng.normal(scale=2e-3, size=x.shape)
        mesh.find(start, end.T, start.t + dt)
        found, _, velocities = mesh.near(end, start.t + dt, dt, np.arange(len(x)))
        vertices = points + (start.t + dt) * (walk + swings)
        exact = DeformingMesh(vertices, triangles, thickness=10.0).near(end, 0.0, 0.0)[0]
        ways = np.linalg.norm(end - x - dt * velocities, axis=1)
        meets = exact - 0.01 < ways
        assert meets.sum() > 100
        assert np.abs(found - exact)[meets].max() <= 1e-12
        x = end


def legs(t):
    """Two balls that swing past each other, three times a second, and walk at 1 m/s; and their triangles."""
    ball, faces = octasphere(3)
    aside, swing = np.array([0.12, 0.0, 0.0]), np.array([0.0, 0.2 * np.sin(6.0 * np.pi * t), 0.0])
    points = np.concatenate([0.1 * ball - aside + swing, 0.1 * ball + aside - swing])
    return points + np.array([0.0, t, 0.0]), np.concatenate([faces, faces + len(ball)])


@pytest.mark.nightly
def test_nothing_comes_nearer_than_clearances_say(rng):
    x, dt, clearances = rng.uniform(-0.5, 0.5, (2000, 3)), 1.0 / 72.0, Clearances()
    particles, before, walk = np.arange(len(x)), legs(0.0)[0], np.array([0.0, dt, 0.0])
    made = TriangleMesh(*legs(0.0))
    for step in range(1, 40):
        points, triangles = legs(step * dt)
        x = x + walk + rng.normal(scale=1e-3, size=x.shape)
        mesh = PosedMesh(made, points)
        clearances.follow(mesh.motion(before, 0.08))
        exact = np.abs(DeformingMesh(points, triangles, thickness=10.0).closest(x)[0])
        known = clearances.of(x, particles)
        assert (known <= exact).all()
        # The mesh asks again for what may be as near as that.
        learnt = known < 0.02
        clearances.learn(x[learnt], particles[learnt], exact[learnt])
        before = points
        if step > 3:
            # What does not move against anything near stays known.
            assert learnt.mean() < 0.5


@pytest.mark.nightly
def test_what_a_mesh_remembers_changes_no_bit(rng):
    """Of one that has looked all the way, and of one that begins to look: as after a simulation is resumed."""
    x = rng.uniform(-0.4, 0.4, (2000, 3))
    network = SpringNetwork(x, np.array([[0, 1]]), masses=1.0)
    meshes = [
        DeformingMesh(lambda t: legs(t)[0], legs(0.0)[1], thickness=0.005).on(Cloth(network))
        for _ in range(2)
    ]
    dt, particles = 1.0 / 72.0, np.arange(len(x))
    walk = np.array([0.0, dt, 0.0])
    for step in range(12):
        start = State(x, np.zeros_like(x), step * dt)
        x = x + walk + rng.normal(scale=1e-3, size=x.shape)
        found = []
        for mesh in meshes if step == 11 else meshes[:1]:
            mesh.find(start, x.T, start.t + dt)
            found.append(mesh.near(x, start.t + dt, dt, particles))
    for of_one, of_other in zip(*found, strict=True):
        np.testing.assert_array_equal(of_one, of_other)
    assert np.isfinite(found[0][0]).sum() > 20


@pytest.mark.nightly
def test_a_steady_walk_is_looked_at_where_it_is():
    """A ball that moves by exactly the same in every substep, past particles at rest on its way."""
    ball, faces = octasphere(3)
    ball, dt, speed = np.round(0.1 * ball * 2**20) / 2**20, 1.0 / 128.0, 2.0
    mesh = DeformingMesh(lambda t: ball + np.array([speed * t, 0.0, 0.0]), faces, thickness=0.005)
    x = np.column_stack([np.linspace(-0.2, 1.4, 400), np.full(400, 0.09), np.zeros(400)])
    network = SpringNetwork(x, np.array([[0, 1]]), masses=1.0)
    mesh, particles = mesh.on(Cloth(network)), np.arange(len(x))
    for step in range(60):
        start = State(x, np.zeros_like(x), step * dt)
        mesh.find(start, x.T, start.t + dt)
        found = mesh.near(x, start.t + dt, dt, particles)[0]
        exact = DeformingMesh(ball + np.array([speed * (start.t + dt), 0.0, 0.0]), faces, thickness=10.0)
        exact = exact.near(x, 0.0, 0.0)[0]
        meets = exact < 0.005 + speed * dt
        assert meets.any()
        assert np.abs(found - exact)[meets].max() <= 1e-12


def crotch(t):
    """Legs joined by a tetrahedron with sides many times as long as all others, which swings with them."""
    points, faces = legs(t)
    left, right = points.reshape(2, -1, 3).mean(axis=1)
    up, aside = np.array([0.0, 0.0, 0.03]), np.array([0.0, 0.03, 0.0])
    corners = np.array([left + up, left - up, right + aside, right - aside])
    sides = len(points) + np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    a, b, c, d = corners
    turned = np.dot(np.cross(b - a, c - a), d - a) > 0.0
    return np.concatenate([points, corners]), np.concatenate([faces, sides[:, ::-1] if turned else sides])


@pytest.mark.parametrize("body", [legs, crotch])
@pytest.mark.parametrize("inside", [False, True])
def test_what_is_remembered_is_what_is_nearest(body, inside, rng):
    """Of particles that go along with the legs, cross them and are left behind, on both sides of the surface."""
    x, dt, side = rng.uniform(-0.25, 0.25, (500, 3)), 1.0 / 72.0, -1.0 if inside else 1.0
    made, neighbours, particles = TriangleMesh(*body(0.0)), NeighbourList(), np.arange(len(x))
    before, walk, learnt = body(0.0)[0], np.array([0.0, dt, 0.0]), []
    reach = rng.uniform(0.01, 0.03, len(x))
    for step in range(10):
        points, _ = body(step * dt)
        x = x + walk * rng.uniform(0.0, 2.0, (len(x), 1)) + rng.normal(scale=1e-3, size=x.shape)
        posed = PosedMesh(made, points)
        if step:
            neighbours.follow(posed.motion(before, 0.08))
        known = neighbours.clear(x, particles) if step else np.full(len(x), -np.inf)
        learnt.append((known < reach).mean())
        found = posed.near(x, reach, side, particles, neighbours)
        exact = posed.closest(x, 10.0, side)
        far = side * exact.distances > reach
        # Where bodies overlap, the side of what is far from both is told by a guess.
        near = np.abs(exact.distances) <= reach if body is crotch else ~far
        np.testing.assert_array_equal(found.distances[near], exact.distances[near])
        np.testing.assert_array_equal(found.normals[near], exact.normals[near])
        np.testing.assert_array_equal(found.triangles[near], exact.triangles[near])
        assert (side * found.distances[far] == np.inf).all()
        before = points
    assert near.sum() > 15
    assert inside or np.mean(learnt[1:]) < 0.5
