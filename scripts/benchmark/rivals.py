# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke and what Blender itself offers, in one process: a sheet by everyone, other courses by the best of each."""

from hooke.core.effort import EFFORTS

from . import race
from .in_blender import PLAIN, Cloth, Hooke, SoftBody, Xpbd

# Blender's default masses of a vertex [kg], at which its modifiers converge on a fine mesh.
CLOTH_MASS, SOFT_MASS = 0.3, 1.0
STIFF = {"tension_stiffness": 1e3, "compression_stiffness": 1e3, "shear_stiffness": 1e2}
BEST = (
    *(Hooke(f"Hooke, {EFFORTS[id].label}", effort=id) for id in race.PLAYED),
    Cloth("Cloth, quality 5, 0.3 kg a vertex", CLOTH_MASS, quality=5),
    SoftBody("Soft Body, 1 kg a vertex, pull and push 0.99", SOFT_MASS, pull=0.99, push=0.99),
    Xpbd("XPBD node, 5 × 15", 5, 15),
    Xpbd("XPBD node, 20 × 30", 20, 30),
)
OTHERS = (
    Hooke("Hooke, plain 10 × 1", **PLAIN, substeps=10, iterations=1),
    Hooke("Hooke, plain 10 × 10", **PLAIN, substeps=10, iterations=10),
    Cloth("Cloth, quality 5", quality=5),
    Cloth("Cloth, quality 12", quality=12),
    Cloth("Cloth, quality 12, 0.3 kg a vertex", CLOTH_MASS, quality=12),
    Cloth("Cloth, the same, stiffness 1000", CLOTH_MASS, quality=12, **STIFF),
    SoftBody("Soft Body"),
    SoftBody("Soft Body, 1 kg a vertex", SOFT_MASS),
)


def tables(options):
    """The sheet's, and that of the other courses."""
    yield race.races(
        "rivals", sorted(BEST + OTHERS, key=lambda each: (each.name[0] != "H", each.name)), ["sheet"], options
    )
    yield race.races("other_courses", BEST, ["cotton", "flag", "net", "solid"], options)
