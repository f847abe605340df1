# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles, triangles and strands of a body may come close to each other in a substep."""

from typing import Any

import numpy as np

from ..directions import along
from ..topology import connected_parts
from ..triangle_mesh.sides import borders
from .elements import AtRest, Elements, crossed
from .folds import Folds
from .nearby import Nearby
from .pair_kinds import Faces, Points, Strands
from .patches import Patches
from .remembered import Found, Remembered

# Of the longest edge there: what is nearer at rest shares a particle, or as good as that, and is no pair.
_JOINED = 1e-3

# Distances over the thickness up to which pairs are looked at: what springs move otherwise may come closer.
REACH = 1.4


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
        tops, self._bodies = self._patches.tops, bodies
        self._may_meet_at_all = np.ones((self._patches.top_count,) * 2, dtype=bool)
        if bodies is not None:
            sides = (self._particles, self._triangles, self._strands)
            self._may_meet_at_all = bodies.of_patches(
                [(side.corners, tops[side.patches]) for side in sides], self._patches.top_count
            )
        self._at_rest = AtRest(rest)
        self._forget()

    def rows(self, kind, found):
        """Particles of pairs Found, shape (pair_count, 2 or 4)."""
        _, one, other = next(sides for sides in self._sides if sides[0] is kind)
        return np.concatenate([one.corners[found.first], other.corners[found.second]], axis=1)

    def candidates(self, x, end, since=()):
        """Pairs on straight ways from x to end [m], shape (particle_count, 3), as Found by kind.

        since: ends of ways that were asked for before, and distances [m]: what ends against each other by no more than
        that from any of these ends is left out.
        """
        again = bool(since)
        x, end = (np.ascontiguousarray(of.T) for of in (x, end))
        since = [(np.ascontiguousarray(last.T), beyond) for last, beyond in since]
        if any(self._patches.strayed(last, end) <= beyond for last, beyond in since):
            return {}
        p, q = self._patches.near(x, end, self._may_meet_at_all, since)
        if len(p) == 0:
            if not again:
                self._forget()
            return {}
        listed = self._particles, self._triangles, self._strands
        there = Nearby(self._patches, listed, x, end, p, q)
        bent, nearly = self._sticking_out(there)
        stale, reach = self._remembered.stale(there, self._turned(bent, nearly), again)
        if stale.any():
            self._remembered.add(self._found(there, p[stale], q[stale], reach[stale]))
        found = {}
        for kind, one, other in self._sides:
            kept = self._remembered.of(kind, there, again)
            if kind is Strands:
                kept = kept.of(np.flatnonzero(bent[kept.first] & bent[kept.second]))
            kept = kept.of(there.met(one, other, kept, self._reach))
            kept = kept.of(there.close(kind, one, other, kept, self._reach))
            found[kind] = kept.of(np.argsort(kept.first * len(other.corners) + kept.second))
        return found

    def _forget(self):
        """Nothing was found before."""
        self._remembered = Remembered(
            self._patches, [kind for kind, *_ in self._sides], self._reach, self._rest
        )
        # Strands that were looked at wherever their leaf was.
        self._out = np.zeros(len(self._strands.corners), dtype=bool)

    def _turned(self, bent, nearly):
        """Mask of the leaves in which a strand is bent that was not looked at, None where there is none."""
        anew = np.zeros(self._patches.count, dtype=bool)
        anew[self._strands.patches[bent & ~self._out]] = True
        if not anew.any():
            return None
        # What else is about to bend there is looked for at once.
        self._out |= nearly & anew[self._strands.patches]
        return anew

    def _sticking_out(self, there):
        """Masks of the strands of leaves that are bent on the way, or nearly; of `stick_out`, those that stick out.

        All are, but those within a surface that are flat.
        """
        masks = np.zeros((3, len(self._strands.corners)), dtype=bool)
        strands = there.elements(self._strands)
        masks[:, strands] = True
        inner = strands[strands >= self.inner_start]
        folds = inner - self.inner_start
        sharp = (self.folds.sharp(at, folds) for at in (there.x, there.end))
        for mask, *of_ends in zip(masks, *sharp, strict=True):
            mask[inner] = np.logical_or(*of_ends)
        self.stick_out, bent, nearly = masks
        return bent, nearly

    def _found(self, there, p, q, reach):
        """Pairs of what is in leaves p and q, and closer than reach [m], and the leaves of each, by kind."""
        apart, best = there.apart(p, q)
        near = np.flatnonzero(apart <= reach)
        p, q, reach, best = (of[near] for of in (p, q, reach, best))
        found, keys = {}, p * self._patches.count + q
        for kind, one, other in self._sides:
            here, facing, far, pair, first = p, q, reach, keys, best
            if one is not other:
                turned = np.flatnonzero(p != q)
                here, facing = np.append(p, q[turned]), np.append(q, p[turned])
                far, pair, first = (np.append(of, of[turned]) for of in (reach, keys, best))
            listed = [one.of_patches(here), other.of_patches(facing)]
            if kind is Strands:
                listed = [
                    tuple(of_them[self._out[of_patch[0]]] for of_them in of_patch) for of_patch in listed
                ]
            firsts = there.beside(one, listed[0], facing, far, first)
            seconds = there.beside(other, listed[1], here, far, first)
            i, j, numbers = crossed(firsts, seconds, len(here))
            if one is other:
                once = np.flatnonzero((here != facing)[numbers] | (i < j))
                i, j, numbers = i[once], j[once], numbers[once]
                i, j = np.minimum(i, j), np.maximum(i, j)
            pairs, far = Found(i, j), far[numbers]
            close = np.flatnonzero(there.met(one, other, pairs, far))
            close = close[self._may_meet(kind, one, other, *pairs.of(close))]
            close = close[there.close(kind, one, other, pairs.of(close), far[close])]
            order = close[np.argsort(pair[numbers[close]], kind="stable")]
            found[kind] = pairs.of(order), pair[numbers[order]]
        return found

    def _may_meet(self, kind, one, other, i, j):
        """Mask of pairs that springs do not keep apart, and of which one side can move."""
        near = np.maximum(one.near[i], other.near[j])
        apart = one.middles[i] - other.middles[j]
        doubtful = np.flatnonzero(
            (one.parts[i] == other.parts[j])
            & (along(apart, apart) < (near + one.radii[i] + other.radii[j]) ** 2)
        )
        ones, others = one.columns[:, i[doubtful]], other.columns[:, j[doubtful]]
        shared = (ones[:, None] == others).any(axis=(0, 1))
        may = one.movable[i] | other.movable[j]
        if self._bodies is not None:
            may &= self._bodies.meet(one.corners[i, 0], other.corners[j, 0])
        may[doubtful[shared]] = False
        doubtful = doubtful[~shared]
        may[doubtful] &= self._at_rest.apart(kind, one, other, i[doubtful], j[doubtful], near[doubtful])
        return may
