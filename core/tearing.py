# SPDX-License-Identifier: GPL-3.0-or-later
"""What tears: springs that break where they are stretched too far, and the faces that go with them."""

import numpy as np

from .quantities import quantity
from .surface import Surface
from .topology import Polygons

# Faces that a tear runs through in a frame at most, on either side of where it begins.
_FARTHEST = 64


class Tears:
    """Springs of a network that break beyond a strain.

    In every frame the spring of each part that is stretched most, as a share of what it bears, breaks if that is
    beyond it. From there the tear runs: a face of which a side is broken is torn, and the most stretched of its other
    sides breaks too where it is beyond. So what is pulled evenly parts along a line, and not into dust. Nothing touches
    a torn face any more, and springs that no other face has break with it.

    surface: Surface before anything is torn; springs: along edges, shape (spring_count, 2); strain: above 0,
    scalar or shape (vertex_count,), of which a spring bears the mean of its ends.

    Raises ValueError for a strain out of its range.
    """

    def __init__(self, surface, springs, strain, vertex_count):
        of_vertices = quantity("breaking strain", strain, "vertex", vertex_count, above=0.0)
        self.strain = of_vertices[springs].mean(axis=1)
        self.surface, self._springs, self._count = surface, springs, vertex_count
        polygons = surface.polygons
        face = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
        sizes = polygons.sizes[face]
        order = np.argsort(self._keys(springs), kind="stable")
        keys = self._keys(springs)[order]
        faces, numbers = [], []
        for offset in (1, 2, sizes // 2):
            pairs = np.column_stack([polygons.corners, polygons.neighbour_corners(offset)])
            found = self._keys(pairs)
            places = np.minimum(np.searchsorted(keys, found), max(len(keys) - 1, 0))
            known = keys[places] == found if len(keys) else np.zeros(len(found), dtype=bool)
            faces.append(face[known])
            numbers.append(order[places[known]])
        # Springs along the sides of every face, and all that cross it.
        self._side_faces, self._sides = faces[0], numbers[0]
        self._faces, self._crossing = np.concatenate(faces), np.concatenate(numbers)
        self._edges = self._keys(surface.edges)

    def torn_faces(self, broken):
        """Mask of the faces that are torn where springs are broken, by a mask of these."""
        torn = np.zeros(len(self.surface.polygons.sizes), dtype=bool)
        torn[self._side_faces[broken[self._sides]]] = True
        return torn

    def breaking(self, network, x):
        """Mask of the springs that are broken for the frame that begins at x [m], those that were before too."""
        stretchable, lengths = network.stretchable, network.spring_lengths(x)
        # What yields breaks by all of its strain.
        rest = network.rest_lengths / network.plastic
        strains = np.divide(lengths, rest, out=np.zeros_like(rest), where=stretchable) - 1.0
        beyond = np.flatnonzero(stretchable & (strains > self.strain))
        if not len(beyond):
            return network.broken
        broken, part = network.broken.copy(), network.parts[self._springs[beyond, 0]]
        first = np.zeros_like(broken)
        shares = strains / self.strain
        first[beyond[_largest(part, shares[beyond])]] = True
        self._run(broken, shares, first)
        return broken | self._left_over(broken)

    def _run(self, broken, shares, first):
        """Break springs of a mask, and what tears on from there; `broken` is changed.

        shares: strain of every spring over what it bears.
        """
        passed, front = self.torn_faces(broken), np.zeros(len(self.surface.polygons.sizes), dtype=bool)
        broken |= first
        front[self._faces[first[self._crossing]]] = True
        beyond = shares[self._sides] > 1.0
        for _ in range(_FARTHEST):
            front &= ~passed
            passed |= front
            rows = np.flatnonzero(front[self._side_faces] & beyond & ~broken[self._sides])
            if not len(rows):
                return
            rows = rows[_largest(self._side_faces[rows], shares[self._sides[rows]])]
            broken[self._sides[rows]] = True
            front[self._side_faces[np.isin(self._sides, self._sides[rows])]] = True

    def surface_of(self, broken):
        """The Surface that is left where springs are broken, by a mask of these."""
        polygons, kept = self.surface.polygons, ~self.torn_faces(broken)
        corners = polygons.corners[np.repeat(kept, polygons.sizes)]
        edges = self.surface.edges[~np.isin(self._edges, self._keys(self._springs[broken]))]
        return Surface(edges, Polygons(corners, polygons.sizes[kept]))

    def _left_over(self, broken):
        """Mask of the springs that torn faces have, and no others."""
        whole = ~self.torn_faces(broken)[self._faces]
        of_faces, of_whole = (np.zeros(len(self._springs), dtype=bool) for _ in range(2))
        of_faces[self._crossing] = True
        of_whole[self._crossing[whole]] = True
        return of_faces & ~of_whole

    def _keys(self, pairs):
        """One number for each pair of vertices, whichever way round."""
        low, high = np.sort(pairs, axis=1).T if len(pairs) else np.empty((2, 0), dtype=np.intp)
        return low * self._count + high


def _largest(groups, values):
    """Places of the largest value of every group, of equals the first."""
    order = np.lexsort((np.arange(len(groups)), -values, groups))
    return order[np.unique(groups[order], return_index=True)[1]]
