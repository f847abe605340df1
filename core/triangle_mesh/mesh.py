# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle mesh made fit for distances: what does not count is dropped, what is nearly closed is closed."""

import numpy as np

from ..quantities import check_indices, index_array, point_array
from ..topology import connected_parts
from .sides import Sides, edges_of, sides_of
from .tree import TriangleTree
from .triangles import ROUNDING

# A solid may be open by this share of its area: a body at its neck and wrists, but not a skirt or a cup.
MOST_OPEN = 0.1


class TriangleMesh:
    """Triangles that bound a solid, or make up a sheet with two sides.

    points [m], shape (point_count, 3); triangles: indices of points, shape (triangle_count, 3). Triangles without area
    do not count. Neighbours are turned the same way, a solid's outwards; corners at the same place are one where
    neighbours are looked for. Openings of a solid are closed by fans about their middles.

    triangles: those that count, with the fans, indices into `vertices`.
    solid: whether they bound a solid, open by a tenth of its area at most.
    sides: Sides of the triangles; tree: TriangleTree of them.
    Raises ValueError for no triangles with an area, indices of no point, or coordinates that are not finite.
    """

    def __init__(self, points, triangles):
        points, triangles = point_array(points), _index_array(triangles)
        check_indices("triangle", triangles, len(points))
        triangles = triangles[_areas(points, triangles) > 0.0]
        if len(triangles) == 0:
            raise ValueError("no triangle has an area, so that nothing can touch it: give faces of some size")
        self._point_count = len(points)
        _, place = np.unique(points, axis=0, return_inverse=True)
        place = place.ravel()
        turn = _turned(points[triangles], place[triangles])
        triangles[turn] = triangles[turn, ::-1]
        self._openings = _Openings(place[triangles], triangles, len(points))
        closed = np.concatenate([triangles, self._openings.fans])
        x = self._closed_vertices(points)
        area = _areas(x, triangles).sum()
        self.solid = bool(
            _areas(x, self._openings.fans).sum() <= MOST_OPEN * area
            and _volume(x, closed) > ROUNDING * area**1.5
        )
        self.triangles = closed if self.solid else triangles
        place = np.concatenate([place, len(points) + np.arange(len(x) - len(points))])
        self.sides, self.tree = (
            Sides(place[self.triangles]),
            TriangleTree(self.vertices(points), self.triangles),
        )

    def vertices(self, points):
        """Points, and the middles of the openings that are closed, shape (vertex_count, 3) [m].

        Raises ValueError for another number of points than there was, or coordinates that are not finite.
        """
        points = point_array(points)
        if len(points) != self._point_count:
            raise ValueError(
                f"there are {len(points)} points, but {self._point_count} at first: a mesh must keep its points"
            )
        return self._closed_vertices(points) if self.solid else points

    def _closed_vertices(self, points):
        return np.concatenate([points, self._openings.middles(points)])


def _index_array(triangles):
    triangles = index_array("triangles", triangles)
    if triangles.size == 0:
        triangles = np.empty((0, 3), dtype=np.intp)
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise ValueError(
            f"triangles have shape {triangles.shape} of {triangles.dtype}: give rows of three point indices"
        )
    return triangles.astype(np.intp)


def _areas(x, triangles):
    a, b, c = x[triangles.T]
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


def _volume(x, triangles):
    a, b, c = x[triangles.T] - x[triangles].mean(axis=(0, 1))
    return np.einsum("ti,ti->", a, np.cross(b, c)) / 6


class _Openings:
    """Loops of edges that only one triangle has, each closed by a fan about the middle of the loop.

    corners: of triangles, shape (triangle_count, 3), the same number for the same place; triangles: the same as indices
    of points, of which there are point_count.
    fans: triangles of all fans, shape (count, 3); their middles are the points after the last.
    """

    def __init__(self, corners, triangles, point_count):
        edges, sharing = edges_of(corners)
        open_sides = sharing[edges] == 1
        self._rim = sides_of(triangles)[open_sides]
        sides = sides_of(corners)[open_sides]
        loops = connected_parts(sides, int(corners.max(initial=0)) + 1)[sides[:, 0]]
        _, self._loop = np.unique(loops, return_inverse=True)
        self.fans = np.column_stack([self._rim[:, ::-1], point_count + self._loop])

    def middles(self, x):
        """Means of the loops' vertices, shape (opening_count, 3)."""
        vertices = x[self._rim[:, 0]]
        sums = [np.bincount(self._loop, axis) for axis in vertices.T]
        return np.stack(sums, axis=1) / np.bincount(self._loop)[:, None]


def _turned(x, corners):
    """Mask of the triangles to turn round so that neighbours agree and volumes are above zero.

    x: corners' positions, shape (triangle_count, 3, 3); corners: the same number for the same place. Where neighbours
    agree from the start, hollows keep the way they face; what has no two sides, as a Moebius strip, stays as it is.
    """
    volumes = np.einsum(
        "ti,ti->t", x[:, 0] - x.mean(axis=(0, 1)), np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    )
    one, other, agree = _neighbours(corners)
    if agree.all():
        return np.full(len(corners), volumes.sum() < 0.0)
    # Every triangle twice, as it is and turned: what belongs together is connected.
    count = len(corners)
    beside = np.concatenate([np.where(agree, other, other + count), np.where(agree, other + count, other)])
    labels = connected_parts(np.column_stack([np.concatenate([one, one + count]), beside]), 2 * count)
    as_is, turned = labels[:count], labels[count:]
    turn = as_is > turned
    patch = np.minimum(as_is, turned)
    inwards = np.bincount(patch, np.where(turn, -volumes, volumes)) < 0.0
    return turn ^ (inwards[patch] & (as_is != turned))


def _neighbours(corners):
    """Pairs of triangles that alone share an edge, and whether they are wound alike."""
    edges, sharing = edges_of(corners)
    start, end = sides_of(corners).T
    order = np.argsort(edges, kind="stable")
    order = order[sharing[edges[order]] == 2].reshape(-1, 2)
    forward = start[order] < end[order]
    one, other = (order % len(corners)).T
    return one, other, forward[:, 0] != forward[:, 1]
