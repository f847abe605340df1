# SPDX-License-Identifier: GPL-3.0-or-later
"""Curtains of cotton, and their simulations."""

import numpy as np

from hooke.core import Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

FRAME = 1.0 / 24.0
G = 9.81


def curtain(side=21, size=2.0, pinned=True):
    """A curtain of cotton that hangs by its upper edge, across y."""
    grid = SpringNetwork.grid((side, side), size / (side - 1))
    points = np.column_stack([grid.points[:, 0], np.zeros(side**2), grid.points[:, 1]]) - [
        size / 2,
        0.0,
        size / 2,
    ]
    top = (points[:, 2] > size / 2 - 1e-6) & pinned
    return SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), pins=top * 1.0)


def made(network, effort="STANDARD", **other):
    """A simulation of an effort's settings."""
    return Simulation(network, dt=FRAME, **{**EFFORTS[effort].settings, **other})
