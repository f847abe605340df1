# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels stay put whatever happens, and what cannot be changed is locked."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from hooke.addon import panels, wrapped_text
from hooke.addon.play import range_operator

from .scenes import add_hooke, bake, baked_keys, grid, mesh_object, pin, play

FRAMES = range(1, 13)
PLACES = {"HOOKE_PT_main": "VIEW_3D", "HOOKE_PT_physics_main": "PROPERTIES"}


class Layout:
    """A layout that notes the rows drawn in it, and what each of them holds.

    rows: list of (kind, what, whether it can be changed), one an item below the other.
    """

    def __init__(self, rows, above=None):
        self.rows, self.above, self.enabled = rows, above, True

    @property
    def live(self):
        """As in Blender: what is within something locked is locked."""
        return self.enabled and (self.above is None or self.above.live)

    def _note(self, kind, what):
        self.rows.append((kind, what, self.live))
        return SimpleNamespace()

    def prop(self, _data, name, *_value, **_options):
        """A property."""
        return self._note("prop", name)

    prop_enum = prop

    def prop_search(self, _data, name, *_where, **_options):
        """A property."""
        return self._note("prop", name)

    def operator(self, name, **options):
        """A button."""
        return self._note("operator", name)

    def label(self, text="", **_options):
        """A line of text."""
        self._note("label", text)

    def progress(self, text="", **_options):
        """A bar."""
        self._note("label", text)

    def popover(self, name, **_options):
        """A menu."""
        self._note("menu", name)

    menu = popover

    def _within(self, **_options):
        return Layout(self.rows, self)

    row = column = split = box = _within


def drawn(kind="HOOKE_PT_main"):
    """Rows of a panel as it is drawn now."""
    rows = []
    panel = getattr(bpy.types, kind)
    panel.draw(SimpleNamespace(layout=Layout(rows), section=getattr(panel, "section", None)), bpy.context)
    return rows


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


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_buttons_stay_where_they_are(state, kind, scene):
    obj = add_hooke(grid())
    before = drawn(kind)
    state(obj, scene)
    assert places(drawn(kind)) == places(before)
    assert len(drawn(kind)) == len(before)


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


def test_custom_cannot_be_chosen(scene):
    obj = add_hooke(grid())
    obj.hooke.substeps = 17
    assert obj.hooke.effort == "CUSTOM"
    chosen = []
    layout = SimpleNamespace(prop_enum=lambda _data, _name, value: chosen.append(value))
    bpy.types.HOOKE_MT_effort.draw(SimpleNamespace(layout=layout), bpy.context)
    assert chosen == ["DRAFT", "STANDARD", "FINE", "CONVERGED"]


def alive(kind, name):
    """Whether a property is drawn so that it can be changed."""
    return next(enabled for _, what, enabled in drawn(kind) if what == name)


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
    assert not alive("HOOKE_PT_material", "fill_density")
    assert alive("HOOKE_PT_material", "shear_stiffness")
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.quads_convert_to_tris()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not alive("HOOKE_PT_material", "shear_stiffness")


def test_soft_pins_alone_are_pulled(scene):
    obj = add_hooke(grid())
    assert obj.hooke.pin_group == "Pin" and alive("HOOKE_PT_pins", "pin_stiffness")
    play(obj, FRAMES)
    assert not alive("HOOKE_PT_pins", "pin_stiffness")
    pin(obj, {2: 0.5})
    play(obj, FRAMES)
    assert alive("HOOKE_PT_pins", "pin_stiffness")
    bpy.ops.hooke.reset()
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
    grid()
    before = drawn()
    bpy.ops.hooke.make_collider()
    assert drawn()[: len(before)] == before
    assert {what for kind, what, live in drawn() if kind == "prop" and live} == {
        "shape",
        "thickness_outer",
        "cloth_friction",
        "restitution",
        "inside",
    }


def test_they_are_in_the_sidebar_and_in_the_physics_tab():
    for name, space in PLACES.items():
        assert getattr(bpy.types, name).bl_space_type == space
    sidebar = {name.removeprefix("HOOKE_PT_") for name in dir(bpy.types) if name.startswith("HOOKE_PT_")}
    physics = {name.removeprefix("physics_") for name in sidebar if name.startswith("physics_")}
    others = {"material_presets", "collider"}
    assert physics == {name for name in sidebar if not name.startswith("physics_")} - others
    assert len(physics) == 3 + sum(bool(section.label) for section in panels.SECTIONS)


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
def test_what_a_bake_costs_is_said_before_it_is_made(mode, scene):
    obj = add_hooke(grid(side=51), bake_mode=mode, bake_step=5, frame_end=60)
    words = {
        # 13 of 60 frames; 12 bytes a vertex.
        "SHAPE_KEYS": "13 keys, 0.4 MB",
        "PRINCIPAL_SHAPES": "under 60 keys, 2 MB",
        "MESH_CACHE": "no keys, a 2 MB file",
    }
    assert words[mode] in [what for kind, what, _ in drawn() if kind == "label"]
    assert obj.hooke.bake.exists is False


@pytest.mark.parametrize(
    ("frame_end", "words"),
    [
        # 834 vertices of 12 bytes: 1,000 poses are 10.0 MB.
        (999, "Shape Keys: 999 keys, 10 MB"),
        (1000, "Mesh Cache: no keys, a 10 MB file"),
    ],
)
def test_a_heavy_range_is_baked_to_a_file(frame_end, words, scene):
    obj = add_hooke(mesh_object(np.arange(3 * 834).reshape(-1, 3), edges=[(0, 1)]), frame_end=frame_end)
    assert obj.hooke.bake_mode == "AUTOMATIC"
    assert words in [what for kind, what, _ in drawn() if kind == "label"]


@pytest.mark.parametrize("heavy", [False, True])
def test_what_a_bake_was_said_to_cost_is_what_it_costs(heavy, scene, monkeypatch):
    obj = add_hooke(grid(), frame_end=12)
    if heavy:
        # What it may not have leaves the file.
        obj.shape_key_add(name="Basis")
        obj.data.shape_keys.use_relative = False
    (said,) = (what for kind, what, _ in drawn() if kind == "label" and "keys" in what)
    bpy.ops.hooke.bake()
    record = obj.hooke.bake
    if heavy:
        assert said == "Mesh Cache: no keys, a 0.004 MB file" and record.mode == "MESH_CACHE"
        # A header of 32 bytes, 12 frames of 25 vertices.
        assert Path(record.cache_file).stat().st_size == 32 + 12 * 25 * 12
    else:
        assert said == "Shape Keys: 12 keys, 0.004 MB" and record.mode == "SHAPE_KEYS"
        assert len(baked_keys(obj)) == 12


def test_lines_keep_the_words_and_fit():
    text = "Stretched by 31 %, more than it bears: choose a higher Effort, or more Stretch · frame 12 · 5 ms"
    lines = wrapped_text.wrapped(text)
    assert " ".join(lines) == text and len(lines) > 2
    assert all(wrapped_text._length(line) <= wrapped_text._width() for line in lines)
    cut = wrapped_text.wrapped(text, 2)
    assert cut[0] == lines[0] and cut[1].endswith(" …") and len(cut) == 2
    assert all(wrapped_text._length(line) <= wrapped_text._width() for line in cut)
