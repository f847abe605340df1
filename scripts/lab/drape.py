# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets in the drape test, on every mesh and with every effort."""

import numpy as np
from measuring.measured import Measured
from theory.cusick import draped
from theory.drape_meshes import KINDS
from theory.preset_materials import material

from hooke.core.effort import EFFORTS

# What is published of such fabrics [%], from Gan 1991 and from textile handbooks; None where nothing is.
BANDS = {
    "Silk": "20–40",
    "Cotton": "60–76",
    "Gray Interlock": "–",
    "Leather": "47–70",
    "Denim": "70–90",
}
SPACINGS, DROPS = (0.01, 0.007, 0.005), 3
# Converged takes minutes where cloth buckles.
PLAYED = [id for id, effort in EFFORTS.items() if not effort.tolerance]


def preset(name):
    """Cells: published coefficients, those on every mesh with the number of folds, and their spread [%]."""
    means = []
    for kind in KINDS:
        for spacing in SPACINGS:
            found = [draped(material(name), spacing, kind, seed=seed) for seed in range(DROPS)]
            means.append((100.0 * np.mean([each.coefficient for each in found]), found[0].nodes))
    cells = [f"{share:.0f} ({nodes})" for share, nodes in means]
    return BANDS[name], *cells, f"{np.ptp([share for share, _ in means]):.0f}"


def by_effort(name):
    """Cells: the coefficient with every effort at 10 mm [%], mean of both kinds of mesh."""
    for id in PLAYED:
        found = [draped(material(name), SPACINGS[0], kind, id) for kind in KINDS]
        yield f"{100.0 * np.mean([each.coefficient for each in found]):.0f}"


TABLES = (
    Measured(
        "drape",
        "bending.md",
        ("preset", "published", *(f"{kind}, {1e3 * h:g} mm" for kind in KINDS for h in SPACINGS), "spread"),
        {name: (name,) for name in BANDS},
        preset,
    ),
    Measured(
        "drape-efforts",
        "bending.md",
        ("preset", *(EFFORTS[id].label for id in PLAYED)),
        {name: (name,) for name in BANDS},
        by_effort,
    ),
)
