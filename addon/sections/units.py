# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths of a scene: a unit is a metre."""

from math import isclose


def unit_warning(scene):
    """Sentence on a scene whose units are shown as more or less than metres, as Blender's physics does not heed either,
    or ""."""
    units = scene.unit_settings
    # Blender keeps numbers in single precision.
    if units.system == "NONE" or isclose(units.scale_length, 1.0, rel_tol=1e-6):
        return ""
    return (
        f"Unit Scale {units.scale_length:.3g} does not act: a unit is 1 m, as to all of Blender's physics; set it to "
        "1, and scale the model"
    )
