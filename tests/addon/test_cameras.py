# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyed cameras, switched by markers or posed by hand: simulating in advance follows them, and leaves them there."""

import bpy
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .scenes import add_hooke, bake, grid, link, play, same_bits

FRAMES = range(1, 9)


def camera(name, x):
    """A camera that goes 1 m along x while the scene plays."""
    made = link(bpy.data.objects.new(name, bpy.data.cameras.new(name)))
    for frame, share in ((FRAMES[0], 0.0), (FRAMES[-1], 1.0)):
        made.location.x = x + share
        made.keyframe_insert("location", index=0, frame=frame)
    return made


def follow_active_camera(obj):
    """Let geometry nodes above Hooke move the object to the scene's camera."""
    tree = bpy.data.node_groups.new("Follow", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    kinds = ("NodeGroupInput", "GeometryNodeInputActiveCamera", "GeometryNodeObjectInfo")
    entering, active, info = (tree.nodes.new(kind) for kind in kinds)
    moved, leaving = tree.nodes.new("GeometryNodeTransform"), tree.nodes.new("NodeGroupOutput")
    tree.links.new(active.outputs[0], info.inputs["Object"])
    tree.links.new(info.outputs["Location"], moved.inputs["Translation"])
    tree.links.new(entering.outputs[0], moved.inputs[0])
    tree.links.new(moved.outputs[0], leaving.inputs[0])
    obj.modifiers.new("Follow", "NODES").node_group = tree


@pytest.fixture
def filmed(scene):
    """A sheet whose pins follow the scene's camera, and two cameras: a marker switches from one to the other."""
    scene.frame_end = FRAMES[-1]
    one, two = camera("One", 0.0), camera("Two", 3.0)
    scene.camera = one
    for frame, each in ((FRAMES[0], one), (5, two)):
        scene.timeline_markers.new(each.name, frame=frame).camera = each
    obj = grid()
    follow_active_camera(obj)
    add_hooke(obj, substeps=7)
    # Hooke goes above nodes, which may change how many vertices there are.
    obj.modifiers.move(obj.modifiers.find("Follow"), 0)
    scene.frame_set(1)
    return obj


def test_simulated_in_advance_and_baked_it_follows_the_camera_of_each_frame(filmed, scene):
    live = play(filmed, FRAMES)
    assert readout.report(filmed).icon == "CHECKMARK"
    # From the marker's frame on it follows the other camera.
    assert live[5][0, 0] - live[4][0, 0] > 2.0
    bpy.ops.hooke.reset()
    scene.frame_set(1)
    assert bpy.ops.hooke.simulate() == {"FINISHED"}
    kept = sessions.find(filmed).displayed.frames
    assert all(same_bits(kept[frame - 1], live[frame]) for frame in FRAMES)
    assert scene.camera.name == "One" and scene.frame_current == 1
    bpy.ops.hooke.reset()
    scene.frame_set(1)
    bake(filmed, "MESH_CACHE")
    assert scene.camera.name == "One"
    assert same_bits(play(filmed, FRAMES), live)


def test_another_camera_has_frames_asked_for(filmed, scene):
    scene.timeline_markers.clear()
    scene.frame_set(1)
    play(filmed, FRAMES)
    assert readout.report(filmed).icon == "CHECKMARK"
    scene.camera = bpy.data.objects["Two"]
    bpy.context.view_layer.update()
    scene.frame_set(4)
    assert readout.report(filmed).icon != "CHECKMARK"


@pytest.mark.skipif(
    bpy.app.version < (4, 3), reason="no copy of a scene can be made, and its own frame changes"
)
@pytest.mark.parametrize("operator", ["simulate", "bake"])
def test_a_keyed_camera_that_is_posed_by_hand_stays_where_it_is(operator, scene):
    scene.frame_end = FRAMES[-1]
    made = camera("One", 0.0)
    obj = add_hooke(grid(), substeps=1)
    scene.frame_set(4, subframe=0.5)
    made.location.x = 7.0
    assert getattr(bpy.ops.hooke, operator)() == {"FINISHED"}
    assert made.location.x == 7.0 and (scene.frame_current, scene.frame_subframe) == (4, 0.5)
    assert obj.hooke.bake.exists or readout.report(obj).icon == "CHECKMARK"
