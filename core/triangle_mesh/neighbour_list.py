# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles may be closest to particles, remembered until these have moved too far to know."""

import numpy as np

from .cells import ranges
from .clearances import Clearances
from .triangles import least_of_runs

# Entries that are left over from lists made anew, for each that is in use and beside so many, before room is made.
_LEFT, _FEW = 1.0, 4096


class NeighbourList:
    """Triangles that may be closest to particles, each with how far away it was at least where the particle was then.

    What has moved by s since may have come closer by s, and nothing else can be closest: what is found is the same as
    without, only sooner. Verlet 1967, "Computer experiments on classical fluids", section II.
    """

    def __init__(self):
        # How far from where particles were nothing is that is not listed.
        self._others = Clearances()
        # What was closest the last time, -1 where nothing is listed; how far away all that is listed was at least; how
        # far it has moved from there since.
        self._closest, self._least, self._moved = np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0)
        # Where the entries of each particle are.
        self._starts = self._ends = np.zeros(0, dtype=np.intp)
        self._listed, self._distances = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)

    def follow(self, motion, nearby=None):
        """Go on with triangles after a LocalMotion of them; nearby: where all particles are now, if that is known."""
        self._moved += self._others.follow(motion, nearby)

    def closest(self, triangles, x, particles, search, reach=np.inf):
        """Closest to particles within reach [m], each asked for once.

        triangles: Triangles; x: where the particles are, shape (count, 3) [m]; particles: their indices, shape
        (count,); search: rows of x, and which of them nothing has come to since they were known to be apart -> pairs of
        these and triangles, with lower bounds of their distances, as in `Triangles.closest`, and how far away, at
        least, other triangles are, shape (row_count,), -inf where nothing is to be remembered; reach: one number, or
        one for every particle.
        """
        self._make_room(int(particles.max(initial=-1)) + 1)
        reach, points = np.broadcast_to(reach, len(x)), np.ascontiguousarray(x.T)
        moved, beyond = self._others.moved_and_clear(x, particles)
        # All within reach is listed; of the others what is not is farther than what was closest, or is looked for.
        short, some = ~(beyond >= reach), self._closest[particles] >= 0
        first = self._first(
            triangles,
            points,
            np.flatnonzero(some & (short | self._near(particles, reach + moved))),
            particles,
        )
        short[first.rows] &= ~(first.distances <= beyond[first.rows])
        rows = np.flatnonzero(short)
        if len(rows):
            self._learn(x[rows], particles[rows], rows, search(rows, ~some[rows] & (beyond[rows] > 0.0)))
            moved[rows], _ = self._others.moved_and_clear(x[rows], particles[rows])
            anew = rows[(self._closest[particles[rows]] >= 0)]
            anew = self._first(triangles, points, anew, particles)
            first = first.chosen(~short[first.rows]).joined(anew)
        return self._of_listed(triangles, points, particles, first, reach, moved)

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
            self._least = np.concatenate([self._least, np.full(more, np.inf)])
            self._moved = np.concatenate([self._moved, np.zeros(more)])
            self._starts, self._ends = (
                np.concatenate([of, np.zeros(more, dtype=np.intp)]) for of in (self._starts, self._ends)
            )

    def _first(self, triangles, points, rows, particles):
        """Of some rows, of which something is listed, what was closest the last time."""
        return triangles.each_of(points, rows, self._closest[particles[rows]])

    def _near(self, particles, most):
        """Of which particles, that moved so far at most beside their reach, anything listed may be within reach."""
        return self._least[particles] <= most + self._moved[particles]

    def _of_listed(self, triangles, points, particles, first, reach, moved):
        """Closest of what is listed, within reach, where particles have moved so far since; first: of each one."""
        rows = first.rows
        most = np.minimum(first.distances, reach[rows]) + moved[rows] + self._moved[particles[rows]]
        # Rounded up, as the distances were down.
        most = np.nextafter(most.astype(np.float32), np.float32(np.inf))
        which, entries = ranges(self._starts[particles[rows]], self._ends[particles[rows]])
        near = np.flatnonzero(self._distances[entries] <= most[which])
        which, listed = which[near], self._listed[entries[near]]
        found = triangles.improved(first, points, rows[which], listed)
        self._closest[particles[found.rows]] = found.triangles
        return found.chosen(found.distances <= reach[found.rows])

    def _learn(self, x, particles, rows, found):
        """List anew what may be closest to particles at x, which are at some rows, of what was found for these."""
        which, listed, distances, others = found
        least = least_of_runs(distances, which)
        self._closest[particles], self._least[particles], self._moved[particles] = -1, np.inf, 0.0
        learnt = particles[np.searchsorted(rows, which[least])]
        self._closest[learnt], self._least[learnt] = listed[least], distances[least]
        self._others.learn(x, particles, others)
        counts = np.bincount(np.searchsorted(rows, which), minlength=len(rows))
        ends = len(self._listed) + np.cumsum(counts)
        self._starts[particles], self._ends[particles] = ends - counts, ends
        self._listed = np.concatenate([self._listed, listed])
        self._distances = np.concatenate([self._distances, distances])
        used = (self._ends - self._starts).sum()
        if len(self._listed) > (1.0 + _LEFT) * used + _FEW:
            self._close_up()

    def _close_up(self):
        """Leave nothing between lists."""
        _, kept = ranges(self._starts, self._ends)
        self._ends = np.cumsum(self._ends - self._starts)
        self._starts = np.append(0, self._ends[:-1])
        self._listed, self._distances = self._listed[kept], self._distances[kept]
