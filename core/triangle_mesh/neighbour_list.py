# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles may be closest to particles, remembered until these have moved too far to know."""

import numpy as np

from .clearances import Clearances
from .triangles import least_of_runs


class NeighbourList:
    """Triangles that may be closest to particles, each with how far away it was at least where the particle was then.

    What has moved by s since may have come closer by s, and nothing else can be closest: what is found is the same as
    without, only sooner. Verlet 1967, "Computer experiments on classical fluids", section II.
    """

    def __init__(self):
        # How far from where particles were nothing is that is not listed.
        self._others = Clearances()
        # What was closest the last time, -1 where nothing is listed.
        self._closest = np.zeros(0, dtype=np.intp)
        # One entry a pair, by particles, which rise.
        self._particles = self._listed = np.zeros(0, dtype=np.intp)
        self._distances = np.zeros(0, dtype=np.float32)

    def follow(self, motion):
        """Go on with triangles after a LocalMotion of them."""
        apart, within = self._others.follow(motion)
        # Rounded down, however often.
        nearer = self._distances - np.nextafter(apart.astype(np.float32), np.float32(np.inf))[self._particles]
        nearer = np.minimum(nearer, within.astype(np.float32)[self._particles])
        self._distances = np.nextafter(nearer, np.float32(-np.inf))

    def closest(self, triangles, x, particles, search, reach=np.inf):
        """Closest to particles within reach [m], each asked for once.

        triangles: Triangles; x: where the particles are, shape (count, 3) [m]; particles: their indices, shape
        (count,); search: rows of x -> pairs of these and triangles, with lower bounds of their distances, as in
        `Triangles.closest`, and how far away, at least, other triangles are, shape (row_count,), -inf where nothing is
        to be remembered; reach: one number, or one for every particle.
        """
        self._make_room(int(particles.max(initial=-1)) + 1)
        reach, moved = np.broadcast_to(reach, len(x)), self._others.moved(x, particles)
        beyond = self.clear(x, particles)
        # All within reach is listed; of the others what is not is farther than what was closest, or is looked for.
        short = np.flatnonzero(~(beyond >= reach))
        most = reach.copy()
        first, distances = self._first(triangles, x, short, particles)
        unknown = ~(distances <= beyond[short])
        if unknown.any():
            self._learn(x, particles, short[unknown], search)
            moved[short[unknown]] = self._others.moved(x[short[unknown]], particles[short[unknown]])
            anew, distances[unknown] = self._first(triangles, x, short[unknown], particles)
            for known, better in zip(first[1:], anew[1:], strict=True):
                known[..., unknown] = better
        most[short] = np.minimum(distances, reach[short])
        first = first.chosen(self._closest[particles[short]] >= 0)
        which, pairs = self._pairs(particles, most + moved, first)
        found = triangles.improved(first, x, which, self._listed[pairs], reach)
        self._closest[particles[found.rows]] = found.triangles
        return found.chosen(found.distances <= reach[found.rows])

    def learn(self, x, particles, clear):
        """Remember within which there is no triangle [m], of particles at x of which nothing is."""
        self._others.learn(x, particles, clear)

    def clear(self, x, particles):
        """Within which there is no triangle that is not listed [m], of particles at x, shape (count, 3)."""
        return self._others.of(x, particles)

    def unknown(self, particles):
        """Which particles nothing is remembered of, a mask, shape (count,)."""
        return ~self._others.some[particles]

    def _make_room(self, count):
        """Know nothing yet of particles that were never asked for."""
        more = count - len(self._closest)
        if more > 0:
            self._closest = np.concatenate([self._closest, np.full(more, -1)])

    def _first(self, triangles, x, rows, particles):
        """Closest to some rows of x, each of one triangle, and the distances [m], endless where none is listed."""
        listed = self._closest[particles[rows]]
        found = triangles.each(x, rows, np.maximum(listed, 0))
        return found, np.where(listed >= 0, found.distances, np.inf)

    def _pairs(self, particles, reach, first):
        """Rows, rising, of pairs that are within their reach, other than the first, and the entries."""
        row_of = np.full(len(self._others), -1)
        row_of[particles] = np.arange(len(particles))
        most = np.full(len(row_of), -np.inf, dtype=np.float32)
        most[particles] = np.nextafter(reach.astype(np.float32), np.float32(np.inf))
        pairs = np.flatnonzero(self._distances <= most[self._particles])
        known = np.full(len(row_of), -1)
        known[particles[first.rows]] = first.triangles
        pairs = pairs[self._listed[pairs] != known[self._particles[pairs]]]
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
        self._others.learn(x[unknown], learnt, others)
        anew = np.zeros(len(self._others), dtype=bool)
        anew[learnt] = True
        # Nothing is left of what knows nothing any more.
        kept = (~anew & self._others.some)[self._particles]
        owners = np.concatenate([self._particles[kept], particles[which]])
        order = np.argsort(owners, kind="stable")
        self._particles = owners[order]
        self._listed = np.concatenate([self._listed[kept], found])[order]
        self._distances = np.concatenate([self._distances[kept], distances])[order]
