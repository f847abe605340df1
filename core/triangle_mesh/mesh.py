# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle mesh made fit for distances: what does not count is dropped, what is nearly closed is closed."""

import numpy as np

from ..quantities import check_indices, point_array
from .openings import Openings
from .orientation import oriented
from .sides import Sides
from .triangles import ROUNDING

# Distances from it are exact up to what is kept from it and so many mean sides of a triangle.
_EXACT = 3.0
# A solid may be open by this share of its area: a body at its neck and wrists, but not a skirt or a cup.
MOST_OPEN = 0.1


class TriangleMesh:
    """Triangles that bound a solid, or make up a sheet with two sides.

    points [m], shape (point_count, 3); triangles: indices of points, shape (triangle_count, 3). Triangles without area
    do not count. Neighbours are turned the same way, a solid's outwards; corners at the same place are one where
    neighbours are looked for. Openings of a solid are closed by fans about their middles.

    triangles: those that count, with the fans, indices into `vertices`.
    solid: whether they bound a solid, open by a tenth of its area at most.
    sides: Sides of the triangles.
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
        turn = oriented(points[triangles], place[triangles])
        triangles[turn] = triangles[turn, ::-1]
        self._openings = Openings(place[triangles], triangles, len(points))
        closed = np.concatenate([triangles, self._openings.fans])
        x = self._closed_vertices(points)
        area = _areas(x, triangles).sum()
        self.solid = bool(
            _areas(x, self._openings.fans).sum() <= MOST_OPEN * area
            and _volume(x, closed) > ROUNDING * area**1.5
        )
        self.triangles = closed if self.solid else triangles
        place = np.concatenate([place, len(points) + np.arange(len(x) - len(points))])
        self.sides = Sides(place[self.triangles])

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

    def reach(self, points, kept):
        """How far off distances are exact [m]: by the most of the distances that are kept, and three mean sides."""
        ends = self.vertices(points)[self.triangles[:, [0, 1, 1, 2, 2, 0]]].reshape(-1, 2, 3)
        sides = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        return float(np.max(kept)) + _EXACT * float(sides.mean())

    def _closed_vertices(self, points):
        return np.concatenate([points, self._openings.middles(points)])


def _index_array(triangles):
    triangles = np.asarray(triangles)
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
