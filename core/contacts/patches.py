# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of a surface may come close to each other, or fold onto themselves, told from their outlines."""

from typing import Any, NamedTuple

import numpy as np

from ..axes import dot
from ..bisection import halved
from ..triangle_mesh.cells import ranges
from .cohesion import joined, knotted, loose
from .cones import Cones, folded
from .outlines import beside, box_gaps, columns, directed, gaps_along, outlines, parting

# Elements of a leaf at least, and patches of the first level, at most but for those of many parts.
_SMALLEST, _FIRST = 4, 16

# Parts of a surface from which on several are in one patch.
_MOST_PARTS = 256

# A leaf is as wide as so many distances that are near: what folds back within it, its normals tell.
_WIDE = 2.0

_LEAST = 1e-150


class _Level(NamedTuple):
    """Patches of one size.

    starts, counts: of those of the next smaller size in each; groups: the same as columns, or the particles of
    leaves; parts: number of the connected part and kind of each, below 0 of what is of several; beside:
    p * len(parts) + q of pairs that are near at rest and hang together, p <= q, rising; loose: mask of those that
    do not hang together.
    """

    starts: np.ndarray
    counts: np.ndarray
    groups: np.ndarray
    parts: np.ndarray
    beside: np.ndarray
    loose: np.ndarray


class Patches:
    """Splits a surface into a tree of patches, and tells of pairs of leaves whether they can come near each other.

    Patches that hang together and lie beside each other, and a patch and itself, are near only where their triangles'
    normals, or the directions of a chain of strands, turn far from each other (Volino and Magnenat-Thalmann 1994):
    turns of a coil lie beside each other and do not hang together, and where strands are knotted, as in a net,
    directions tell nothing. Pairs of patches are looked into only where they are near.

    rest: points at rest [m], shape (particle_count, 3); elements: arrays of corners, of triangles and of strands;
    parts: number of the connected part of each particle; reach: distance that is near [m].
    count: of the leaves; of_elements: the leaf of every element, one array for each kind; of_particles: a leaf of
    every particle; tops: the patch of the first level of every leaf, of top_count.
    """

    def __init__(self, rest, elements, parts, reach):
        self._reach = reach
        sizes = _sizes(rest, elements, reach)
        middles = [rest[corners].mean(axis=1) for corners in elements]
        split = [_groups(middles, elements, parts, sizes[0])]
        counts, self.tops = [], np.arange(max(len(split[0]), 1))
        for size in sizes[1:]:
            within = [
                [(kind, few) for few in halved(middles[kind], chosen, size)] for kind, chosen in split[-1]
            ]
            counts.append(np.array([len(of_patch) for of_patch in within] or [1]))
            self.tops = np.repeat(self.tops, counts[-1])
            split.append([few for of_patch in within for few in of_patch])
        self.count, self.top_count = len(self.tops), int(self.tops[-1]) + 1
        self.of_elements = [np.zeros(len(corners), dtype=np.intp) for corners in elements]
        self.of_particles = np.zeros(len(rest), dtype=np.intp)
        particles = [np.unique(elements[kind][chosen]) for kind, chosen in split[-1]]
        for number, ((kind, chosen), of_leaf) in enumerate(zip(split[-1], particles, strict=True)):
            self.of_elements[kind][chosen], self.of_particles[of_leaf] = number, number
        particles = particles or [np.zeros(1, dtype=np.intp)]
        counts.append(np.array([len(of_leaf) for of_leaf in particles]))
        self._cones = Cones(elements, self.of_elements, self.count)
        self._levels = [
            _level(of_level, of_each, [_of_kind(parts, elements, *of_group) for of_group in groups])
            for groups, of_level, of_each in zip(
                split, counts, [None] * len(sizes[1:]) + [particles], strict=True
            )
        ]
        self._remember_cohesion(elements)
        self._remember_beside(directed(rest.T))

    def _remember_cohesion(self, elements):
        """Tell the levels which of their patches hang together in themselves, and with each other."""
        of_elements = self.of_elements
        for number in reversed(range(len(self._levels))):
            level = self._levels[number]
            if number < len(self._levels) - 1:
                above = np.repeat(np.arange(len(level.counts)), level.counts)
                of_elements = [above[of_kind] for of_kind in of_elements]
            count, in_pieces = len(level.counts), np.zeros(len(level.counts), dtype=bool)
            for corners, of_kind in zip(elements, of_elements, strict=True):
                in_pieces |= loose(of_kind, corners, count)
                if corners.shape[1] == 2:
                    in_pieces[of_kind[knotted(corners)]] = True
            self._levels[number] = level._replace(
                beside=joined(of_elements, elements, count), loose=in_pieces
            )

    def _remember_beside(self, places):
        """Tell the levels which of those lie beside each other at rest; places: of the particles along directions."""
        at_rest, pairs = self._outlines(places), np.triu_indices(self.top_count)
        for number, level in enumerate(self._levels):
            if number:
                pairs = _inside(self._levels[number - 1], *pairs)
            p, q = pairs
            same = np.flatnonzero((level.parts[p] == level.parts[q]) & (level.parts[p] >= 0))
            p, q = p[same], q[same]
            close = beside(at_rest[number : number + 1], at_rest[number : number + 1], p, q, self._reach)
            pairs = p[close], q[close]
            keys = np.sort(pairs[0] * len(level.parts) + pairs[1])
            self._levels[number] = level._replace(beside=keys[among(level.beside, keys)])

    def near(self, x, end, may_meet, since=(), reach=None):
        """Pairs of leaves p <= q in which anything may be near the other on straight ways, rising by p, then q.

        x, end: of the ways [m], shape (3, particle_count); may_meet: symmetric mask of pairs of the first level;
        since: as in `Proximity.candidates`, of shape (3, particle_count); reach: distance that is near [m], or None
        for that of the patches.
        """
        reach = self._reach if reach is None else reach
        boxes = [self._outlines(at) for at in (x, end)]
        moved = [(self._outlines(end - last), beyond) for last, beyond in since]
        cones = [self._cones.at(at, self._levels) for at in (x, end)]
        p, q = np.triu_indices(self.top_count)
        meet = np.flatnonzero(may_meet[p, q])
        p, q = p[meet], q[meet]
        for number, level in enumerate(self._levels):
            if number:
                p, q = _inside(self._levels[number - 1], p, q)
            for levels, beyond in moved:
                strays = np.flatnonzero(parting(levels[number], p, q) > beyond)
                p, q = p[strays], q[strays]
            both = [of_end[number] for of_end in boxes]
            close = beside(both, both, p, q, reach)
            p, q = p[close], q[close]
            joined = np.flatnonzero(among(level.beside, p * len(level.parts) + q))
            may_touch = np.ones(len(p), dtype=bool)
            may_touch[joined] = folded([of_end[number] for of_end in cones], p[joined], q[joined])
            p, q = p[may_touch], q[may_touch]
        order = np.argsort(p * self.count + q)
        return p[order], q[order]

    def passing(self, x, end, p, q, reach):
        """Places of the pairs of leaves that no plane keeps farther apart than reach [m], and gaps of all at x [m].

        Planes are across the axes, across one's directions, and between both.
        """
        groups = self._levels[-1].groups
        boxes = [outlines(at, groups) for at in (x, end)]
        gaps, close = box_gaps(boxes[0], p, q), beside(boxes, boxes, p, q, reach)
        if len(close) == 0:
            return close, gaps
        axes, _ = self._cones.at(x, self._levels[-1:])[0]
        for across in (True, False):
            one_of, other_of = p[close], q[close]
            sides = groups[:, one_of], groups[:, other_of]
            ends = [[at.take(of, axis=1) for of in sides] for at in (x, end)]
            one, other = (of.mean(axis=1) for of in ends[0])
            n = one - other
            if across:
                n = np.sign(dot(n, axes[:, other_of])) * axes[:, other_of]
            between = [gaps_along(n, of_end) for of_end in ends]
            gaps[close] = np.maximum(gaps[close], between[0])
            close = close[np.minimum(*between) <= reach]
        return close, gaps

    def outlines(self, leaves, places):
        """Outlines of some leaves; places: of the particles along directions."""
        return outlines(places, self._levels[-1].groups[:, leaves])

    def moved(self, x, end):
        """Outlines of the ways from x to end of all leaves [m], for `parting`."""
        return outlines(end - x, self._levels[-1].groups)

    def holding(self, particles):
        """Mask of the leaves that hold any of a mask of particles."""
        return particles[self._levels[-1].groups].any(axis=0)

    @staticmethod
    def strayed(x, end):
        """How far anything moved at most against anything else, from x to end [m]."""
        moved = end - x
        moved -= moved.mean(axis=1)[:, None]
        return 2.0 * float(np.sqrt(dot(moved, moved).max()))

    def _outlines(self, places):
        """Outlines of all patches by level; places: of the particles along some directions."""
        found: list[Any] = [outlines(places, self._levels[-1].groups)]
        for level in self._levels[-2::-1]:
            low, high = found[-1]
            found.append(
                (low.take(level.groups, axis=1).min(axis=1), high.take(level.groups, axis=1).max(axis=1))
            )
        return found[::-1]


def _level(counts, particles, parts):
    """The _Level of patches of so many smaller ones each, or of particles, with the parts of the elements of each."""
    starts = np.cumsum(counts) - counts
    groups = columns(starts, counts)
    if particles is not None:
        groups = np.concatenate(particles)[groups]
    of_one = np.array([of[0] if (of == of[0]).all() else -1 - number for number, of in enumerate(parts)])
    of_one = of_one if parts else np.zeros(1, dtype=np.intp)
    return _Level(starts, counts, groups, of_one, starts[:0], np.zeros(len(counts), dtype=bool))


def _of_kind(parts, elements, kind, chosen):
    """Numbers of the connected part and of the kind of elements: normals are of no use beside strands."""
    return parts[elements[kind][chosen, 0]] * len(elements) + kind


def _inside(level, p, q):
    """Pairs of the patches within those of pairs of a level, each once."""
    rows, entries = ranges(np.zeros(len(p), dtype=np.intp), level.counts[p] * level.counts[q])
    first, second = np.divmod(entries, level.counts[q][rows])
    first += level.starts[p][rows]
    second += level.starts[q][rows]
    once = np.flatnonzero(first <= second)
    return first[once], second[once]


def among(known, keys):
    """Mask of keys that are among known ones, which rise."""
    return np.append(known, -1)[np.searchsorted(known, keys)] == keys


def _sizes(rest, elements, reach):
    """Most elements of a patch, by level."""
    least = float(_SMALLEST)
    for corners in elements:
        if corners.shape[1] > 1 and len(corners):
            lengths = np.linalg.norm(rest[corners[:, 1]] - rest[corners[:, 0]], axis=1)
            across = _WIDE * reach / max(float(lengths.mean()), _LEAST)
            least = max(least, 2.0 * across**2 if corners.shape[1] == 3 else across)
    total = sum(map(len, elements))
    sizes = [max(least, total / _FIRST)]
    while sizes[-1] >= 1.5 * least:
        sizes.append(sizes[-1] / (4.0 if sizes[-1] >= 3.0 * least else 2.0))
    return [int(np.ceil(size)) for size in sizes]


def _groups(middles, elements, parts, size):
    """Kinds and elements of the patches of the first level."""
    groups = []
    for kind, corners in enumerate(elements):
        if len(corners) == 0:
            continue
        of_part = parts[corners[:, 0]]
        order = np.argsort(of_part, kind="stable")
        bounds = np.flatnonzero(np.diff(of_part[order])) + 1
        # Of many small parts several are in one patch.
        whole = [order] if len(bounds) >= _MOST_PARTS else np.split(order, bounds)
        groups += [(kind, few) for group in whole for few in halved(middles[kind], group, size)]
    return groups
