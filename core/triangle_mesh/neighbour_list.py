# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles may be closest to particles, remembered until these have moved too far to know."""

import numpy as np

from .clearances import ROUNDING
from .triangles import least_of_runs


class NeighbourList:
    """Triangles that may be closest to particles, each with how far away it was at least where the particle was then.

    What has moved by s since may have come closer by s, and nothing else can be closest: what is found is the same as
    without, only sooner. Verlet 1967, "Computer experiments on classical fluids", section II.
    """

    def __init__(self):
        # Where particles were, and how far from there nothing is that is not listed.
        self._at, self._complete = np.zeros((0, 3)), np.zeros(0)
        # What was closest the last time, -1 where nothing is listed.
        self._closest = np.zeros(0, dtype=np.intp)
        # One entry a pair, by particles, which rise.
        self._particles = self._listed = np.zeros(0, dtype=np.intp)
        self._distances = np.zeros(0, dtype=np.float32)

    def follow(self, motion, longest):
        """Go on with triangles after a LocalMotion of their vertices; longest: of their sides [m]."""
        ways, apart, within = motion.carried(self._at, self._complete, longest)
        self._at += ways
        self._complete = np.minimum(self._complete - apart, within)
        # Rounded down, however often.
        nearer = self._distances - np.nextafter(apart.astype(np.float32), np.float32(np.inf))[self._particles]
        nearer = np.minimum(nearer, within.astype(np.float32)[self._particles])
        self._distances = np.nextafter(nearer, np.float32(-np.inf))

    def closest(self, triangles, x, particles, search, reach=np.inf):
        """Closest to particles within reach [m], each asked for once.

        triangles: Triangles; x: where the particles are, shape (count, 3) [m]; particles: their indices, shape
        (count,); search: rows of x -> pairs of these and triangles, with lower bounds of their distances, as in
        `Triangles.closest`, and how far away, at least, other triangles are, shape (row_count,).
        """
        self._make_room(int(particles.max(initial=-1)) + 1)
        first, distances = self._first(triangles, x, np.arange(len(x)), particles)
        moved = x - self._at[particles]
        most = np.minimum(distances, reach) + np.sqrt(np.einsum("ij,ij->i", moved, moved))
        rounding = ROUNDING * max(np.abs(x).max(initial=0.0), np.abs(self._at).max(initial=0.0))
        unknown = np.flatnonzero(~(most + rounding <= self._complete[particles]))
        if len(unknown):
            self._learn(x, particles, unknown, search)
            anew, distances = self._first(triangles, x, unknown, particles)
            for known, better in zip(first[1:], anew[1:], strict=True):
                known[..., unknown] = better
            most[unknown] = np.minimum(distances, reach)
        which, pairs = self._pairs(particles, most + rounding)
        first = first.chosen(self._closest[particles] >= 0)
        found = triangles.improved(first, x, which, self._listed[pairs])
        self._closest[particles[found.rows]] = found.triangles
        return found.chosen(found.distances <= reach)

    def _make_room(self, count):
        """Know nothing yet of particles that were never asked for."""
        more = count - len(self._at)
        if more > 0:
            self._at = np.concatenate([self._at, np.zeros((more, 3))])
            self._complete = np.concatenate([self._complete, np.full(more, -np.inf)])
            self._closest = np.concatenate([self._closest, np.full(more, -1)])

    def _first(self, triangles, x, rows, particles):
        """Closest to some rows of x, each of one triangle, and the distances [m], endless where none is listed."""
        listed = self._closest[particles[rows]]
        found = triangles.each(x, rows, np.maximum(listed, 0))
        return found, np.where(listed >= 0, found.distances, np.inf)

    def _pairs(self, particles, reach):
        """Rows, rising, of pairs that are within their reach, other than the first, and the entries."""
        row_of = np.full(len(self._at), -1)
        row_of[particles] = np.arange(len(particles))
        most = np.full(len(row_of), -np.inf, dtype=np.float32)
        most[particles] = np.nextafter(reach.astype(np.float32), np.float32(np.inf))
        pairs = np.flatnonzero(self._distances <= most[self._particles])
        pairs = pairs[self._listed[pairs] != self._closest[self._particles[pairs]]]
        which = row_of[self._particles[pairs]]
        # Particles may be asked for in any order.
        order = np.argsort(which, kind="stable")
        return which[order], pairs[order]

    def _learn(self, x, particles, unknown, search):
        """List anew what may be closest to the particles of unknown rows."""
        which, found, distances, others = search(unknown)
        learnt = particles[unknown]
        least = least_of_runs(distances, which)
        self._closest[learnt] = -1
        self._closest[particles[which[least]]] = found[least]
        self._at[learnt], self._complete[learnt] = x[unknown], others
        anew = np.zeros(len(self._at), dtype=bool)
        anew[learnt] = True
        # Nothing is left of what knows nothing any more.
        kept = ~anew[self._particles] & (self._complete[self._particles] > 0.0)
        owners = np.concatenate([self._particles[kept], particles[which]])
        order = np.argsort(owners, kind="stable")
        self._particles = owners[order]
        self._listed = np.concatenate([self._listed[kept], found])[order]
        self._distances = np.concatenate([self._distances[kept], distances])[order]
