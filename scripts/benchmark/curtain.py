# SPDX-License-Identifier: GPL-3.0-or-later
"""Liu's curtain, which subject `core` simulates: a square sheet hung at two corners, ten iterations of 33 ms.

Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", Table 1; theirs has 81^2 vertices.
"""

import numpy as np

from hooke.core import SpringNetwork

from . import sheet

DT, ITERATIONS = 0.033, 10
SIDES = (33, 81, 101, 201, 317)


def network(side):
    """SpringNetwork of side^2 vertices with structural, shear and bending springs of one stiffness."""
    points, faces, pinned = sheet.grid(side - 1)
    pins = np.zeros(len(points))
    pins[pinned] = 1.0
    k = sheet.STIFFNESS
    return SpringNetwork.from_mesh(
        points, sheet.edges(faces), faces, structural=k, shear=k, bending=k, mass=sheet.MASS, pins=pins
    )
