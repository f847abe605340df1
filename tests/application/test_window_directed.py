# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist directs three of the examples by mouse and keyboard, in a real window: adds Hooke, paints, keys, plays,
tunes while it plays, and bakes.

Each begins with the example's objects alone, nothing of Hooke on them. Needs what test_window.py needs; widgets are
found by what Blender says is below the pointer.
"""

import pytest
from sidebar import Sidebar
from window import NEEDS_A_SCREEN, opened_window

pytestmark = NEEDS_A_SCREEN

LAST = 40
START = f"""
from bpy_extras.view3d_utils import location_3d_to_region_2d
from bl_ext.user_default.hooke.addon import gallery, readout
from bl_ext.user_default.hooke.addon.bakes.curves import _all_fcurves
from bl_ext.user_default.hooke.addon.play import sessions

bpy.context.preferences.view.show_splash = False
# A pointer that Blender puts back where a drag began does not go where it is sent.
bpy.context.preferences.inputs.use_mouse_continuous = False
bpy.ops.wm.read_homefile(use_empty=True)
obj = gallery.build(%r, bpy.context.scene)
window = bpy.context.window_manager.windows[0]
view = max(
    (area for area in window.screen.areas if area.type == "VIEW_3D"), key=lambda area: area.width
)
canvas = next(region for region in view.regions if region.type == "WINDOW")
bpy.context.scene.frame_end = {LAST}
with bpy.context.temp_override(window=window, screen=window.screen, area=view, region=canvas):
    bpy.ops.hooke.remove()
    for name in list(obj.hooke.bl_rna.properties.keys()):
        obj.hooke.property_unset(name)
    if obj.animation_data is not None and obj.animation_data.action is not None:
        obj.animation_data_clear()
    space = view.spaces.active
    space.region_3d.view_perspective, space.shading.color_type = "CAMERA", "MATERIAL"
    space.show_region_ui, space.show_region_toolbar = True, False


def keys(path):
    curves = _all_fcurves(obj.animation_data)
    return [[tuple(key.co) for key in curve.keyframe_points] for curve in curves if curve.data_path == path]


def seen(point):
    at = location_3d_to_region_2d(canvas, space.region_3d, point)
    return at.x, canvas.height - at.y
"""
TAB = "next(region for region in view.regions if region.type == 'UI').active_panel_category = 'Hooke'"
PLAYING = "window.screen.is_animation_playing"
FRAMES = "len(sessions.find(obj).frames)"


@pytest.fixture(scope="module")
def window(application, tmp_path_factory):
    with opened_window(application, tmp_path_factory.mktemp("window")) as opened:
        yield opened


@pytest.fixture
def begun(window):
    """A function that begins with an example, and returns its Sidebar."""

    def begin(example):
        window.tell(START % example)
        # A region has tabs from its first redraw on.
        window.redraw()
        window.tell(TAB)
        window.redraw()
        sidebar = Sidebar(window)
        sidebar.click("hooke.add")
        window.until("obj.hooke.enabled")
        return sidebar

    return begin


def painted(window, points):
    """Paint weights with a stroke through points of the world; returns the weights of the active group."""
    window.point("VIEW_3D", "WINDOW", (300, 300))
    # The pie of modes, and in it Weight Paint and Object Mode.
    window.press("ctrl+Tab", "7")
    window.until("obj.mode == 'WEIGHT_PAINT'")
    window.stroke("VIEW_3D", "WINDOW", [window.ask(f"seen({point})") for point in points])
    window.press("ctrl+Tab", "4")
    window.until("obj.mode == 'OBJECT'")
    return window.ask(
        "[next((each.weight for each in vertex.groups if each.group == obj.vertex_groups.active_index), 0.0)"
        " for vertex in obj.data.vertices]"
    )


def keyed(window, sidebar, name, frames, values):
    """Key a setting at frames, each gone to, typed and keyed."""
    for frame, value in zip(frames, values, strict=True):
        window.go_to(frame)
        sidebar.enter(name, value)
        sidebar.key(name)
    found = window.ask(f"keys('hooke.{name}')")
    assert found == [[list(map(float, pair)) for pair in zip(frames, values, strict=True)]]


def played(window, sidebar, tuned, across):
    """Play from the first frame, drag a setting while it plays, stop, and bake the range."""
    window.go_to(1)
    window.play()
    window.until(f"{FRAMES} >= 5")
    before = window.ask(f"obj.hooke.{tuned}")
    sidebar.drag(tuned, across)
    assert window.ask(f"obj.hooke.{tuned}") != before and window.ask(PLAYING)
    window.play()
    window.until(f"not {PLAYING}")
    sidebar.click("hooke.bake")
    window.until("obj.hooke.bake.exists")
    assert window.ask("(obj.hooke.bake.frame_start, obj.hooke.bake.frame_end)") == [1, LAST]
    window.go_to(LAST)


def test_a_pillow_is_sewn_blown_up_and_laced(window, begun, tmp_path):
    sidebar = begun("PILLOW")
    laced = painted(window, [(0.0, y / 10.0, 0.12) for y in range(-3, 4)])
    assert max(laced) > 0.5
    with sidebar.opened("shape"):
        sidebar.click("sewing")
        window.until("obj.hooke.sewing")
    with sidebar.opened("pressure"):
        keyed(window, sidebar, "pressure", (1, 24), (0, 80))
    played(window, sidebar, "stretch_stiffness", 30)
    window.picture(tmp_path / "pillow.png")
