# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `rivals`: Hooke beside what Blender itself offers, in one process."""

from hooke.core.linear import backends

from . import race, reference
from .in_blender import Cloth, Hooke, SoftBody, Xpbd

# Substeps and iterations besides Hooke's default of 10 x 1.
EFFORTS = ((1, 10), (10, 10))
# Blender's default masses of a vertex [kg], at which its modifiers converge on a fine mesh.
CLOTH_MASS, SOFT_MASS = 0.3, 1.0
STIFF = {"tension_stiffness": 1e3, "compression_stiffness": 1e3, "shear_stiffness": 1e2}


def contestants():
    """Everyone who takes part, Hooke with every linear solver that is installed first."""
    solvers = [factor.name for factor in backends()]
    return [
        *(Hooke(f"Hooke, {solver}", solver) for solver in solvers),
        *(Hooke(f"Hooke, {s} × {i}", solvers[0], substeps=s, iterations=i) for s, i in EFFORTS),
        Cloth("Cloth, quality 5", quality=5),
        Cloth("Cloth, quality 12", quality=12),
        Cloth("Cloth, quality 5, 0.3 kg a vertex", CLOTH_MASS, quality=5),
        Cloth("Cloth, quality 12, 0.3 kg a vertex", CLOTH_MASS, quality=12),
        Cloth("Cloth, the same, stiffness 1000", CLOTH_MASS, quality=12, **STIFF),
        SoftBody("Soft Body"),
        SoftBody("Soft Body, 1 kg a vertex", SOFT_MASS),
        SoftBody("Soft Body, the same, pull and push 0.99", SOFT_MASS, pull=0.99, push=0.99),
        Xpbd("XPBD node, 5 × 15", 5, 15),
        Xpbd("XPBD node, 20 × 30", 20, 30),
    ]


def run(options):
    """Measure them all; returns the results."""
    return race.sizes("in Blender", contestants(), options, reference.frames)


tables = race.tables
