# SPDX-License-Identifier: GPL-3.0-or-later
"""The first ten minutes by mouse, in a real window: add, pin, play, tune, simulate, scrub, bake, clear.

Needs a screen of at least 1600 x 900 pixels, on a machine without one that of `xvfb-run -s "-screen 0 1600x900x24"`,
xdotool and ImageMagick.
"""

import pytest
from window import NEEDS_A_SCREEN, opened_window

pytestmark = NEEDS_A_SCREEN

SIDE, LAST = 21, 30
FILE = f"""
bpy.context.preferences.view.show_splash = False
# A pointer that Blender puts back where a drag began does not go where it is sent.
bpy.context.preferences.inputs.use_mouse_continuous = False
bpy.ops.wm.read_homefile(use_empty=True)
from bl_ext.user_default.hooke.addon.play import range_operator, sessions

view = max(
    (area for area in bpy.context.window_manager.windows[0].screen.areas if area.type == "VIEW_3D"),
    key=lambda area: area.width,
)
window = bpy.context.window_manager.windows[0]
with bpy.context.temp_override(window=window, screen=window.screen, area=view, region=view.regions[-1]):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions={SIDE - 1}, y_subdivisions={SIDE - 1})
    cloth = bpy.context.object
    view.spaces.active.show_region_ui = True
cloth.vertex_groups.new(name="Border").add(range({SIDE}), 1.0, "REPLACE")
cloth.vertex_groups.new(name="Corners").add([0, {SIDE - 1}], 1.0, "REPLACE")
bpy.context.scene.frame_end = {LAST}
bpy.context.scene.sync_mode = "NONE"
"""
TAB = "next(region for region in view.regions if region.type == 'UI').active_panel_category = 'Hooke'"

# Places in the sidebar. They are the same before and after every step: that is what is tested by clicking them.
ADD = (130, 46)
PIN_GROUP, SECOND_GROUP = (185, 49), (133, 105)
STRETCH = (185, 118)
SIMULATE, BAKE, RESET = (70, 424), (180, 424), (243, 424)

PLAYING = "window.screen.is_animation_playing"


@pytest.fixture(scope="module")
def window(application, tmp_path_factory):
    with opened_window(application, tmp_path_factory.mktemp("window")) as opened:
        opened.tell(FILE)
        # A region has tabs from its first redraw on.
        opened.redraw()
        opened.tell(TAB)
        opened.redraw()
        yield opened


def test_three_clicks_to_a_hanging_cloth_that_is_tuned_kept_and_baked(window):
    window.click("VIEW_3D", "UI", ADD)
    window.until("cloth.hooke.enabled")
    assert window.ask("cloth.hooke.pin_group") == ""
    window.click("VIEW_3D", "UI", PIN_GROUP)
    window.click("VIEW_3D", "UI", SECOND_GROUP)
    window.until("cloth.hooke.pin_group == 'Corners'")

    window.play()
    window.until(PLAYING)
    window.until("len(sessions.find(cloth).frames) >= 5")

    before = window.ask("cloth.hooke.stretch_stiffness")
    window.drag("VIEW_3D", "UI", STRETCH, -40)
    # How much a pixel is, Blender says, and by how far the drag is already.
    assert window.ask("cloth.hooke.stretch_stiffness") < before
    assert window.ask(PLAYING)
    window.until("sessions.find(cloth).tuned is not None or len(sessions.find(cloth).frames) > 5")
    window.play()
    window.until(f"not {PLAYING}")

    window.click("VIEW_3D", "UI", SIMULATE)
    window.until(f"range_operator.progress is None and len(sessions.find(cloth).frames) == {LAST}")

    window.go_to(20)
    shown = "[list(point.vector) for point in cloth.data.attributes['hooke_position'].data]"
    assert window.ask(shown) == window.ask("sessions.find(cloth).frames[19].tolist()")

    window.click("VIEW_3D", "UI", BAKE)
    window.until("cloth.hooke.bake.exists")
    assert window.ask("len(cloth.data.shape_keys.key_blocks)") == 1 + LAST

    tuned = window.ask("cloth.hooke.stretch_stiffness")
    window.drag("VIEW_3D", "UI", STRETCH, 40)
    assert window.ask("cloth.hooke.stretch_stiffness") == tuned

    window.click("VIEW_3D", "UI", BAKE)
    window.until("not cloth.hooke.bake.exists")
    assert window.ask("cloth.data.shape_keys is None")

    window.click("VIEW_3D", "UI", RESET)
    window.until("bpy.context.scene.frame_current == 1")
    assert window.ask("len(sessions.find(cloth).frames)") <= 1
