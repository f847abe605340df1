# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the picture of the window: an example of the gallery, the sidebar open, in Blender with Hooke installed.

    blender -b -P scripts/window.py -- --save FLAG flag.blend        an example, ready to play
    blender flag.blend --python scripts/window.py -- --play N FILE   plays to frame N, then creates FILE

Whoever waits for FILE takes the screenshot.
"""

import sys
from math import radians
from pathlib import Path

import bpy
from mathutils import Euler

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bake import hooke_package


def save(example, path):
    """An example, not baked, in a file."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    hooke_package().addon.gallery.build(example, scene)
    for other in scene.objects:
        other.hide_set(other.type in {"CAMERA", "LIGHT"})
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(path).absolute()))


def play(frame, ready):
    """Open the sidebar on Hooke's tab, play to a frame, stop and create the file `ready`."""

    def prepare():
        space = _viewport().spaces.active
        space.show_region_ui = True
        # Solid shading needs no shaders, whose building takes its time without a graphics card.
        space.shading.type, space.shading.color_type = "SOLID", "MATERIAL"
        space.shading.show_cavity = True
        space.overlay.show_extras = space.overlay.show_cursor = False
        space.overlay.show_object_origins = False
        view = space.region_3d
        view.view_perspective = "PERSP"
        view.view_location, view.view_distance = (0.95, 0.0, 1.8), 3.2
        view.view_rotation = Euler((radians(78), 0.0, radians(12))).to_quaternion()
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
        bpy.app.timers.register(done, first_interval=2.0)
        return None

    def done():
        Path(ready).touch()

    bpy.app.timers.register(prepare, first_interval=1.0)


def _viewport():
    window = bpy.context.window_manager.windows[0]
    return next(area for area in window.screen.areas if area.type == "VIEW_3D")


def _region(kind):
    return next(region for region in _viewport().regions if region.type == kind)


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :]
    if words[0] == "--save":
        save(words[1], words[2])
    else:
        play(int(words[1]), words[2])
