# SPDX-License-Identifier: GPL-3.0-or-later
"""How far and how often an edge goes from side to side."""

import numpy as np


def flapping(sideways, rate):
    """Way of an edge from side to side [m], and how often it beats [1/s], 0 where it comes back less than twice.

    sideways: where its middle is in every frame [m]; rate: frames a second. A beat begins where the edge goes up
    through its mean, between frames on a straight line.
    """
    away = sideways - np.mean(sideways)
    up = np.flatnonzero((away[:-1] < 0.0) & (away[1:] >= 0.0))
    times = (up + away[up] / (away[up] - away[up + 1])) / rate
    beats = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0
    return float(np.ptp(sideways)), float(beats)
