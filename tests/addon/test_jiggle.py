# SPDX-License-Identifier: GPL-3.0-or-later
"""Jiggle: what an armature moves rings about it, and is the same on every way to a frame."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .resuming import assert_resumed_and_baked_alike
from .scenes import (
    add_hooke,
    evaluated_world_positions,
    mesh_object,
    play,
    same_bits,
    status,
)
from .test_materials import execute

LAST = 12
FRAMES = range(1, LAST + 1)


def box(side=5):
    """A closed box of quads of 0.4 x 0.4 x 1 m."""
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    obj = bpy.context.object
    obj.scale = (0.4, 0.4, 1.0)
    bpy.ops.object.transform_apply(scale=True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=side)
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


@pytest.fixture
def body(scene):
    """A box that one bone shakes."""
    bpy.ops.object.armature_add(location=(0.0, 0.0, -0.5))
    rig = bpy.context.object
    obj = box()
    group = obj.vertex_groups.new(name="Bone")
    group.add(range(len(obj.data.vertices)), 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    bone = rig.pose.bones["Bone"]
    for frame, x in ((1, 0.0), (3, 0.3), (5, 0.0)):
        bone.location.x = x
        bone.keyframe_insert("location", index=0, frame=frame)
    add_hooke(obj, air_drag=0.0, frame_end=LAST)
    execute("Flesh")
    # One of a single bone's vertices is taken for it.
    obj.hooke.pin_group = ""
    return obj


def posed(obj, frames):
    """Where the armature alone has the vertices, world space."""
    obj.modifiers["Hooke"].show_viewport = False
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found[frame] = evaluated_world_positions(obj)
    obj.modifiers["Hooke"].show_viewport = True
    return found


def test_flesh_is_filled_and_jiggles(body):
    assert body.hooke.jiggle and body.hooke.fill_stiffness > 0.0
    shown = play(body, FRAMES)
    assert "stopped" not in status(body) and "Falls freely" not in status(body)
    network = sessions.find(body).simulation.network
    assert len(network.soft_pins) == network.vertex_count
    # It lags behind the bone, and rings after the bone has come to rest.
    assert abs(shown[3][:, 0].mean() - 0.3) > 0.02
    assert np.abs(np.diff([shown[frame][:, 0].mean() for frame in range(6, 12)])).max() > 2e-3


@pytest.mark.nightly
def test_at_rest_it_keeps_the_modelled_shape_and_sags_where_that_is_asked_for(scene):
    obj = add_hooke(box(), air_drag=0.0, frame_end=48)
    execute("Flesh")
    modelled = evaluated_world_positions(obj)
    shown = play(obj, range(1, 49))
    assert max(np.abs(at - modelled).max() for at in shown.values()) < 5e-4
    obj.hooke.jiggle_sags = True
    bpy.ops.hooke.reset()
    sag = (modelled - play(obj, range(1, 49))[48])[:, 2].mean()
    assert sag == pytest.approx(9.81 / (6.0 * np.pi) ** 2, rel=0.2)


def test_files_from_before_there_was_a_choice_sag(scene):
    assert bpy.types.Object.bl_rna.properties["hooke"].fixed_type.properties["jiggle_sags"].default


def test_far_stiffer_than_its_motion_it_is_where_the_armature_has_it(body):
    body.hooke.jiggle_frequency, body.hooke.jiggle_damping, body.hooke.gravity_weight = 200.0, 1.0, 0.0
    goal = posed(body, FRAMES)
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(evaluated_world_positions(body), goal[frame], atol=2e-3)


@pytest.mark.nightly
def test_it_is_the_same_scrubbed_simulated_again_resumed_and_baked(body, tmp_path):
    live = play(body, FRAMES)
    assert same_bits(play(body, reversed(FRAMES)), live)
    assert_resumed_and_baked_alike(body, live, tmp_path)


@pytest.mark.nightly
def test_another_pose_in_a_frame_makes_it_stale(body):
    live = play(body, FRAMES)
    rig = body.modifiers["Armature"].object
    rig.pose.bones["Bone"].location.x = 0.6
    rig.pose.bones["Bone"].keyframe_insert("location", index=0, frame=3)
    bpy.ops.hooke.reset()
    assert not same_bits(play(body, FRAMES), live)


def test_what_the_pin_group_holds_follows_exactly(body):
    group = body.vertex_groups.new(name="Hold")
    group.add([0, 1, 2, 3], 1.0, "REPLACE")
    body.hooke.pin_group = "Hold"
    goal = posed(body, FRAMES)
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(evaluated_world_positions(body)[:4], goal[frame][:4], atol=1e-5)
    assert sessions.find(body).simulation.network.pins.max() == 1.0


def test_it_is_told_where_pins_leave_nothing_that_jiggles(body):
    body.hooke.pin_group = "Bone"
    play(body, range(1, 4))
    told = [complaint.text for complaint in readout.report(body).complaints]
    assert any("Nothing jiggles, for the Pin Group holds every vertex whole" in text for text in told)


def test_turned_on_while_it_is_played_it_is_simulated_anew(scene):
    obj = add_hooke(mesh_object([(0, 0, 0), (0.1, 0, 0)], edges=[(0, 1)]), air_drag=0.0, frame_end=LAST)
    fallen = play(obj, FRAMES)[LAST][:, 2].mean()
    obj.hooke.jiggle = True
    bpy.ops.hooke.reset()
    assert fallen < -0.5 < -0.1 < play(obj, FRAMES)[LAST][:, 2].mean()
    obj.hooke.jiggle = False
    bpy.ops.hooke.reset()
    assert play(obj, FRAMES)[LAST][:, 2].mean() == pytest.approx(fallen)
