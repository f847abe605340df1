# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitted exponents, thresholds by bisection, times, counted calls."""

import sys
import time
from collections import Counter

import numpy as np

# Below this an error is made of rounding, which has no order.
ROUNDING = 1e-11


def exponent(sizes, values):
    """p of the power law values = c sizes^p, by least squares in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def order(steps, errors, count=3):
    """Order of convergence: the exponent of the `count` smallest steps whose error is above rounding.

    steps: any order; errors: one for each step. Raises ValueError where fewer than two are above rounding.
    """
    steps, errors = np.asarray(steps), np.asarray(errors)
    usable = np.isfinite(errors) & (errors > ROUNDING)
    if np.count_nonzero(usable) < 2:
        raise ValueError(f"the errors {errors.tolist()} are not above rounding: take larger steps")
    finest = np.argsort(steps[usable])[:count]
    return exponent(steps[usable][finest], errors[usable][finest])


def largest(holds, low, high, precision=1e-3):
    """Largest value for which `holds` is true, by bisection to a relative precision.

    holds: value -> bool, true up to some value and false beyond. 0 where it is false at `low` already,
    infinite where it is still true at `high`.
    """
    if holds(high):
        return np.inf
    if not holds(low):
        return 0.0
    while high / low > 1.0 + precision:
        # The geometric mean, because low and high may be orders of magnitude apart.
        middle = np.sqrt(low * high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return float(np.sqrt(low * high))


def median_seconds(run, *, budget=0.5, least=5):
    """Median processor time of `run` [s], repeated until the budget [s] is spent, at least `least` times.

    Where everything runs on one thread, which is what `lab` sees to, this is the wall time of a machine that
    does nothing else.
    """
    times: list[float] = []
    while sum(times) < budget or len(times) < least:
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return float(np.median(times))


def call_counts(run, functions):
    """How often `run` calls each of some Python functions, as a Counter by function."""
    by_code = {function.__code__: function for function in functions}
    counts: Counter = Counter()

    def tally(frame, event, _argument):
        if event == "call" and frame.f_code in by_code:
            counts[by_code[frame.f_code]] += 1

    sys.setprofile(tally)
    try:
        run()
    finally:
        sys.setprofile(None)
    return counts
