# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `other_courses`: cotton, a flag on a moving pole, a net and a solid.

By Hooke's efforts and the best of what Blender offers.
"""

from . import race
from .in_blender import Cloth, SoftBody, Xpbd
from .rivals import CLOTH_MASS, SOFT_MASS, efforts


def run(options):
    """Measure them all; returns the results."""
    contestants = [
        *efforts(),
        Cloth("Cloth, quality 5, 0.3 kg a vertex", CLOTH_MASS, quality=5),
        SoftBody("Soft Body, 1 kg a vertex, pull and push 0.99", SOFT_MASS, pull=0.99, push=0.99),
        Xpbd("XPBD node, 5 × 15", 5, 15),
        Xpbd("XPBD node, 20 × 30", 20, 30),
    ]
    return race.parts("in Blender", contestants, ["cotton", "flag", "net", "solid"], options)


tables = race.tables
