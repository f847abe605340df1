# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers below Hooke that move the simulated shape, and modifiers below Collision that move a collider."""

from ... import output_nodes
from ..complaint import Complaint
from ..modifier_order import carrying_below, simulating_below
from ..order_remedies import carried_colliders


def below_hooke(inputs):
    """Complaints about modifiers that move the simulated shape again."""
    obj = inputs.where.obj
    own = output_nodes.find(obj)
    if carrying := carrying_below(obj, own):
        text = f"'{carrying[0].name}' below Hooke moves the simulated shape again: move it above Hooke"
        return [Complaint(text, ("MODIFIERS",))]
    if simulating := simulating_below(obj, own):
        text = f"'{simulating[0].name}' below Hooke simulates the simulated shape again: turn it off"
        return [Complaint(text, ("MODIFIERS",))]
    return []


def below_collision(inputs):
    """Complaints about modifiers that move colliders away from where they collide."""
    return [
        Complaint(
            f"'{carrying[0].name}' of '{other.name}' stands below Collision, and Blender's own cloth would collide "
            f"with it where that does not move it: move '{carrying[0].name}' above Collision",
            ("COLLIDER_MODIFIERS",),
        )
        for other, carrying in carried_colliders(*inputs.where)
    ]
