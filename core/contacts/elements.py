# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles, triangles and strands as elements of patches, and what lies between two lists of them."""

from typing import Any

import numpy as np

from ..axes import dot
from .patches import DIRECTIONS

# Of squares, only to divide by [m^2].
_LEAST = 1e-300


class Elements:
    """Particles, triangles or strands: corners, patches, and at rest middles, radii, longest lengths and parts.

    corners: shape (count, corner_count); patches: of each; rest: positions at rest [m]; near: what is closer to a
    particle at rest is its neighbour [m]; parts: number of the connected part of each particle; movable: mask of them.
    """

    def __init__(self, corners, patches, rest, near, parts, movable):
        self.corners, self.patches = corners, patches
        self.middles = rest[corners].mean(axis=1)
        self.radii = np.linalg.norm(rest[corners] - self.middles[:, None], axis=2).max(axis=1, initial=0.0)
        self.near, self.movable = near[corners].max(axis=1, initial=0.0), movable[corners].any(axis=1)
        self.parts = parts[corners[:, 0]]
        self._columns = np.ascontiguousarray(corners.T)
        self._order = np.argsort(patches, kind="stable")
        self._starts = np.searchsorted(patches[self._order], np.arange(patches.max(initial=0) + 2))

    def of_patches(self, patches):
        """Elements of patches, one after the other, and the number of the patch in the list, of each."""
        last = len(self._starts) - 1
        low, high = (self._starts[np.minimum(patches + k, last)] for k in (0, 1))
        counts = high - low
        numbers = np.repeat(np.arange(len(patches)), counts)
        entries = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts - low, counts)
        return self._order[entries], numbers

    def outlines(self, along):
        """Least and greatest places along the DIRECTIONS at both ends, each of shape (direction_count, count).

        along: places of the particles along them, (direction_count, particle_count), at both ends.
        """
        ends = []
        for at in along:
            of_corners = [at.take(column, axis=1) for column in self._columns]
            ends.append((np.minimum.reduce(of_corners), np.maximum.reduce(of_corners)))
        return ends

    def spheres(self, x, end):
        """Middles at both ends of ways from x to end, shape (3, count), and radii that hold on all of them [m].

        x, end: shape (3, particle_count).
        """
        if len(self._columns) == 1:
            column = self._columns[0]
            return x.take(column, axis=1), end.take(column, axis=1), np.zeros(len(column))
        middles, squares = [], []
        for at in (x, end):
            corners = [at.take(column, axis=1) for column in self._columns]
            middle = sum(corners[1:], corners[0]) / len(corners)
            middles.append(middle)
            for corner in corners:
                corner -= middle
                squares.append(dot(corner, corner))
        return (*middles, np.sqrt(np.maximum.reduce(squares)))


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
    """Mask of pairs of elements i and j whose spheres come closer than reach [m] on their ways.

    one, other: spheres of the elements of both lists.
    """
    a, b, radii = one
    c, d, others = other
    u, w = [], []
    for k in range(3):
        at = a[k].take(i)
        at -= c[k].take(j)
        to = b[k].take(i)
        to -= d[k].take(j)
        to -= at
        u.append(at)
        w.append(to)
    squared, approach = dot(w, w), dot(u, w)
    share = np.clip(-approach / np.maximum(squared, _LEAST), 0.0, 1.0)
    closest = dot(u, u) + share * (2.0 * approach + share * squared)
    return closest <= (reach + radii.take(i) + others.take(j)) ** 2


def beside(listed, outlines, others, patches, reach):
    """Those of elements that no direction keeps farther than reach from a patch all the way, and their numbers.

    listed: elements and numbers, places in a list of patches `others` and of `reach` [m]; outlines, patches: outlines
    of elements and patches at both ends.
    """
    elements, numbers = listed
    for k in range(len(DIRECTIONS)):
        facing, far = others[numbers], reach[numbers]
        below = above = True
        for (low, high), (from_patch, to_patch) in zip(outlines, patches, strict=True):
            below = below & (high[k].take(elements) + far < from_patch[k].take(facing))
            above = above & (to_patch[k].take(facing) + far < low[k].take(elements))
        kept = np.flatnonzero(~(below | above))
        elements, numbers = elements[kept], numbers[kept]
    return elements, numbers


def crossed(first, second, count):
    """All pairs of first and second elements of the same number, and that number; it is below count, and rises."""
    (firsts, of_first), (seconds, of_second) = first, second
    counts = np.bincount(of_second, minlength=count)
    starts = np.cumsum(counts) - counts
    repeats = counts[of_first]
    entries = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats - starts[of_first], repeats)
    return np.repeat(firsts, repeats), seconds[entries], np.repeat(of_first, repeats)
