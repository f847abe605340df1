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
