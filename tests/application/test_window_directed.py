# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist directs three of the examples by mouse and keyboard, in a real window: adds Hooke, paints, keys, plays,
tunes while it plays, and bakes.

Each begins with the example's objects alone, nothing of Hooke on them. Needs what test_window.py needs; widgets are
found by what Blender says is below the pointer.
"""

import numpy as np
import pytest
from sidebar import SWITCH, Sidebar
from window import NEEDS_A_SCREEN, opened_window

pytestmark = NEEDS_A_SCREEN

LAST = 40
# Of the example.
FLAG_COLUMNS = 60
START = f"""
from bpy_extras.view3d_utils import location_3d_to_region_2d
from bl_ext.user_default.hooke.addon import gallery, readout
from bl_ext.user_default.hooke.addon.bakes.curves import all_fcurves
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
    # All but what the armature moves it by.
    for group in [each for each in obj.vertex_groups if each.name != "Bone"]:
        obj.vertex_groups.remove(group)
    # What is shown is what is simulated.
    for modifier in [each for each in obj.modifiers if each.type == "SUBSURF"]:
        obj.modifiers.remove(modifier)
    space = view.spaces.active
    space.region_3d.view_perspective, space.shading.color_type = "CAMERA", "MATERIAL"
    space.show_region_ui, space.show_region_toolbar = True, False


def give(places):
    group = obj.vertex_groups.active or obj.vertex_groups.new(name="Group")
    for vertex in obj.data.vertices:
        x, y = seen(obj.matrix_world @ vertex.co)
        if min((x - a) ** 2 + (y - b) ** 2 for a, b in places) < 30.0**2:
            group.add([vertex.index], 1.0, "REPLACE")


def positions(attribute):
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return [tuple(point.vector) for point in mesh.attributes[attribute].data][: len(obj.data.vertices)]


def keys(path):
    curves = all_fcurves(obj.animation_data)
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
    places = [window.ask(f"seen({point})") for point in points]
    if window.ask("bpy.context.tool_settings.weight_paint.brush is not None"):
        window.stroke("VIEW_3D", "WINDOW", places)
    else:
        # Distributions may build Blender without its brushes.
        window.tell(f"give({places})")
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
    """Play from the first frame, drag a setting while it plays, and stop."""
    window.go_to(1)
    # While it plays there is no time to look for it.
    sidebar.find(tuned)
    window.play()
    window.until(f"{FRAMES} >= 6")
    before = window.ask(f"obj.hooke.{tuned}")
    sidebar.drag(tuned, across)
    assert window.ask(f"obj.hooke.{tuned}") != before and window.ask(PLAYING)
    window.play()
    window.until(f"not {PLAYING}")


def baked(window, sidebar, picture):
    """Bake the range, and keep a picture of its last frame; returns its positions, shape (n, 3)."""
    sidebar.click("hooke.bake")
    window.until("obj.hooke.bake.exists")
    assert window.ask("(obj.hooke.bake.frame_start, obj.hooke.bake.frame_end)") == [1, LAST]
    window.go_to(LAST)
    window.picture(picture)
    return np.array(window.ask("positions('position')"))


def test_a_pillow_is_sewn_blown_up_and_laced(window, begun, tmp_path):
    sidebar = begun("PILLOW")
    laced = painted(window, [(0.0, y / 10.0, 0.12) for y in (-2.6, -2.0, -1.0, 0.0, 1.0, 2.0, 2.6)])
    assert max(laced) > 0.5
    with sidebar.opened("shape"):
        sidebar.click("sewing")
        window.until("obj.hooke.sewing")
    with sidebar.opened("pressure"):
        keyed(window, sidebar, "pressure", (1, 24), (0, 80))
    with sidebar.opened("maps"):
        sidebar.choose("rest_scale_group", "Group")
        window.until("obj.hooke.rest_scale_group == 'Group'")
    played(window, sidebar, "stretch_stiffness", 60)
    points = baked(window, sidebar, tmp_path / "pillow.png")
    seams = np.array(window.ask("[edge.vertices[:] for edge in obj.data.edges if edge.is_loose]"))
    assert np.linalg.norm(points[seams[:, 0]] - points[seams[:, 1]], axis=1).max() < 1e-3
    # Blown up, and narrow where it was painted: the lengths there are half of those beside it, as far as air lets them.
    assert np.ptp(points[:, 2]) > 0.1
    assert np.ptp(points[np.array(laced) > 0.9, 1]) < 0.8 * np.ptp(points[:, 1])


def test_a_flag_is_pinned_torn_off_its_pole_and_bakes(window, begun, tmp_path):
    sidebar = begun("FLAG")
    hoist = painted(window, [(0.03, 0.0, 2.37 - 0.094 * step) for step in range(11)])
    assert min(hoist[:: FLAG_COLUMNS + 1]) > 0.5
    sidebar.choose("pin_group", "Group")
    window.until("obj.hooke.pin_group == 'Group'")
    sidebar.click("tearing", SWITCH)
    window.until("obj.hooke.tearing")
    with sidebar.opened("tearing"):
        sidebar.click("bake_split")
    with sidebar.opened("material"):
        sidebar.enter("breaking_strain", 0.01)
    with sidebar.opened("forces"):
        keyed(window, sidebar, "field_weight", (1, 16), (1, 10))
    played(window, sidebar, "area_density", 60)
    points = baked(window, sidebar, tmp_path / "flag.png")
    # Vertices are doubled along the tear: together at first, far apart in the end.
    count = window.ask("len(obj.hooke.bake.whole_mesh.vertices)")
    window.go_to(1)
    whole = np.array(window.ask("positions('position')"))
    of = [np.linalg.norm(whole[:count] - double, axis=1).argmin() for double in whole[count:]]
    assert len(of) and np.abs(whole[count:] - whole[of]).max() < 1e-6
    assert np.linalg.norm(points[count:] - points[of], axis=1).max() > 0.1


def test_flesh_jiggles_on_a_bone_and_bakes(window, begun, tmp_path):
    sidebar = begun("JIGGLE")
    window.tell("obj.vertex_groups.active_index = obj.vertex_groups.new(name='Stiff').index")
    stiff = np.array(painted(window, [(x / 10.0, -0.4, 1.1) for x in range(-2, 3)])) > 0.5
    assert stiff.any()
    sidebar.choose("pin_group", "Stiff")
    sidebar.click("jiggle", SWITCH)
    window.until("obj.hooke.jiggle and obj.hooke.pin_group == 'Stiff'")
    with sidebar.opened("jiggle"):
        keyed(window, sidebar, "jiggle_frequency", (1, 30), (2.5, 6))
    played(window, sidebar, "damping_ratio", 60)
    away = np.linalg.norm(
        np.subtract(window.ask("positions('position')"), window.ask("positions('hooke_target')")), axis=1
    )
    # The pins pull sixty times as hard as the springs to the bone, k over m (2 pi f)^2; what is beside drags on them.
    assert away[stiff].mean() < 0.5 * away[~stiff].mean()
    assert away.max() > 1e-3
    baked(window, sidebar, tmp_path / "jiggle.png")
