# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges within a surface that stick out of it where it is folded."""

import numpy as np

from ..axes import dot
from ..triangle_mesh.sides import edges_of

# Of an edge's length, what sticks out by less than this share of the thickness is told from its ends well enough:
# where two such folds cross, they are nearer than their ends are by at most that.
_STICKS_OUT = 0.2

# Shares of that: what sticks out, what soon may, and what may pass through others; what is flatter passes with the
# corners beside it.
OUT, NEARLY, BENT = 1.0, 0.7, 0.1

_LEAST = 1e-300


class Folds:
    """Edges that two triangles share; where two sharp folds cross, no corner need be near a triangle.

    triangles: corners, shape (triangle_count, 3); rest: positions at rest [m], shape (particle_count, 3); thickness:
    of every particle [m].
    ends: of the edges, shape (edge_count, 2); triangle: one that has the edge, of each.
    """

    def __init__(self, triangles, rest, thickness):
        ends, edges, sharing = edges_of(triangles)
        inner = np.flatnonzero(sharing == 2)
        order = np.argsort(edges, kind="stable")
        firsts = np.searchsorted(edges[order], inner)
        sides = np.stack([order[firsts], order[firsts + 1]])
        self.ends, self.triangle = ends[inner], sides[0] % max(len(triangles), 1)
        self._corners = np.ascontiguousarray(np.concatenate([self.ends.T, triangles.T.ravel()[sides]]))
        lengths = np.linalg.norm(rest[self.ends[:, 1]] - rest[self.ends[:, 0]], axis=1)
        # Sine of half the angle by which the surface turns at the edge.
        self._sine = 2.0 * _STICKS_OUT * thickness[self.ends].mean(axis=1) / np.maximum(lengths, _LEAST)

    def sharp(self, x, edges, shares):
        """Masks of edges that stick out by shares of what does at positions x [m], shape (3, particle_count).

        edges: their numbers.
        """
        a, b, c, d = (x.take(corners, axis=1) for corners in self._corners[:, edges])
        along = b - a
        along /= np.sqrt(np.maximum(dot(along, along), _LEAST))
        one, other = c - a, d - a
        one -= dot(one, along) * along
        other -= dot(other, along) * along
        lengths, together = np.sqrt(dot(one, one) * dot(other, other)), dot(one, other)
        sines = (np.minimum(share * self._sine[edges], 1.0) for share in shares)
        return tuple(together > (2.0 * sine**2 - 1.0) * lengths for sine in sines)

    def own(self, firsts, seconds, normals, shares, start, end):
        """Mask of pairs of edges of which every fold is the closest of its surface: its triangles go away from there.

        firsts, seconds: numbers of the edges, below 0 of what is no fold; normals: towards the first ones, shape
        (3, count); shares: of straight ways from start to end, of shape (3, particle_count).
        """
        own = np.ones(len(firsts), dtype=bool)
        for side, numbers in ((1.0, firsts), (-1.0, seconds)):
            of_fold = np.flatnonzero(numbers >= 0)
            a, _, *others = self._corners.take(numbers[of_fold], axis=1)
            share, normal = shares.take(of_fold), normals.take(of_fold, axis=1)
            for corner in others:
                before, after = (at.take(corner, axis=1) - at.take(a, axis=1) for at in (start, end))
                own[of_fold] &= side * dot(before + share * (after - before), normal) >= 0.0
        return own
