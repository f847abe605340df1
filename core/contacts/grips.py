# SPDX-License-Identifier: GPL-3.0-or-later
"""How surfaces hold particles within the iterations of a substep, as a list."""

from typing import NamedTuple

import numpy as np


class Grips(NamedTuple):
    """What surfaces hold where a gradient was filtered, a row for each particle and surface.

    particles: indices, shape (count,); n: normals; along: the ways along the planes that friction opposes, unit vectors
    or 0 where it opposes none; both of shape (count, 3). sticking: of what rests, a mask; friction: coefficients;
    most: what friction takes at most [N]; slipped: how far it has slipped so far [m].
    """

    particles: np.ndarray
    n: np.ndarray
    along: np.ndarray
    sticking: np.ndarray
    friction: np.ndarray
    most: np.ndarray
    slipped: np.ndarray

    def moved(self, first):
        """The same among more particles, of which its first has another index."""
        return self._replace(particles=self.particles + first)

    def of(self, which):
        """Those of a mask."""
        return Grips(*(of_all[which] for of_all in self))

    @classmethod
    def joined(cls, found):
        """All of several, or None of none."""
        return cls(*(np.concatenate(of_all) for of_all in zip(*found, strict=True))) if found else None
