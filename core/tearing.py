# SPDX-License-Identifier: GPL-3.0-or-later
"""Tearing: springs break beyond a strain, and faces tear with them."""

import numpy as np

from .patches import Patches
from .quantities import quantity
from .strength_scatter import scattered
from .surface import Surface
from .topology import Polygons

# Faces that a tear runs through in a frame at most, on either side of where it begins.
_FARTHEST = 64


class Tears:
    """Springs of a network that break beyond a strain.

    In every frame the most stretched spring of each part, relative to its strength, breaks if it is beyond it. From
    there the tear runs: a face with a broken side is torn, and the most stretched of its other sides breaks too if it
    is beyond its strength. So an evenly pulled sheet parts along a line, and not into dust. Torn faces have no
    contacts, and springs of torn faces alone break with them.

    surface: Surface before anything is torn; springs: along edges, shape (spring_count, 2); strain: above 0, scalar or
    shape (vertex_count,); a spring has the mean of its ends; points: at rest [m], shape (vertex_count, 3), for
    springs of a material. scatter: of the strength, see `scattered`.

    Raises ValueError for a strain or a scatter out of its range.
    """

    def __init__(self, surface, springs, strain, points, scatter=0.0):
        count = len(points)
        of_vertices = quantity("breaking strain", strain, "vertex", count, above=0.0)
        self.strain = of_vertices[springs].mean(axis=1) * scattered(springs, scatter)
        self.surface, self._springs, self._count = surface, springs, count
        polygons = surface.polygons
        order = np.argsort(self._keys(springs), kind="stable")
        keys = self._keys(springs)[order]
        # Springs along the sides of every face, and all that cross it.
        self._side_faces, self._sides = self._known(_sides(polygons), keys, order)
        crossing = [_diagonals(polygons), *_across(Patches.of(points, polygons))]
        found = [(self._side_faces, self._sides), *(self._known(pairs, keys, order) for pairs in crossing)]
        self._faces, self._crossing = (np.concatenate(parts) for parts in zip(*found, strict=True))
        self._inner = np.ones(len(springs), dtype=bool)
        self._inner[self._sides] = False
        self._edges = self._keys(surface.edges)

    def _known(self, found, keys, order):
        """Of faces and pairs of vertices those that springs join: the faces, and the springs' numbers."""
        face, pairs = found
        wanted = self._keys(pairs)
        if not (len(keys) and len(wanted)):
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        known = keys[places] == wanted
        return face[known], order[places[known]]

    def torn_faces(self, broken):
        """Mask of the torn faces, by a mask of the broken springs."""
        torn = np.zeros(len(self.surface.polygons.sizes), dtype=bool)
        torn[self._side_faces[broken[self._sides]]] = True
        return torn

    def breaking(self, network, x):
        """Mask of the broken springs of the frame that begins at x [m], with those broken before."""
        stretchable, lengths = network.stretchable, network.spring_lengths(x)
        # Yielding springs break by all of their strain.
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
        """Break springs of a mask, and run the tears on from there; `broken` is changed.

        shares: strain of every spring over its strength.
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
        """The remaining Surface, by a mask of the broken springs."""
        polygons, kept = self.surface.polygons, ~self.torn_faces(broken)
        corners = polygons.corners[np.repeat(kept, polygons.sizes)]
        edges = self.surface.edges[~np.isin(self._edges, self._keys(self._springs[broken]))]
        return Surface(edges, Polygons(corners, polygons.sizes[kept]), self.surface.points)

    def _left_over(self, broken):
        """Mask of the springs along sides of torn faces alone, and of those across a torn face."""
        torn = self.torn_faces(broken)[self._faces]
        of_torn, of_whole = (np.zeros(len(self._springs), dtype=bool) for _ in range(2))
        of_torn[self._crossing[torn]] = True
        of_whole[self._crossing[~torn]] = True
        return of_torn & (self._inner | ~of_whole)

    def _keys(self, pairs):
        """One number for each pair of vertices, whichever way round."""
        low, high = np.sort(pairs, axis=1).T if len(pairs) else np.empty((2, 0), dtype=np.intp)
        return low * self._count + high


def _largest(groups, values):
    """Places of the largest value of every group, of equals the first."""
    order = np.lexsort((np.arange(len(groups)), -values, groups))
    return order[np.unique(groups[order], return_index=True)[1]]


def _sides(polygons):
    """Faces and pairs of vertices along their sides."""
    return np.repeat(np.arange(len(polygons.sizes)), polygons.sizes), polygons.sides()


def _diagonals(polygons):
    """Faces and pairs of vertices across quads."""
    face, _ = _sides(polygons)
    pairs = np.column_stack([polygons.corners, polygons.neighbour_corners(2)])
    return face[quads := polygons.sizes[face] == 4], pairs[quads]


def _across(patches):
    """Faces of patches and pairs of vertices across these, for polygons of one size after the other."""
    sizes = patches.polygons.sizes
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes[patches.patch] == size)
        rings = patches.polygons.corners[starts[patches.patch[rows]][:, None] + np.arange(size)]
        pairs = rings[:, np.column_stack(np.triu_indices(size, 1))]
        yield np.repeat(patches.faces[rows], pairs.shape[1]), pairs.reshape(-1, 2)
