# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth random vectors in space."""

from functools import lru_cache

import numpy as np

from ..kernels.noise import SIDE, add_noise
from ..quantities import number

# An octave's frequency over that of the one before; not 2, so that lattices never coincide.
OCTAVE = 1.93

# An octave's amplitude over that of the one before, where there are two.
_AMPLITUDE = 0.5

# The same of turbulence, in which velocities differ by the cube root of the distance: OCTAVE^(-1/3).
_OF_TURBULENCE = 0.8031

# Root mean square of a component of two octaves, for lattice values evenly spread from -1 to 1: the mean square of
# their interpolation, over a cell, by the integral of fade^2 + (1 - fade)^2 = 181/231 along each axis.
_SPREAD = np.sqrt((1.0 + _AMPLITUDE**2) / 3.0 * (181.0 / 231.0) ** 3)


class Noise:
    """A random vector for every place, smooth over one length: value noise in octaves, twice differentiable.

    Components have the mean 0 and the root mean square 1 over space, and are independent. The same seed gives the
    same bits everywhere: lattice values are PCG64's integers, and what lies between takes sums and products only.

    seed: whole number of at least 0.

    Perlin 2002, "Improving Noise", for the quintic that blends lattice values; Kolmogorov 1941 for the spectrum.

    >>> from hooke.core.forces.noise import Noise
    >>> Noise(seed=1)([[0.5, 0.0, 0.0]]).shape
    (1, 3)
    """

    def __init__(self, seed=0):
        if number("seed", seed) % 1.0:
            raise ValueError(f"seed is {seed}: give a whole number of at least 0")
        self.seed = int(seed)

    def turbulence(self, x, octaves):
        """The same with so many octaves, of which each has the share that eddies of its size have in turbulence."""
        # By products alone, whose bits are the same everywhere.
        amplitudes = np.cumprod([1.0] + [_OF_TURBULENCE] * (octaves - 1))
        share = np.sqrt((1.0 + _AMPLITUDE**2) / np.sum(amplitudes**2))
        return self._summed(x, share * amplitudes)

    def __call__(self, x):
        """Vectors at places x, in lengths of the noise, shape (count, 3) both: two octaves, half of it the second."""
        return self._summed(x, (1.0, _AMPLITUDE))

    def _summed(self, x, amplitudes):
        x = np.ascontiguousarray(np.asarray(x, dtype=np.float64).T)
        total, scale = np.zeros_like(x), 1.0
        for amplitude in amplitudes:
            add_noise(x, _lattice(self.seed), scale, float(amplitude), total)
            scale *= OCTAVE
        return total.T


@lru_cache(maxsize=16)
def _lattice(seed):
    """Values from -1 to 1 over their spread, a row for each component."""
    raw = np.random.PCG64(seed).random_raw(3 * SIDE**3) >> np.uint64(11)
    return ((raw * 2.0**-52 - 1.0) / _SPREAD).reshape(3, SIDE**3)
