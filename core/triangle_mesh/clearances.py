# SPDX-License-Identifier: GPL-3.0-or-later
"""How far from particles no triangle is, remembered until both have moved too far to know."""

import numpy as np

from ..directions import lengths

# Of distances and lengths of ways, beside coordinates.
ROUNDING = 1e-6


class Clearances:
    """Distances [m] within which there was no triangle, of particles, each where it was then.

    What has moved by s since may have come closer by s: most of a garment is known to touch nothing by that alone.
    """

    def __init__(self):
        self._at, self._clear = np.zeros((0, 3)), np.zeros(0)

    def follow(self, motion):
        """Go on with triangles after a LocalMotion of them.

        Returns how far any triangle moved that is now nearer than a distance, and that distance [m], of all particles.
        """
        ways, apart, within = motion.carried(self._at, self._clear)
        self._at += ways
        self._clear = np.minimum(self._clear - apart, within)
        return apart, within

    def of(self, x, particles):
        """Within which there is no triangle [m], of particles at x, shape (count, 3); -inf of unknown ones."""
        moved = self.moved(x, particles)
        return self._clear[particles] - moved

    def moved(self, x, particles):
        """How far at most particles, now at x, have moved since they were remembered [m], shape (count,)."""
        self._make_room(int(particles.max(initial=-1)) + 1)
        at = self._at[particles]
        rounding = ROUNDING * max(np.abs(x).max(initial=0.0), np.abs(at).max(initial=0.0))
        return lengths(x - at) + rounding

    def learn(self, x, particles, clear):
        """Remember within which there is no triangle [m], of particles at x."""
        self._make_room(int(particles.max(initial=-1)) + 1)
        self._at[particles], self._clear[particles] = x, clear

    @property
    def some(self):
        """Of which particles anything is known, a mask."""
        return self._clear > 0.0

    def __len__(self):
        """Number of particles."""
        return len(self._at)

    def _make_room(self, count):
        """Know nothing yet of particles that were never asked for."""
        more = count - len(self._at)
        if more > 0:
            self._at = np.concatenate([self._at, np.zeros((more, 3))])
            self._clear = np.concatenate([self._clear, np.full(more, -np.inf)])
