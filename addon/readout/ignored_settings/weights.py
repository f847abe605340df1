# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that change weights which settings name, where the simulation does not follow them in every frame."""

from ...sections import SECTIONS, changed_weights, changing
from ...sections.maps import MAPPED, Follows
from ..complaint import Complaint

_PAINTED = "which does not act, since the painted weights hold in all frames"
_AT_START = "of which the weights at the first frame hold in all frames"


def changed(inputs):
    """Complaints about modifiers above Hooke's that change the weights of a group in use, and are not followed."""
    found, obj = [], inputs.where.obj
    for (name, said), becomes in _not_followed(inputs.where).items():
        modifier = changing(obj, name)
        if modifier is not None:
            told = f"'{modifier.name}' changes {said} '{name}', {becomes}: apply the modifier, or turn it off"
            found.append(Complaint(told, (), "INFO"))
    return found


def _not_followed(where):
    """What becomes of vertex groups and attributes that settings name, by their names and what settings call them.

    Of those that several settings name, for the first of these; of maps that make no difference nothing.
    """
    followed, by_group = set(changed_weights(where)), {mapped.group: mapped for mapped in MAPPED.values()}
    chosen: dict[str, tuple[str, str]] = {}
    for section in SECTIONS:
        for setting in section.maps:
            mapped = by_group.get(setting)
            held = mapped is not None and mapped.follows is Follows.AT_START
            if (setting in followed and not held) or (
                mapped is not None and not mapped.used(where.obj.hooke)
            ):
                continue
            name = getattr(where.obj.hooke, setting)
            becomes = _AT_START if held else _PAINTED
            chosen.setdefault(name, (section.properties[setting].keywords["name"], becomes))
    return {(name, said): becomes for name, (said, becomes) in chosen.items()}
