# SPDX-License-Identifier: GPL-3.0-or-later
"""How far from particles no triangle is, remembered until both have moved too far to know."""

import numpy as np

from ..axes import dot, put

# Of distances and lengths of ways, beside coordinates.
ROUNDING = 1e-6


class Clearances:
    """Distances [m] within which there was no triangle, of particles, each where it was then.

    What has moved by s since may have come closer by s: most of a garment is known to touch nothing by that alone.
    """

    def __init__(self):
        self._at, self._clear = np.zeros((3, 0)), np.zeros(0)

    def follow(self, motion, nearby=None):
        """Go on with triangles after a LocalMotion of them; nearby: where the particles are now, of all of them.

        Where a particle was goes along with what moved near it, or with all. Returns how far anything moved from there
        that is now nearer than what is remembered [m], of all particles.
        """
        if nearby is None or nearby.x.shape != self._at.shape:
            nearby = motion.about(self._at + motion.together[:, None])
        ways = np.where(nearby.some, 0.5 * (nearby.least + nearby.most), motion.together[:, None])
        half = nearby.most - nearby.least
        apart = 0.5 * np.sqrt(dot(half, half)) * (1.0 + ROUNDING)
        aside = self._at + ways - nearby.x
        within = nearby.near - nearby.radius - np.sqrt(dot(aside, aside)) * (1.0 + ROUNDING)
        clear = np.minimum(self._clear - apart, within)
        of_all = self._clear - motion.apart * (1.0 + ROUNDING)
        alone = ~(clear >= of_all)
        ways[:, alone], apart[alone] = motion.together[:, None], motion.apart * (1.0 + ROUNDING)
        self._at += ways
        self._clear = np.where(alone, of_all, clear)
        return apart

    def of(self, x, particles):
        """Within which there is no triangle [m], of particles at x, shape (count, 3); -inf of unknown ones."""
        return self.moved_and_clear(x, particles)[1]

    def moved_and_clear(self, x, particles):
        """How far at most particles, now at x, have moved since they were remembered [m], and what `of` says."""
        self._make_room(int(particles.max(initial=-1)) + 1)
        x, at = x.T, self._at.take(particles, axis=1)
        rounding = ROUNDING * max(np.abs(x).max(initial=0.0), np.abs(at).max(initial=0.0))
        at -= x
        moved = np.sqrt(dot(at, at)) + rounding
        return moved, self._clear[particles] - moved

    def learn(self, x, particles, clear):
        """Remember within which there is no triangle [m], of particles at x."""
        self._make_room(int(particles.max(initial=-1)) + 1)
        put(self._at, particles, x.T)
        self._clear[particles] = clear

    @property
    def some(self):
        """Of which particles anything is known, a mask."""
        return self._clear > 0.0

    def __len__(self):
        """Number of particles."""
        return len(self._clear)

    def _make_room(self, count):
        """Know nothing yet of particles that were never asked for."""
        more = count - len(self._clear)
        if more > 0:
            self._at = np.concatenate([self._at, np.zeros((3, more))], axis=1)
            self._clear = np.concatenate([self._clear, np.full(more, -np.inf)])
