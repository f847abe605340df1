# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles, triangles and strands as elements of patches, and what lies between two lists of them."""

from typing import Any, NamedTuple

import numpy as np

from ..axes import dot
from ..triangle_mesh.cells import ranges
from .outlines import above

# Of squares, only to divide by [m^2].
_LEAST = 1e-300


class Elements:
    """Particles, triangles or strands: corners, patches, and at rest middles, radii, longest lengths and parts.

    corners: shape (count, corner_count), columns: the same with a row a corner; patches: of each; rest: positions at
    rest [m]; near: what is closer to a particle at rest is its neighbour [m]; parts: number of the connected part of
    each particle; movable: mask of them.
    """

    def __init__(self, corners, patches, rest, near, parts, movable):
        self.corners, self.patches = corners, patches
        middles = rest[corners].mean(axis=1)
        self.middles = np.ascontiguousarray(middles.T)
        self.radii = np.linalg.norm(rest[corners] - middles[:, None], axis=2).max(axis=1, initial=0.0)
        self.near, self.movable = near[corners].max(axis=1, initial=0.0), movable[corners].any(axis=1)
        self.parts = parts[corners[:, 0]]
        self.columns = np.ascontiguousarray(corners.T)
        self._order = np.argsort(patches, kind="stable")
        self._starts = np.searchsorted(patches[self._order], np.arange(patches.max(initial=0) + 2))

    def counts(self, patches):
        """How many elements patches have."""
        low, high = self._ranges(patches)
        return high - low

    def of_patches(self, patches):
        """Elements of patches, one after the other, and the number of the patch in the list, of each."""
        numbers, places = ranges(*self._ranges(patches))
        return self._order[places], numbers

    def _ranges(self, patches):
        last = len(self._starts) - 1
        return tuple(self._starts[np.minimum(patches + k, last)] for k in (0, 1))

    def outlines(self, elements, places):
        """Outlines of some of the elements at both ends.

        places: of the particles along directions, (direction_count, particle_count), at both ends.
        """
        ends = []
        for at in places:
            of_corners = [at.take(column[elements], axis=1) for column in self.columns]
            ends.append((np.minimum.reduce(of_corners), np.maximum.reduce(of_corners)))
        return ends

    def spheres(self, elements, x, end):
        """Spheres about some of the elements on ways from x to end [m], shape (3, particle_count)."""
        columns = [column[elements] for column in self.columns]
        if len(columns) == 1:
            return Spheres(x.take(columns[0], axis=1), end.take(columns[0], axis=1), np.zeros(len(elements)))
        middles, squares = [], []
        for at in (x, end):
            corners = [at.take(column, axis=1) for column in columns]
            middle = sum(corners[1:], corners[0]) / len(corners)
            middles.append(middle)
            for corner in corners:
                corner -= middle
                squares.append(dot(corner, corner))
        first, last = middles
        return Spheres(first, last, np.sqrt(np.maximum.reduce(squares)))


class Spheres(NamedTuple):
    """Middles at both ends of ways, shape (3, count), and radii that hold on all of them [m]."""

    start: np.ndarray
    end: np.ndarray
    radii: np.ndarray


class AtRest:
    """Tells pairs of elements that are neighbours at rest; what was asked is remembered.

    rest: positions [m], shape (particle_count, 3).
    """

    def __init__(self, rest):
        self._rest = rest.T
        # By kind, which pairs were asked for, and whether they are apart.
        self._asked: dict[Any, tuple[np.ndarray, np.ndarray]] = {}

    def apart(self, kind, one, other, i, j, near):
        """Mask of pairs that are no nearer at rest than some distances [m]."""
        known, answers = self._asked.get(kind, (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)))
        keys = i * len(other.corners) + j
        places = np.searchsorted(known, keys)
        new = np.append(known, -1)[places] != keys
        if new.any():
            new = np.flatnonzero(new)
            new = new[np.argsort(keys[new])]
            rows = np.concatenate([one.corners[i[new]], other.corners[j[new]]], axis=1)
            p = self._rest[:, rows.T]
            offsets = np.einsum("kc,akc->ac", kind.weights(p), p)
            apart = (offsets**2).sum(axis=0) >= near[new] ** 2
            known, answers = (
                np.insert(of_known, places[new], of_new)
                for of_known, of_new in ((known, keys[new]), (answers, apart))
            )
            self._asked[kind] = known, answers
            places = np.searchsorted(known, keys)
        return answers[places]


def met_spheres(one, other, i, j, reach):
    """Mask of pairs i and j of two lists of Spheres that come closer than reach [m] on their ways."""
    u, w = [], []
    for k in range(3):
        at = one.start[k].take(i)
        at -= other.start[k].take(j)
        to = one.end[k].take(i)
        to -= other.end[k].take(j)
        to -= at
        u.append(at)
        w.append(to)
    squared, approach = dot(w, w), dot(u, w)
    share = np.clip(-approach / np.maximum(squared, _LEAST), 0.0, 1.0)
    closest = dot(u, u) + share * (2.0 * approach + share * squared)
    return closest <= (reach + one.radii.take(i) + other.radii.take(j)) ** 2


def parted(kind, rows, x, end, reach):
    """Mask of pairs that a direction, from middle to middle halfway, keeps farther apart than reach at both ends.

    rows: particles, shape (particle_count of a pair, count); x, end: of ways [m], shape (3, particle_count).
    """
    ends = [x.take(rows, axis=1), end.take(rows, axis=1)]
    p = ends[0] + ends[1]
    n = p[:, : kind.first].mean(axis=1) - p[:, kind.first :].mean(axis=1)
    return above(n, [(at[:, : kind.first], at[:, kind.first :]) for at in ends], reach)
