# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels stay put whatever happens, and what cannot be changed is locked."""

from types import SimpleNamespace

import bpy
import pytest

from hooke.addon import panels
from hooke.addon.play import range_operator

from .scenes import add_hooke, bake, grid, play

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
        "PRINCIPAL_SHAPES": "Under 60 keys, 2 MB",
        "MESH_CACHE": "No keys, a 2 MB file",
    }
    assert words[mode] in [what for kind, what, _ in drawn() if kind == "label"]
    assert obj.hooke.bake.exists is False
