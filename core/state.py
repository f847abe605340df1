# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a simulation: positions, velocities and time."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class State:
    """Positions, velocities and time of a network.

    x: positions [m], shape (vertex_count, 3).
    v: velocities [m/s], shape (vertex_count, 3).
    t: time from the start [s].
    normals: directions in which surfaces move air, times the root of the density's share, shape (vertex_count, 3);
        None if they have not been needed, and follow from the positions.
    """

    x: np.ndarray
    v: np.ndarray
    t: float = 0.0
    normals: np.ndarray | None = None
