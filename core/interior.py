# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills a surface, as springs between vertices that see each other through the inside."""

import numpy as np

# Directions of the columns, and their shares: three axes, the diagonals of the six planes between them, and four of
# the space, weighted so that their moments are isotropic up to the sixth. Each is walked both ways.
_AXES = np.eye(3)
_OF_PLANES = np.array([[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]]) / np.sqrt(2.0)
_OF_SPACE = np.array([[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]]) / np.sqrt(3.0)
DIRECTIONS = np.concatenate([_AXES, _OF_PLANES, _OF_SPACE])
SHARES = np.array([2.0 / 21.0] * 3 + [8.0 / 105.0] * 6 + [9.0 / 140.0] * 4)

# A column starts and ends where the surface looks along it, by the cosine to the normal.
_FACING = 0.2
# Candidates for the far end of a column, of which the nearest that lies close enough to its axis is taken.
_CANDIDATES = 12
# How far beside its axis a column may end, in parts of its length, and of how far the closest candidate is.
_ASKEW, _CLOSE = 0.6, 2.0


def columns(points, triangles):
    """Columns of material through the inside of a surface, from vertex to vertex, in thirteen directions.

    Without the diagonals of planes nothing but its skin would keep the sides of a box of eight corners square.
    In each direction columns fill the inside once in each sense: a column's section is the area that its vertex has of
    the surface, seen along it. Where nothing lies opposite, as in an open sheet, there is none.

    points [m], shape (vertex_count, 3); triangles: wound alike, shape (triangle_count, 3).
    Returns pairs of vertices, shape (column_count, 2), and the volume of each column [m^3], whose sum is about that of
    the inside. A pair may be met more than once.

    Lebedev 1976, "Quadratures on a sphere", the rule of 26 points.
    """
    from scipy.spatial import cKDTree

    areas = _vertex_areas(points, triangles)
    # Normals point out where the volume between the surface and a point in its midst is positive.
    areas *= np.copysign(1.0, np.sum(areas * (points - points.mean(axis=0))))
    found = [(np.empty((0, 2), dtype=np.intp), np.empty(0))]
    for direction, share in zip(DIRECTIONS, SHARES, strict=True):
        for along in (direction, -direction):
            facing = areas @ along
            size = np.linalg.norm(areas, axis=1)
            enters, leaves = (np.flatnonzero(sign * facing > _FACING * size) for sign in (-1.0, 1.0))
            if len(enters) and len(leaves):
                seen = points @ _plane_across(along)
                count = min(_CANDIDATES, len(leaves))
                beside, near = cKDTree(seen[leaves]).query(seen[enters], k=[*range(1, count + 1)])
                first, ends = _first_exit(points @ along, enters, leaves[near], beside)
                pairs = np.column_stack([enters[first], ends])
                lengths = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
                found.append((pairs, 0.5 * share * -facing[enters[first]] * lengths))
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def _first_exit(depths, enters, candidates, beside):
    """Which of the entries have a way out, and the vertex there."""
    lengths = depths[candidates] - depths[enters][:, None]
    fits = (lengths > 0.0) & (beside <= _ASKEW * lengths)
    closest = np.where(fits, beside, np.inf).min(axis=1, keepdims=True)
    # Vertices as far beside as their spacing belong to the same wall, one layer or several: the first layer ends it.
    fits &= beside <= _CLOSE * np.maximum(closest, np.median(beside[:, 0]))
    chosen = np.where(fits, lengths, np.inf).argmin(axis=1)
    found = fits[np.arange(len(enters)), chosen]
    return found, candidates[np.arange(len(enters)), chosen][found]


def _plane_across(direction):
    """Two unit vectors perpendicular to a direction and to each other, as columns."""
    one = np.cross(direction, _AXES[np.argmin(np.abs(direction))])
    one /= np.linalg.norm(one)
    return np.column_stack([one, np.cross(direction, one)])


def _vertex_areas(points, triangles):
    """Share of every vertex in the area vectors of the triangles around it [m^2]."""
    a, b, c = (points[corner] for corner in triangles.T)
    thirds = np.cross(b - a, c - a) / 6.0
    corners = triangles.ravel()
    return np.column_stack(
        [np.bincount(corners, np.repeat(row, 3), minlength=len(points)) for row in thirds.T]
    )
