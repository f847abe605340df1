# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets an object up as clothes are."""

import bpy

from .. import preflight
from ..play import fitting
from ..play.start_preview import at_start
from ..sections import has_weights
from .garment_pins import garment_pins
from .polls import in_object_mode, simulated


class HOOKE_OT_garment(bpy.types.Operator):
    """Set the object up as clothes: Collisions and Self-Collision are on, distances [m] are those that it begins with,
    and where it has no pins, those of the collar, the waistband or the shoulder straps are put into a vertex group"""

    bl_idname = "hooke.garment"
    bl_label = "Garment"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context) and not context.object.hooke.bake.exists

    def execute(self, context):
        obj, settings = context.object, context.object.hooke
        settings.collisions = settings.self_collision = True
        told = ["Collisions and Self-Collision are on"]
        if not (settings.pin_group and has_weights(obj, settings.pin_group)):
            told += _pinned(obj)
        try:
            with at_start(obj, context.scene) as first:
                fit = first.fit
            told += fitting.apply(obj, fit, outer=False)[0]
        except ValueError as error:
            self.report({"WARNING"}, str(error))
        self.report({"INFO"}, "; ".join(told))
        if not preflight.has_colliders(obj):
            text = "nothing to wear it yet: select the body and press Make Collider, then Fit Distances"
            self.report({"WARNING"}, text)
        return {"FINISHED"}


def _pinned(obj):
    """Pin what holds a garment; sentences about it, a list."""
    held = garment_pins(obj)
    if not len(held):
        return ["no rim is found that holds it: paint a Pin Group"]
    group = obj.vertex_groups.new(name="Pin")
    group.add(held.tolist(), 1.0, "REPLACE")
    obj.hooke.pin_group = group.name
    return [f"{len(held):,} vertices of its upper rims are pinned in '{group.name}'"]
