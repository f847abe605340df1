# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that change the weights of vertex groups which settings name: those of pins act, others as painted."""

from ...sections import SECTIONS, changing, follows_weights
from ..complaint import Complaint


def changed(inputs):
    """Complaints about modifiers above Hooke's that change the weights of a group in use."""
    obj = inputs.where.obj
    found = []
    for name, said in _in_use(inputs.where).items():
        modifier = changing(obj, name)
        if modifier is not None:
            text = (
                f"'{modifier.name}' changes {said} '{name}', which does not act: the painted weights hold in all "
                "frames; apply the modifier, or turn it off"
            )
            found.append(Complaint(text, (), "INFO"))
    return found


def _in_use(where):
    """Names of vertex groups that settings name and take as painted, and what settings call them."""
    obj = where.obj
    settings = [(section, name) for section in SECTIONS for name in section.maps]
    if follows_weights(where):
        settings = [(section, name) for section, name in settings if name != "pin_group"]
    chosen: dict[str, str] = {}
    for section, setting in settings:
        name = getattr(obj.hooke, setting)
        if name in obj.vertex_groups:
            chosen.setdefault(name, section.properties[setting].keywords["name"])
    return chosen
