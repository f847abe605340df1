# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of self-collision: all that come close are found, and where they meet."""

from itertools import combinations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork
from hooke.core.bodies import Cloth
from hooke.core.contacts.crossings import crosses
from hooke.core.contacts.folds import BENT
from hooke.core.contacts.pair_kinds import Faces, Points, Strands, met
from hooke.core.contacts.proximity import Known, Proximity
from hooke.core.contacts.zones import moved_as_one


@pytest.mark.parametrize("speed", [0.0, 0.02, 0.3])
def test_every_pair_that_brute_force_finds_is_a_candidate(speed):
    rng = np.random.default_rng(3)
    x = rng.uniform(-0.1, 0.1, (200, 3))
    end = x + rng.uniform(-speed, speed, x.shape) * 0.05
    proximity = Proximity(Cloth(SpringNetwork(x, [])), np.full(200, 0.03), faces=False)
    found = proximity.rows(Points, proximity.candidates(x, end)[Points])
    shares = np.linspace(0.0, 1.0, 50)[:, None, None]
    i, j = np.array(list(combinations(range(200), 2))).T
    ways = (x[i] - x[j]) + shares * ((end - x)[i] - (end - x)[j])
    near = np.linalg.norm(ways, axis=2).min(axis=0) < 0.03
    assert near.sum() > 50
    assert {tuple(pair) for pair in np.column_stack([i, j])[near]} <= {tuple(sorted(pair)) for pair in found}


def folded():
    """A body of a sheet of 17 x 17 vertices, and positions in which it lies in five plies 5 mm from each other."""
    network = SpringNetwork.grid((17, 17), 0.02)
    along, across, _ = network.points.T
    turns = along / 0.08
    there = np.abs((turns + 1.0) % 2.0 - 1.0)
    x = np.column_stack([0.08 * there, across, 0.005 * turns])
    return Cloth(network), x + np.random.default_rng(4).normal(scale=2e-4, size=x.shape)


def sampled(points, corners):
    """Distances of points to the nearest of 66 points of a triangle, never less than those to the triangle."""
    weights = np.array([(u, v, 10 - u - v) for u in range(11) for v in range(11 - u)]) / 10.0
    return np.linalg.norm(points[:, None] - weights @ corners, axis=2).min(axis=1)


@pytest.mark.newest
@pytest.mark.parametrize("speed", [0.0, 0.05])
def test_every_triangle_near_a_particle_is_a_candidate(speed):
    # Against sampled points of all triangles at sampled times.
    body, x = folded()
    end = x + speed * np.column_stack([x[:, 1], -x[:, 0], np.sin(40.0 * x[:, 0])])
    thickness = 0.006
    proximity = Proximity(body, np.full(len(x), thickness))
    found = proximity.rows(Faces, proximity.candidates(x, end)[Faces])
    known = {(row[0], *sorted(row[1:])) for row in found}
    rest, near, missing = body.network.points, 0, 0
    for triangle, share in product(body.triangles, np.linspace(0.0, 1.0, 5)):
        at = x + share * (end - x)
        low, high = at[triangle].min(axis=0) - thickness, at[triangle].max(axis=0) + thickness
        within = np.flatnonzero(((at > low) & (at < high)).all(axis=1))
        within = within[sampled(at[within], at[triangle]) < thickness]
        within = within[sampled(rest[within], rest[triangle]) > 0.03]
        near += len(within)
        missing += sum((particle, *sorted(triangle)) not in known for particle in within)
    assert len(known) > 500
    assert near > 500
    assert missing == 0


def close_rows(proximity, kind, x):
    """Particles of the candidates of a kind that are closer than 6 mm at x, in their order."""
    rows = proximity.rows(kind, proximity.candidates(x, x)[kind])
    p = x.T[:, rows.T]
    return rows[met(kind, p, p).distances < 0.006]


def test_candidates_are_the_same_whatever_was_asked_for_before():
    body, x = folded()
    thickness = np.full(len(x), 0.006)
    asked = Proximity(body, thickness)
    for shift in (2e-4, 0.05, 1e-3, 1e-4):
        before = x + shift * np.sin(300.0 * x)
        asked.candidates(before, x)
        asked.candidates(before, before, since=[(x, 1e-3)])
    for kind in (Faces, Strands):
        close = [close_rows(proximity, kind, x) for proximity in (asked, Proximity(body, thickness))]
        assert len(close[0]) > 20
        assert_array_equal(*close)


@pytest.mark.newest
def test_candidates_are_the_same_however_folds_bent_before():
    # Edges of 20 mm stick out where their sides turn by a fifth of 6 mm: bumps grow slowly, and go, here and there.
    body, x = folded()
    thickness, rng = np.full(len(x), 0.006), np.random.default_rng(7)
    asked, bumps, least = Proximity(body, thickness), np.zeros(len(x)), np.inf
    for step in range(40):
        there = np.linalg.norm(x - x[rng.integers(len(x))], axis=1) < 0.06
        bumps[there] += rng.normal(scale=1.5e-3, size=there.sum())
        if step % 8 == 7:
            bumps[there] = 0.0
        now = x + bumps[:, None] * [0.0, 0.0, 1.0]
        close = [close_rows(proximity, Strands, now) for proximity in (asked, Proximity(body, thickness))]
        least = min(least, len(close[0]))
        assert_array_equal(*close)
    assert least > 20


def crossing(kind, ones, others, x, end):
    """Rows of all pairs of two lists of corners that share no particle and pass through each other."""
    i, j = (of.ravel() for of in np.indices((len(ones), len(others))))
    rows = np.concatenate([ones[i], others[j]], axis=1)
    rows = rows[(np.diff(np.sort(rows, axis=1), axis=1) > 0).all(axis=1)]
    return rows[crosses(kind, rows.T, x.T, end.T, 1e-9)]


@pytest.mark.parametrize("strayed", [False, True])
def test_what_passes_through_is_told_of(strayed):
    # Plies that are pressed into and through each other, asked for directly, and after a way to somewhere else.
    body, x = folded()
    rng = np.random.default_rng(9)
    bumps = rng.normal(scale=4e-3, size=x.shape)
    end = x * [1.0, 1.0, 0.6] + bumps
    proximity, known = Proximity(body, np.full(len(x), 0.006)), None
    if strayed:
        aimed = x + np.where(x[:, :1] < 0.04, bumps, 0.02)
        proximity.candidates(x, aimed)
        known = Known(proximity.leaves, [(aimed.T, 0.006)])
    found = proximity.passing(x.T.copy(), end.T.copy(), 1e-9, known)
    particles, folds = np.arange(len(x))[:, None], proximity.folds
    every = np.arange(len(folds.ends))
    edges = folds.ends[np.logical_or(*(folds.sharp(at.T, every, [BENT])[0] for at in (x, end)))]
    for kind, ones, others in ((Faces, particles, body.triangles), (Strands, edges, edges)):
        through = {frozenset(row) for row in crossing(kind, ones, others, x, end)}
        told = {frozenset(row) for row in proximity.rows(kind, found[kind])}
        assert len(through) > 20
        assert through <= told


@pytest.mark.newest
def test_what_passes_through_is_told_of_however_slowly_it_came():
    # Plies 5 mm apart creep into each other by a quarter of a millimetre a way, and rest in between: what was too far
    # away to meet in one way meets in another.
    body, x = folded()
    thickness, rng = np.full(len(x), 0.006), np.random.default_rng(11)
    asked, aim, told = Proximity(body, thickness), rng.normal(scale=2.5e-4, size=x.shape), []
    for step in range(40):
        end = x + (step % 4 > 0) * aim
        rows = []
        for proximity in (asked, Proximity(body, thickness)):
            found = proximity.passing(x.T.copy(), end.T.copy(), 1e-9)
            of_kinds = ((kind, proximity.rows(kind, of_kind).T) for kind, of_kind in found.items())
            through = [of[:, crosses(kind, of, x.T, end.T, 1e-9)] for kind, of in of_kinds]
            rows.append(np.concatenate([np.zeros((4, 0), dtype=np.intp), *through], axis=1))
        assert_array_equal(*rows)
        told.append(rows[0].shape[1])
        x = end
    # Nothing does at first: then all that is told was remembered as apart before.
    assert sum(told[:2]) == 0
    assert sum(told) > 100


@pytest.mark.parametrize("spacing", [0.02, 0.004])
def test_a_sheet_in_waves_is_nowhere_near_itself(spacing):
    # Slopes of up to 45 degrees: no two directions of the surface differ by more than 90.
    network = SpringNetwork.grid((41, 41), spacing)
    along, across, _ = network.points.T
    length = 12.0 * spacing
    height = length / (2.0 * np.pi) * np.sin(2.0 * np.pi * along / length)
    x = np.column_stack([along, across, height])
    proximity = Proximity(Cloth(network), np.full(len(x), 0.005))
    found = proximity.candidates(x, x - 0.05)
    assert not any(len(of_kind.first) for of_kind in found.values())


@pytest.mark.parametrize("kind", [Points, Faces, Strands])
def test_where_pairs_meet_is_what_sampling_finds(kind):
    rng = np.random.default_rng(8)
    width = {Points: 2, Faces: 4, Strands: 4}[kind]
    p = rng.normal(size=(3, width, 60))
    found = met(kind, p, p)
    shares = np.linspace(0.0, 1.0, 41)
    if kind is Points:
        sides = p[:, :1], p[:, 1:]
    elif kind is Faces:
        weights = np.array([(u, v, 40 - u - v) for u in range(41) for v in range(41 - u)]) / 40.0
        sides = p[:, :1], np.einsum("wk,akc->awc", weights, p[:, 1:])
    else:
        ends = np.stack([1.0 - shares, shares], axis=1)
        sides = (np.einsum("wk,akc->awc", ends, side) for side in (p[:, :2], p[:, 2:]))
    one, other = sides
    sampled = np.linalg.norm(one[:, :, None] - other[:, None], axis=0).reshape(-1, 60).min(axis=0)
    assert (found.distances <= sampled + 1e-12).all()
    assert_allclose(found.distances, sampled, atol=0.06)
    assert_allclose(found.weights.sum(axis=0), 0.0, atol=1e-12)
    offsets = np.einsum("kc,akc->ac", found.weights, p)
    assert_allclose(found.distances * found.normals, offsets, atol=1e-12)


@pytest.mark.parametrize("kind", [Faces, Strands])
def test_what_passes_through_is_pushed_back_to_where_it_came_from(kind):
    first = {Faces: [[0.2, 0.2, 0.1]], Strands: [[-1, 0.1, 0.1], [1, 0.1, 0.1]]}[kind]
    second = {Faces: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], Strands: [[0, -1, 0], [0, 1, 0]]}[kind]
    start = np.array([*first, *second], float).T[:, :, None]
    end = start.copy()
    end[2, : len(first)] = -0.4
    found = met(kind, start, end)
    assert_allclose(found.normals[:, 0], [0.0, 0.0, 1.0], atol=1e-12)
    assert_allclose(found.shares, 0.2)
    assert found.distances == 0.0


def test_what_moves_as_one_keeps_its_shape_and_momentum():
    # Two rows share particle 3; of the row of 8, which does not move by itself, the others go its way.
    rng = np.random.default_rng(7)
    start, end = rng.normal(size=(2, 3, 14))
    masses = rng.uniform(0.1, 2.0, 14)
    masses[8] = np.inf
    rows = np.array([[0, 1, 2, 3], [3, 4, 5, 6], [8, 9, 10, 11]]).T
    moved = moved_as_one(start, end, rows, masses)
    ways = moved - start
    assert_allclose(ways[:, :7], ways[:, :1].repeat(7, axis=1), atol=1e-14)
    assert_allclose(moved[:, :7] @ masses[:7], end[:, :7] @ masses[:7], atol=1e-13)
    assert_allclose(ways[:, 9:12], ways[:, 8:9].repeat(3, axis=1), atol=1e-14)
    assert_array_equal(moved[:, [7, 8, 12, 13]], end[:, [7, 8, 12, 13]])
