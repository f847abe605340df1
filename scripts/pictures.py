# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the pictures of the tutorials and of the window again, in a real Blender window with Hooke installed.

    python3 scripts/pictures.py --output docs/pictures blender

Starts that command with this script in it, and takes a picture of the screen, with ImageMagick's `import`, after every
step, which does what the buttons named in docs/tutorials.md do. On a machine without a screen: under `xvfb-run`.
"""

import importlib.util
import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide_panels
from picture_arguments import parse
from screenshots import GUIDE, PANELS, take_into
from writing import status_of

# None outside Blender, where the pictures are taken.
bpy: Any = importlib.import_module("bpy") if importlib.util.find_spec("bpy") else None

# What a redraw takes, with room for a machine without a graphics card [s].
SETTLE = 3.0
# The frame in which the sheet swings through the lowest point.
LOWEST = 18


def hang_1():
    """A sheet above the ground, selected, without Hooke."""
    _example("HANGING_CLOTH")
    _press("remove")


def hang_2():
    """Add Hooke; the vertex group that holds the corners is picked."""
    _press("add")
    _active().hooke.pin_group = "Pin"


def hang_3():
    """Play, to where it is lowest."""
    _play(LOWEST)


def hang_4():
    """Bake."""
    scene = bpy.context.scene
    scene.frame_end = _active().hooke.frame_end = 40
    _press("bake", mode="SHAPE_KEYS")
    scene.frame_set(LOWEST)


def clothes_1():
    """The body of a character, before it is a collider."""
    _example("SKIRT")
    _press("remove")
    body = bpy.data.objects["Body"]
    body.modifiers.remove(body.modifiers["Collision"])
    _select(body)


def clothes_2():
    """Make Collider."""
    _press("make_collider")


def clothes_3():
    """Add Hooke to the skirt, pinned at the waist."""
    _select(bpy.data.objects["Skirt"])
    _press("add")
    _active().hooke.pin_group = "Waist"


def clothes_4():
    """Play into the walk."""
    _play(74)


def window():
    """A flag in the wind, the picture of the guide."""
    _example("FLAG")
    _play(60)


def panel_1():
    """The panel while it plays, in Blender's own theme."""
    hang_1()
    hang_2()
    _play(LOWEST)


def panel_2():
    """The panel of what is baked."""
    hang_4()


def panel_3():
    """The panel of what is baked, in the light theme."""
    _light()


def panel_4():
    """The panel while it plays, in the light theme."""
    _press("clear_bake")
    _play(LOWEST)


def guide_panel(name):
    """One panel, open, of an example that uses it."""
    # The sidebar's own colour is behind the panel, not the scene.
    bpy.context.preferences.system.use_region_overlap = False
    _example(guide_panels.PANELS[name])
    _play(12)
    guide_panels.show(bpy, name)


STEPS: dict[str, Callable[[], None]] = {
    "tutorial-hang-1": hang_1,
    "tutorial-hang-2": hang_2,
    "tutorial-hang-3": hang_3,
    "tutorial-hang-4": hang_4,
    "tutorial-clothes-1": clothes_1,
    "tutorial-clothes-2": clothes_2,
    "tutorial-clothes-3": clothes_3,
    "tutorial-clothes-4": clothes_4,
    "window": window,
    "panel-1": panel_1,
    "panel-2": panel_2,
    "panel-3": panel_3,
    "panel-4": panel_4,
    **{f"guide-{name}": partial(guide_panel, name) for name in guide_panels.PANELS},
}
# The sidebar's column of tabs [pixels].
TABS = 20


def _example(id):
    """A new file with an example of the gallery, looked at through its camera, the sidebar open."""
    bpy.ops.wm.read_homefile(use_empty=True)
    from bake import hooke_package

    hooke_package().addon.gallery.build(id, bpy.context.scene)
    space = _viewport().spaces.active
    space.region_3d.view_perspective, space.region_3d.view_camera_zoom = "CAMERA", 20.0
    space.shading.type, space.shading.color_type = "SOLID", "MATERIAL"
    space.shading.show_cavity = True
    space.overlay.show_extras = space.overlay.show_cursor = space.overlay.show_object_origins = False
    space.overlay.show_bones = space.overlay.show_relationship_lines = False
    # Setting where regions are asks for a context that a file that was just opened does not have.
    with _override():
        space.show_region_ui, space.show_region_toolbar = True, False


def _light():
    """Blender's own light theme."""
    folders = map(Path, bpy.utils.preset_paths("interface_theme"))
    (path,) = (path for folder in folders for path in folder.glob("Blender_Light.xml"))
    bpy.ops.script.execute_preset(filepath=str(path), menu_idname="USERPREF_MT_interface_theme_presets")


def _press(operator, **options):
    """What a button of Hooke's does, in the viewport."""
    with _override():
        getattr(bpy.ops.hooke, operator)(**options)


def _active():
    return bpy.context.view_layer.objects.active


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


def run(folder, names):
    """Do the steps one after another, wait after each until its picture was taken, and quit."""
    waiting = [*names]
    # For this session alone: what is saved when Blender ends is as it was.
    bpy.context.preferences.use_preferences_save = False
    bpy.ops.preferences.reset_default_theme()

    def step():
        if not waiting:
            bpy.ops.wm.quit_blender()
            return None
        STEPS[waiting[0]]()
        bpy.app.timers.register(guarded(choose_tab), first_interval=SETTLE)
        return None

    def choose_tab():
        # A region has tabs from its first redraw on.
        sidebar = next(region for region in _viewport().regions if region.type == "UI")
        name = waiting[0].removeprefix(GUIDE)
        sidebar.active_panel_category = guide_panels.tab(name) if waiting[0] != name else "Hooke"
        sidebar.tag_redraw()
        bpy.app.timers.register(guarded(ask), first_interval=SETTLE)

    def ask():
        name = waiting.pop(0)
        shown = _viewport()
        if name.startswith(PANELS):
            shown = next(region for region in shown.regions if region.type == "UI")
            name = f"{name}-{'.'.join(map(str, bpy.app.version[:2]))}"
        width = shown.width
        if name.startswith(GUIDE):
            shown = next(region for region in shown.regions if region.type == "UI")
            width = shown.width - TABS
        window = bpy.context.window_manager.windows[0]
        top = window.height - shown.y - shown.height
        asked = folder / f"{name}.asked"
        asked.with_suffix(".asking").write_text(f"{width}x{shown.height}+{shown.x}+{top}", encoding="utf-8")
        asked.with_suffix(".asking").rename(asked)

        def answered():
            if asked.exists():
                return 0.1
            return step()

        bpy.app.timers.register(guarded(answered), first_interval=0.1)

    def guarded(part):
        def timer():
            try:
                return part()
            except Exception:  # Blender prints what leaves a timer, and waits for ever.
                traceback.print_exc()
                os._exit(1)

        return timer

    bpy.app.timers.register(guarded(step), first_interval=SETTLE)


def _group(name):
    """The tutorial that a step is of, which builds on those before it, or the step itself."""
    return name if name.startswith(GUIDE) else name.rpartition("-")[0] or name


def main():
    """Parse the arguments, outside Blender or behind `--` within, and begin."""
    starts = "the words that start Blender in a window" if bpy is None else None
    chosen = parse("pictures.py", __doc__.splitlines()[0], STEPS, starts)
    folder = chosen.output
    groups = {_group(name) for name in chosen.only or STEPS}
    names = [name for name in STEPS if _group(name) in groups]
    if bpy is None:
        return status_of("pictures", lambda: take_into(__file__, folder, chosen.command, names))
    run(folder, names)
    return 0


if __name__ == "__main__" and (status := main()):
    sys.exit(status)
