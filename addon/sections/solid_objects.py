# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object is a solid."""


def is_filled(settings):
    """Whether what is inside an object is material: then it is no cloth; settings: Object.hooke."""
    return settings.measure == "AREA" and settings.fill_stiffness > 0.0


# Settings that act on sheets alone.
_OF_SHEETS = ("tearing", "keep_volume", "pressure", "sewing", "rest_key", "rest_object", "rest_scale")


def without_effect(settings):
    """Names of the settings that are set and do nothing inside a solid, a list; settings: Object.hooke."""
    if not is_filled(settings):
        return []
    declared = settings.bl_rna.properties
    # A pointer has no default.
    return [
        name for name in _OF_SHEETS if getattr(settings, name) != getattr(declared[name], "default", None)
    ]
