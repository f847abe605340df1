# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles, triangles and strands of a body may come close to each other in a substep."""

from typing import Any, NamedTuple

import numpy as np

from ..topology import connected_parts
from ..triangle_mesh.sides import borders
from .folds import Folds
from .impact import along
from .pair_kinds import Faces, Points, Strands
from .patches import DIRECTIONS, Patches

# What joined pairs keep apart by themselves: over the longest edge there.
_NEIGHBOURS = 1.05

# Distances over the thickness up to which pairs are looked at: what springs move otherwise may come closer.
REACH = 1.4

# Of squares, only to divide by [m^2].
_LEAST = 1e-300

# How much farther than needed is searched, over the reach, so that what was found may serve again.
_MARGIN = 0.3


class Found(NamedTuple):
    """Pairs of one kind: rows of particles, the numbers of the elements on both sides, and the sides' patches."""

    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray
    one: np.ndarray
    other: np.ndarray

    def of(self, which):
        """Those of a mask."""
        return Found(*(of_pairs[which] for of_pairs in self))


class Proximity:
    """Finds what may come close on a body's surface: patches tell where to look, trees of positions what is there.

    What is closer in the pose of rest than the thickness, or than an edge is long, is left to the springs, where
    springs join both. What was found serves as long as nothing moves farther than a margin; all that may come close is
    among it, and in the same order, whenever it was found.

    body: Body; thickness: of every particle [m], shape (particle_count,); faces: whether particles are kept out of
    triangles, and strands of strands; else particles of particles; bodies: Bodies that are kept apart, None for all.
    """

    def __init__(self, body, thickness, *, faces=True, bodies=None):
        network = body.network
        rest, movable, count = network.points, network.pins < 1.0, network.vertex_count
        self._rest = rest.T
        triangles, strands = (
            np.asarray(of_body, dtype=np.intp) for of_body in (body.triangles, body.strands)
        )
        near = thickness.copy()
        for corners in (triangles, strands):
            edges = rest[corners] - np.roll(rest[corners], 1, axis=1)
            longest = np.sqrt((edges**2).sum(axis=2)).max(axis=1, initial=0.0)
            np.maximum.at(near, corners, _NEIGHBOURS * longest[:, None])
        used = np.zeros(count, dtype=bool)
        used[triangles], used[strands] = True, True
        # Particles by themselves are elements of no extent.
        loose = np.flatnonzero(~used & ~np.bool_(faces))[:, None]
        particles = np.flatnonzero(used | ~np.bool_(faces))[:, None]
        self._reach = REACH * thickness.max(initial=0.0)
        parts, wide = connected_parts(network.edges, count), (1.0 + _MARGIN) * self._reach
        self._patches = Patches(rest, (triangles, strands, loose), parts, wide)
        sides, of_triangles = borders(triangles)
        self.folds = Folds(triangles if faces else triangles[:0], rest, thickness)
        of_faces, of_strands = self._patches.of_elements[:2]
        self.strand_count, self.inner_start = len(strands), len(strands) + len(sides)
        self._particles, self._triangles, self._strands = (
            _Elements(corners, of_patch, rest, near, parts, movable)
            for corners, of_patch in (
                (particles, self._patches.of_particles[particles[:, 0]]),
                (triangles, of_faces),
                # Borders and folds cross as strands do, and are near what their triangles are near.
                (
                    np.concatenate([strands, sides, self.folds.ends]),
                    np.concatenate([of_strands, of_faces[of_triangles], of_faces[self.folds.triangle]]),
                ),
            )
        )
        self._sides: Any = (
            [(Faces, self._particles, self._triangles), (Strands, self._strands, self._strands)]
            if faces
            else [(Points, self._particles, self._particles)]
        )
        self._bodies, self._apart = bodies, np.ones((self._patches.count,) * 2, dtype=bool)
        if bodies is not None:
            sides = (self._particles, self._triangles, self._strands)
            self._apart = bodies.of_patches(
                [(side.corners, side.patches) for side in sides], self._patches.count
            )
        # Of pairs that are neighbours at rest, or nearly, whether they are apart.
        self._asked: dict[Any, tuple[np.ndarray, np.ndarray]] = {}
        self._kept: tuple[Any, Any, Any, dict] = rest, np.zeros(0, dtype=bool), np.zeros(0, dtype=bool), {}

    def candidates(self, x, end):
        """Pairs on straight ways from x to end [m], shape (particle_count, 3), as Found by kind."""
        near = self._patches.near(x, end) & self._apart
        if not near.any():
            return {}
        stick_out = self._sticking_out(x, end)
        # What moves fast is elsewhere next time: it is not looked for any farther than needed.
        margin = _MARGIN if self._moved(x, end) <= self._margin(_MARGIN) else 0.0
        if margin == 0.0:
            return self._found(x, end, near, stick_out, margin)
        if not self._serves(x, end, near, stick_out):
            nearly = self._sticking_out(x, end, nearly=True)
            self._kept = x, near, nearly, self._found(x, end, near, nearly, margin)
        served = {}
        for kind, one, other in self._sides:
            kept = self._kept[3][kind]
            chosen = near[kept.one, kept.other]
            if kind is Strands:
                chosen &= stick_out[kept.first] & stick_out[kept.second]
            served[kind] = self._close(kept.of(chosen), one, other, x, end, 0.0)
        return served

    def _sticking_out(self, x, end, *, nearly=False):
        """Mask of the strands that nothing else tells of: all but those within a surface that are flat on the way."""
        out = np.ones(len(self._strands.corners), dtype=bool)
        out[self.inner_start :] = self.folds.sharp(x, nearly=nearly) | self.folds.sharp(end, nearly=nearly)
        return out

    def _margin(self, margin):
        """How far anything may move for what was found to serve [m]."""
        return 0.5 * margin * self._reach

    def _moved(self, x, end):
        """The farthest that anything went, but for what is common to all [m]."""
        moved = end - x
        moved -= moved.mean(axis=0)
        return float(np.sqrt(along(moved, moved).max()))

    def _close(self, found, one, other, x, end, margin):
        """Those of pairs whose spheres come close on their ways."""
        a, b, radii = one.spheres(found.first, x, end)
        c, d, others = other.spheres(found.second, x, end)
        u, w = a - c, (b - a) - (d - c)
        squared, approach = along(w, w), along(u, w)
        share = np.clip(-approach / np.maximum(squared, _LEAST), 0.0, 1.0)
        closest = along(u, u) + share * (2.0 * approach + share * squared)
        return found.of(closest <= ((1.0 + margin) * self._reach + radii + others) ** 2)

    def _serves(self, x, end, near, stick_out):
        """Whether what was found before holds all that may come close now."""
        then, there, nearly, _ = self._kept
        if near.shape != there.shape or (near & ~there).any() or (stick_out & ~nearly).any():
            return False
        return max(self._moved(then, at) for at in (x, end)) <= self._margin(_MARGIN)

    def _found(self, x, end, near, stick_out, margin):
        p, q = np.nonzero(near)
        reach, found = (1.0 + margin) * self._reach, {}
        patches = self._patches.outlines(x), self._patches.outlines(end)
        for kind, one, other in self._sides:
            own = one.outlines(x, end)
            theirs = own if one is other else other.outlines(x, end)
            firsts, seconds = one.of_patches(p), other.of_patches(q)
            if kind is Strands:
                firsts, seconds = (
                    tuple(of_them[stick_out[listed[0]]] for of_them in listed) for listed in (firsts, seconds)
                )
            firsts = _beside(firsts, own, q, patches, reach)
            seconds = _beside(seconds, theirs, p, patches, reach)
            i, j = _crossed(firsts, seconds, len(p))
            if one is other:
                i, j = (of_pairs[i < j] for of_pairs in (i, j))
            rows = np.concatenate([one.corners[i], other.corners[j]], axis=1)
            pairs = Found(rows, i, j, one.patches[i], other.patches[j])
            pairs = self._close(pairs, one, other, x, end, margin)
            pairs = pairs.of(np.lexsort((pairs.second, pairs.first)))
            found[kind] = pairs.of(self._may_meet(kind, one, other, pairs.first, pairs.second))
        return found

    def _may_meet(self, kind, one, other, i, j):
        """Mask of pairs that springs do not keep apart, and of which one side can move."""
        near = np.maximum(one.near[i], other.near[j])
        apart = one.middles[i] - other.middles[j]
        doubtful = np.flatnonzero(
            (one.parts[i] == other.parts[j])
            & (along(apart, apart) < (near + one.radii[i] + other.radii[j]) ** 2)
        )
        may = one.movable[i] | other.movable[j]
        if self._bodies is not None:
            may &= self._bodies.meet(one.corners[i, 0], other.corners[j, 0])
        may[doubtful] &= self._apart_at_rest(kind, one, other, i[doubtful], j[doubtful], near[doubtful])
        return may

    def _apart_at_rest(self, kind, one, other, i, j, near):
        """Mask of pairs, rising, that are no nearer at rest than some distances [m]; what was asked is remembered."""
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


class _Elements:
    """Particles, triangles or strands: corners, patches, and at rest middles, radii, longest lengths and parts."""

    def __init__(self, corners, patches, rest, near, parts, movable):
        self.corners, self.patches = corners, patches
        self.middles = rest[corners].mean(axis=1)
        self.radii = np.linalg.norm(rest[corners] - self.middles[:, None], axis=2).max(axis=1, initial=0.0)
        self.near, self.movable = near[corners].max(axis=1, initial=0.0), movable[corners].any(axis=1)
        self.parts = parts[corners[:, 0]]
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

    def outlines(self, x, end):
        """Least and greatest places along the DIRECTIONS at both ends, each of shape (direction_count, count)."""
        ends = []
        for at in (x, end):
            along_them = [(DIRECTIONS @ at.T)[:, column] for column in self.corners.T]
            ends.append((np.minimum.reduce(along_them), np.maximum.reduce(along_them)))
        return ends

    def spheres(self, which, x, end):
        """Middles at both ends of the ways from x to end, shape (count, 3), and radii that hold on all of them [m]."""
        few = len(which) < len(self.corners)
        corners = self.corners[which] if few else self.corners
        ends = [at[corners] for at in (x, end)]
        middles = [at.mean(axis=1) for at in ends]
        squares = [
            ((at - middle[:, None]) ** 2).sum(axis=2) for at, middle in zip(ends, middles, strict=True)
        ]
        radii = np.sqrt(np.maximum(*squares).max(axis=1, initial=0.0))
        return (*middles, radii) if few else tuple(of_all[which] for of_all in (*middles, radii))


def _beside(listed, outlines, others, patches, reach):
    """Those of elements that no direction keeps farther than reach [m] from a patch all the way, and their numbers.

    listed: elements and numbers, places in a list of patches `others`; outlines, patches: outlines of elements and
    patches at both ends.
    """
    elements, numbers = listed
    for k in range(len(DIRECTIONS)):
        below = above = True
        for (low, high), (from_patch, to_patch) in zip(outlines, patches, strict=True):
            facing = others[numbers]
            below = below & (high[k][elements] + reach < from_patch[k][facing])
            above = above & (to_patch[k][facing] + reach < low[k][elements])
        kept = ~(below | above)
        elements, numbers = elements[kept], numbers[kept]
    return elements, numbers


def _crossed(first, second, count):
    """All pairs of first and second elements of the same number, which is below count and rises."""
    (firsts, of_first), (seconds, of_second) = first, second
    counts = np.bincount(of_second, minlength=count)
    starts = np.cumsum(counts) - counts
    repeats = counts[of_first]
    entries = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats - starts[of_first], repeats)
    return np.repeat(firsts, repeats), seconds[entries]
