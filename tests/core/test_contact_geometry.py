# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points, times of impact and candidates beside sampling, enumeration and finite differences."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooke.core import Box, SelfCollision, SpringNetwork
from hooke.core.contact.broad_phase import ALL, BoundingVolumeHierarchy, MovingPoints, Ways
from hooke.core.contact.candidates import Search
from hooke.core.contact.collision_filter import ContactOf
from hooke.core.contact.obstacles import Obstacles
from hooke.core.contact.pair_search import PairSearch
from hooke.core.kernels import Indices
from hooke.core.kernels.overlaps import boxes_about, empty_nodes, levels_of, morton_order, refit
from hooke.core.kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points, time_of_impact

KINDS = pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE], ids=["point and triangle", "two edges"])


def own_corners(count):
    """Stencils of corners of their own."""
    return Indices(np.arange(4 * count).reshape(count, 4), 4 * count)


def closest(x, kind):
    """Weights (count, 4), normals (3, count), distances and volumes of x, shape (3, 4 count)."""
    count = x.shape[1] // 4
    found = np.empty((count, 4)), np.empty((3, count)), np.empty(count), np.empty(count)
    closest_points(x, own_corners(count), np.full(count, kind, dtype=np.uint8), *found)
    return found


def by_sampling(kind, x, count=60):
    """Least distance between points of both sides on a fine grid of barycentric coordinates; x: shape (4, 3) [m]."""
    shares = np.linspace(0.0, 1.0, count + 1)
    s, t = (grid.ravel() for grid in np.meshgrid(shares, shares))
    if kind == POINT_TRIANGLE:
        s, t = s[s + t <= 1.0], t[s + t <= 1.0]
        ones = np.broadcast_to(x[0][None], (len(s), 3))
        others = np.outer(1.0 - s - t, x[1]) + np.outer(s, x[2]) + np.outer(t, x[3])
    else:
        ones = np.outer(1.0 - s, x[0]) + np.outer(s, x[1])
        others = np.outer(1.0 - t, x[2]) + np.outer(t, x[3])
    return np.linalg.norm(ones - others, axis=1).min()


@KINDS
def test_closest_points_are_the_closest_of_a_fine_grid(kind):
    x, first = np.random.default_rng(0).normal(size=(3, 800)), 1 + kind
    weights, normals, distances, _ = closest(x, kind)
    np.testing.assert_allclose(weights[:, :first].sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(weights[:, first:].sum(axis=1), -1.0, atol=1e-12)
    assert (weights[:, :first] >= 0.0).all() and (weights[:, first:] <= 0.0).all()
    corners = x.reshape(3, -1, 4)
    np.testing.assert_allclose(np.einsum("mk,amk->am", weights, corners), normals * distances, atol=1e-12)
    for number, distance in enumerate(distances):
        sampled = by_sampling(kind, corners[:, number].T)
        # On a grid of 1/60 of sides of a few metres the least is at most the sides' length over 60 off.
        assert distance <= sampled + 1e-9
        assert sampled - distance < 0.15


@KINDS
@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_gradient_of_the_distance_is_the_normal_times_the_weights(kind, seed):
    x = np.random.default_rng(seed).normal(size=(3, 4))
    weights, normals, distances, _ = closest(x, kind)
    step = 1e-6
    for axis in range(3):
        for corner in range(4):
            moved = x.copy(), x.copy()
            moved[0][axis, corner] += step
            moved[1][axis, corner] -= step
            slope = (closest(moved[0], kind)[2] - closest(moved[1], kind)[2]) / (2.0 * step)
            # Central differences are off by step^2 over the distance cubed, and by rounding over step.
            bound = 1e-8 + 10.0 * step / np.minimum(distances, 1.0) ** 2
            assert abs(slope - normals[axis] * weights[:, corner]) < bound


@KINDS
def test_volumes_change_their_sign_where_one_side_goes_through(kind):
    x = np.array([[0.2, 0.2, 0.5], [0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    if kind == EDGE_EDGE:
        x = np.array([[0.5, -1.0, 0.5], [0.5, 1, 0.5], [0, 0, 0], [1, 0, 0]])
    first = slice(0, 1 + kind)
    other = x.copy()
    other[first, 2] -= 1.0
    volumes = [closest(np.ascontiguousarray(of.T), kind)[3][0] for of in (x, other)]
    np.testing.assert_allclose(volumes[0], -volumes[1])
    assert volumes[0] != 0.0


@KINDS
@pytest.mark.parametrize("drift", [0.0, 1e3])
def test_what_goes_its_share_of_the_way_keeps_apart_all_along(kind, drift):
    random, count, keep = np.random.default_rng(1), 300, 0.1
    x = random.normal(size=(3, 4 * count))
    ways = 4.0 * random.normal(size=x.shape) + drift
    shares, kinds = np.empty(count), np.full(count, kind, dtype=np.uint8)
    begun, least = closest(x, kind)[2], np.full(count, np.inf)
    time_of_impact(x, ways, own_corners(count), kinds, begun, keep * begun, keep * begun, shares)
    for at in np.linspace(0.0, 1.0, 101):
        now = x + at * np.repeat(shares, 4) * ways
        least = np.minimum(least, closest(now, kind)[2])
    # What is drawn off by a thousand metres is rounded there.
    assert (least >= keep * begun * (1.0 - 1e-9) - 1e-12 * drift).all()
    # Some meet, most do not: what moves as one is stopped nowhere.
    assert 0 < (shares < 1.0).sum() < count
    time_of_impact(
        x, np.full_like(x, 5.0), own_corners(count), kinds, begun, keep * begun, keep * begun, shares
    )
    assert (shares == 1.0).all()


def test_a_point_that_falls_on_a_triangle_stops_where_a_tenth_of_its_distance_is_left():
    x = np.ascontiguousarray(np.array([[0.2, 0.2, 1.0], [0.0, 0, 0], [1, 0, 0], [0, 1, 0]]).T)
    ways, shares = np.zeros_like(x), np.empty(1)
    ways[2, 0] = -2.0
    one, least = np.ones(1), np.full(1, 0.1)
    time_of_impact(x, ways, own_corners(1), np.zeros(1, dtype=np.uint8), one, least, least, shares)
    # It meets at half of the way, and nine tenths of that are left free.
    np.testing.assert_allclose(shares, 0.45, atol=1e-4)


@pytest.mark.sampled(2)
@KINDS
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 60))
def test_the_hierarchy_finds_all_that_comes_near_on_its_way_and_no_more_at_rest(kind, seed, count):
    random, reach = np.random.default_rng(seed), 0.1
    corners = (3 - kind) * count
    points = random.uniform(size=(corners + 40, 3))
    primitives = np.arange(corners).reshape(count, 3 - kind)
    order = morton_order(points[primitives].mean(axis=1))
    tree = BoundingVolumeHierarchy(Indices(primitives[order], len(points)))
    others = Indices(corners + np.arange(20 * (1 + kind)).reshape(20, 1 + kind), len(points))
    # It is refitted to what has moved since it was made.
    now = points + random.normal(scale=0.5, size=points.shape)
    way, margins = random.normal(size=points.shape), np.full(len(points), random.uniform(0.0, 0.1))
    one, other = (of.ravel() for of in np.meshgrid(np.arange(20), np.arange(count)))
    stencils = np.concatenate([others.values[one], tree.primitives.values[other]], axis=1)

    def found(ways, marked=ALL):
        about = margins.copy()
        about[:corners] += reach
        moving = MovingPoints.of(now, ways).around(about)
        of_ways = Ways(np.ascontiguousarray(now.T), np.ascontiguousarray(ways.T), margins)
        one, other = tree.overlaps(others, moving, of_ways, reach, marked)
        both = np.concatenate([others.values[one], tree.primitives.values[other]], axis=1)
        assert len(both) == len(set(map(tuple, both.tolist())))
        return set(map(tuple, both.tolist()))

    def meet(x):
        distances = closest(np.ascontiguousarray(x[stencils.ravel()].T), kind)[2]
        return set(map(tuple, stencils[distances <= reach + 2.0 * margins[0]].tolist()))

    assert found(0.0 * way) == meet(now)
    moving = found(way)
    assert set().union(*(meet(now + share * way) for share in np.linspace(0.0, 1.0, 21))) <= moving
    # What all of them move by brings nothing nearer.
    assert found(way + 0.5) == moving
    # Of some vertices alone those of all that have any of them.
    some = (random.random(len(points)) < 0.2).astype(np.uint8)
    assert found(way, some) == {corners for corners in moving if some[list(corners)].any()}


@pytest.mark.parametrize("count", [1, 4, 5, 16, 17, 300])
def test_a_tree_is_put_about_the_same_bits_by_both(count):
    for seed in range(4):
        random = np.random.default_rng(seed)
        points, wide = (random.normal(size=shape).astype(np.float32) for shape in ((50, 12), (50,)))
        leaves = Indices(random.integers(0, 50, (count, 1 + seed % 3)), 50)
        marked = (random.random(50 * (seed % 2)) < 0.2).astype(np.uint8)
        both = [empty_nodes(levels_of(count)) for _ in range(2)]
        refit(points, wide, leaves, marked, both[0])
        refit.definition(points, wide, leaves.values, marked, both[1])
        assert both[0].tobytes() == both[1].tobytes()
        assert both[0][0].max() == boxes_about(points, wide, leaves.values).max() or len(marked)


def crossing_sheet(seed):
    """A sheet, where it is and where it goes through a box and itself [m]."""
    random = np.random.default_rng(seed)
    sheet = SpringNetwork.grid((6, 6), 0.1)
    start = sheet.points - [0.25, 0.25, -0.4] + random.normal(scale=0.01, size=sheet.points.shape)
    return sheet, start, start + random.normal(scale=0.15, size=start.shape) - [0.0, 0.0, 0.3]


@pytest.mark.parametrize("seed", range(5))
def test_candidates_are_all_that_meet_on_their_ways(seed):
    sheet, start, end = crossing_sheet(seed)
    box, own = Box((0.3, 0.3, 0.3)), ContactOf.of(SelfCollision(0.01), len(sheet.points))
    obstacles = Obstacles([ContactOf.of(box, len(sheet.points))])
    nothing = np.zeros((0, 2), dtype=int)
    search = Search(sheet.points, sheet.surface.triangles, nothing, obstacles, [own])
    both = [np.concatenate([of, obstacles.at(0.0)]) for of in (start, end)]
    found = search.candidates(*both, np.full(len(both[0]), 1e-3), np.ones(len(obstacles), dtype=bool))
    count, known = len(start), {tuple(sorted(corners)) for corners in found.corners.tolist()}
    # Of all stencils of points and triangles, and of edges, those that meet, one by one.
    faces = np.concatenate([sheet.surface.triangles, obstacles.triangles + count])
    edges = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    pairs = [(POINT_TRIANGLE, (p, *face)) for face in faces.tolist() for p in range(len(both[0]))]
    pairs += [
        (EDGE_EDGE, (*one, *other)) for k, one in enumerate(edges.tolist()) for other in edges[:k].tolist()
    ]
    pairs = [(kind, of) for kind, of in pairs if len(set(of)) == 4 and min(of) < count]
    corners, kinds = np.array([of for _, of in pairs]), np.array([kind for kind, _ in pairs], dtype=np.uint8)
    shares, count, corners = np.empty(len(pairs)), len(pairs), Indices(corners, len(both[0]))
    x, ways = (np.ascontiguousarray(of.T) for of in (both[0], both[1] - both[0]))
    begun = np.empty((count, 4)), np.empty((3, count)), np.empty(count), np.empty(count)
    closest_points(x, corners, kinds, *begun)
    time_of_impact(x, ways, corners, kinds, begun[2], 0.01 * begun[2], 0.01 * begun[2], shares)
    meeting = {tuple(sorted(of)) for of in corners.values[shares < 1.0].tolist()}
    assert len(meeting) > 20
    assert meeting <= known


def test_candidates_of_a_second_search_are_those_of_a_new_one():
    sheet, start, end = crossing_sheet(0)
    obstacles = Obstacles([ContactOf.of(Box((0.3, 0.3, 0.3)), len(sheet.points))])
    of_sheet = (
        sheet.points,
        sheet.surface.triangles,
        np.zeros((0, 2), dtype=int),
        obstacles,
        [ContactOf.of(SelfCollision(0.01), len(sheet.points))],
    )
    acting, margins = np.ones(len(obstacles), dtype=bool), np.full(len(start) + len(obstacles), 1e-2)
    rows = [np.concatenate([of, obstacles.at(0.0)]) for of in (start, end, end + 5e-3)]
    known, new = Search(*of_sheet), Search(*of_sheet)
    known.candidates(rows[0], rows[1], margins, acting)
    again, anew = (search.candidates(rows[1], rows[2], margins, acting) for search in (known, new))
    for field in range(len(again)):
        np.testing.assert_array_equal(again[field], anew[field])


def test_candidates_of_what_leaves_its_way_are_those_of_a_new_search_in_the_same_order(monkeypatch):
    random = np.random.default_rng(3)
    sheet = SpringNetwork.grid((12, 12), 0.05)
    count = len(sheet.points)
    obstacles = Obstacles([ContactOf.of(Box((0.3, 0.3, 0.3)), count)])
    of_sheet = sheet.points, sheet.surface.triangles, np.zeros((0, 2), dtype=int), obstacles
    known, fresh = (Search(*of_sheet, [ContactOf.of(SelfCollision(0.01), count)]) for _ in range(2))
    acting, margins = np.ones(len(obstacles), dtype=bool), np.zeros(count + len(obstacles))
    margins[:count] = 2e-3
    # It is folded over, and lies on the box.
    x = np.concatenate([sheet.points - [0.25, 0.25, -0.153], obstacles.at(0.0)])
    over = x[:count, 0] > 0.0
    x[:count][over] = x[:count][over] * [-1.0, 1.0, 1.0] + [0.0, 0.0, 0.012]
    way = np.zeros_like(x)
    way[:count] = random.normal(scale=1e-3, size=(count, 3))
    look, looked_for = PairSearch.pairs, []

    def counted(search, *of_ways, **how):
        looked_for.append(search)
        return look(search, *of_ways, **how)

    for _turn in range(8):
        # A few particles leave their ways.
        strays = random.integers(0, count, 4)
        way[strays] += random.normal(scale=8e-3, size=(4, 3))
        with monkeypatch.context() as patched:
            patched.setattr(PairSearch, "pairs", counted)
            one = known.candidates(x, x + way, margins, acting)
        other = deepcopy(fresh).candidates(x, x + way, margins, acting)
        for field in range(len(one)):
            np.testing.assert_array_equal(one[field], other[field])
        x = x + way
        way[strays] *= 0.5
    assert len(one.kinds) > 500 and len(looked_for) >= 6
