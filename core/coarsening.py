# SPDX-License-Identifier: GPL-3.0-or-later
"""A coarse triangle mesh of some of a fine mesh's vertices: the dual of their Voronoi cells on its surface."""

import numpy as np

from .directions import LEAST, lengths
from .listed import distinct_rows

# Vertices are taken until none is farther from those taken than this share of the length of edges: of vertices that
# are spread so, edges are as long in the mean.
_COVERED = 0.72
# Passes in which sides between two triangles are turned until they are Delaunay's.
_FLIPS = 20
# Borders that turn by more keep their corners [rad].
_CORNER = 1.0


def coarsened(points, triangles, length):
    """Numbers of the vertices that are kept, and triangles of these with edges of a mean length [m].

    Distances are along edges, so that layers above each other stay apart; corners of borders are taken first, then the
    rest of the borders, then what is within, each time what is farthest from all that is taken. Parts that are smaller
    than the length vanish.

    points: shape (count, 3) [m]; triangles: shape (triangle_count, 3). Needs SciPy.
    Eldar, Lindenbaum, Porat and Zeevi 1997, "The farthest point strategy for progressive image sampling"; Peyré and
    Cohen 2006, "Geodesic remeshing using front propagation".
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    sides, times = distinct_rows(
        np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), return_counts=True
    )
    way = np.maximum(lengths(points[sides[:, 1]] - points[sides[:, 0]]), LEAST)
    graph = csr_matrix((way, sides.T), (len(points), len(points)))
    border = sides[times == 1]
    covered, taken = _COVERED * length, []
    distances = np.full(len(points), np.inf)
    # What is within comes no nearer to the middle between two on a border than these, or it would cut a piece off.
    stages = (_corners(points, border), 0.5), (np.unique(border), 0.5), (np.unique(triangles), 1.0)
    for among, share in stages:
        while len(among) and distances[among].max() >= share * covered:
            farthest = int(among[distances[among].argmax()])
            taken.append(farthest)
            near = dijkstra(graph, directed=False, indices=farthest, limit=2.0 * length)
            np.minimum(distances, near, out=distances)
    _, _, nearest = dijkstra(graph, directed=False, indices=taken, min_only=True, return_predecessors=True)
    kept, coarse = _dual(nearest[triangles])
    for _ in range(_FLIPS):
        coarse, found = _flipped(points[kept], coarse)
        if not found:
            break
    return kept, coarse


def _corners(points, border):
    """Vertices at which a border turns sharply; border: its sides, shape (count, 2)."""
    ends = np.concatenate([border, border[:, ::-1]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    vertices, first, count = np.unique(ends[:, 0], return_index=True, return_counts=True)
    vertices, first = vertices[count == 2], first[count == 2]
    one, other = (points[ends[first + k, 1]] - points[vertices] for k in (0, 1))
    size = np.maximum(lengths(one) * lengths(other), LEAST)
    turns = np.pi - np.arccos(np.clip(np.einsum("ij,ij->i", one, other) / size, -1.0, 1.0))
    return vertices[turns > _CORNER]


def _dual(cells):
    """Vertices, and triangles of the numbers of these, where three cells meet; cells: of every corner, (count, 3)."""
    apart = (cells[:, 0] != cells[:, 1]) & (cells[:, 1] != cells[:, 2]) & (cells[:, 2] != cells[:, 0])
    meeting = cells[apart].astype(np.intp)
    _, first = distinct_rows(np.sort(meeting, axis=1), return_index=True)
    kept, corners = np.unique(meeting[np.sort(first)], return_inverse=True)
    return kept, corners.reshape(-1, 3)


def _flipped(points, triangles):
    """Triangles of which sides are turned where the angles that see them are above pi in sum, and how many changed.

    So none has three corners in a line, where its neighbours allow that.
    """
    corners = triangles[:, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]].reshape(-1, 3)
    sides, which, times = distinct_rows(
        np.sort(corners[:, :2], axis=1), return_inverse=True, return_counts=True
    )
    order = np.argsort(which.ravel(), kind="stable")
    first = (np.cumsum(times) - times)[times == 2]
    one, other = order[first], order[first + 1]
    (a, b, c), d = corners[one].T, corners[other, 2]
    angles = [_angle(points, apex, a, b) for apex in (c, d)]
    pairs, turned = set(map(tuple, sides.tolist())), triangles.copy()
    taken: set[int] = set()
    for k in np.flatnonzero(angles[0] + angles[1] > np.pi + 1e-6):
        own = {int(one[k]) // 3, int(other[k]) // 3}
        across = tuple(sorted((int(c[k]), int(d[k]))))
        new = np.array([[a[k], d[k], c[k]], [d[k], b[k], c[k]]])
        before, after = (_normals(points, of) for of in (triangles[sorted(own)], new))
        if own & taken or across in pairs or not (after @ before.sum(axis=0) > 0.0).all():
            continue
        turned[sorted(own)] = new
        taken |= own
        pairs.add(across)
    return turned, len(taken)


def _angle(points, apex, one, other):
    """Angle at which points see two others [rad], shape (count,)."""
    u, v = points[one] - points[apex], points[other] - points[apex]
    size = np.maximum(lengths(u) * lengths(v), LEAST)
    return np.arccos(np.clip(np.einsum("ij,ij->i", u, v) / size, -1.0, 1.0))


def _normals(points, triangles):
    a, b, c = points[triangles].transpose(1, 0, 2)
    return np.cross(b - a, c - a)
