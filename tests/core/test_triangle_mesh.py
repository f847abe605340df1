# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as colliders: distances against every triangle tried, sides against the winding number, and bad meshes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core.contacts import Box, DeformingMesh, RigidMesh
from hooke.core.triangle_mesh import TriangleMesh
from hooke.core.triangle_mesh.cube import cube

from .surfaces import (
    SHEETS,
    SOLIDS,
    beside,
    bumpy,
    distances_by_trying,
    octasphere,
    scattered,
    torus,
    winding_numbers,
)

KINDS = [RigidMesh, DeformingMesh]
MESHES = SOLIDS | SHEETS
THICKNESS = 0.03


def made(kind, name, **more):
    points, triangles = MESHES[name]
    return kind(points, triangles, thickness=THICKNESS, **more), points, triangles


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MESHES)
def test_distances_are_those_of_the_closest_of_all_triangles(kind, name):
    shape, points, triangles = made(kind, name)
    x = scattered(points, triangles, THICKNESS)
    true = distances_by_trying(x, points, triangles)
    distances, normals = shape.closest(x)
    near = (true < THICKNESS) & _not_in_an_opening(name, x)
    assert near.sum() > 60
    assert_allclose(np.abs(distances[near]), true[near], atol=1e-12)
    assert_allclose(np.linalg.norm(normals, axis=1), 1.0, rtol=1e-9)
    # The surface is where distance and normal say.
    foot = x[near] - distances[near, None] * normals[near]
    assert distances_by_trying(foot, points, triangles).max() < 1e-9


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SOLIDS)
def test_below_zero_is_where_the_triangles_go_round(kind, name):
    shape, points, triangles = made(kind, name)
    assert shape.solid
    x = scattered(points, triangles, 0.2)
    true = distances_by_trying(x, points, triangles)
    inside = np.abs(winding_numbers(x, points, triangles)) > 0.5
    clear = (true > 1e-9) & _not_in_an_opening(name, x)
    assert 20 < inside.sum() < 220
    assert_array_equal(shape.closest(x)[0][clear] < 0.0, inside[clear])


def _not_in_an_opening(name, x):
    """Where Hooke's lid on an opening does not count."""
    if name != "open by a triangle":
        return np.full(len(x), True)
    points, triangles = bumpy()
    return distances_by_trying(x, points, triangles[:1]) > 0.25


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_has_no_inside(kind, name):
    shape, points, triangles = made(kind, name)
    assert not shape.solid
    x = scattered(points, triangles, 0.2)
    distances, normals = shape.closest(x)
    assert distances.min() >= 0.0
    nearby = distances_by_trying(x, points, triangles)
    off = (nearby > 1e-6) & (nearby < THICKNESS)
    further = distances_by_trying(x[off] + 1e-7 * normals[off], points, triangles)
    assert_allclose(further - nearby[off], 1e-7, rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["bumpy", "torus", "plate"])
def test_normals_are_the_gradient_of_distances_and_turn_steadily(kind, name):
    shape, points, triangles = made(kind, name)
    x = scattered(points, triangles, THICKNESS)
    distances, normals = shape.closest(x)
    out = (distances > 1e-3) & (distances < THICKNESS)
    x, step = x[out], 1e-6
    slopes = [
        (shape.closest(x + step * e)[0] - shape.closest(x - step * e)[0]) / (2 * step) for e in np.eye(3)
    ]
    away = np.linalg.norm(np.stack(slopes, axis=1) - normals[out], axis=1)
    # Curvature outside is at most 1/d but in creases, which a few of the points are close to.
    assert np.mean(away < 2 * step / distances[out]) > 0.98
    # Along a way of 1 mm over edges, 1 cm above the surface, a normal turns by about 0.1: it does not flip.
    high = x[distances[out] > 0.01]
    rng = np.random.default_rng(1)
    aside = 1e-3 * rng.uniform(-1, 1, high.shape)
    turned = np.linalg.norm(shape.closest(high + aside)[1] - shape.closest(high)[1], axis=1)
    assert np.mean(turned < 0.25) > 0.98


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", MESHES)
def test_rigid_and_deforming_agree_near_the_surface(name):
    (rigid, points, triangles), (deforming, *_) = made(RigidMesh, name), made(DeformingMesh, name)
    x = scattered(points, triangles, THICKNESS)
    x = x[distances_by_trying(x, points, triangles) < THICKNESS]
    for one, other in zip(rigid.closest(x), deforming.closest(x), strict=True):
        assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["bumpy", "torus", "two cubes that share an edge"])
def test_far_away_distances_are_as_exact(kind, name):
    shape, points, triangles = made(kind, name)
    x = np.random.default_rng(2).uniform(-4.0, 4.0, (500, 3))
    assert_allclose(np.abs(shape.closest(x)[0]), distances_by_trying(x, points, triangles), atol=1e-12)


def test_a_box_is_its_mesh():
    points, triangles = cube(1.0)
    size, center = np.array([1.0, 2.0, 0.6]), np.array([0.3, 0.0, -1.0])
    box = Box(size, center)
    x = center + np.random.default_rng(4).uniform(-1.5, 1.5, (800, 3))
    signed = distances_by_trying(x, points * size + center, triangles)
    inside = (np.abs(x - center) < size / 2).all(axis=1)
    assert inside.any()
    assert_allclose(box.closest(x)[0], np.where(inside, -signed, signed), atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_triangles_wound_anyhow_are_one_solid(kind):
    points, triangles = bumpy()
    turn = np.random.default_rng(0).random(len(triangles)) < 0.5
    mixed = np.where(turn[:, None], triangles[:, ::-1], triangles)
    x = scattered(points, triangles, 0.1)
    right, wrong = kind(points, triangles).closest(x)[0], kind(points, mixed).closest(x)[0]
    assert_allclose(wrong, right, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_solid_inside_another_or_through_it_is_pushed_out_of(kind):
    # Two spheres that intersect: from outside of both, both are met.
    points, triangles = beside(octasphere(), (octasphere()[0] + [0.7, 0.0, 0.0], octasphere()[1]))
    shape = kind(points, triangles, thickness=THICKNESS)
    x = scattered(points, triangles, 0.02)
    outside = np.abs(winding_numbers(x, points, triangles)) < 0.5
    true = distances_by_trying(x, points, triangles)
    assert_allclose(
        shape.closest(x)[0][outside & (true < THICKNESS)], true[outside & (true < THICKNESS)], atol=1e-12
    )


BAD = {
    "no triangle has an area": (np.zeros((3, 3)), [[0, 1, 2]]),
    "no triangle": (np.eye(3), np.zeros((0, 3), dtype=int)),
    "vertex 1 has the coordinates": ([[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
    "names vertex 3": (np.eye(3), [[0, 1, 3]]),
    "names vertex -1": (np.eye(3), [[0, 1, -1]]),
    "rows of three": (np.eye(3), [[0, 1]]),
    "points have shape": (np.zeros((0, 3)), np.zeros((0, 3), dtype=int)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("message", BAD)
def test_what_is_no_mesh_is_said_in_a_sentence(kind, message):
    with pytest.raises(ValueError, match=message) as raised:
        kind(*BAD[message])
    assert "\n" not in str(raised.value)


def test_points_of_another_count_or_not_finite_are_refused_when_they_come():
    points, triangles = cube()
    coming = {0.0: points, 1.0: points[:-1], 2.0: np.full_like(points, np.inf)}
    shape = DeformingMesh(lambda t: coming[t], triangles)
    with pytest.raises(ValueError, match="8 at first"):
        shape.near(points, 1.0, 0.0)
    with pytest.raises(ValueError, match="must be finite"):
        shape.near(points, 2.0, 0.0)


def test_a_mesh_that_collapses_gives_numbers_all_the_same():
    points, triangles = torus()
    shape = DeformingMesh(lambda t: (1.0 - t) * points, triangles, thickness=0.1)
    x = scattered(points, triangles, 0.1)
    for t in (0.5, 1.0):
        for array in shape.near(x, t, 0.1):
            assert np.isfinite(array).all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SOLIDS)
def test_in_a_mesh_that_things_are_kept_in_distances_are_those_to_it(kind, name):
    shape, points, triangles = made(kind, name, inside=True)
    x = scattered(points, triangles, 0.2)
    true = distances_by_trying(x, points, triangles)
    out = np.abs(winding_numbers(x, points, triangles)) < 0.5
    clear = (true > 1e-9) & _not_in_an_opening(name, x)
    near, distances = clear & (true < THICKNESS), shape.look(x, 0.0, 0.0)[0]
    assert_allclose(distances[near], np.where(out, -true, true)[near], atol=1e-12)
    # Nobody is taken for outside who is not.
    assert (distances[clear & ~out] > 0.0).all()


def test_a_moving_pose_is_moved_points():
    points, triangles = bumpy()

    def pose(t):
        c, s = np.cos(3 * t), np.sin(3 * t)
        return np.array([[c, -s, 0, t], [s, c, 0, 0], [0, 0, 1, 0.5 * t], [0, 0, 0, 1]])

    def moved(t):
        return points @ pose(t)[:3, :3].T + pose(t)[:3, 3]

    t, dt = 0.4, 0.01
    x = scattered(moved(t), triangles, 0.5 * THICKNESS)[:120]
    rigid = RigidMesh(points, triangles, pose=pose, thickness=THICKNESS)
    distances, normals, velocities = rigid.near(x, t, dt)
    for other in (
        DeformingMesh(moved, triangles, thickness=THICKNESS),
        DeformingMesh(points, triangles, pose=pose),
    ):
        assert_allclose(other.near(x, t, dt)[0], distances, atol=1e-12)
        assert_allclose(other.near(x, t, dt)[1], normals, atol=1e-6)
        # What is deformed moves as its surface does, what is rigid all over: apart by 3 rad/s times the distance.
        assert_allclose(other.near(x, t, dt)[2], velocities, atol=3.1 * THICKNESS)


def test_nothing_is_remembered():
    # Bits depend neither on what was asked before, nor on what else is asked for.
    points, triangles = bumpy()
    x = scattered(points, triangles, 0.05)

    def moving(t):
        return points + np.array([0.1 * t, 0.0, np.sin(t)])

    fresh, used = (DeformingMesh(moving, triangles, thickness=THICKNESS) for _ in range(2))
    for t in (0.0, 0.7, 0.2):
        used.near(x[::3] + 5.0 * t, t, 0.1)
    used.near(x[:5], 0.3, 0.1)
    some = np.arange(0, len(x), 7)
    for whole, part in zip(fresh.near(x, 0.3, 0.1), used.near(x[some], 0.3, 0.1), strict=True):
        assert_array_equal(whole[some], part)


def test_a_mesh_is_closed_where_little_is_open():
    points, triangles = octasphere()
    assert TriangleMesh(points, triangles[3:]).solid
    assert not TriangleMesh(points, triangles[: len(triangles) // 2]).solid
