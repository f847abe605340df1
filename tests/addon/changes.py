# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits that make what was simulated stale, each a function of the object and the scene."""

import bpy

from hooke.core import INTEGRATORS

from .scenes import fcurves, pin


def setting(name, value):
    """A change of one of the object's Hooke settings."""

    def change(obj, scene):
        setattr(obj.hooke, name, value)

    change.__name__ = name
    return change


def other_integrator(obj, scene):
    obj.hooke.integrator = next(name for name in INTEGRATORS if name != obj.hooke.integrator)
    # What follows has to stay stable with an explicit one.
    obj.hooke.substeps, obj.hooke.stiffness = 40, 50.0


def other_pin_group(obj, scene):
    pin(obj, {12: 1.0}, name="Other")
    obj.hooke.pin_group = "Other"


def no_pin_group(obj, scene):
    obj.hooke.pin_group = ""


def frame_rate(obj, scene):
    scene.render.fps = 60


def frame_rate_base(obj, scene):
    scene.render.fps_base = 1.001


def gravity(obj, scene):
    scene.gravity = (0.0, 3.0, -1.62)


def gravity_off(obj, scene):
    scene.use_gravity = False


def edited(obj, operator, **options):
    """Run an operator on the whole mesh in Edit Mode."""
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    assert operator(**options) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")


def vertices_moved(obj, scene):
    edited(obj, bpy.ops.transform.resize, value=(1.0, 1.2, 1.0))


def vertices_added(obj, scene):
    edited(obj, bpy.ops.mesh.subdivide)


def faces_removed(obj, scene):
    edited(obj, bpy.ops.mesh.delete, type="ONLY_FACE")


def faces_split(obj, scene):
    edited(obj, bpy.ops.mesh.quads_convert_to_tris, quad_method="FIXED")


def weight_added(obj, scene):
    pin(obj, {12: 1.0})


def weight_lowered(obj, scene):
    pin(obj, {4: 0.5})


def weight_removed(obj, scene):
    obj.vertex_groups["Pin"].remove([4])


def group_removed(obj, scene):
    obj.vertex_groups.remove(obj.vertex_groups["Pin"])


def shape_key_raised(obj, scene):
    obj.data.shape_keys.key_blocks["Lift"].value = 0.5


def shape_key_edited(obj, scene):
    obj.data.shape_keys.key_blocks["Lift"].data[20].co.z += 0.1
    obj.data.update()


def modifier_above_added(obj, scene):
    cast = obj.modifiers.new("Cast", "CAST")
    cast.factor = 0.2
    obj.modifiers.move(len(obj.modifiers) - 1, 0)


def modifier_above_changed(obj, scene):
    obj.modifiers["Smooth"].factor = 0.3


def object_moved(obj, scene):
    obj.parent.location.z += 1.0


def object_scaled(obj, scene):
    obj.parent.scale.x = -1.5


def pin_animation_moved(obj, scene):
    for point in fcurves(obj)[0].keyframe_points:
        point.co.y += 0.3


def pin_animation_edited_at_the_end(obj, scene):
    fcurves(obj)[0].keyframe_points[-1].co.y += 0.3
    fcurves(obj)[0].update()


CHANGES = (
    *(setting(name, value) for name, value in (("stiffness", 2e4), ("shear", 0.5), ("bending", 0.0))),
    *(setting(name, value) for name, value in (("mass", 2.0), ("damping", 0.1), ("pin_stiffness", 90.0))),
    *(setting(name, value) for name, value in (("substeps", 6), ("iterations", 4), ("frame_start", 2))),
    other_integrator,
    other_pin_group,
    no_pin_group,
    frame_rate,
    frame_rate_base,
    gravity,
    gravity_off,
    vertices_moved,
    vertices_added,
    faces_removed,
    faces_split,
    weight_added,
    weight_lowered,
    weight_removed,
    group_removed,
    shape_key_raised,
    shape_key_edited,
    modifier_above_added,
    modifier_above_changed,
    object_moved,
    object_scaled,
    pin_animation_moved,
    pin_animation_edited_at_the_end,
)
