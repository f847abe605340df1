# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's force fields act on simulated objects, with their weights and what is told of them."""

import bpy
import numpy as np
import pytest

from hooke.addon.play.inputs import Where
from hooke.addon.sections import SECTIONS, field_forces, force_fields

from .blowing import field, keyed_gust, sheet
from .panel_rows import drawn
from .scenes import activate, add_hooke, evaluated_world_positions, grid, mesh_object, play, same_bits, status

FRAMES = range(1, 13)
FORCES = next(section for section in SECTIONS if section.id == "forces")


def where(cloth):
    return Where(cloth, bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def without_fields(cloth):
    cloth.hooke.field_weight = 0.0
    shown = play(cloth, FRAMES)
    cloth.hooke.field_weight = 1.0
    return shown


@pytest.mark.sampled(8)
@pytest.mark.parametrize("kind", field_forces.KINDS)
def test_every_kind_acts_and_its_weight_takes_it_away(kind, scene):
    field(kind, flow=0.3, noise=1.0)
    cloth = sheet()
    calm, blown = without_fields(cloth), play(cloth, FRAMES)
    assert np.abs(blown[12] - calm[12]).max() > 1e-4
    assert "strain" in status(cloth)
    setattr(cloth.hooke, field_forces.KINDS[kind].weight, 0.0)
    weighed = play(cloth, FRAMES)
    # Nothing of it is left but the rounding of adding zeros.
    assert np.abs(weighed[12] - calm[12]).max() < 1e-5


@pytest.mark.combined
@pytest.mark.parametrize("kind", field_forces.KINDS)
@pytest.mark.parametrize("strength", [1e6, -1e6])
def test_no_strength_shows_what_is_no_number(kind, strength, scene):
    obj = field(kind, strength, use_gravity_falloff=True)
    obj.location = (-1.0, -1.0, 0.0)
    cloth = sheet()
    for shown in play(cloth, range(1, 7)).values():
        assert np.isfinite(shown).all()


def test_a_net_and_a_rope_feel_wind(scene):
    field("WIND", 30.0)
    points = [(0.0, 0.25 * y, -0.25 * z) for z in range(4) for y in range(4)]
    down = [(i, i + 4) for i in range(12)]
    across = [(4 * z + y, 4 * z + y + 1) for z in range(4) for y in range(3)]
    for name, edges in (("Net", down + across), ("Rope", down[::4])):
        obj = mesh_object(points, edges, name=name)
        group = obj.vertex_groups.new(name="Pin")
        group.add([0, 1, 2, 3], 1.0, "REPLACE")
        add_hooke(obj)
        bpy.context.view_layer.update()
        shown = play(obj, FRAMES)
        assert shown[12][12, 0] > 0.05, name


def test_what_moves_or_is_animated_acts_as_it_is_then(scene):
    keyed_gust(field())
    cloth = sheet()
    calm, blown = without_fields(cloth), play(cloth, FRAMES)
    differences = [np.abs(blown[frame] - calm[frame]).max() for frame in FRAMES]
    assert differences[1] < 0.1 * differences[6] < differences[11]


def test_only_fields_of_the_collection_act(scene):
    inside, outside = field("WIND", 20.0), field("WIND", -20.0, name="Outside")
    chosen = bpy.data.collections.new("Chosen")
    scene.collection.children.link(chosen)
    chosen.objects.link(inside)
    cloth = sheet()
    cloth.hooke.field_collection = chosen
    assert FORCES.sources(where(cloth)) == [inside]
    cloth.hooke.field_collection = None
    assert set(FORCES.sources(where(cloth))) == {inside, outside}


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("BOID", {}, "'Field' (Boid) acts on boids alone"),
        ("TEXTURE", {}, "'Field' (Texture) is not supported"),
        ("LENNARDJ", {}, "'Field' (Lennard-Jones) acts on particles alone"),
        ("GUIDE", {}, "'Field' (Curve Guide) acts on particles alone"),
        ("FLUID_FLOW", {}, "'Field' (Fluid Flow) is not supported"),
        ("FORCE", {"apply_to_location": False}, "does not affect the location"),
    ],
)
def test_what_does_not_act_is_told(kind, settings, said, scene):
    field(kind, **settings)
    cloth = sheet()
    found, problems = FORCES.findings(where(cloth))
    assert found == "" and len(problems) == 1 and said in problems[0]


def test_a_field_of_every_point_of_a_mesh_is_told_not_to_act(scene):
    obj = mesh_object([(0, 0, 0), (1, 0, 0), (0, 1, 0)], faces=[(0, 1, 2)], name="Cloud")
    activate(obj)
    bpy.ops.object.forcefield_toggle()
    obj.field.shape = "POINTS"
    _, problems = FORCES.findings(where(sheet()))
    assert len(problems) == 1 and "choose Point, Line or Plane" in problems[0]


def test_what_acts_in_part_is_told_beside_what_acts(scene):
    field("VORTEX", use_absorption=True, wind_factor=0.5)
    cloth = sheet()
    found, problems = FORCES.findings(where(cloth))
    assert found == "1 force field: 'Field'"
    assert ["Absorption" in problems[0], "Wind Factor" in problems[1]] == [True, True]


def test_settings_from_before_there_were_fields_know_none(scene):
    field("WIND", 500.0)
    cloth = sheet()
    cloth.hooke.property_unset("field_weight")
    assert FORCES.sources(where(cloth)) == []
    assert FORCES.findings(where(cloth)) == ("", [])


def test_gravity_has_a_weight(scene):
    cloth = add_hooke(grid(pins={}), air_drag=0.0, gravity_weight=0.5)
    # Half of it for eleven frames.
    assert play(cloth, FRAMES)[12][:, 2].mean() == pytest.approx(-9.81 / 4 * (11 / 24) ** 2, rel=0.01)
    cloth.hooke.gravity_weight = 0.0
    assert np.abs(play(cloth, FRAMES)[12]).max() == pytest.approx(1.0, abs=1e-4)


def _cloth_force(kind, strength, fps):
    """Force per area on Blender's own cloth over its acceleration of gravity's unit, of a free sheet of 1 m^2."""
    bpy.context.scene.render.fps = fps
    bpy.context.scene.use_gravity = False
    obj = field(kind, strength, rotation=(0, 0, 0), flow=0.0)
    obj.location = (0.0, 0.0, -1000.0)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=1.0)
    cloth = bpy.context.object
    settings = cloth.modifiers.new("Cloth", "CLOTH").settings
    settings.mass, settings.air_damping = 1.0, 0.0
    heights = []
    for frame in range(1, 5):
        bpy.context.scene.frame_set(frame)
        heights.append(evaluated_world_positions(cloth)[:, 2].mean())
    # The modifier's gravity is a thousandth of the scene's, in m per frame squared.
    return 1000.0 * 25 * np.diff(heights, 2)[0]


@pytest.mark.parametrize("kind", ["WIND", "FORCE"])
@pytest.mark.parametrize("fps", [24, 30])
def test_strength_presses_as_on_blenders_cloth(kind, fps, scene):
    assert _cloth_force(kind, 100.0, fps) == pytest.approx(field_forces.PRESSURE * 100.0 * 24 / fps, rel=0.01)


def _ways_in_a_vortex(simulate, **settings):
    """Second differences of the mean positions of a free sheet of 1 m that begins beside and above a vortex [m]."""
    bpy.context.scene.use_gravity = False
    whirl = field("VORTEX", 2.0, rotation=(0, 0, 0), flow=0.0, noise=0.0, shape="PLANE", **settings)
    whirl.location = (0.0, 0.0, 0.0)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=1.0, location=(1.5, 0.2, 0.7))
    sheet = bpy.context.object
    simulate(sheet)
    means = []
    for frame in range(1, 4):
        bpy.context.scene.frame_set(frame)
        means.append(evaluated_world_positions(sheet).mean(axis=0))
    return np.diff(means, 2, axis=0)[0]


def _blenders_cloth(sheet):
    settings = sheet.modifiers.new("Cloth", "CLOTH").settings
    settings.mass, settings.air_damping = 0.01, 0.0


def _as_heavy(sheet):
    # The modifier's gravity, in parts of which its fields act, is a thousandth of the scene's, in m per frame squared.
    add_hooke(sheet, air_drag=0.0, area_density=0.25 * 1000.0 / 24.0**2, break_symmetry=False)


@pytest.mark.parametrize(
    "settings",
    [
        {"falloff_power": 2.0},
        {"falloff_power": 1.0, "use_min_distance": True, "distance_min": 1.0},
        {"use_max_distance": True, "distance_max": 1.0},
    ],
)
def test_a_vortex_of_a_plane_falls_off_from_its_axis_as_on_blenders_cloth(settings, scene):
    theirs = _ways_in_a_vortex(_blenders_cloth, **settings)
    for obj in list(scene.objects):
        bpy.data.objects.remove(obj)
    ours = _ways_in_a_vortex(_as_heavy, **settings)
    # Substeps are of other methods; and positions are of single precision.
    assert np.linalg.norm(ours - theirs) <= 0.05 * np.linalg.norm(theirs) + 1e-6


def test_wind_of_a_strength_has_the_speed_whose_pressure_that_is(scene):
    for strength in (-50.0, 0.0, 1.0, 500.0):
        speed = field_forces.wind_speed(strength, 1.0)
        assert 0.5 * 1.204 * 1.2 * speed * abs(speed) == pytest.approx(field_forces.PRESSURE * strength)
    assert force_fields.summary(field("WIND", 500.0, flow=1.0)) == "Field: 24.0 m/s, strong gale"
    for strength, name in (
        (0.0, "0.0 m/s, calm"),
        (10.0, "3.4 m/s, gentle breeze"),
        (-1e4, "107.4 m/s, hurricane"),
    ):
        blowing = field("WIND", strength, flow=1.0, name=name)
        assert force_fields.summary(blowing) == f"{name}: {name}"
    # Of air without flow, as wind that was made of another field has it, only the pressure is known.
    assert force_fields.summary(field("WIND", 3.0, flow=0.0, name="Still")) == "Still: 2.5 N/m²"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize(
    ("number", "label"), [("strength", "Strength"), ("falloff_power", "Falloff Power"), ("flow", "Flow")]
)
def test_what_of_a_field_is_no_number_is_named(number, label, value, scene):
    obj = field("WIND", 20.0, flow=1.0)
    cloth = sheet()
    setattr(obj.field, number, value)
    bpy.context.view_layer.update()
    shown = play(cloth, range(1, 4))
    if np.isfinite(getattr(obj.field, number)):
        # Blender itself keeps it within limits.
        assert "strain" in status(cloth)
        return
    assert f"Force field 'Field' has the {label} {value:g}: give it a finite number" in status(cloth)
    assert same_bits(shown[3], shown[1])


def test_a_field_that_is_nowhere_is_named(scene):
    obj = field("FORCE", 20.0)
    cloth = sheet()
    obj.location.x = np.nan
    bpy.context.view_layer.update()
    play(cloth, range(1, 4))
    assert "the place of force field 'Field' is no number" in status(cloth)


def test_a_linked_field_of_the_same_name_acts_beside_the_own(scene, tmp_path):
    cloth, library = sheet(), str(tmp_path / "fields.blend")
    own = field("FORCE", 20.0)
    bpy.data.libraries.write(library, {own})
    with bpy.data.libraries.load(library, link=True) as (_, linked):
        linked.objects = ["Field"]
    scene.collection.objects.link(linked.objects[0])
    bpy.context.view_layer.update()
    assert linked.objects[0].name == own.name
    both, one = FORCES.surroundings(where(cloth)), play(cloth, FRAMES)
    assert len(both) == 6
    own.field.strength = 40.0
    scene.collection.objects.unlink(linked.objects[0])
    assert np.abs(play(cloth, FRAMES)[12] - one[12]).max() < 1e-5


def test_weights_are_shown_of_the_kinds_there_are(scene):
    cloth = sheet()
    shown = {what for _, what, _ in drawn("HOOKE_PT_forces")}
    assert {"gravity_weight", "field_weight"} < shown and not any(
        what.startswith("weight_") for what in shown
    )
    field("CHARGE", 2.0)
    activate(cloth)
    shown = {what for _, what, _ in drawn("HOOKE_PT_forces")}
    assert {"weight_charge", "field_charge"} < shown and "weight_wind" not in shown
