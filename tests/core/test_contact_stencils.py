# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points beside a constrained least square by enumeration, and ways that never reach what they must not."""

import numpy as np
import pytest

from hooke.core.contact.ccd import time_of_impact
from hooke.core.contact.distance import edge_edge, point_triangle

KINDS = {"point and triangle": (point_triangle, 1), "edge and edge": (edge_edge, 2)}


def by_sampling(first, x, count=60):
    """Least distance between points of both sides on a fine grid of barycentric coordinates [m]."""
    shares = np.linspace(0.0, 1.0, count + 1)
    if first == 1:
        s, t = (grid.ravel() for grid in np.meshgrid(shares, shares))
        s, t = s[s + t <= 1.0], t[s + t <= 1.0]
        ones = np.broadcast_to(x[0][None], (len(s), 3))
        others = np.outer(1.0 - s - t, x[1]) + np.outer(s, x[2]) + np.outer(t, x[3])
    else:
        s, t = (grid.ravel() for grid in np.meshgrid(shares, shares))
        ones = np.outer(1.0 - s, x[0]) + np.outer(s, x[1])
        others = np.outer(1.0 - t, x[2]) + np.outer(t, x[3])
    return np.linalg.norm(ones - others, axis=1).min()


@pytest.mark.parametrize("kind", KINDS)
def test_closest_points_are_the_closest_of_a_fine_grid(kind):
    stencil, first = KINDS[kind]
    x = np.random.default_rng(0).normal(size=(4, 3, 200))
    weights = stencil(x)
    np.testing.assert_allclose(weights[:first].sum(axis=0), 1.0, atol=1e-12)
    np.testing.assert_allclose(weights[first:].sum(axis=0), -1.0, atol=1e-12)
    assert (weights[:first] >= 0.0).all() and (weights[first:] <= 0.0).all()
    found = np.linalg.norm(np.einsum("kc,kac->ac", weights, x), axis=0)
    for number, distance in enumerate(found):
        sampled = by_sampling(first, x[:, :, number])
        # On a grid of 1/60 of sides of a few metres the least is at most the sides' length over 60 off.
        assert distance <= sampled + 1e-9
        assert sampled - distance < 0.15


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("drift", [0.0, 1e3])
def test_what_goes_its_share_of_the_way_keeps_apart_all_along(kind, drift):
    stencil, first = KINDS[kind]
    random = np.random.default_rng(1)
    x = random.normal(size=(4, 3, 300))
    way = 4.0 * random.normal(size=(4, 3, 300)) + drift
    share = time_of_impact(stencil, first, x, way)
    begun = np.linalg.norm(np.einsum("kc,kac->ac", stencil(x), x), axis=0)
    least = np.full(300, np.inf)
    for at in np.linspace(0.0, 1.0, 101):
        now = x + at * share * way
        least = np.minimum(least, np.linalg.norm(np.einsum("kc,kac->ac", stencil(now), now), axis=0))
    assert (least >= 0.1 * begun * (1.0 - 1e-9)).all()
    # Some meet, most do not: what moves as one is stopped nowhere.
    assert 0 < (share < 1.0).sum() < 300
    assert (time_of_impact(stencil, first, x, np.full_like(x, 5.0)) == 1.0).all()


def test_a_point_that_falls_on_a_triangle_stops_where_a_tenth_of_its_distance_is_left():
    x = np.array([[0.2, 0.2, 1.0], [0.0, 0, 0], [1, 0, 0], [0, 1, 0]])[:, :, None]
    way = np.zeros_like(x)
    way[0, 2] = -2.0
    share = time_of_impact(point_triangle, 1, x, way)
    # It meets at half of the way, and nine tenths of that are left free.
    np.testing.assert_allclose(share, 0.45, atol=1e-4)
