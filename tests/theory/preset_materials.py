# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the presets, without Blender."""

import ast
from typing import Any

from measuring.page import ROOT

from hooke.core.material import Material

FOLDER = ROOT / "addon" / "presets" / "hooke" / "material"


def material(preset):
    """Material of a preset's sheet and strands, as the sidebar makes it of the settings in the preset's file."""
    made: dict[str, Any] = {}
    for statement in ast.parse((FOLDER / f"{preset.replace(' ', '_')}.py").read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            made[ast.unparse(statement.targets[0]).removeprefix("settings.")] = statement.value.value
    return Material(
        stretch=made["stretch_stiffness"],
        shear=made["shear_stiffness"],
        bending=1e-6 * made["bending_rigidity"],
        area_density=made["area_density"],
        line_stiffness=made["line_stiffness"],
        line_density=made["line_density"],
        line_bending=1e-3 * made["line_bending"],
        damping_ratio=made["damping_ratio"],
        bending_damping_ratio=made["bending_damping"],
    )
