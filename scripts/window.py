# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the picture of the window: a cloth in mid-air with the sidebar open, in Blender with Hooke installed.

    blender -b -P scripts/window.py -- --save cloth.blend            a cloth ready to play
    blender cloth.blend --python scripts/window.py -- --play N FILE  plays to frame N, then creates FILE

Whoever waits for FILE takes the screenshot.
"""

import sys
from math import cos, pi, radians, sin
from pathlib import Path

import bpy
from mathutils import Euler

SIDE = 60


def save(path):
    """A sheet pinned by two corners to an empty that swings, in a file that opens on the sidebar's tab."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 120
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=SIDE, y_subdivisions=SIDE, size=2.0, location=(0, 0, 1))
    sheet = bpy.context.object
    sheet.name = "Sheet"
    sheet.data.shade_smooth()
    sheet.vertex_groups.new(name="Pin").add([0, SIDE], 1.0, "REPLACE")
    for frame in range(1, 121, 3):
        t = (frame - 1) / 24
        sheet.location = (0.5 * sin(2 * pi * t / 2.5), 0.3 * (1 - cos(2 * pi * t / 2.5)), 1.0)
        sheet.keyframe_insert("location", frame=frame)
    sheet.data.materials.append(_cloth())
    bpy.ops.hooke.add()  # type: ignore[attr-defined]
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(path).absolute()))


def play(frame, ready):
    """Open the sidebar on Hooke's tab, play to a frame, stop and create the file `ready`."""

    def prepare():
        area = _viewport()
        space = area.spaces.active
        space.show_region_ui = True
        space.shading.type = "MATERIAL"
        space.overlay.show_extras = False
        view = space.region_3d
        view.view_location, view.view_distance = (0.55, 0.0, 0.25), 5.2
        view.view_rotation = Euler((radians(72), 0.0, radians(28))).to_quaternion()
        bpy.app.timers.register(choose_tab, first_interval=0.5)

    def choose_tab():
        _region("UI").active_panel_category = "Hooke"
        with bpy.context.temp_override(window=bpy.context.window_manager.windows[0], area=_viewport()):
            bpy.ops.screen.animation_play()
        bpy.app.timers.register(watch, first_interval=0.1)

    def watch():
        if bpy.context.scene.frame_current < frame:
            return 0.01
        with bpy.context.temp_override(window=bpy.context.window_manager.windows[0], area=_viewport()):
            bpy.ops.screen.animation_cancel(restore_frame=False)
        bpy.app.timers.register(done, first_interval=1.0)
        return None

    def done():
        Path(ready).touch()

    bpy.app.timers.register(prepare, first_interval=1.0)


def _cloth():
    material = bpy.data.materials.new("Cloth")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (0.55, 0.05, 0.04, 1.0)
    shader.inputs["Roughness"].default_value = 0.75
    return material


def _viewport():
    window = bpy.context.window_manager.windows[0]
    return next(area for area in window.screen.areas if area.type == "VIEW_3D")


def _region(kind):
    return next(region for region in _viewport().regions if region.type == kind)


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :]
    if words[0] == "--save":
        save(words[1])
    else:
        play(int(words[1]), words[2])
