# SPDX-License-Identifier: GPL-3.0-or-later
"""A head on a bone that jiggles."""

import bpy

from . import stage

LABEL = "Jiggle"
DESCRIPTION = "An armature shakes Suzanne's head, which is flesh: ears and cheeks come after it, and ring"
FRAME_END = 120

HEIGHT = 0.9
# Frames of the bone's keys, its turns about the neck [rad] and its hops [m].
FRAMES, TURNS, HOPS = (
    (1, 9, 17, 25, 40, 48, 56, 64),
    (0.0, 0.6, -0.6, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0, 0, 0, 0, 0, 0.25, 0, 0),
)


def build(scene):
    """Suzanne below an armature of one bone, and Flesh."""
    bpy.ops.object.armature_add(location=(0.0, 0.0, HEIGHT - 0.6))
    rig = bpy.context.view_layer.objects.active
    rig.name, rig.show_in_front = "Rig", True
    bpy.ops.mesh.primitive_monkey_add(size=1.0, location=(0.0, 0.0, HEIGHT))
    head = bpy.context.view_layer.objects.active
    head.name = head.data.name = "Suzanne"
    head.data.shade_smooth()
    head.data.materials.append(stage.material("Suzanne", (0.75, 0.45, 0.25)))
    stage.group(head, "Bone", range(len(head.data.vertices)))
    head.modifiers.new("Armature", "ARMATURE").object = rig
    bone = rig.pose.bones["Bone"]
    bone.rotation_mode = "XYZ"
    stage.key(bone, "rotation_euler", FRAMES, TURNS, index=1)
    stage.key(bone, "location", FRAMES, HOPS, index=1)
    subdivision = head.modifiers.new("Subdivision", "SUBSURF")
    subdivision.levels = subdivision.render_levels = 1
    stage.ground(scene)
    stage.look(scene, (1.3, -3.7, 1.5), (0.0, 0.0, HEIGHT + 0.05))
    return stage.simulate(scene, head, "", "Flesh", jiggle_frequency=2.5, jiggle_damping=0.12)
