# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips and strands that bend, beside what is known of them: the elastica, vibration, buckling, and 45 degrees."""

from measuring.measured import Measured
from theory.bending_meshes import KINDS
from theory.strips import ELASTICA, critical_load, frequency, hung, moment

from hooke.core.effort import EFFORTS

SPACINGS = (0.02, 0.01, 0.005)
STRIPS = ("quads", "triangles", "alternating")


def drops(kind, spacing, effort):
    """Cells: drop over reach of every weight, over the elastica's."""
    return [f"{hung(kind, spacing, weight, effort) / drop:.3f}" for weight, drop in ELASTICA.items()]


def plate(kind):
    """Cells: frequency and critical load over the exact ones, and moments of a plate over B."""
    found = frequency(kind, 0.01), critical_load(kind, 0.01), *(moment(kind, angle) for angle in (0, 45, -45))
    return [f"{share:.3f}" for share in found]


_CASES = (
    *((kind, spacing, "CONVERGED") for kind in STRIPS for spacing in SPACINGS),
    *((kind, 0.01, effort) for kind in STRIPS for effort in ("FINE", "STANDARD")),
    *(("strand", spacing, "CONVERGED") for spacing in SPACINGS),
    *(("strand", 0.01, effort) for effort in ("FINE", "STANDARD")),
)
TABLES = (
    Measured(
        "elastica",
        "bending.md",
        ("", "spacing", "effort", *(f"Γ {weight:g}" for weight in ELASTICA)),
        {(kind, f"{1e3 * h:g} mm", EFFORTS[effort].label): (kind, h, effort) for kind, h, effort in _CASES},
        drops,
    ),
    Measured(
        "plate",
        "bending.md",
        (
            "mesh of 10 mm",
            "frequency",
            "critical load",
            "moment along the mesh",
            "along 45°",
            "along −45°",
        ),
        {kind: (kind,) for kind in KINDS},
        plate,
    ),
)
