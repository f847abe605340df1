# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils of contact, a point and a triangle or two edges: which of their points are closest, and when they meet.

Four corners each: of kind 0 a point and the triangle's corners, of kind 1 the ends of one edge and of the other.
Positions are of shape (3, vertex_count), one row an axis.
"""

import numpy as np

from .kernel import kernel
from .signature import Indices

# The kinds.
POINT_TRIANGLE, EDGE_EDGE = 0, 1

# Of squares [m^2], and of lengths [m], only to divide by.
_LEAST, _NO_WAY = 1e-300, 1e-150

# Square of the sine of an angle below which two edges, or two sides of a triangle, count as parallel.
_PARALLEL = 1e-12

# A stencil has met where it advances by less than this share of the whole way, or after so many advances.
_ENOUGH, _MOST_ADVANCES = 1e-6, 200

# Of what a stencil may advance, so much is advanced.
_OF_STEP = 0.9


def _some(random, size):
    """Positions, and corners and kinds of stencils between them."""
    n = 4 * size + 4
    corners = random.permuted(np.tile(np.arange(n), (size, 1)), axis=1)[:, :4]
    return (
        random.normal(size=(3, n)),
        Indices(corners.reshape(size, 4), n),
        random.integers(0, 2, size).astype(np.uint8),
    )


def _closest_example(random, size):
    x, corners, kinds = _some(random, size)
    return x, corners, kinds, np.empty((size, 4)), np.empty((3, size)), np.empty(size), np.empty(size)


@kernel(
    "x(3,n) corners(m,4)<n kinds:u1(m) -> weights(m,4) normals(3,m) distances(m) volumes(m)",
    over="m",
    grain=4096,
    example=_closest_example,
)
def closest_points(x, corners, kinds, weights, normals, distances, volumes):
    """Weights w of the corners, +1 in sum on the first side and -1 on the other: w x is the way between the closest.

    Of a point and a triangle by barycentric coordinates where the foot of the perpendicular is inside, else by the
    nearest of the sides; of two edges by the nearest of the lines, kept within one edge and then within the other; of
    parallel ones from the end of one (Ericson 2005, "Real-Time Collision Detection", 5.1.5 and 5.1.9). Its length is
    the distance, and its direction the normal, from the second side to the first. volumes: six times those of the
    corners' tetrahedra, which change their sign where one side goes through.
    """
    for kind, of_kind in ((POINT_TRIANGLE, _point_triangle), (EDGE_EDGE, _edge_edge)):
        rows = np.flatnonzero(kinds == kind)
        at = x[:, corners[rows].T].transpose(1, 0, 2)
        found = of_kind(at)
        between = np.einsum("kc,kac->ac", found, at)
        weights[rows], distances[rows] = found.T, np.sqrt(_dot(between, between))
        normals[:, rows] = between / (distances[rows] + _NO_WAY)
        a, b, c, d = at
        edges = (b - a, c - a, d - a)
        volumes[rows] = _dot(np.cross(edges[0], edges[1], axis=0), edges[2])


def _nearness_example(random, size):
    x, corners, kinds = _some(random, size)
    margins = random.uniform(size=x.shape[1])
    written = np.empty(size), np.empty((2, size)), np.empty(size)
    return x, random.normal(size=x.shape), margins, corners, kinds, *written


@kernel(
    "x(3,n) ways(3,n) margins(n) corners(m,4)<n kinds:u1(m) -> distances(m) approaches(2,m) volumes(m)",
    over="m",
    grain=4096,
    example=_nearness_example,
)
def nearness(x, ways, margins, corners, kinds, distances, approaches, volumes):
    """Distances of stencils, and the most that their sides come nearer on their ways [m].

    Along the direction n from one closest point to the other both sides lie beyond each other's: what they come nearer
    is at most what the first goes along -n and the other along n, where any of their corners goes farthest. approaches:
    by the ways alone, and with the largest margin about those of each side; volumes: see `closest_points`.
    """
    count = len(kinds)
    normals = np.empty((3, count))
    closest_points.definition(x, corners, kinds, np.empty((count, 4)), normals, distances, volumes)
    along = np.einsum("akm,am->km", ways[:, corners.T], normals)
    first, wide = np.arange(4)[:, None] <= kinds, margins[corners.T]
    most = np.where(first, -np.inf, along).max(axis=0) - np.where(first, along, np.inf).min(axis=0)
    approaches[0] = np.maximum(most, 0.0)
    approaches[1] = approaches[0] + sum(np.where(side, wide, 0.0).max(axis=0) for side in (first, ~first))


def _point_triangle(x):
    """Weights (4, count) at x of shape (4, 3, count)."""
    p, corners = x[0], x[1:]
    u, v, w = corners[1] - corners[0], corners[2] - corners[0], p - corners[0]
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    area = uu * vv - uv * uv
    divisor = np.maximum(area, _LEAST)
    s, t = (vv * uw - uv * vw) / divisor, (uu * vw - uv * uw) / divisor
    inside = (area > _PARALLEL * uu * vv) & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    best, least = np.stack([1.0 - s - t, s, t]), np.where(inside, 0.0, np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        along = corners[j] - corners[i]
        place = _along(_dot(p - corners[i], along), _dot(along, along))
        away = p - corners[i] - place * along
        squared = _dot(away, away)
        nearer = (squared < least) & ~inside
        least = np.where(nearer, squared, least)
        of_side = np.zeros_like(best)
        of_side[i], of_side[j] = 1.0 - place, place
        best = np.where(nearer, of_side, best)
    return np.concatenate([np.ones((1, x.shape[2])), -best])


def _edge_edge(x):
    """Weights (4, count) at x of shape (4, 3, count)."""
    a, b, c, d = x
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    square = uu * vv - uv * uv
    crossing = square > _PARALLEL * uu * vv
    within = np.clip((uv * vw - vv * uw) / np.where(crossing, square, 1.0), 0.0, 1.0)
    s = np.where(crossing, within, _along(-uw, uu))
    t = _along(uv * s + vw, vv)
    s = _along(t * uv - uw, uu)
    return np.stack([1.0 - s, s, t - 1.0, -t])


def _along(product, squared):
    return np.clip(product / np.maximum(squared, _LEAST), 0.0, 1.0)


def _dot(a, b):
    return np.einsum("ij,ij->j", a, b)


def _impact_example(random, size):
    x, corners, kinds = _some(random, size)
    distances = np.empty(size)
    nearness.definition(
        x, x, np.zeros(x.shape[1]), corners.values, kinds, distances, np.empty((2, size)), np.empty(size)
    )
    shares = random.uniform(0.0, 0.3, (2, size))
    return (
        x,
        2.0 * random.normal(size=x.shape),
        corners,
        kinds,
        distances,
        *shares * distances,
        np.empty(size),
    )


@kernel(
    "x(3,n) ways(3,n) corners(m,4)<n kinds:u1(m) distances(m) least(m) met(m) -> shares(m)",
    over="m",
    grain=1024,
    example=_impact_example,
)
def time_of_impact(x, ways, corners, kinds, distances, least, met, shares):
    """Share 0 to 1 of their ways that stencils may go from distances at x, never nearer than the least ones [m].

    Additive: a stencil may go on by what it is apart over the most that two of its points approach each other, with the
    motion they share left out; asked again there, until little is left, or it is no farther apart than where it has
    `met` [m] (Li, Kaufman and Jiang 2021, "Codimensional Incremental Potential Contact", section 5). From below, so
    that rounding errs to the safe side.
    """
    for kind, of_kind, first in ((POINT_TRIANGLE, _point_triangle, 1), (EDGE_EDGE, _edge_edge, 2)):
        rows = np.flatnonzero(kinds == kind)
        start, way = (field[:, corners[rows].T].transpose(1, 0, 2) for field in (x, ways))
        shares[rows] = _advanced(of_kind, first, start, way, *(of[rows] for of in (distances, least, met)))


def _advanced(of_kind, first, x, way, distance, least, met):
    way = way - way.mean(axis=0)
    lengths = np.sqrt(np.einsum("kac,kac->kc", way, way))
    approach = lengths[:first].max(axis=0) + lengths[first:].max(axis=0)
    distance = distance.copy()
    share = np.where(approach > 0.0, 0.0, 1.0)
    going = np.flatnonzero((approach > 0.0) & (distance > 0.0))
    for _ in range(_MOST_ADVANCES):
        if len(going) == 0:
            break
        step = _OF_STEP * (distance[going] - least[going]) / approach[going]
        share[going] = np.minimum(share[going] + step, 1.0)
        going = going[(share[going] < 1.0) & (step > _ENOUGH)]
        at = x[:, :, going] + share[going] * way[:, :, going]
        distance[going] = _distance(at, of_kind(at))
        going = going[distance[going] > met[going]]
    return share


def _distance(x, weights):
    between = np.einsum("kc,kac->ac", weights, x)
    return np.sqrt(_dot(between, between))
