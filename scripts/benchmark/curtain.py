# SPDX-License-Identifier: GPL-3.0-or-later
"""Liu's curtain, of subjects `core` and `shapeop`: a square sheet hung at two corners, ten iterations of 33 ms.

Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", Table 1; theirs has 81^2 vertices.
"""

from dataclasses import replace

from . import courses

DT, ITERATIONS = 0.033, 10
SIDES = (33, 81, 101, 201, 317)


def network(side):
    """SpringNetwork of side^2 vertices with structural, shear and bending springs of one stiffness."""
    return replace(courses.sheet(side - 1), bending=1.0).network()
