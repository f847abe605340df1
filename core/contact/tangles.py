# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that begins crossed by itself: what crosses is let go until it has parted."""

import numpy as np

from ..directions import LEAST, lengths
from ..listed import chosen

# Edges that are looked at at once, each near some tens of triangles: some tens of megabytes.
_AT_ONCE = 4096


class Tangles:
    """Particles of edges and triangles that cross, and those joined to them, of a cloth that is to meet itself.

    Which side of each other such particles belong on is told by nothing, so contacts would hold them where they are
    wrong. So they have none with each other until nothing of theirs crosses any more. All others keep what is crossed
    from spreading.

    edges, triangles: of the cloth, shape (count, 2) and (count, 3); count: of particles.
    """

    def __init__(self, edges, triangles, count):
        self._edges, self._triangles = edges, triangles
        self._tangled = np.zeros(count, dtype=bool)

    def begin(self, x):
        """Find what crosses at positions x, shape (n, 3) [m]."""
        self._tangled = self._of(x, self._edges, self._triangles)

    def begin_frame(self, x):
        """Let what has parted at x, shape (n, 3) [m], touch again."""
        if self._tangled.any():
            edges, triangles = (of[self._tangled[of].any(axis=1)] for of in (self._edges, self._triangles))
            self._tangled = self._of(x, edges, triangles)

    def without(self, candidates, within):
        """Candidates, or None, without those between tangled particles; within: number of the cloth as an owner."""
        if candidates is None or not self._tangled.any():
            return candidates
        corners = candidates.corners
        tangled = np.append(self._tangled, False)[np.minimum(corners, len(self._tangled))]
        # The first corner of a stencil is on one side of it, the last two are on the other.
        both = tangled[:, 0] & tangled[:, 2:].any(axis=1) & (candidates.owners == within)
        if both.all():
            return None
        return chosen(candidates, ~both) if both.any() else candidates

    def _of(self, x, edges, triangles):
        """A mask of the particles of what crosses, and of those that edges join to them."""
        one, other = crossings(x, edges, triangles)
        tangled = np.zeros(len(self._tangled), dtype=bool)
        tangled[edges[one]] = True
        tangled[triangles[other]] = True
        around = self._edges[tangled[self._edges].any(axis=1)]
        tangled[around] = True
        return tangled

    @property
    def history(self):
        """Ones of what is tangled, in the first of three columns, shape (n, 3)."""
        return np.outer(self._tangled, (1.0, 0.0, 0.0))

    def restore(self, history):
        """Go on from a `history`; raises ValueError for numbers that are none of it."""
        if not np.isin(history, (0.0, 1.0)).all():
            raise ValueError("what is tangled is told by numbers that are none of it: restore a history")
        self._tangled = history[:, 0] == 1.0


def crossings(x, edges, triangles):
    """Indices of edges, and of triangles that they pass through at x, shape (n, 3) [m], where they share no particle.

    Möller and Trumbore 1997, "Fast, Minimum Storage Ray/Triangle Intersection".
    """
    found = [(np.zeros(0, dtype=np.intp),) * 2]
    for one, other in _near(x, edges, triangles):
        e, t = edges[one], triangles[other]
        apart = (e[:, :, None] != t[:, None, :]).all(axis=(1, 2))
        one, other, e, t = one[apart], other[apart], e[apart], t[apart]
        start, way = x[e[:, 0]], x[e[:, 1]] - x[e[:, 0]]
        corner, u, v = x[t[:, 0]], x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]]
        across = np.cross(way, v)
        volume = np.einsum("ij,ij->i", u, across)
        divisor = np.where(np.abs(volume) > LEAST, volume, np.inf)
        off = start - corner
        turned = np.cross(off, u)
        first = np.einsum("ij,ij->i", off, across) / divisor
        second = np.einsum("ij,ij->i", way, turned) / divisor
        place = np.einsum("ij,ij->i", v, turned) / divisor
        # Parallel elements have the place 0.
        through = (first > 0.0) & (second > 0.0) & (first + second < 1.0) & (place > 0.0) & (place < 1.0)
        found.append((one[through], other[through]))
    one, other = map(np.concatenate, zip(*found, strict=True))
    return one, other


def _near(x, edges, triangles):
    """Pairs of indices of edges and triangles whose spheres meet, some at a time. Needs SciPy."""
    from scipy.spatial import cKDTree

    if len(edges) == 0 or len(triangles) == 0:
        return
    middles, halves = x[edges].mean(axis=1), 0.5 * lengths(x[edges[:, 1]] - x[edges[:, 0]])
    centres = x[triangles].mean(axis=1)
    radii = np.max([lengths(x[corner] - centres) for corner in triangles.T], axis=0)
    # Of triangles of one size at a time: a single large one is near everything.
    sizes = np.frexp(np.maximum(radii, LEAST))[1]
    for size in np.unique(sizes):
        of_size = np.flatnonzero(sizes == size)
        tree, most = cKDTree(centres[of_size]), radii[of_size].max()
        for begin in range(0, len(edges), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            near = tree.query_ball_point(middles[some], halves[some] + most)
            one = begin + np.repeat(np.arange(len(near)), [len(of) for of in near])
            yield one, of_size[np.concatenate([np.asarray(of, dtype=np.intp) for of in near])]
