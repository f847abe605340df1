# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of what may come close do, where, and what distance they keep."""

import numpy as np

from ..axes import dot
from ..listed import by_blocks
from ..topology import connected_parts
from .nearby import AT_ONCE
from .pair_energy import PairEnergy
from .pair_kinds import Faces, Strands, met
from .proximity import REACH
from .regions import Regions

# Speed at which what is too close parts, over the thickness [1/s].
_PARTING = 10.0

# What is left of the distance where the springs' iterations did not keep it, and it is put right without them. Of what
# is to part slowly more is left than that, or what is pressed would sink in by a share of it every substep.
_LEFT, _LEFT_SLOWLY = 0.8, 0.95


class Narrow:
    """Tells of pairs that a Proximity finds where they meet, and drops those that others stand for.

    Two points of a surface that springs join keep t (2 D / pi t)^2 of their distance D at rest below half a circle of
    the sharpest fold, whose radius is half the thickness t: less than any bend of that radius leaves, and enough for
    neighbours not to pass through each other.

    body: Body; proximity: Proximity of it; thickness: of every particle [m], shape (particle_count,);
    friction: coefficients of them.
    """

    def __init__(self, body, proximity, thickness, friction):
        network = body.network
        self._proximity, self._thickness, self._friction = proximity, thickness, friction
        self._rest = np.ascontiguousarray(network.points.T)
        self._regions = Regions(np.asarray(body.triangles, dtype=np.intp), network.vertex_count)
        self._joined = connected_parts(network.edges, network.vertex_count)
        self._from_seam = network.distances_from_seams() if len(network.seams) else None

    def pairs(self, found, start, end, dt):
        """PairEnergy of those Found by kind that come close on straight ways from start to end [m], or None.

        start, end: shape (3, particle_count); dt: the time that they take [s].
        """
        close = [
            self.close(kind, of_kind, self._proximity.rows(kind, of_kind).T, start, end)
            for kind, of_kind in found.items()
            if len(of_kind.first)
        ]
        particles, weights, normals, thick, least = (
            (np.concatenate(of, axis=-1) for of in zip(*close, strict=True)) if close else [np.zeros(0)] * 5
        )
        if len(thick) == 0:
            return None
        friction = 0.5 * (np.abs(weights) * self._friction[particles]).sum(axis=0)
        used = np.zeros(start.shape[1], dtype=bool)
        used[particles] = True
        among, own = np.flatnonzero(used), (np.cumsum(used) - 1)[particles]
        pairs = PairEnergy(own, weights, normals, thick, friction, start.take(among, axis=1))
        pairs.among = among
        slowly = np.maximum(pairs.gaps_at_start, 0.0) + _PARTING * dt * thick
        pairs.least = np.minimum(least, slowly)
        pairs.left = np.minimum(_LEFT * least, _LEFT_SLOWLY * pairs.least)
        return pairs

    def close(self, kind, found, rows, start, end):
        """Particles, weights, normals, thicknesses [m] and distances kept [m] of pairs that come close.

        Particles and weights are of shape (4, count), normals of (3, count). found: Found of a kind; rows: their
        particles, shape (2 or 4, pair_count); start, end: of straight ways [m], shape (3, particle_count).
        """
        near, weights, normals, distances, shares = by_blocks(
            lambda few: self._near(kind, rows, start, end, few), rows.shape[1], AT_ONCE
        )
        rows = rows.take(near, axis=1)
        thick = 0.5 * (np.abs(weights) * self._thickness[rows]).sum(axis=0)
        least = self._kept(rows, weights, thick)
        close = np.flatnonzero(distances < REACH * least)
        near, shares = near[close], shares[close]
        rows, weights, normals, thick, least = (
            of.take(close, axis=-1) for of in (rows, weights, normals, thick, least)
        )
        own = self._own(kind, found.of(near), rows, weights, normals, shares, start, end)
        own = np.flatnonzero(own)
        rows, weights, *others = (of.take(own, axis=-1) for of in (rows, weights, normals, thick, least))
        width = 4 - len(rows)
        rows = np.pad(rows, ((0, width), (0, 0)), mode="edge")
        return rows, np.pad(weights, ((0, width), (0, 0))), *others

    def _near(self, kind, rows, start, end, few):
        """Of a slice of pairs those that come nearer than is looked at: their places, and the fields of their Met."""
        pairs = met(kind, *(at.take(rows[:, few], axis=1) for at in (start, end)))
        near = np.flatnonzero(pairs.distances < REACH * self._thickness.max(initial=0.0))
        return near + few.start, *(of.take(near, axis=-1) for of in pairs)

    def _own(self, kind, found, rows, weights, normals, shares, start, end):
        """Mask of pairs that are the closest of their surfaces there."""
        if kind is Faces:
            return self._regions.own(found.second, rows[1:], -weights[1:], normals, shares, start, end)
        own = np.ones(rows.shape[1], dtype=bool)
        if kind is Strands:
            # What meets the end of a border is a corner of a triangle.
            inside = (weights != 0.0).all(axis=0)
            own = inside | (np.minimum(*found) < self._proximity.strand_count)
            of_folds = (of - self._proximity.inner_start for of in found)
            own &= self._proximity.folds.own(*of_folds, normals, shares, start, end)
        return own

    def _kept(self, rows, weights, thick):
        apart = np.einsum("kc,akc->ac", weights, self._rest.take(rows, axis=1))
        turned = 2.0 / np.pi * np.sqrt(dot(apart, apart)) / thick
        joined = self._joined[rows[0]] == self._joined[rows[-1]]
        kept = np.where(joined, thick * np.minimum(turned, 1.0) ** 2, thick)
        if self._from_seam is None:
            return kept
        # Over a seam what is at both of its sides joins: it is as far as both are from it.
        over = 2.0 / np.pi * (np.abs(weights) * self._from_seam[rows]).sum(axis=0) / thick
        return np.minimum(kept, thick * np.minimum(over, 1.0) ** 2)
