# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles, triangles and strands of a body may come close to each other in a substep."""

from typing import Any, NamedTuple

import numpy as np

from ..topology import connected_parts
from ..triangle_mesh.sides import borders
from .elements import Elements
from .folds import BENT, NEARLY, OUT, Folds
from .gaps import Gaps
from .nearby import Nearby
from .pair_kinds import Faces, Points, Strands
from .pairing import Pairing
from .patches import Patches
from .remembered import Remembered

# Of the longest edge there: what is nearer at rest shares a particle, or as good as that, and is no pair.
_JOINED = 1e-3

# Distances over the thickness up to which pairs are looked at: what springs move otherwise may come closer.
REACH = 1.4


class Known(NamedTuple):
    """Pairs of leaves that were near on ways that began alike, and the ends of these, as in `Patches.near`."""

    leaves: tuple
    since: list


class Proximity:
    """Finds what may come close on a body's surface: patches tell where to look, spheres and planes what is close.

    What shares a particle is left to the springs. What was found of two patches serves as long as they move against
    each other by less than a margin, see `Remembered`; all that may come close is among it, and in the same order,
    whenever it was found.

    body: Body; thickness: of every particle [m], shape (particle_count,); faces: whether particles are kept out of
    triangles, and strands of strands; else particles of particles; bodies: Bodies that are kept apart, None for all.
    """

    def __init__(self, body, thickness, *, faces=True, bodies=None):
        network = body.network
        rest, movable, count = network.points, network.pins < 1.0, network.vertex_count
        self._rest = np.ascontiguousarray(rest.T)
        triangles, strands = (
            np.asarray(of_body, dtype=np.intp) for of_body in (body.triangles, body.strands)
        )
        near = np.zeros(count)
        for corners in (triangles, strands):
            edges = rest[corners] - np.roll(rest[corners], 1, axis=1)
            longest = np.sqrt((edges**2).sum(axis=2)).max(axis=1, initial=0.0)
            np.maximum.at(near, corners, _JOINED * longest[:, None])
        used = np.zeros(count, dtype=bool)
        used[triangles], used[strands] = True, True
        # Particles by themselves are elements of no extent.
        loose = np.flatnonzero(~used & ~np.bool_(faces))[:, None]
        particles = np.flatnonzero(used | ~np.bool_(faces))[:, None]
        self._reach = REACH * thickness.max(initial=0.0)
        parts = connected_parts(network.edges, count)
        self._patches = Patches(rest, (triangles, strands, loose), parts, self._reach)
        sides, of_triangles = borders(triangles)
        self.folds = Folds(triangles if faces else triangles[:0], rest, thickness)
        of_faces, of_strands = self._patches.of_elements[:2]
        self.strand_count, self.inner_start = len(strands), len(strands) + len(sides)
        self._particles, self._triangles, self._strands = (
            Elements(corners, of_patch, rest, near, parts, movable)
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
        self._listed = self._particles, self._triangles, self._strands
        tops = self._patches.tops
        self._may_meet_at_all = np.ones((self._patches.top_count,) * 2, dtype=bool)
        if bodies is not None:
            self._may_meet_at_all = bodies.of_patches(
                [(side.corners, tops[side.patches]) for side in self._listed], self._patches.top_count
            )
        self._pairing = Pairing(self._sides, rest, self._patches.count, bodies)
        self.rows = self._pairing.rows
        self._gaps = Gaps(self._patches, self._listed, self._pairing, self._reach)
        self._forget()

    def candidates(self, x, end, since=()):
        """Pairs on straight ways from x to end [m], shape (particle_count, 3), as Found by kind.

        since: ends of ways that were asked for before, and distances [m]: what ends against each other by no more than
        that from any of these ends is left out. The pairs of leaves that were looked into are in `leaves`.
        """
        again = bool(since)
        x, end = (np.ascontiguousarray(of.T) for of in (x, end))
        since = [(np.ascontiguousarray(last.T), beyond) for last, beyond in since]
        none = np.zeros(0, dtype=np.intp)
        self.leaves = none, none
        if any(self._patches.strayed(last, end) <= beyond for last, beyond in since):
            return {}
        p, q = self.leaves = self._patches.near(x, end, self._may_meet_at_all, since)
        if len(p) == 0:
            if not again:
                self._forget()
            return {}
        there = Nearby(self._patches, self._listed, x, end, p, q)
        out, nearly = self._bent(there, (OUT, NEARLY))
        turned = self._turned(out)
        stale, reach = self._remembered.stale(there, turned, again)
        if stale.any():
            p, q, reach = p[stale], q[stale], reach[stale]
            anew = Nearby(self._patches, self._listed, x, end, p, q)
            strands = anew.elements(self._strands)
            # Pairs of leaves with a turned one are all looked at anew, and of others what is looked at in all of them.
            self._out[strands] = nearly[strands] & (self._out | turned[self._strands.patches])[strands]
            apart, best = anew.apart(p, q)
            close = np.flatnonzero(apart <= reach)
            p, q, reach, best = (of[close] for of in (p, q, reach, best))
            self._remembered.add(self._pairing.found(anew, p, q, reach, nearly, best))
        found = {}
        for kind, one, other in self._sides:
            kept = self._remembered.of(kind, there, again)
            if kind is Strands:
                kept = kept.of(np.flatnonzero(out[kept.first] & out[kept.second]))
            kept = kept.of(there.met(one, other, kept, self._reach))
            kept = kept.of(there.close(kind, one, other, kept, self._reach))
            found[kind] = kept.of(np.argsort(kept.first * len(other.corners) + kept.second))
        return found

    def passing(self, x, end, reach, known=None, among=None):
        """Pairs Found by kind that may pass through each other on straight ways, or end closer than reach [m].

        x, end: shape (3, particle_count); known: `Known` of ways that begin there as well, or None; among: mask of
        particles, of whose leaves one side is, or None for all.
        """
        kinds = [kind for kind, *_ in self._sides if kind is not Points]
        if not kinds:
            return {}
        p, q = self._leaves(x, end, reach, known)
        looked = np.ones(len(p), dtype=bool)
        if among is not None:
            leaves = self._patches.holding(among)
            looked = leaves[p] | leaves[q]
        p, q = self._gaps.closed(x, end, p, q, reach, looked)
        if len(p) == 0:
            return {}
        there = Nearby(self._patches, self._listed, x, end, p, q)
        (bent,) = self._bent(there, (BENT,))
        found = self._pairing.found(there, p, q, np.full(len(p), reach), bent)
        return {kind: found[kind][0] for kind in kinds}

    def _leaves(self, x, end, reach, known):
        """Pairs of leaves that may be nearer than reach on the way [m]."""
        if known is None:
            return self._patches.near(x, end, self._may_meet_at_all, reach=reach)
        if any(self._patches.strayed(last, end) <= beyond for last, beyond in known.since):
            return known.leaves
        strayed = self._patches.near(x, end, self._may_meet_at_all, known.since, reach)
        return self.joined(known.leaves, strayed)

    def joined(self, one, other):
        """Pairs of leaves that are among one or the other."""
        if len(other[0]) == 0:
            return one
        count = self._patches.count
        return np.divmod(np.unique(np.concatenate([p * count + q for p, q in (one, other)])), count)

    def _forget(self):
        """Nothing was found before."""
        self._remembered = Remembered(
            self._patches, [kind for kind, *_ in self._sides], self._reach, self._rest
        )
        # Strands that were looked at wherever their leaf was.
        self._out = np.zeros(len(self._strands.corners), dtype=bool)

    def _turned(self, out):
        """Mask of the leaves in which a strand sticks out that was not looked at."""
        turned = np.zeros(self._patches.count, dtype=bool)
        turned[self._strands.patches[out & ~self._out]] = True
        return turned

    def _bent(self, there, shares):
        """Masks of the strands of leaves that stick out by shares of what is told of at an end of the way.

        All do, but those within a surface that are flat.
        """
        masks = np.zeros((len(shares), len(self._strands.corners)), dtype=bool)
        strands = there.elements(self._strands)
        masks[:, strands] = True
        inner = strands[strands >= self.inner_start]
        folds = inner - self.inner_start
        sharp = (self.folds.sharp(at, folds, shares) for at in (there.x, there.end))
        for mask, *of_ends in zip(masks, *sharp, strict=True):
            mask[inner] = np.logical_or(*of_ends)
        return masks
