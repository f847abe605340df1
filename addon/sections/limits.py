# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that no interface could have given: scripts and damaged files write past the limits."""

from typing import Any

from ..mesh_io import MeshError

# Blender's own limits of a number that has none.
_UNLIMITED = 3e38


def check_limits(obj, sections):
    """Raise MeshError where a setting of an object is no number, beyond its limits or none of its choices."""
    for section in sections:
        for name in section.properties:
            problem = _problem(obj.hooke.bl_rna.properties[name], getattr(obj.hooke, name))
            if problem:
                where = f" ({section.label})" if section.label else ""
                raise MeshError(f"'{obj.name}' has {problem.format(where=where)}")


def _problem(setting: Any, value):
    """Which value a setting has in place of what, with a place for where it is, or ""."""
    if setting.type == "ENUM" and not value:
        choices = ", ".join(item.name for item in setting.enum_items)
        return f"no valid {setting.name}{{where}}: choose one of {choices}"
    if setting.type not in ("FLOAT", "INT") or setting.hard_min <= value <= setting.hard_max:
        return ""
    form, kind = (",d", "whole") if setting.type == "INT" else ("g", "finite")
    limits = [
        f"{word} {limit:{form}}"
        for word, limit in (("at least", setting.hard_min), ("at most", setting.hard_max))
        if abs(limit) < _UNLIMITED
    ]
    within = f", {' and '.join(limits)}" if limits else ""
    return f"the {setting.name} {value:{form}}{{where}}: set it to a {kind} number{within}"
