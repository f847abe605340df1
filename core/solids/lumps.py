# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pieces of a surface belong to one solid: those that lie within each other, as eyes in a head."""

import numpy as np

from ..topology import connected_parts

# Vertices of a piece of which most must lie within another for both to be one.
_ASKED = 24


def lumps(points, triangles):
    """Number of the lump of every triangle, and 1 where its normal points out, -1 where it points in.

    points [m], shape (vertex_count, 3); triangles: shape (triangle_count, 3). Pieces that nothing joins are wound
    each on its own; one with holes is judged by the volume about its middle.
    """
    if len(triangles) == 0:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    piece = connected_parts(np.concatenate([triangles[:, :2], triangles[:, 1:]]), len(points))[
        triangles[:, 0]
    ]
    piece = np.unique(piece, return_inverse=True)[1].ravel()
    count = int(piece.max()) + 1
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.bincount(piece, np.linalg.norm(normals, axis=1), count)
    sums = np.column_stack([np.bincount(piece, along) for along in corners.mean(axis=1).T])
    middles = sums / np.bincount(piece)[:, None]
    volumes = np.bincount(piece, np.einsum("ij,ij->i", normals, corners.mean(axis=1) - middles[piece]), count)
    outward = np.where(volumes < 0.0, -1.0, 1.0)[piece]
    links = [
        (one, other)
        for one, other in _near(corners, piece, count, areas)
        if _lies_within(corners[piece == one], corners[piece == other])
    ]
    lump = connected_parts(np.array(links, dtype=np.intp).reshape(-1, 2), count)
    return lump[piece], outward


def _near(corners, piece, count, areas):
    """Pairs of pieces whose boxes overlap, the smaller first."""
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, piece, corners.min(axis=1))
    np.maximum.at(high, piece, corners.max(axis=1))
    pairs = []
    for one in range(count):
        meets = ((low[one] <= high) & (low <= high[one])).all(axis=1)
        larger = (areas > areas[one]) | ((areas == areas[one]) & (np.arange(count) > one))
        pairs += [(one, other) for other in np.flatnonzero(meets & larger)]
    return pairs


def _lies_within(inner, outer):
    """Whether more than half of some corners of one piece lie within another, by its winding number.

    Van Oosterom, Strackee 1983, "The Solid Angle of a Plane Triangle".
    """
    asked = np.unique(inner.reshape(-1, 3), axis=0)
    asked = asked[np.linspace(0, len(asked) - 1, min(_ASKED, len(asked))).astype(np.intp)]
    found = []
    for point in asked:
        a, b, c = (outer[:, corner] - point for corner in range(3))
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        whole = np.einsum("ij,ij->i", a, np.cross(b, c))
        part = la * lb * lc + lc * np.einsum("ij,ij->i", a, b)
        part += la * np.einsum("ij,ij->i", b, c) + lb * np.einsum("ij,ij->i", c, a)
        found.append(abs(2.0 * np.arctan2(whole, part).sum()) > 2.0 * np.pi)
    return bool(np.mean(found) > 0.5)
