# SPDX-License-Identifier: GPL-3.0-or-later
"""Value noise: what lies between random values on a lattice that repeats."""

import numpy as np

from .kernel import kernel

# Lattice points to a side; the noise repeats after so many lengths of its own. A power of two, for the mask.
SIDE = 32


def _example(random, size):
    values = random.normal(size=(3, SIDE**3))
    return 50.0 * random.normal(size=(3, size)), values, 1.93, 0.5, random.normal(size=(3, size))


@kernel("x(3,n) values(3,32768) scale:f8 amplitude:f8 -> out(3,n)", over="n", grain=2048, example=_example)
def add_noise(x, values, scale, amplitude, out):
    """Add an octave of noise at places x, times a scale, times its amplitude."""
    x = scale * x
    cell = np.floor(x)
    low = [_along(column, axis) for axis, column in enumerate(cell)]
    high = [_along(column + 1.0, axis) for axis, column in enumerate(cell)]
    u, v, w = _fade(x - cell)
    for of_axis, row in zip(values, out, strict=True):
        sides = []
        for first in (low[0], high[0]):
            a, b, c, d = (first + y + z for y in (low[1], high[1]) for z in (low[2], high[2]))
            near, far = _blend(of_axis[a], of_axis[b], w), _blend(of_axis[c], of_axis[d], w)
            sides.append(_blend(near, far, v))
        row += amplitude * _blend(sides[0], sides[1], u)


def _along(cell, axis):
    """The contribution of a lattice coordinate to the index of its value."""
    # Far away no integer holds it; there, where doubles are coarser than the lattice, any value will do.
    whole = np.where(np.abs(cell) < 2.0**52, cell, 0.0).astype(np.int64)
    return (whole & (SIDE - 1)) * SIDE ** (2 - axis)


def _fade(share):
    return share * share * share * (share * (6.0 * share - 15.0) + 10.0)


def _blend(one, other, share):
    return one + share * (other - one)
