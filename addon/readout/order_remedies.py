# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of the order of modifiers."""

import bpy

from .. import output_nodes
from ..sections import colliding, collision_modifier
from .modifier_order import carrying_below, may_be_moved, raise_above, simulating_below
from .remedy import Remedy


class RaiseModifiers(Remedy):
    """Modifiers that move the simulated shape again go above Hooke, whose pins then follow them"""

    id = "MODIFIERS"

    def label(self, obj, scene):
        """Which, and where to."""
        own = output_nodes.find(obj)
        carrying = carrying_below(obj, own) if own is not None else []
        if carrying:
            return f"Move '{carrying[0].name}' above Hooke" if may_be_moved(obj, carrying) else ""
        simulating = simulating_below(obj, own) if own is not None else []
        return f"Turn '{simulating[0].name}' Off" if simulating else ""

    def apply(self, obj, scene):
        """Move them, or turn off what simulates."""
        own = output_nodes.find(obj)
        if carrying := carrying_below(obj, own):
            raise_above(obj, own, carrying)
            return
        for modifier in simulating_below(obj, own):
            modifier.show_viewport = modifier.show_render = False


class RaiseColliderModifiers(Remedy):
    """Modifiers that move a collider go above its Collision, which then collides where they move it to"""

    id = "COLLIDER_MODIFIERS"

    def _found(self, obj, scene):
        depsgraph = bpy.context.view_layer.depsgraph
        found = carried_colliders(obj, scene, depsgraph) if depsgraph is not None else []
        return next((pair for pair in found if may_be_moved(*pair)), None)

    def label(self, obj, scene):
        """Which, and where to."""
        found = self._found(obj, scene)
        return f"Move '{found[1][0].name}' above Collision" if found is not None else ""

    def apply(self, obj, scene):
        """Move them."""
        other, carrying = self._found(obj, scene)
        raise_above(other, collision_modifier(other), carrying)


def carried_colliders(obj, scene, depsgraph):
    """Colliders of an object with modifiers below Collision that move them, pairs of both, a list."""
    others = colliding(obj, scene, depsgraph)
    pairs = ((other, carrying_below(other, collision_modifier(other))) for other in others)
    return [(other, carrying) for other, carrying in pairs if carrying]
