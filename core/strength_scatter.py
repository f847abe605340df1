# SPDX-License-Identifier: GPL-3.0-or-later
"""Strength that scatters from spring to spring, as of threads: Weibull's distribution.

Weibull 1951, "A statistical distribution function of wide applicability".
"""

from math import gamma, sqrt

import numpy as np

from .quantities import number

# Moduli between which a scatter is looked for: those of scatters of 1 and of 0.1 percent.
_LEAST, _MOST = 1.0, 2000.0
_HALVINGS = 60
# Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
_STEP, _MIX, _MIX_AGAIN = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def scattered(edges, scatter):
    """Strength of springs over their mean, shape (spring_count,), by the numbers of their vertices: always the same.

    edges: shape (spring_count, 2); scatter: standard deviation over the mean, 0 to 1. Raises ValueError.
    """
    scatter = number("scatter of the strength", scatter, most=1.0)
    if scatter < 1e-3:
        return np.ones(len(edges))
    modulus = _modulus(scatter)
    return (-np.log(_drawn(edges))) ** (1.0 / modulus) / gamma(1.0 + 1.0 / modulus)


def _modulus(scatter):
    """Weibull's modulus of a scatter, by halving what it lies in."""
    low, high = _LEAST, _MOST
    for _ in range(_HALVINGS):
        middle = sqrt(low * high)
        spread = sqrt(gamma(1.0 + 2.0 / middle) / gamma(1.0 + 1.0 / middle) ** 2 - 1.0)
        low, high = (middle, high) if spread > scatter else (low, middle)
    return low


def _drawn(edges):
    """A number between 0 and 1 for every pair of vertices, whichever way round."""
    low, high = np.sort(np.asarray(edges, dtype=np.uint64), axis=1).T
    with np.errstate(over="ignore"):
        bits = _mixed(_mixed(low) + high)
    return ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def _mixed(bits):
    bits = bits + np.uint64(_STEP)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(_MIX)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(_MIX_AGAIN)
    return bits ^ (bits >> np.uint64(31))
