# SPDX-License-Identifier: GPL-3.0-or-later
"""A tick means that everything on the mesh and in its scene acts; what does not is named, and mended with one click."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.sections import unit_warning

from .colliding import ball, block, collider, mesh
from .scenes import activate, add_hooke, evaluated_world_positions, grid, mesh_object, pin, play

FRAMES = range(1, 13)
# Solved: a residual of a thousandth, and springs that give little.
WELL = {"effort": "CONVERGED", "stiffness": 2000.0}


def told(obj):
    """The icon of the status, and what it complains of."""
    report = readout.report(obj)
    return report.icon, [complaint.text for complaint in report.complaints]


def mended(obj, words):
    """Press the button of the complaint with some words, which there must be; returns its remedy."""
    (complaint,) = [each for each in readout.report(obj).complaints if words in each.text]
    activate(obj)
    remedy = complaint.remedies[0]
    assert bpy.ops.hooke.mend(remedy=remedy) == {"FINISHED"}
    return remedy


def keyed(modifier, path):
    """Let a modifier's number go from 0 to 1 in the frames played."""
    for value, frame in ((0.0, FRAMES[0]), (1.0, FRAMES[-1])):
        setattr(modifier, path, value)
        modifier.keyframe_insert(path, frame=frame)


def weight_mix(obj):
    modifier = obj.modifiers.new("Let Go", "VERTEX_WEIGHT_MIX")
    modifier.vertex_group_a, modifier.mix_set, modifier.default_weight_b = "Pin", "ALL", 0.0
    keyed(modifier, "mask_constant")


def weight_edit(obj):
    modifier = obj.modifiers.new("Let Go", "VERTEX_WEIGHT_EDIT")
    modifier.vertex_group, modifier.use_remove, modifier.remove_threshold = "Pin", True, 1.0


def weight_proximity(obj):
    modifier = obj.modifiers.new("Let Go", "VERTEX_WEIGHT_PROXIMITY")
    modifier.vertex_group, modifier.target = "Pin", ball()


def stored_attribute(obj):
    tree = bpy.data.node_groups.new("Let Go", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.inputs["Name"].default_value = "Pin"
    tree.links.new(start.outputs[0], store.inputs["Geometry"])
    tree.links.new(store.outputs[0], end.inputs[0])
    obj.modifiers.new("Let Go", "NODES").node_group = tree


def first_of_all(obj):
    """Move the newest modifier above Hooke's."""
    obj.modifiers.move(len(obj.modifiers) - 1, 0)


@pytest.mark.parametrize("modify", [weight_mix, weight_edit, weight_proximity, stored_attribute])
def test_a_modifier_that_changes_a_map_is_named_and_one_that_changes_the_pins_acts(modify, scene):
    obj = add_hooke(grid(), **WELL)
    modify(obj)
    first_of_all(obj)
    play(obj, FRAMES)
    assert not any("does not act" in sentence for sentence in told(obj)[1])
    # Both corners are let go.
    assert evaluated_world_positions(obj)[[0, 4], 2].max() < -0.01
    pin(obj, {12: 1.0}, name="Other")
    obj.hooke.pin_group, obj.hooke.density_group, obj.hooke.measure = "Other", "Pin", "AREA"
    play(obj, FRAMES)
    assert (
        "'Let Go' changes Density Group 'Pin', of which the weights at the first frame hold in all frames: apply the "
        "modifier, or turn it off"
    ) in told(obj)[1]


@pytest.mark.parametrize("modify", [weight_mix, weight_edit])
def test_a_modifier_that_is_off_or_below_or_of_another_group_is_none_of_its_business(modify, scene):
    obj = add_hooke(grid(), **WELL)
    pin(obj, {12: 0.5}, name="Other")
    modify(obj)
    play(obj, FRAMES)
    # Below Hooke's.
    assert told(obj) == ("CHECKMARK", [])
    first_of_all(obj)
    obj.modifiers[0].show_viewport = False
    assert told(obj) == ("CHECKMARK", [])
    obj.modifiers[0].show_viewport = True
    setattr(obj.modifiers[0], "vertex_group_a" if modify is weight_mix else "vertex_group", "Other")
    assert told(obj) == ("CHECKMARK", [])


def shape_key(obj, name, points, animated=True):
    """A shape key that moves vertices of the mesh, a dict of index -> place, and comes in over the frames played."""
    if obj.data.shape_keys is None:
        obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name=name, from_mix=False)
    for index, place in points.items():
        key.data[index].co = place
    if animated:
        keyed(key, "value")
    return key


def test_lengths_that_a_shape_key_changes_are_named(scene):
    obj = add_hooke(grid(), **WELL)
    shape_key(obj, "Shrink", {v.index: 0.5 * v.co for v in obj.data.vertices if v.index not in (0, 4)})
    play(obj, FRAMES)
    icon, (sentence,) = told(obj)
    assert icon == "INFO"
    assert sentence.startswith(
        "Shape key 'Shrink' changes lengths, which does not act: lengths at rest are those"
    )


def test_a_shape_key_that_moves_pins_or_is_not_animated_acts(scene):
    obj = add_hooke(grid(), **WELL)
    # Both pins to one side, and what is not pinned as a whole to where it is as long.
    shape_key(obj, "Aside", {0: (-1.2, -1.0, 0.0), 4: (0.8, -1.0, 0.0)})
    shape_key(
        obj,
        "Up",
        {vertex.index: vertex.co + vertex.co.__class__((0, 0, 0.1)) for vertex in obj.data.vertices},
    )
    still = {vertex.index: 0.5 * vertex.co for vertex in obj.data.vertices}
    shape_key(obj, "Still", still, animated=False).value = 0.0
    play(obj, FRAMES)
    assert told(obj) == ("CHECKMARK", [])


def test_the_rest_shape_of_blender_s_cloth_is_named(scene):
    obj = add_hooke(grid(), **WELL)
    key = shape_key(obj, "Tailored", {6: (-0.4, -0.4, 0.0)}, animated=False)
    key.value = 0.0
    cloth = obj.modifiers.new("Cloth", "CLOTH")
    cloth.settings.rest_shape_key = key
    cloth.show_viewport = False
    play(obj, FRAMES)
    assert told(obj)[1][0].startswith("Cloth's Rest Shape Key 'Tailored' does not act on Hooke")


def panels(rungs, gap=0.5):
    """Two strips beside each other, their borders joined by so many loose edges side by side, pinned at one end."""
    count = 5
    points = [(x, y, 0.0) for x in (0.0, 0.4, 0.4 + gap, 0.8 + gap) for y in np.linspace(0.0, 1.0, count)]
    faces = [
        (side + k, side + k + 1, side + count + k + 1, side + count + k)
        for side in (0, 2 * count)
        for k in range(count - 1)
    ]
    return mesh_object(points, [(count + k, 2 * count + k) for k in range(rungs)], faces)


def test_loose_edges_that_look_like_a_seam_are_told_of(scene):
    obj = panels(rungs=5)
    pin(obj, {0: 1.0, 15: 1.0})
    add_hooke(obj, **WELL)
    play(obj, FRAMES)
    assert any(text.startswith("5 loose edges between faces are springs, no seams") for text in told(obj)[1])


def test_two_ties_are_no_seam_unless_cloth_would_sew_them(scene):
    obj = panels(rungs=2)
    pin(obj, {0: 1.0, 15: 1.0})
    add_hooke(obj, **WELL)
    play(obj, FRAMES)
    assert not any("seams" in text for text in told(obj)[1])
    cloth = obj.modifiers.new("Cloth", "CLOTH")
    cloth.settings.use_sewing_springs, cloth.show_viewport = True, False
    assert any("2 loose edges between faces" in text for text in told(obj)[1])


def test_ropes_between_planks_are_no_seams(scene):
    # Each plank hangs on two ropes of three edges.
    along = np.linspace(0.0, 3.0, 13)
    points = [(x, y, 0.0) for x in along for y in (0.0, 0.5)]
    faces = [(k, k + 2, k + 3, k + 1) for k in range(0, 24, 8)]
    ropes = [(k, k + 2) for k in range(24) if k // 8 * 8 != k - k % 2]
    obj = mesh_object(points, ropes, faces)
    pin(obj, {0: 1.0, 1: 1.0, 24: 1.0, 25: 1.0})
    add_hooke(obj, **WELL)
    play(obj, FRAMES)
    assert not any("seams" in text for text in told(obj)[1])


def box(cuts=6):
    """A closed box of 1 m just above the floor of height 0, in so many cuts, uneven by 0.1 mm: a perfect one stands."""
    obj = block(size=1.0, height=0.6)
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=cuts)
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex, way in zip(obj.data.vertices, np.random.default_rng(0).normal(size=(386, 3)), strict=False):
        vertex.co = np.array(vertex.co) + 1e-4 * way
    return obj


@pytest.mark.nightly
def test_a_hollow_body_that_collapses_is_filled_with_one_click(scene):
    scene.frame_end = 42
    obj = add_hooke(box(), measure="AREA", air_law="SETTLING", air_drag=0.1)
    bpy.ops.hooke.add_floor()
    play(obj, range(1, 43))
    assert any(text.startswith("Hollow, and has collapsed to ") for text in told(obj)[1])
    assert mended(obj, "Hollow") == "FILLING"
    # A box of 1 m of water, which sinks in by a tenth: 1000 kg/m^3 * 9.81 m/s^2 * 1 m / 0.1 = 98 kPa.
    assert obj.hooke.fill_stiffness == 100.0
    play(obj, range(1, 43))
    assert not any("Hollow" in text for text in told(obj)[1])
    assert np.ptp(evaluated_world_positions(obj)[:, 2]) > 0.8


@pytest.mark.newest
def test_a_hollow_body_that_keeps_its_shape_is_well(scene):
    obj = ball(radius=0.5, height=0.6)
    pin(obj, dict.fromkeys(range(len(obj.data.vertices) // 2), 1.0))
    add_hooke(obj, measure="AREA", effort="CONVERGED", bending_rigidity=1e5)
    play(obj, FRAMES)
    assert told(obj) == ("CHECKMARK", [])


def ground(height=-0.1, name="Ground", size=4.0):
    """A level square, no collider."""
    corners = [(-size, -size, height), (size, -size, height), (size, size, height), (-size, size, height)]
    return mesh(name, corners, [(0, 1, 2, 3)])


def test_what_a_fall_comes_to_is_made_a_collider_with_one_click(scene):
    obj = add_hooke(grid(pins={}), **WELL)
    ground(height=-5.0, name="Cellar")
    ground(height=-0.3)
    # Neither what is above, nor what is beside, nor what collides already.
    ground(height=1.0, name="Ceiling")
    mesh("Beside", [(3, 3, -0.1), (4, 3, -0.1), (4, 4, -0.1)], [(0, 1, 2)])
    play(obj, FRAMES)
    assert told(obj) == ("ERROR", ["Falls freely: 'Ground' below it is not a collider"])
    assert mended(obj, "Falls freely") == "COLLIDER"
    play(obj, FRAMES)
    assert not any("Falls freely" in text for text in told(obj)[1])
    assert evaluated_world_positions(obj)[:, 2].min() > -0.3


@pytest.mark.newest
def test_a_floor_that_stops_nothing_is_named_where_it_was_passed(scene):
    # A ball catches the sheet, whose rim goes down beside it through the ground.
    scene.frame_end = 30
    obj = add_hooke(grid(side=9, pins={}), measure="AREA", collision_thickness=0.01)
    collider(ball(height=-0.5))
    ground(height=-0.5)
    play(obj, range(1, 6))
    assert not any("Passes" in text for text in told(obj)[1])
    play(obj, range(6, 31))
    assert "Passes through 'Ground', which is not a collider: make it one" in told(obj)[1]
    assert mended(obj, "Passes") == "COLLIDER"
    play(obj, range(1, 31))
    assert not any("Passes" in text for text in told(obj)[1])


def test_without_gravity_nothing_falls(scene):
    obj = add_hooke(grid(pins={}), **WELL)
    obj.hooke.gravity_weight = 0.0
    ground()
    play(obj, FRAMES)
    assert told(obj) == ("CHECKMARK", [])


def test_a_sheet_that_collides_with_itself_alone_still_falls(scene):
    obj = add_hooke(grid(pins={}), self_collision=True, **WELL)
    play(obj, FRAMES)
    assert told(obj)[1][0].startswith("Falls freely")


def test_a_unit_that_is_no_metre_is_told_of(scene):
    obj = add_hooke(grid(), **WELL)
    scene.unit_settings.scale_length = 0.01
    # Before anything is played, and in every warning.
    assert told(obj)[1] == [unit_warning(scene)]
    play(obj, FRAMES)
    icon, (sentence,) = told(obj)
    assert icon == "INFO" and sentence.startswith("Unit Scale 0.01 does not act: a unit is 1 m")
    assert mended(obj, "Unit Scale") == "UNIT_SCALE"
    assert told(obj) == ("CHECKMARK", [])
    scene.unit_settings.scale_length, scene.unit_settings.system = 0.01, "NONE"
    assert told(obj) == ("CHECKMARK", [])
