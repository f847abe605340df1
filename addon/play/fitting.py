# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets the distances that fit an object where it begins."""


def apply(obj, fit, outer):
    """Set what fits an object, or what fits of its colliders' Outer Thickness.

    Returns sentences about what was changed, and about colliders that are linked and stay, two lists.
    """
    if not outer:
        return [_set(obj.hooke, name, value) for name, value in fit.own.items()], []
    mine = {other: value for other, value in fit.outer.items() if other.library is None}
    stay = [f"'{other.name}' is linked: make it local first" for other in fit.outer.keys() - mine.keys()]
    return [
        f"{_set(other.collision, 'thickness_outer', value)} of '{other.name}'"
        for other, value in mine.items()
    ], stay


def _set(settings, name, value):
    before = getattr(settings, name)
    setattr(settings, name, value)
    label = settings.bl_rna.properties[name].name
    return f"{label} {1e3 * before:.2g} mm is {1e3 * value:.2g} mm now"
