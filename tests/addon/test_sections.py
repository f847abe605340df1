# SPDX-License-Identifier: GPL-3.0-or-later
"""Every setting is an input of the frames or declared view-only, and everything that lists settings lists them all."""

from types import SimpleNamespace

import bpy
import pytest

from hooke.addon import arguments, sections
from hooke.addon.sections import SECTIONS, HookeSettings, object_notes
from hooke.addon.sections.field_forces import KINDS

from .blowing import field
from .scenes import activate, add_hooke, grid

# What Hooke remembers of an object; no setting.
MEMORY = {"rna_type", "name", "bake", *object_notes.MEMORY}
SETTINGS = [name for section in SECTIONS for name in section.properties]
SHOWN = [name for section in SECTIONS for name in sections.shown(section)]
VIEW_ONLY = [name for section in SECTIONS for name in section.view_only]


def other_value(settings, name):
    """A value a setting may have, other than the one it has."""
    prop, value = settings.bl_rna.properties[name], getattr(settings, name)
    if prop.type == "BOOLEAN":
        return not value
    if prop.type == "ENUM":
        return next(item.identifier for item in prop.enum_items if item.identifier not in (value, "CUSTOM"))
    if prop.type == "STRING":
        return f"{value} other"
    if prop.type == "POINTER":
        if prop.fixed_type.name == "Object":
            return bpy.data.objects.get("Other") or bpy.data.objects.new(
                "Other", bpy.data.meshes.new("Other")
            )
        return bpy.data.collections.get("Other") or bpy.data.collections.new("Other")
    return value + 1 if prop.type == "INT" else value / 2 + 0.13


class Watched:
    """Settings that note which of them are read."""

    def __init__(self, settings):
        self._settings, self.read = settings, set()

    def __getattr__(self, name):
        self.read.add(name)
        return getattr(self._settings, name)


def test_every_property_is_a_setting_of_one_section_or_memory():
    assert len(SETTINGS) == len(set(SETTINGS))
    assert {prop.identifier for prop in HookeSettings.bl_rna.properties} == {*SETTINGS, *MEMORY}


def test_every_setting_is_an_input_or_view_only():
    assert sorted([*sections.inputs(), *VIEW_ONLY]) == sorted(SETTINGS)


def test_changing_a_setting_makes_frames_stale_unless_it_is_view_only(scene):
    obj = add_hooke(grid())
    for name in SETTINGS:
        if name == "effort":
            # It is another name for the solver's settings, which are inputs.
            continue
        before = sections.settings_fingerprint(obj, scene)
        setattr(obj.hooke, name, other_value(obj.hooke, name))
        assert (sections.settings_fingerprint(obj, scene) == before) == (name in VIEW_ONLY), name


def test_what_becomes_an_argument_of_the_core_is_an_input(scene):
    obj = add_hooke(grid())
    watched = Watched(obj.hooke)
    maps = sections.read_maps(obj)
    body = sections.body(
        obj, [tuple(v.co) for v in obj.data.vertices], [tuple(e.vertices) for e in obj.data.edges], [], maps
    )
    for section in SECTIONS:
        section.network_arguments(watched, maps, {})
        section.simulation_arguments(watched, scene, body, maps, {})
    assert watched.read - {"id_data"} <= set(sections.inputs())
    assert len(watched.read) > 5


def test_settings_that_name_vertex_groups_are_read_as_maps(scene):
    obj = add_hooke(grid())
    maps = sections.read_maps(obj)
    assert set(maps) == {name for section in SECTIONS for name in section.maps}
    assert maps["pin_group"].tolist() == [1.0, 0.0, 0.0, 0.0, 1.0] + 20 * [0.0]


def test_the_numbers_of_enumerations_are_no_positions():
    # As files have them; those that join get others.
    stored = {
        "integrator": {
            "PROJECTIVE_DYNAMICS": 1170702734,
            "IMPLICIT_EULER": 550976506,
            "POSITION_BASED": 1122776106,
            "VERLET": 42598480,
            "SYMPLECTIC_EULER": 1636781269,
            "RK4": 574636471,
            "MIDPOINT": 338933260,
            "MODIFIED_EULER": 1933190137,
            "EXPLICIT_EULER": 587906846,
        },
        "acceleration": {"NONE": 0, "LBFGS": 1, "SECANT": 2, "NEWTON": 3},
        "carried_stiffness": {"ALL": 0, "ATTAINABLE": 1},
        "time_stepping": {"BACKWARD_EULER": 0, "BDF2": 1},
        "bake_mode": {"SHAPE_KEYS": 0, "PRINCIPAL_SHAPES": 1, "MESH_CACHE": 2, "AUTOMATIC": 3},
    }
    for name in SETTINGS:
        prop = HookeSettings.bl_rna.properties[name]
        if prop.type == "ENUM":
            numbers = {item.identifier: item.value for item in prop.enum_items}
            assert len(set(numbers.values())) == len(numbers), name
            assert stored.get(name, {}).items() <= numbers.items(), name


def test_every_setting_is_an_option_of_the_command_line(scene):
    obj = add_hooke(grid())
    for section in SECTIONS:
        for name in sections.shown(section):
            if name in ("frame_start", "frame_end"):
                continue
            option, value = (
                section.option_names.get(name, "--" + name.replace("_", "-")),
                other_value(obj.hooke, name),
            )
            words = (
                [option if value else option.replace("--", "--no-")]
                if isinstance(value, bool)
                else [option, getattr(value, "name", str(value))]
            )
            options = arguments.parse(["bake", "--object", "Cloth", *words])
            arguments.apply_settings(obj, options)
            given = getattr(obj.hooke, name)
            assert given == (pytest.approx(value) if isinstance(value, float) else value), name


def test_options_that_were_not_given_change_nothing(scene):
    obj = add_hooke(grid())
    before = sections.settings_fingerprint(obj, scene)
    arguments.apply_settings(obj, arguments.parse(["bake", "--object", "Cloth"]))
    assert sections.settings_fingerprint(obj, scene) == before


class Layout:
    """A layout that notes which properties and operators are drawn in it."""

    use_property_decorate = False

    def __init__(self, drawn):
        self._drawn = drawn

    def prop(self, _data, name, *_value, **_options):
        """Note a property."""
        self._drawn.add(name)

    prop_enum = prop

    def menu(self, name, **_options):
        """What the menu draws."""
        getattr(bpy.types, name).draw(SimpleNamespace(layout=self), bpy.context)

    def prop_search(self, _data, name, *_where, **_options):
        """Note a property."""
        self._drawn.add(name)

    def operator(self, *_name, **_options):
        """Somewhere to set the operator's properties."""
        return SimpleNamespace()

    def popover(self, *_panel, **_options):
        """Presets are no setting."""

    def label(self, **_options):
        """Text is no setting."""

    def row(self, **_options):
        """A layout within."""
        return Layout(self._drawn)

    column = split = row


@pytest.mark.sampled(6)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.id)
def test_every_setting_is_drawn_for_some_value_of_the_enumerations(section, scene):
    obj, drawn = add_hooke(grid()), set()
    for kind in KINDS:
        # The weight of a kind is drawn where there is one of it.
        field(kind)
    activate(obj)
    bpy.context.view_layer.update()
    for name in section.maps:
        setattr(obj.hooke, name, "Pin")
    for prop in HookeSettings.bl_rna.properties:
        for item in prop.enum_items if prop.type == "ENUM" else ():
            setattr(obj.hooke, prop.identifier, item.identifier)
            section.draw_main(Layout(drawn), obj)
            section.draw(Layout(drawn), obj)
            section.draw_beside_bake(Layout(drawn), obj)
    # The switch is in the header of the sub-panel.
    assert drawn.isdisjoint({section.switch})
    own = set(sections.shown(section))
    assert own <= drawn | {section.switch}
    # What another section has may be drawn where it is thought of as well.
    assert drawn - own <= {*SHOWN, "sticks_out"}


def test_adding_sets_the_values_of_the_day_once(scene):
    obj = add_hooke(grid())
    for section in SECTIONS:
        for name, value in section.initial.items():
            assert getattr(obj.hooke, name) == (pytest.approx(value) if isinstance(value, float) else value)
    obj.hooke.substeps = 17
    bpy.ops.hooke.remove()
    assert add_hooke(obj).hooke.substeps == 17


@pytest.mark.parametrize(
    ("wide", "kept", "apart"), [(2.0, 0.01, 0.005), (0.1, 0.002, 0.001), (1e-5, 1e-5, 1e-5)]
)
def test_what_is_small_begins_with_small_distances(wide, kept, apart, scene):
    # 2 m wide without a scale; as many digits as anybody would type.
    cloth = grid(pins={})
    cloth.scale = (wide / 2.0,) * 3
    bpy.context.view_layer.update()
    add_hooke(cloth)
    assert cloth.hooke.collision_thickness == pytest.approx(kept)
    assert cloth.hooke.self_distance == pytest.approx(apart)
    # What somebody chose stays.
    cloth.hooke.collision_thickness = 0.03
    bpy.ops.hooke.remove()
    assert add_hooke(cloth).hooke.collision_thickness == pytest.approx(0.03)
