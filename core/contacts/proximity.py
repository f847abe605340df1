# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles, triangles and strands of a body may come close to each other in a substep."""

from typing import Any, NamedTuple

import numpy as np

from ..topology import connected_parts
from ..triangle_mesh.sides import borders
from .elements import AtRest, Elements, beside, crossed, met_spheres
from .folds import Folds
from .impact import along
from .pair_kinds import Faces, Points, Strands
from .patches import DIRECTIONS, Patches

# Of the longest edge there: what is nearer at rest shares a particle, or as good as that, and is no pair.
_JOINED = 1e-3

# Distances over the thickness up to which pairs are looked at: what springs move otherwise may come closer.
REACH = 1.4

# How much farther than needed is searched, over the reach, so that what was found may serve again.
_MARGIN = 0.5


class Found(NamedTuple):
    """Pairs of one kind: the numbers of the elements on both sides."""

    first: np.ndarray
    second: np.ndarray

    def of(self, which):
        """Those of a mask or of indices."""
        return Found(self.first[which], self.second[which])


class Proximity:
    """Finds what may come close on a body's surface: patches tell where to look, trees of positions what is there.

    What shares a particle is left to the springs. What was found of two patches
    serves as long as they move against each other by less than a margin; all that may come close is among it, and in
    the same order, whenever it was found.

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
        self._bodies, self._apart = bodies, np.ones((self._patches.count,) * 2, dtype=bool)
        if bodies is not None:
            sides = (self._particles, self._triangles, self._strands)
            self._apart = bodies.of_patches(
                [(side.corners, side.patches) for side in sides], self._patches.count
            )
        self._at_rest = AtRest(rest)
        self._forget()

    def rows(self, kind, found):
        """Particles of pairs Found, shape (pair_count, 2 or 4)."""
        _, one, other = next(sides for sides in self._sides if sides[0] is kind)
        return np.concatenate([one.corners[found.first], other.corners[found.second]], axis=1)

    def candidates(self, x, end, instead_of=None, beyond=0.0):
        """Pairs on straight ways from x to end [m], shape (particle_count, 3), as Found by kind.

        instead_of: end of ways that were asked for before; what ends against each other by no more than `beyond` [m]
        from there is left out.
        """
        again = instead_of is not None
        if again and self._patches.strayed(instead_of, end) <= beyond:
            return {}
        p, q = np.nonzero(np.triu(self._patches.near(x, end) & self._apart))
        if again:
            strays = self._patches.parting(instead_of, end, p, q) > beyond
            p, q = p[strays], q[strays]
        if len(p) == 0:
            if not again:
                self._forget()
            return {}
        self.stick_out, bent, nearly = self._sticking_out(x, end)
        stale, reach = self._stale(x, end, p, q, (bent, nearly), again)
        columns = np.ascontiguousarray(x.T), np.ascontiguousarray(end.T)
        spheres = {id(side): side.spheres(*columns) for sides in self._sides for side in sides[1:]}
        self._look(columns, p, q, stale, reach, spheres, again)
        near = np.zeros(self._apart.shape, dtype=bool)
        near[p, q] = near[q, p] = True
        found = {}
        for kind, one, other in self._sides:
            kept = self._kept[kind]
            chosen = near[one.patches[kept.first], other.patches[kept.second]]
            if kind is Strands:
                chosen &= bent[kept.first] & bent[kept.second]
            kept = kept.of(np.flatnonzero(chosen))
            kept = kept.of(
                met_spheres(spheres[id(one)], spheres[id(other)], kept.first, kept.second, self._reach)
            )
            found[kind] = kept.of(np.argsort(kept.first * len(other.corners) + kept.second))
        return found

    def _forget(self):
        """Nothing was found before."""
        count = self._patches.count
        self._kept: dict[Any, Found] = {
            kind: Found(*np.zeros((2, 0), dtype=np.intp)) for kind, *_ in self._sides
        }
        # How far patches moved against each other since they were looked at [m], endless of those that were not.
        self._spent, self._at = np.full((count, count), np.inf), self._rest.T
        # Strands that were looked at wherever their patch was.
        self._out = np.zeros(len(self._strands.corners), dtype=bool)

    def _stale(self, x, end, p, q, strands, again):
        """Mask of pairs of patches that are to be looked at anew, and how far [m].

        strands: those that are bent, and nearly; again: whether other pairs of patches stay as they are.
        """
        anew = np.zeros(self._patches.count, dtype=bool)
        bent, nearly = strands
        anew[self._strands.patches[bent & ~self._out]] = True
        if anew.any():
            # What else is about to bend there is looked for at once.
            self._out |= nearly & anew[self._strands.patches]
            self._spent[anew], self._spent[:, anew] = np.inf, np.inf
        spent = self._spent[p, q] + self._patches.parting(self._at, x, p, q)
        ahead = self._patches.parting(x, end, p, q)
        margin = _MARGIN * self._reach
        stale = spent + ahead > margin
        # What moves fast is elsewhere next time: it is not looked for any farther than needed.
        serves = ahead < 0.5 * margin
        self._at = x
        if not again:
            self._spent.fill(np.inf)
        self._spent[p, q] = np.where(stale, np.where(serves, 0.0, np.inf), spent)
        return stale, self._reach + np.where(serves, margin, 0.0)

    def _look(self, columns, p, q, stale, reach, spheres, again):
        """Look at pairs of patches that are stale, and keep what was found of the others."""
        keep = np.full(self._apart.shape, again)
        keep[p, q] = keep[q, p] = ~stale
        fresh = self._found(columns, p[stale], q[stale], reach[stale], spheres) if stale.any() else {}
        for kind, one, other in self._sides:
            kept = self._kept[kind]
            kept = kept.of(np.flatnonzero(keep[one.patches[kept.first], other.patches[kept.second]]))
            if fresh:
                kept = Found(*(np.concatenate(both) for both in zip(kept, fresh[kind], strict=True)))
            self._kept[kind] = kept

    def _sticking_out(self, x, end):
        """Masks of all strands but those within a surface that do not stick out on the way, are bent, nor nearly."""
        masks = np.ones((3, len(self._strands.corners)), dtype=bool)
        for mask, *of_ends in zip(masks, self.folds.sharp(x), self.folds.sharp(end), strict=True):
            mask[self.inner_start :] = np.logical_or(*of_ends)
        return masks

    def _found(self, columns, p, q, reach, spheres):
        """Pairs of what is in patches p and in patches q, and closer than reach [m], by kind, rising."""
        along_them, found = [DIRECTIONS @ at for at in columns], {}
        patches = [self._patches.outlines(at) for at in along_them]
        sides = {id(side): side for of_kind in self._sides for side in of_kind[1:]}
        outlines = {name: side.outlines(along_them) for name, side in sides.items()}
        for kind, one, other in self._sides:
            here, there, far = p, q, reach
            if one is not other:
                turned = np.flatnonzero(p != q)
                here, there = np.concatenate([p, q[turned]]), np.concatenate([q, p[turned]])
                far = np.concatenate([reach, reach[turned]])
            listed = [one.of_patches(here), other.of_patches(there)]
            if kind is Strands:
                listed = [
                    tuple(of_them[self._out[of_patch[0]]] for of_them in of_patch) for of_patch in listed
                ]
            firsts = beside(listed[0], outlines[id(one)], there, patches, far)
            seconds = beside(listed[1], outlines[id(other)], here, patches, far)
            i, j, numbers = crossed(firsts, seconds, len(here))
            if one is other:
                once = np.flatnonzero((here != there)[numbers] | (i < j))
                i, j, numbers = i[once], j[once], numbers[once]
                i, j = np.minimum(i, j), np.maximum(i, j)
            close = np.flatnonzero(met_spheres(spheres[id(one)], spheres[id(other)], i, j, far[numbers]))
            close = close[np.argsort(i[close] * len(other.corners) + j[close])]
            pairs = Found(i[close], j[close])
            found[kind] = pairs.of(self._may_meet(kind, one, other, *pairs))
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
        may[doubtful] &= self._at_rest.apart(kind, one, other, i[doubtful], j[doubtful], near[doubtful])
        return may
