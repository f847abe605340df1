# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygons in their planes: which corners are joined inside of them, large ones divided, all cut into triangles."""

import numpy as np

from .topology import Polygons, connected_parts

# Corners from which on a polygon is divided: the best of all triangulations takes the cube of their number, springs
# fitted to it a matrix of the square of seven times as many entries.
_MOST_CORNERS = 24
# Diagonals that a division tries, a few at a time.
_TRIED, _AT_ONCE = 2000, 16
# Cost of a triangle that is none, beside which those of triangles that are some do not count.
_NO_TRIANGLE = 1e12


def triangulated(points, polygons):
    """Every face as triangles wound like it, one face after the other, vertex indices of shape (triangle_count, 3).

    Triangles and quads as `Polygons.triangles`; larger faces so that the sum of their cotangents is the least, which is
    Delaunay's triangulation where nothing is in its way: Rippa 1990, "Minimal roughness property of the Delaunay
    triangulation". points [m], shape (vertex_count, 3).
    """
    triangles, counts = polygons.triangles(), np.maximum(polygons.sizes - 2, 0)
    wide = np.flatnonzero(polygons.sizes > 4)
    if not len(wide):
        return triangles
    starts = np.cumsum(polygons.sizes) - polygons.sizes
    rings = [polygons.corners[starts[face] : starts[face] + polygons.sizes[face]] for face in wide]
    parts, _ = divided(points, Polygons.from_faces(rings))
    begin, found = np.cumsum(parts.sizes) - parts.sizes, np.empty((counts[wide].sum(), 3), dtype=np.intp)
    places = np.cumsum(parts.sizes - 2) - (parts.sizes - 2)
    for size in np.unique(parts.sizes):
        of = np.flatnonzero(parts.sizes == size)
        for chunk in np.array_split(of, 1 + len(of) * size**2 // 1_000_000):
            corners = parts.corners[begin[chunk][:, None] + np.arange(size)]
            cut = _cut(in_plane(points[corners]))
            here = np.take_along_axis(corners[:, None], cut, axis=2)
            found[places[chunk][:, None] + np.arange(size - 2)] = here
    triangles[np.repeat(polygons.sizes > 4, counts)] = found
    return triangles


def _cut(q):
    """Triangles of rings of corners, q of shape (count, n, 2), with the least sum of cotangents: (count, n - 2, 3).

    By dynamic programming over the corners from one to another: Klincsek 1980, "Minimal triangulations of polygonal
    domains".
    """
    count, size = q.shape[:2]
    cost = np.zeros((count, size, size))
    chosen = np.zeros((count, size, size), dtype=np.intp)
    for gap in range(2, size):
        first = np.arange(size - gap)[:, None]
        middle, last = first + np.arange(1, gap), first + gap
        both = cost[:, first, middle] + cost[:, middle, last] + _cotangents(q, first, middle, last)
        best = both.argmin(axis=2)
        cost[:, first[:, 0], last[:, 0]] = np.take_along_axis(both, best[:, :, None], axis=2)[:, :, 0]
        chosen[:, first[:, 0], last[:, 0]] = best + first[:, 0] + 1
    triangles, done = np.empty((count, size - 2, 3), dtype=np.intp), np.zeros(count, dtype=np.intp)
    wanted = np.zeros((count, size, size), dtype=bool)
    wanted[:, 0, -1] = True
    for gap in range(size - 1, 1, -1):
        for low in range(size - gap):
            rows, high = np.flatnonzero(wanted[:, low, low + gap]), low + gap
            between = chosen[rows, low, high]
            triangles[rows, done[rows]] = np.column_stack(np.broadcast_arrays(low, between, high))
            wanted[rows, low, between] = wanted[rows, between, high] = True
            done[rows] += 1
    return triangles


def _cotangents(q, one, two, three):
    """Sum of the cotangents of the angles of triangles between corners of rings, of those wound the other way a lot."""
    a, b, c = q[:, one], q[:, two], q[:, three]
    squares = ((b - a) ** 2 + (c - b) ** 2 + (a - c) ** 2).sum(axis=-1)
    doubled = cross(b - a, c - a)
    flat = doubled <= 1e-9 * squares
    return np.where(flat, _NO_TRIANGLE, squares / np.where(flat, 1.0, 2.0 * doubled))


def divided(points, polygons):
    """Polygons of not too many corners, and the one of the given ones that each is a part of."""
    waiting = [
        (ring, number)
        for number, ring in enumerate(np.split(polygons.corners, np.cumsum(polygons.sizes)[:-1]))
        if len(ring)
    ]
    done = []
    while waiting:
        ring, number = waiting.pop()
        if len(ring) <= _MOST_CORNERS:
            done.append((ring, number))
            continue
        one, other = _division(in_plane(points[ring][None])[0])
        waiting += [
            (ring[one : other + 1], number),
            (np.concatenate([ring[other:], ring[: one + 1]]), number),
        ]
    done.sort(key=lambda part: part[1])
    return Polygons.from_faces([ring for ring, _ in done]), np.array([number for _, number in done], np.intp)


def _division(q):
    """Corners between which a polygon is divided, q of shape (n, 2): the shortest diagonal that leaves a quarter to
    either part and lies inside, or the shortest one of all."""
    count = len(q)
    one, other = np.triu_indices(count, count // 4)
    balanced = other - one <= count - count // 4
    one, other = one[balanced], other[balanced]
    order = np.argsort(np.linalg.norm(q[one] - q[other], axis=1), kind="stable")[:_TRIED]
    for some in np.split(order, range(_AT_ONCE, len(order), _AT_ONCE)):
        lies = inside(q[None], one[some], other[some])[0]
        if lies.any():
            chosen = some[np.argmax(lies)]
            return one[chosen], other[chosen]
    return one[order[0]], other[order[0]]


def in_plane(p):
    """Rings of corners, shape (count, n, 3), in axes of the plane of their area, counter-clockwise: (count, n, 2)."""
    p = p - p.mean(axis=1, keepdims=True)
    normals = np.cross(p, np.roll(p, -1, axis=1)).sum(axis=1)
    # Of no area any plane will do.
    normals[np.linalg.norm(normals, axis=1) == 0.0] = [0.0, 0.0, 1.0]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    least = np.eye(3)[np.abs(normals).argmin(axis=1)]
    across = np.cross(normals, least)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    axes = np.stack([across, np.cross(normals, across)], axis=-1)
    return p @ axes


def cross(a, b):
    """Products of vectors in the plane, shape (..., 2): the areas they span, signed."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def inside(q, one, other):
    """Mask of the pairs of corners that are joined inside of each ring, q of shape (count, n, 2): (count, pairs)."""
    start, end = q[:, one][:, :, None], q[:, other][:, :, None]
    here, there = q[:, None], np.roll(q, -1, axis=1)[:, None]
    middle = 0.5 * (start + end)
    above, below = here[..., 1] > middle[..., 1], there[..., 1] > middle[..., 1]
    rise = np.where(above == below, 1.0, there[..., 1] - here[..., 1])
    x = here[..., 0] + (middle[..., 1] - here[..., 1]) / rise * (there[..., 0] - here[..., 0])
    within = ((above != below) & (middle[..., 0] < x)).sum(axis=2) % 2 == 1
    way = end - start
    apart = cross(way, here - start) * cross(way, there - start) < 0.0
    through = cross(there - here, start - here) * cross(there - here, end - here) < 0.0
    # A corner on the way leaves no room beside it.
    along, square = ((here - start) * way).sum(axis=-1), (way**2).sum(axis=-1)
    beside = np.abs(cross(way, here - start)) > 1e-9 * square
    on_the_way = ~beside & (along > 1e-9 * square) & (along < (1.0 - 1e-9) * square)
    return within & ~(apart & through).any(axis=2) & ~on_the_way.any(axis=2)


def cut_along(polygons, edges, vertex_count):
    """Polygons that are joined at all sides but those along some edges, and the vertex that each of theirs is.

    edges: shape (count, 2), of so many vertices: where a cut ends within the faces, its end stays one.
    """
    count = len(polygons.corners)
    starts = np.repeat(np.cumsum(polygons.sizes) - polygons.sizes, polygons.sizes)
    here = np.arange(count)
    after = starts + (here - starts + 1) % np.repeat(polygons.sizes, polygons.sizes)
    heads, tails = polygons.corners, polygons.corners[after]
    keys, cut = (
        of.min(axis=1, initial=vertex_count) * vertex_count + of.max(axis=1, initial=0)
        for of in (np.column_stack([heads, tails]), np.asarray(edges))
    )
    low, high = np.where(heads < tails, here, after), np.where(heads < tails, after, here)
    whole = np.flatnonzero(~np.isin(keys, cut))
    order = whole[np.argsort(keys[whole], kind="stable")]
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    links = [np.column_stack([of[order[same]], of[order[same + 1]]]) for of in (low, high)]
    part = connected_parts(np.concatenate(links), count)
    _, first, number = np.unique(part, return_index=True, return_inverse=True)
    return Polygons(number.ravel(), polygons.sizes), polygons.corners[first]
