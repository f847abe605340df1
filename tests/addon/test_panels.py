# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels stay put whatever happens, and what cannot be changed is locked."""

import re
from types import SimpleNamespace

import bpy
import pytest

from hooke.addon import panels, wrapped_text
from hooke.addon.play import range_operator

from .panel_rows import alive, drawn
from .scenes import add_hooke, bake, grid, mesh_object, play

FRAMES = range(1, 13)
PLACES = {"HOOKE_PT_main": "VIEW_3D", "HOOKE_PT_physics_main": "PROPERTIES"}


def ready(obj, scene):
    scene.frame_set(1)


def played(obj, scene):
    play(obj, FRAMES)


def tuned(obj, scene):
    play(obj, range(1, 9))
    obj.hooke.stretch_stiffness = 50.0
    play(obj, range(9, 12))


def waiting(obj, scene):
    play(obj, [9])


def falling(obj, scene):
    obj.hooke.pin_group = ""
    play(obj, FRAMES)


def failed(obj, scene):
    obj.data.vertices[3].co.x = float("nan")
    play(obj, FRAMES)


def dropping(obj, scene):
    scene.sync_mode = "FRAME_DROP"
    play(obj, FRAMES)


def past(obj, scene):
    play(obj, range(1, 16))


def baked(obj, scene):
    bake(obj)


STATES = (ready, played, tuned, waiting, falling, failed, dropping, past, baked)


def places(rows):
    """Where the buttons are, by the number of rows above them; what baking adds and clears takes one place."""
    names = [what.replace("clear_bake", "bake") for _, what, _ in rows]
    return {name: names.index(name) for name in ("hooke.simulate", "hooke.bake", "hooke.reset")}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_buttons_stay_where_they_are(state, kind, scene):
    obj = add_hooke(grid())
    before = drawn(kind)
    state(obj, scene)
    assert places(drawn(kind)) == places(before)


@pytest.mark.combined
@pytest.mark.parametrize("mode", ["EDIT", "SCULPT", "WEIGHT_PAINT"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_all_panels_are_drawn_in_every_mode(state, mode, scene):
    obj = add_hooke(grid())
    # Below it lies what could stop it, and does not.
    floor = mesh_object(
        [(-9, -9, -3), (9, -9, -3), (9, 9, -3), (-9, 9, -3)], faces=[(0, 1, 2, 3)], name="Floor"
    )
    floor.select_set(False)
    bpy.context.view_layer.objects.active = obj
    state(obj, scene)
    before = {kind: places(drawn(kind)) for kind in PLACES}
    bpy.ops.object.mode_set(mode=mode)
    try:
        for kind in filter(re.compile("HOOKE_PT_(?!.*presets)").match, dir(bpy.types)):
            panel = getattr(bpy.types, kind)
            if not hasattr(panel, "poll") or panel.poll(bpy.context):
                drawn(kind)
        assert {kind: places(drawn(kind)) for kind in PLACES} == before
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_buttons_stay_while_a_range_is_simulated(scene, monkeypatch):
    add_hooke(grid())
    before = drawn()
    monkeypatch.setattr(range_operator, "progress", range_operator.Progress("Cloth", 12))
    now = drawn()
    assert places(now) == places(before)
    assert not any(enabled for kind, _, enabled in now if kind == "prop")
    assert any("0 of 12 frames" in what for _, what, _ in now)


def test_settings_are_locked_while_baked(scene):
    obj = add_hooke(grid())
    obj.hooke.self_collision = True
    assert all(enabled for kind, _, enabled in drawn() if kind == "prop")
    bake(obj)
    for kind in ("HOOKE_PT_main", *(f"HOOKE_PT_{name}" for name in ("pins", "material", "solver", "time"))):
        props = [enabled for what, _, enabled in drawn(kind) if what == "prop"]
        assert props and not any(props), kind


def test_what_is_said_fits_the_panel(scene):
    obj = add_hooke(grid())
    for state in STATES:
        bpy.ops.hooke.reset()
        state(obj, scene)
        # As the labels of a sidebar of 260 pixels, Blender's default, are wrapped.
        assert all(len(what) <= 40 for kind, what, _ in drawn() if kind == "label"), state.__name__
        if obj.hooke.bake.exists:
            bpy.ops.hooke.clear_bake()
        obj.data.vertices[3].co.x, obj.hooke.pin_group, scene.sync_mode = 0.5, "Pin", "NONE"


def test_nothing_is_cut_off_in_a_narrow_sidebar(scene, monkeypatch):
    obj = add_hooke(grid(side=40))
    played(obj, scene)
    wide = drawn()
    monkeypatch.setattr(wrapped_text, "WIDTH", 220)
    said = [what for kind, what, _ in drawn() if kind == "label"]
    place = next(at for at, what in enumerate(said) if what.startswith("frame 12 · strain"))
    assert said[place - 1].endswith(" springs")
    assert all(wrapped_text.text_length(what) <= wrapped_text.line_width() for what in said[place - 1 :])
    assert [what for kind, what, _ in wide if kind == "prop"] == [
        what for kind, what, _ in drawn() if kind == "prop"
    ]


@pytest.mark.parametrize(("width", "chosen"), [(220, "column"), (280, "row")])
def test_buttons_are_below_each_other_in_a_narrow_sidebar(width, chosen, monkeypatch):
    monkeypatch.setattr(wrapped_text, "WIDTH", width)
    layout = SimpleNamespace(row=lambda align: "row", column=lambda align: "column")
    assert wrapped_text.side_by_side(layout) == chosen


def test_what_makes_colliders_is_below_the_list_of_them(scene):
    add_hooke(grid())
    names = [what for _, what, _ in drawn("HOOKE_PT_collisions")]
    place = names.index("hooke.make_collider")
    assert names.index("restitution") < place < names.index("self_friction")
    assert "press Make" in " ".join(names[:place])


def test_custom_cannot_be_chosen(scene):
    obj = add_hooke(grid())
    obj.hooke.substeps = 17
    assert obj.hooke.effort == "CUSTOM"
    chosen = []
    layout = SimpleNamespace(prop_enum=lambda _data, _name, value: chosen.append(value))
    bpy.types.HOOKE_MT_effort.draw(SimpleNamespace(layout=layout), bpy.context)
    assert chosen == ["DRAFT", "STANDARD", "FINE", "CONVERGED"]


def test_what_does_nothing_in_the_present_mode_is_not_live(scene):
    obj = add_hooke(grid())
    settings = obj.hooke
    assert not alive("HOOKE_PT_solver", "automatic_substeps")
    settings.integrator = "VERLET"
    assert alive("HOOKE_PT_solver", "automatic_substeps") and alive("HOOKE_PT_solver", "substeps")
    settings.automatic_substeps = True
    assert not alive("HOOKE_PT_solver", "substeps")
    assert not alive("HOOKE_PT_main", "HOOKE_MT_effort")
    settings.integrator = "PROJECTIVE_DYNAMICS"
    assert alive("HOOKE_PT_main", "HOOKE_MT_effort")
    assert alive("HOOKE_PT_solver", "carried_stiffness")
    settings.tolerance = 0.01
    assert not alive("HOOKE_PT_solver", "carried_stiffness")
    assert not alive("HOOKE_PT_time", "use_saved_pose")
    assert not alive("HOOKE_PT_filling", "fill_density")
    assert alive("HOOKE_PT_material", "shear_stiffness")
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.quads_convert_to_tris()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not alive("HOOKE_PT_material", "shear_stiffness")


def test_pins_have_settings_where_there_are_any(scene):
    obj = add_hooke(grid())
    assert obj.hooke.pin_group == "Pin" and alive("HOOKE_PT_pins", "pin_stiffness")
    obj.hooke.pin_group = ""
    assert not alive("HOOKE_PT_pins", "pin_stiffness")


def test_sheets_and_strands_have_their_own_settings(scene):
    sheet = ("stretch_stiffness", "bending_rigidity", "area_density")
    strands = ("line_stiffness", "line_density")

    def live():
        return {
            *(name for name in sheet if alive("HOOKE_PT_main", name)),
            *(name for name in strands if alive("HOOKE_PT_material", name)),
        }

    add_hooke(grid())
    assert live() == set(sheet)
    points = [(x, 0.0, 0.0) for x in range(4)]
    rope = [(0, 1), (1, 2), (2, 3)]
    add_hooke(mesh_object(points, edges=rope))
    assert live() == set(strands)
    add_hooke(mesh_object([*points, (3.0, 1.0, 0.0), (2.0, 1.0, 0.0)], edges=rope, faces=[(2, 3, 4, 5)]))
    assert live() == {*sheet, *strands}


def test_a_collider_shows_that_it_is_one(scene):
    obj = grid()
    before = drawn()
    assert not bpy.types.HOOKE_PT_collider_sidebar.poll(bpy.context)
    bpy.ops.hooke.make_collider()
    assert bpy.types.HOOKE_PT_collider_sidebar.poll(bpy.context)
    # It is not offered again.
    assert [*drawn(), ("operator", "hooke.make_collider", True)] == before
    settings = drawn("HOOKE_PT_collider_sidebar")
    assert {what for kind, what, live in settings if kind == "prop" and live} == {
        "use",
        "shape",
        "thickness_outer",
        "friction",
        "restitution",
        "inside",
    }
    # Beside Blender's own it says which of those count.
    own = " ".join(what for kind, what, _ in drawn("HOOKE_PT_collider") if kind == "label")
    labels = [
        bpy.types.CollisionSettings.bl_rna.properties[name].name
        for name in ("thickness_outer", "cloth_friction")
    ]
    assert all(label in own for label in labels)
    obj.collision.use = False
    live = [what for kind, what, live in drawn("HOOKE_PT_collider_sidebar") if kind == "prop" and live]
    assert live == ["use"]


def test_they_are_in_the_sidebar_and_in_the_physics_tab():
    for name, space in PLACES.items():
        assert getattr(bpy.types, name).bl_space_type == space
    sidebar = {name.removeprefix("HOOKE_PT_") for name in dir(bpy.types) if name.startswith("HOOKE_PT_")}
    physics = {name.removeprefix("physics_") for name in sidebar if name.startswith("physics_")}
    others = {"material_presets", "collider", "collider_sidebar"}
    assert physics == {name for name in sidebar if not name.startswith("physics_")} - others
    assert len(physics) == 5 + sum(bool(section.label) for section in panels.SECTIONS)
