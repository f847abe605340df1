# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's Unit Scale, which Blender's own physics does not heed either."""

from math import isclose

from ..complaint import Complaint


def scaled(inputs):
    """Complaints about a scene in which a unit is shown as more or less than a metre."""
    units = inputs.where.scene.unit_settings
    # Blender keeps numbers in single precision.
    if units.system == "NONE" or isclose(units.scale_length, 1.0, rel_tol=1e-6):
        return []
    text = (
        f"Unit Scale {units.scale_length:.3g} does not act: a unit is 1 m to the motion, and gravity and weights are "
        "of that"
    )
    return [Complaint(text, ("UNIT_SCALE",), "INFO")]
