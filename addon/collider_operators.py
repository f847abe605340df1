# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make something to collide with."""

import bpy

from . import colliders
from .operators import in_object_mode, simulated


class HOOKE_OT_make_collider(bpy.types.Operator):
    """Give the selected objects Blender's Collision physics, so that simulated objects collide with them. Several
    selected simulated objects collide with each other"""

    bl_idname = "hooke.make_collider"
    bl_label = "Make Collider"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if not in_object_mode(cls, context):
            return False
        if not _chosen(context):
            cls.poll_message_set("Select what is no collider yet, and not simulated, or several that are")
            return False
        return True

    def execute(self, context):
        made = []
        for obj in _chosen(context):
            if obj.type != "MESH":
                self.report(
                    {"WARNING"}, f"'{obj.name}' is not a mesh: convert it (Object > Convert > Mesh) first"
                )
            elif obj.library is not None:
                self.report({"WARNING"}, f"'{obj.name}' is linked: make it local (Object > Relations) first")
            elif not obj.hooke.enabled and not _has_faces(obj, context):
                self.report(
                    {"WARNING"},
                    f"'{obj.name}' has no faces, and cloth collides with faces: give it some, by a Skin modifier or a "
                    "curve with a Bevel",
                )
            else:
                colliders.add_collision(obj)
                made.append(obj)
        if not made:
            return {"CANCELLED"}
        count = f"'{made[0].name}'" if len(made) == 1 else f"{len(made)} objects"
        self.report({"INFO"}, f"Objects that Hooke simulates collide with {count}")
        return {"FINISHED"}


class HOOKE_OT_add_floor(bpy.types.Operator):
    """Add an infinite floor below the active object, at height 0 if that is below it"""

    bl_idname = "hooke.add_floor"
    bl_label = "Add Floor"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context)

    def execute(self, context):
        try:
            colliders.add_floor(context.object, context.view_layer)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _has_faces(obj, context):
    """Whether a mesh object has faces after its modifiers."""
    return len(obj.evaluated_get(context.evaluated_depsgraph_get()).data.polygons) > 0


def _chosen(context):
    """Selected objects that are not simulated; where all are, and there are several, these; no colliders."""
    selected = context.selected_objects
    others = [obj for obj in selected if obj.type != "MESH" or not obj.hooke.enabled]
    wanted = others or (selected if len(selected) > 1 else [])
    return [obj for obj in wanted if not colliders.is_collider(obj)]


register, unregister = bpy.utils.register_classes_factory((HOOKE_OT_make_collider, HOOKE_OT_add_floor))
