# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's force fields act on simulated objects, live as scrubbed as baked, and make frames stale where they change."""

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions
from hooke.addon.play.inputs import Where
from hooke.addon.sections import SECTIONS, field_forces, force_fields

from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    evaluated_world_positions,
    grid,
    key_positions,
    link,
    mesh_object,
    play,
    same_bits,
    simulated_positions,
    status,
    swing,
)

FRAMES = range(1, 13)
FORCES = next(section for section in SECTIONS if section.id == "forces")


def field(kind="WIND", strength=20.0, rotation=(0.0, np.pi / 2, 0.0), name="Field", **settings):
    """A force-field empty, blowing along x unless told."""
    obj = link(bpy.data.objects.new(name, None))
    obj.rotation_euler, obj.location = rotation, (0.3, 0.2, -0.7)
    activate(obj)
    bpy.ops.object.forcefield_toggle()
    obj.field.type, obj.field.strength = kind, strength
    for setting, value in settings.items():
        setattr(obj.field, setting, value)
    obj.select_set(False)
    return obj


def sheet(**settings):
    """A sheet of 2 m, held at two corners."""
    cloth = add_hooke(grid(pins={0: 1.0, 4: 1.0}), **settings)
    activate(cloth)
    bpy.context.view_layer.update()
    return cloth


def where(cloth):
    return Where(cloth, bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def without_fields(cloth):
    cloth.hooke.field_weight = 0.0
    shown = play(cloth, FRAMES)
    cloth.hooke.field_weight = 1.0
    return shown


def keyed_gust(obj):
    """Strength 0 at frame 1, 60 at frame 8, and the field turns."""
    for frame, strength in ((1, 0.0), (8, 60.0)):
        obj.field.strength = strength
        obj.keyframe_insert("field.strength", frame=frame)
    swing(obj)


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


def test_live_scrubbed_and_baked_frames_are_the_same_bits(scene):
    keyed_gust(field("WIND", noise=5.0))
    field("VORTEX", 2.0, name="Whirl")
    cloth = sheet()
    live = play(cloth, FRAMES)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})
    assert sessions.find(cloth).take.simulated == 11
    kept = {}
    for frame in FRAMES[1:]:
        play(cloth, [frame])
        kept[frame] = simulated_positions(cloth)
    bpy.ops.hooke.reset()
    bake(cloth)
    baked = {frame: key_positions(key) for frame, key in zip(FRAMES[1:], baked_keys(cloth)[1:], strict=False)}
    assert same_bits(baked, kept)


def test_a_file_that_is_opened_again_goes_on_bit_for_bit(scene, tmp_path):
    keyed_gust(field("WIND", noise=5.0))
    cloth = sheet()
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.hooke.reset()
    play(cloth, range(1, 8))
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    assert same_bits(play(cloth, FRAMES[7:]), {frame: live[frame] for frame in FRAMES[7:]})
    assert sessions.find(cloth).take.simulated == 5


def test_another_process_gives_the_same_bits(scene, tmp_path):
    keyed_gust(field("WIND", noise=5.0))
    cloth = sheet()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    play(cloth, FRAMES)
    live = {}
    for frame in FRAMES:
        play(cloth, [frame])
        live[str(frame)] = np.array([vertex.co for vertex in _evaluated(cloth).vertices], dtype=np.float32)
    bpy.ops.hooke.reset()
    script, output = Path(__file__).with_name("playback.py"), tmp_path / "shown.npz"
    command = [sys.executable, script, tmp_path / "cloth.blend", "Cloth", "1-12", output]
    subprocess.run(command, check=True, capture_output=True)
    with np.load(output) as shown:
        assert same_bits(dict(shown), live)


def _evaluated(obj):
    return obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


@pytest.mark.parametrize(
    "change",
    [
        lambda obj: setattr(obj, "rotation_euler", (0.0, 0.0, 0.0)),
        lambda obj: setattr(obj.field, "strength", 3.0),
        lambda obj: setattr(obj.field, "type", "VORTEX"),
        lambda obj: setattr(obj.field, "use_max_distance", True),
        lambda obj: setattr(obj, "hide_viewport", True),
        lambda obj: bpy.data.objects.remove(obj),
        lambda obj: field("FORCE", name="Another"),
    ],
)
def test_a_field_that_changes_makes_frames_stale(change, scene):
    obj = field("WIND", 20.0)
    cloth = sheet()
    before = play(cloth, FRAMES)
    change(obj)
    bpy.context.view_layer.update()
    play(cloth, [6])
    session = sessions.find(cloth)
    assert len(session.take) == 0 and "start" in status(cloth)
    after = play(cloth, FRAMES)
    assert len(session.take) == 12
    assert np.abs(after[12] - before[12]).max() > 1e-4


def test_a_field_that_is_renamed_changes_nothing(scene):
    obj = field("WIND", 20.0)
    cloth = sheet()
    before = play(cloth, FRAMES)
    obj.name = "Breeze"
    bpy.context.view_layer.update()
    assert same_bits(play(cloth, FRAMES), before)
    assert sessions.find(cloth).take.simulated == 11


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
        ("LENNARDJ", {}, "acts on particles alone"),
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
    field("FORCE", use_absorption=True, wind_factor=0.5)
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
    shown = play(cloth, range(1, 14))
    # Half of it for half a second.
    assert shown[13][:, 2].mean() == pytest.approx(-9.81 / 4 * 0.25, rel=0.05)
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


def test_wind_of_a_strength_has_the_speed_whose_pressure_that_is(scene):
    for strength in (-50.0, 0.0, 1.0, 500.0):
        speed = field_forces.wind_speed(strength, 1.0)
        assert 0.5 * 1.204 * 1.2 * speed * abs(speed) == pytest.approx(field_forces.PRESSURE * strength)
    assert force_fields.summary(field("WIND", 500.0, flow=1.0)) == "Field: 24.0 m/s"
