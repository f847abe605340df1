# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points of a grid lie within a surface."""

import numpy as np

# Looks, of the six along the axes and back, that find a point inside for it to be: a hole in the surface, as of an eye
# or the top of a cup, misleads those through it.
_AGREE = 4
# Parts of a sample's distance by which lines of sight pass beside it: a mesh often has vertices on the samples.
_BESIDE = np.array([3.7e-5, 5.3e-5])


def within(corners, shape, signs):
    """Mask of the points (i, j, k) + 1/2 of a grid that lie within a surface, as of `shape`.

    corners: of the triangles in the grid's units, shape (triangle_count, 3 corners, 3); signs: 1 of those whose normals
    point out of the inside and -1 of the others, shape (triangle_count,). Parts may lie within each other.

    Lines through the points count how often they go in and come out again.
    """
    votes = np.zeros(shape, dtype=np.int8)
    for axis in range(3):
        others = [other for other in range(3) if other != axis]
        depth = _depth(corners, shape, signs, axis, others)
        # From behind, what lies in front is all that there is but what is passed.
        back = depth - depth[-1:]
        seen = (depth[:-1] > 0).astype(np.int8) + (back[:-1] > 0)
        votes += np.moveaxis(seen, 0, axis)
    return votes >= _AGREE


def _depth(corners, shape, signs, axis, others):
    """How often lines along an axis are inside at every sample, and behind the last: the axis first."""
    count, wide = shape[axis], tuple(shape[other] for other in others)
    triangle, line, (one, other) = _lines(corners[:, :, others], wide)
    a, b, c = (corners[triangle, corner][:, others] for corner in range(3))
    at = np.column_stack([one, other]) + 0.5 + _BESIDE
    whole = _cross(b - a, c - a)
    weights = np.stack([_cross(b - at, c - at), _cross(c - at, a - at), _cross(a - at, b - at)])
    hit = (weights * np.sign(whole) >= 0.0).all(axis=0) & (whole != 0.0)
    triangle, line, whole = triangle[hit], line[hit], whole[hit]
    depths = np.einsum("ci,ic->i", weights[:, hit] / whole, corners[triangle][:, :, axis])
    first = np.clip(np.ceil(depths - 0.5), 0, count).astype(np.intp)
    # Seen from outside it is inwards; the middle axis swaps the two others.
    enters = -np.sign(whole) * signs[triangle] * (1.0 if axis != 1 else -1.0)
    steps = np.bincount(first * (wide[0] * wide[1]) + line, enters, (count + 1) * wide[0] * wide[1])
    return np.rint(np.cumsum(steps.reshape(count + 1, *wide), axis=0)).astype(np.int32)


def _lines(flat, wide):
    """Triangles and the lines that may meet them: triangle, number of the line, and its two indices."""
    low, high = flat.min(axis=1) - 0.5, flat.max(axis=1) - 0.5
    begin = np.clip(np.ceil(low - 1e-3), 0, wide).astype(np.intp)
    counts = np.clip(np.floor(high + 1e-3) + 1, 0, wide).astype(np.intp) - begin
    counts = np.maximum(counts, 0)
    many = counts.prod(axis=1)
    triangle = np.repeat(np.arange(len(flat)), many)
    within = np.arange(len(triangle)) - np.repeat(np.cumsum(many) - many, many)
    one, other = np.divmod(within, np.maximum(counts[triangle, 1], 1))
    one, other = one + begin[triangle, 0], other + begin[triangle, 1]
    return triangle, one * wide[1] + other, (one, other)


def _cross(u, v):
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
