# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles near a surface that only springs may draw there: asked for no more than whether they came."""

import numpy as np

from ..axes import dot, rows_of
from .touching import CLOSE, Touching


class Waiting:
    """Particles above planes that they do not come to by themselves.

    particles: indices; n: normals, shape (3, count); level: heights of the planes along them from the origin, and of as
    much more as a particle on its plane may be off it [m]; begin: () -> the Touching of all, which is placed nowhere.
    """

    def __init__(self, particles, n, level, begin):
        self._particles, self._n, self._level, self.begin = particles, n, level, begin

    def reached(self, x):
        """Whether any is on its plane or below it at x [m], shape (3, particle_count)."""
        return bool((dot(self._n, x.take(self._particles, axis=1)) <= self._level).any())

    def among(self, numbers):
        """See `Contact.among`."""
        chosen = np.flatnonzero(numbers[self._particles] >= 0)
        if len(chosen) == 0:
            return None
        of_them = numbers[self._particles[chosen]], self._n.take(chosen, axis=1), self._level[chosen]
        return Waiting(*of_them, lambda: self.begin().among(numbers))


def seated(met, laws, start, end, *how):
    """The Touching of what of a Meeting comes to its plane by itself, and the rest as Waiting, or None without any.

    laws, start, end, how: see `Touching`. Who rebounds is for all to see: there nobody waits.
    """
    comes = met.heights < met.reach
    if laws[1] > 0.0 or comes.all():
        return Touching(met, laws, start, end, *how), None
    others = met.chosen(~comes)
    at, home, n = rows_of(end, others.particles), others.home.T, np.ascontiguousarray(others.n.T)
    rounding = 128.0 * np.finfo(np.float64).eps * np.abs(at).max()
    level = dot(at, n) - others.heights + CLOSE * np.abs(dot(at - home, n)) + rounding
    waiting = Waiting(others.particles, n, level, lambda: Touching(others, laws, start, end, *how))
    return Touching(met.chosen(comes), laws, start, end, *how), waiting
