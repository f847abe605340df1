# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins that another object holds: they follow its surface to rounding, and let go as all pins do."""

import bpy
import numpy as np
import pytest

from hooke.addon import mesh_io, readout
from hooke.addon.play import sessions

from .directing import (
    FRAMES,
    LAST,
    attached,
    attached_to_a_bent_one,
    keyed,
    keyed_location,
    spinning,
)
from .scenes import add_hooke, evaluated_world_positions, grid, play, status

# Positions of up to 3 m are shown in single precision, and matrices are of it.
ROUNDING = 8 * np.finfo(np.float32).eps


@pytest.fixture(autouse=True)
def _ends(scene):
    scene.frame_end = LAST


def findings(obj):
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return sessions.findings(obj, bpy.context.scene, depsgraph)


def matrix(obj):
    return np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def test_it_follows_what_spins_and_grows_to_rounding(scene):
    other = spinning()
    obj = attached(other)
    scene.frame_set(1)
    start, pins = matrix(other), evaluated_world_positions(obj)[:5].astype(float)
    for frame in FRAMES:
        scene.frame_set(frame)
        follows = mesh_io.to_world(matrix(other) @ np.linalg.inv(start), pins)
        np.testing.assert_allclose(evaluated_world_positions(obj)[:5], follows, atol=ROUNDING)
    assert np.abs(follows - pins).max() > 0.8
    assert findings(obj)[0] == ["pins on 'Holder'"]


def test_the_object_s_own_motion_is_none_of_the_pins_while_they_are_held(scene):
    other = spinning()
    other.animation_data_clear()
    obj = attached(other)
    keyed_location(obj, (0.0, 2.0), index=2)
    scene.frame_set(1)
    pins = evaluated_world_positions(obj)[:5]
    for frame in FRAMES:
        scene.frame_set(frame)
    np.testing.assert_allclose(evaluated_world_positions(obj)[:5], pins, atol=ROUNDING)


def test_it_lets_go_by_pin_strength_and_falls(scene):
    other = spinning()
    obj = attached(other)
    for frame, value in ((1, 1.0), (5, 1.0), (6, 0.0)):
        obj.hooke.pin_strength = value
        obj.keyframe_insert("hooke.pin_strength", frame=frame)
    shown = play(obj, FRAMES)
    # The centre of mass at g, beside the velocity that it is let go with.
    masses = sessions.find(obj).network.masses
    heights = np.array([np.average(shown[frame][:, 2], weights=masses) for frame in FRAMES])
    second = np.diff(heights[6:], 2) * 24.0**2
    np.testing.assert_allclose(second, -9.81, rtol=1e-4)


def test_another_motion_of_it_makes_frames_stale(scene):
    other = spinning()
    obj = attached(other)
    before = play(obj, FRAMES)
    other.animation_data_clear()
    scene.frame_set(1)
    after = play(obj, FRAMES)
    assert np.abs(after[LAST] - before[LAST]).max() > 0.1


def test_what_is_detached_makes_frames_stale(scene):
    obj = attached(spinning())
    before = play(obj, FRAMES)
    obj.hooke.attach_object = None
    after = play(obj, FRAMES)
    np.testing.assert_array_equal(after[LAST][:5], after[1][:5])
    assert np.abs(after[LAST] - before[LAST]).max() > 0.1


def test_a_name_is_no_other_surface(scene):
    other = spinning()
    obj = attached(other)
    play(obj, FRAMES)
    simulated = sessions.find(obj).take.simulated
    other.name = "Renamed"
    scene.frame_set(1)
    play(obj, FRAMES)
    assert sessions.find(obj).take.simulated == simulated


def test_what_follows_from_the_cloth_itself_is_refused(scene):
    obj = attached(grid(3, name="Child", pins={}))
    child = bpy.data.objects["Child"]
    child.modifiers.new("Follow", "SURFACE_DEFORM").target = obj
    play(obj, FRAMES[:4])
    told = (
        "'Child' does not hold the pins of 'Cloth': it follows from the mesh of 'Cloth' itself; choose another "
        "object"
    )
    assert findings(obj) == ([], [told])
    assert told in _complaints(obj)
    obj.hooke.attach_object = obj
    assert "follows from the mesh" in findings(obj)[1][0]


def test_two_that_hold_each_other_are_both_refused(scene):
    one = add_hooke(grid(name="One"))
    other = add_hooke(grid(name="Other"))
    one.hooke.attach_object, other.hooke.attach_object = other, one
    assert [len(findings(obj)[1]) for obj in (one, other)] == [1, 1]


def test_what_is_hidden_or_has_no_faces_is_told(scene):
    other = spinning()
    obj = attached(other)
    other.hide_set(True)
    assert findings(obj)[1] == [
        "'Holder' does not hold the pins of 'Cloth': it is hidden; show it in the viewport"
    ]
    other.hide_set(False)
    obj.hooke.attach_object = bpy.data.objects.new("Bare", bpy.data.meshes.new("Bare"))
    scene.collection.objects.link(obj.hooke.attach_object)
    play(obj, FRAMES[:3])
    assert "'Bare' has no faces to hold the pins of 'Cloth': choose another object" in status(obj)


def test_faces_that_change_are_told_with_the_remedy(scene):
    obj = attached_to_a_bent_one()
    other = bpy.data.objects["Bent"]
    subdivided = other.modifiers.new("More", "SUBSURF")
    keyed(subdivided, "levels", (0, 1), (4, 5), constant=True)
    play(obj, FRAMES[:8])
    assert "let a mesh whose vertices stay the same hold the pins" in status(obj) + " ".join(_complaints(obj))


def test_it_is_chosen_while_it_plays_and_pins_go_on_from_where_they_are(scene):
    obj = attached(spinning())
    other, obj.hooke.attach_object = obj.hooke.attach_object, None
    play(obj, FRAMES[:4])
    pins = evaluated_world_positions(obj)[:5].astype(float)
    obj.hooke.attach_object = other
    scene.frame_set(5)
    begun = matrix(other)
    for frame in FRAMES[5:9]:
        scene.frame_set(frame)
        follows = mesh_io.to_world(matrix(other) @ np.linalg.inv(begun), pins)
        np.testing.assert_allclose(evaluated_world_positions(obj)[:5], follows, atol=ROUNDING)
    assert np.abs(follows - pins).max() > 0.3


def test_what_is_filled_is_refused(scene):
    bpy.ops.mesh.primitive_cube_add()
    obj = add_hooke(bpy.context.object, fill_stiffness=100.0, attach_object=spinning())
    play(obj, FRAMES[:3])
    assert "'Holder' cannot hold its pins: clear Attach To" in status(obj)


def _complaints(obj):
    return [complaint.text for complaint in readout.report(obj).complaints]
