# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth random vectors in space."""

from functools import lru_cache

import numpy as np

# Lattice points to a side; the noise repeats after so many lengths of its own. A power of two, for the mask.
_SIDE = 32

# The second octave's frequency and amplitude over the first's; not 2, so that both lattices never coincide.
_OCTAVE, _AMPLITUDE = 1.93, 0.5

# Root mean square of a component of both octaves, for lattice values evenly spread from -1 to 1: the mean square of
# their interpolation, over a cell, by the integral of fade^2 + (1 - fade)^2 = 181/231 along each axis.
_SPREAD = np.sqrt((1.0 + _AMPLITUDE**2) / 3.0 * (181.0 / 231.0) ** 3)


class Noise:
    """A random vector for every place, smooth over one length: value noise in two octaves, twice differentiable.

    Components have the mean 0 and the root mean square 1 over space, and are independent. The same seed gives the
    same bits everywhere: lattice values are PCG64's integers, and what lies between takes sums and products only.

    seed: whole number of at least 0.

    Perlin 2002, "Improving Noise", for the quintic that blends lattice values.

    >>> from hooke.core.forces.noise import Noise
    >>> Noise(seed=1)([[0.5, 0.0, 0.0]]).shape
    (1, 3)
    """

    def __init__(self, seed=0):
        self.seed = seed

    def __call__(self, x):
        """Vectors at places x, in lengths of the noise, shape (count, 3) both."""
        x = np.asarray(x, dtype=np.float64).T
        return (self._octave(x) + _AMPLITUDE * self._octave(_OCTAVE * x)).T

    def _octave(self, x):
        """One octave, shape (3, count) as x."""
        cell = np.floor(x)
        low = [_along(column, axis) for axis, column in enumerate(cell)]
        high = [_along(column + 1.0, axis) for axis, column in enumerate(cell)]
        u, v, w = _fade(x - cell)
        found = np.empty_like(x)
        for values, out in zip(_lattice(self.seed), found, strict=True):
            sides = []
            for first in (low[0], high[0]):
                a, b, c, d = (first + y + z for y in (low[1], high[1]) for z in (low[2], high[2]))
                near, far = _blend(values[a], values[b], w), _blend(values[c], values[d], w)
                sides.append(_blend(near, far, v))
            out[:] = _blend(sides[0], sides[1], u)
        return found


@lru_cache(maxsize=16)
def _lattice(seed):
    """Values from -1 to 1 over their spread, a row for each component."""
    raw = np.random.PCG64(seed).random_raw(3 * _SIDE**3) >> np.uint64(11)
    return ((raw * 2.0**-52 - 1.0) / _SPREAD).reshape(3, _SIDE**3)


def _along(cell, axis):
    """What a lattice coordinate adds to the index of its value."""
    # Far away no integer holds it; there, where doubles are coarser than the lattice, any value will do.
    whole = np.where(np.abs(cell) < 2.0**52, cell, 0.0).astype(np.int64)
    return (whole & (_SIDE - 1)) * _SIDE ** (2 - axis)


def _fade(share):
    return share * share * share * (share * (6.0 * share - 15.0) + 10.0)


def _blend(one, other, share):
    return one + share * (other - one)
