# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the pictures of the tutorials and of the window again, in a real Blender window with Hooke installed.

    blender --python scripts/pictures.py -- --output docs/pictures

Every step does what the buttons named in docs/tutorials.md do, and takes a picture of the viewport with its sidebar.
Blender quits after the last one, with status 1 where a step failed.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bake import hooke_package

# What a redraw takes, with room for a machine without a graphics card [s].
SETTLE = 1.5


def hang_1():
    """A sheet above the ground, selected, without Hooke."""
    _example("HANGING_CLOTH")
    bpy.ops.hooke.remove()


def hang_2():
    """Add Hooke; the vertex group that holds the corners is picked."""
    bpy.ops.hooke.add()
    bpy.context.object.hooke.pin_group = "Pin"


def hang_3():
    """Play."""
    _play(30)


def hang_4():
    """Bake."""
    scene, obj = bpy.context.scene, bpy.context.object
    scene.frame_end = obj.hooke.frame_end = 40
    bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    scene.frame_set(30)


def clothes_1():
    """The body of a character, before it is a collider."""
    _example("SKIRT")
    bpy.ops.hooke.remove()
    body = bpy.data.objects["Body"]
    body.modifiers.remove(body.modifiers["Collision"])
    _select(body)


def clothes_2():
    """Make Collider."""
    bpy.ops.hooke.make_collider()


def clothes_3():
    """Add Hooke to the skirt, pinned at the waist."""
    _select(bpy.data.objects["Skirt"])
    bpy.ops.hooke.add()
    bpy.context.object.hooke.pin_group = "Waist"


def clothes_4():
    """Play into the walk."""
    _play(74)


def window():
    """A flag in the wind, the picture of the guide."""
    _example("FLAG")
    _play(60)


STEPS = {
    "tutorial-hang-1": hang_1,
    "tutorial-hang-2": hang_2,
    "tutorial-hang-3": hang_3,
    "tutorial-hang-4": hang_4,
    "tutorial-clothes-1": clothes_1,
    "tutorial-clothes-2": clothes_2,
    "tutorial-clothes-3": clothes_3,
    "tutorial-clothes-4": clothes_4,
    "window": window,
}


def _example(id):
    """A new file with an example of the gallery, looked at through its camera, the sidebar open."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    hooke_package().addon.gallery.build(id, bpy.context.scene)
    space = _viewport().spaces.active
    space.region_3d.view_perspective = "CAMERA"
    space.shading.type, space.shading.color_type = "SOLID", "MATERIAL"
    space.shading.show_cavity = True
    space.overlay.show_extras = space.overlay.show_cursor = space.overlay.show_object_origins = False
    space.overlay.show_bones = space.overlay.show_relationship_lines = False
    space.show_region_ui = True
    space.show_region_toolbar = False


def _select(obj):
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj


def _play(end):
    scene = bpy.context.scene
    for frame in range(scene.frame_start, end + 1):
        scene.frame_set(frame)


def _viewport():
    window = bpy.context.window_manager.windows[0]
    return max(
        (area for area in window.screen.areas if area.type == "VIEW_3D"),
        key=lambda area: area.width * area.height,
    )


def _override():
    window = bpy.context.window_manager.windows[0]
    area = _viewport()
    region = next(region for region in area.regions if region.type == "WINDOW")
    return bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region)


def run(folder, names, ready):
    """Do the steps one after another, each with its picture, and quit."""
    waiting = [*names]

    def step():
        if not waiting:
            if ready:
                Path(ready).touch()
            bpy.ops.wm.quit_blender()
            return None
        with _override():
            STEPS[waiting[0]]()
        for region in _viewport().regions:
            if region.type == "UI":
                region.active_panel_category = "Hooke"
            region.tag_redraw()
        bpy.app.timers.register(guarded(picture), first_interval=SETTLE)
        return None

    def picture():
        name = waiting.pop(0)
        path = folder / f"{name}.png"
        with _override():
            bpy.ops.screen.screenshot_area(filepath=str(path), check_existing=False)
        print(f"pictures: {path}", flush=True)
        bpy.app.timers.register(guarded(step), first_interval=0.1)

    def guarded(part):
        def timer():
            try:
                return part()
            except Exception:  # Blender prints what leaves a timer, and goes on without it for ever.
                traceback.print_exc()
                os._exit(1)

        return timer

    bpy.app.timers.register(guarded(step), first_interval=SETTLE)


def main():
    """Parse what stands behind `--`, and begin."""
    parser = argparse.ArgumentParser(prog="pictures.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder for the pictures")
    parser.add_argument("--only", action="append", choices=STEPS, help="this picture; may be repeated")
    parser.add_argument("--ready", help="file to create at the end, for whoever waits")
    chosen = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
    folder = chosen.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # Steps of a tutorial build on those before them.
    tutorials = {name.rpartition("-")[0] or name for name in chosen.only or STEPS}
    run(folder, [name for name in STEPS if (name.rpartition("-")[0] or name) in tutorials], chosen.ready)


main()
