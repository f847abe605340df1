# SPDX-License-Identifier: GPL-3.0-or-later
"""Pinned vertices follow whatever moves them, with no set-up beyond the vertex group."""

import math

import bpy
import numpy as np
import pytest

from .scenes import add_hooke, evaluated_world_positions, grid, link, pin, play, status

FRAMES = range(1, 13)
PINS = (0, 4)


def keyframe(block, path, values, frames=(1, 12), index=-1):
    """Animate a property of a data-block through values at frames."""
    for value, frame in zip(values, frames, strict=True):
        if index < 0:
            setattr(block, path, value)
        else:
            getattr(block, path)[index] = value
        block.keyframe_insert(path, index=index, frame=frame)


def by_object_animation(obj):
    keyframe(obj, "location", (0.0, 1.0), index=0)
    keyframe(obj, "rotation_euler", (0.0, 1.2), index=1)


def by_parent(obj):
    obj.parent = link(bpy.data.objects.new("Parent", None))
    obj.parent.scale = (1.0, -2.0, 0.5)
    keyframe(obj.parent, "rotation_euler", (0.0, 1.2), index=2)


def by_constraint(obj):
    goal = link(bpy.data.objects.new("Goal", None))
    keyframe(goal, "location", (0.0, 0.8), index=2)
    obj.constraints.new("COPY_LOCATION").target = goal


def by_armature(obj):
    rig = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Bone")
    bone.head, bone.tail = (0.0, -1.0, 0.0), (0.0, -1.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    pin(obj, dict.fromkeys(range(len(obj.data.vertices)), 1.0), name="Bone")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    rig.pose.bones["Bone"].rotation_mode = "XYZ"
    keyframe(rig.pose.bones["Bone"], "rotation_euler", (0.0, 0.9), index=1)
    keyframe(rig.pose.bones["Bone"], "location", (0.0, 0.5), index=2)


def by_hook(obj):
    goal = link(bpy.data.objects.new("Goal", None))
    hook = obj.modifiers.new("Hook", "HOOK")
    hook.object = goal
    hook.vertex_indices_set(PINS)
    keyframe(goal, "location", (0.0, 0.7), index=2)
    keyframe(goal, "rotation_euler", (0.0, 0.6), index=1)


def by_lattice(obj):
    cage = link(bpy.data.objects.new("Cage", bpy.data.lattices.new("Cage")))
    cage.scale = (3.0, 3.0, 3.0)
    obj.modifiers.new("Lattice", "LATTICE").object = cage
    keyframe(cage, "location", (0.0, 0.4), index=0)
    for point in cage.data.points[:4]:
        keyframe(point, "co_deform", (-0.5, 0.1), index=2)


def by_shape_key(obj):
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Lift")
    for index in PINS:
        key.data[index].co.z += 0.9
    keyframe(key, "value", (0.0, 1.0))


def by_wave(obj):
    wave = obj.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.speed, wave.time_offset = 1.0, 2.0, 0.2, -20.0


def by_geometry_nodes(obj):
    group = bpy.data.node_groups.new("Displace", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    start, end, move = map(group.nodes.new, ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeSetPosition"))
    time, vector = map(group.nodes.new, ("GeometryNodeInputSceneTime", "ShaderNodeCombineXYZ"))
    group.links.new(start.outputs[0], move.inputs["Geometry"])
    group.links.new(time.outputs["Seconds"], vector.inputs["Z"])
    group.links.new(vector.outputs[0], move.inputs["Offset"])
    group.links.new(move.outputs[0], end.inputs[0])
    obj.modifiers.new("Displace", "NODES").node_group = group


MOVERS = (
    by_object_animation,
    by_parent,
    by_constraint,
    by_armature,
    by_hook,
    by_lattice,
    by_shape_key,
    by_wave,
    by_geometry_nodes,
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("build", MOVERS, ids=lambda build: build.__name__)
def test_hard_pins_follow_to_a_millionth_of_a_metre(build, scene):
    bare, obj = grid(name="Bare"), grid()
    build(bare)
    build(obj)
    add_hooke(obj)
    start, moved = evaluated_world_positions(bare), 0.0
    for frame in FRAMES:
        scene.frame_set(frame)
        wanted, shown = evaluated_world_positions(bare), evaluated_world_positions(obj)
        assert np.abs(shown - wanted)[list(PINS)].max() <= 1e-6
        moved = max(moved, np.abs(wanted - start)[list(PINS)].max())
    assert "strain" in status(obj)
    # A mover that leaves the pins where they are would prove nothing, nor would a sheet that moves with it.
    assert moved > 0.1
    assert np.abs(shown - wanted).max() > 0.05


def test_pins_moved_by_nodes_or_a_hook_swing_the_sheet_as_pins_moved_by_the_object(scene):
    by_object, by_nodes, by_hooks = grid(name="Object"), grid(name="Nodes"), grid(name="Hooks")
    keyframe(by_object, "location", [frame / 24 for frame in FRAMES], frames=FRAMES, index=2)
    by_geometry_nodes(by_nodes)
    goal = link(bpy.data.objects.new("Goal", None))
    hook = by_hooks.modifiers.new("Hook", "HOOK")
    hook.object = goal
    hook.vertex_indices_set(range(25))
    keyframe(goal, "location", [frame / 24 for frame in FRAMES], frames=FRAMES, index=2)
    for obj in (by_object, by_nodes, by_hooks):
        add_hooke(obj)
        obj.modifiers.move(obj.modifiers.find("Hooke"), len(obj.modifiers) - 1)
    for frame in FRAMES:
        scene.frame_set(frame)
        wanted = evaluated_world_positions(by_object)
        # float32 coordinates of different spaces round differently, and the motion amplifies that a little.
        assert np.abs(evaluated_world_positions(by_nodes) - wanted).max() <= 1e-5
        assert np.abs(evaluated_world_positions(by_hooks) - wanted).max() <= 1e-5


def test_a_pin_far_from_the_origin_follows_to_the_rounding_of_its_coordinates(scene):
    obj = grid()
    obj.location = (1000.0, -2000.0, 500.0)
    keyframe(obj, "location", (1000.0, 1001.0), index=0)
    add_hooke(obj)
    rest = np.array([obj.data.vertices[index].co for index in PINS], dtype=np.float64)
    for frame in FRAMES:
        scene.frame_set(frame)
        matrix = np.array(obj.matrix_world, dtype=np.float64)
        # Object-space coordinates are of the order of 1 m, whatever the world's are.
        shown = evaluated_world_positions(obj)[list(PINS)]
        assert np.abs(shown - (rest @ matrix[:3, :3].T + matrix[:3, 3])).max() <= 1e-6


def test_soft_pins_pull_with_weight_times_pin_stiffness(scene):
    # All vertices pinned with weight w: the sheet falls as one, every vertex a mass m/n on a spring of
    # stiffness k = w * pin_stiffness. Backward Euler of that oscillator with step h, which projective
    # dynamics solves exactly because no spring of the sheet changes length:
    #     v' = (v - h (g + k z n/m)) / (1 + h^2 k n/m),  z' = z + h v'.
    exact = {"air_drag": 0.0, "time_stepping": "BACKWARD_EULER"}
    obj = add_hooke(
        grid(pins=dict.fromkeys(range(25), 0.3)), substeps=5, pin_stiffness=4.0, mass=0.5, **exact
    )
    shown = play(obj, FRAMES)
    weight = obj.vertex_groups["Pin"].weight(0)
    h, rate = 1.0 / (24 * 5), weight * 4.0 * 25 / 0.5
    gravity = -scene.gravity[2]
    z = v = 0.0
    for frame in FRAMES[1:]:
        for _ in range(5):
            v = (v - h * (gravity + rate * z)) / (1.0 + h * h * rate)
            z += h * v
        assert shown[frame][:, 2] == pytest.approx(np.full(25, z), abs=1e-6)
    assert -gravity / rate * 2 < z < -0.01


def test_a_soft_pin_holds_a_vertex_less_than_a_hard_one_and_more_than_none(scene):
    drop = {}
    for weight in (0.0, 0.3, 1.0):
        obj = add_hooke(grid(name=f"Weight {weight}", pins={0: 1.0, 4: 1.0, 22: weight}), pin_stiffness=50.0)
        drop[weight] = -play(obj, FRAMES)[12][22, 2]
    assert drop[1.0] == pytest.approx(0.0, abs=1e-6)
    assert 0.01 < drop[0.3] < 0.9 * drop[0.0]


def test_soft_pins_follow_what_moves_them(scene):
    # Stiffly pulled and massive damping by backward Euler: the vertices end near the moved targets.
    obj = grid(pins=dict.fromkeys(range(25), 0.999))
    keyframe(obj, "location", (0.0, 1.0), frames=(1, 2), index=0)
    add_hooke(obj, pin_stiffness=1e5, substeps=1)
    scene.gravity = (0.0, 0.0, 0.0)
    play(obj, FRAMES)
    rest = np.array([vertex.co for vertex in obj.data.vertices])
    assert evaluated_world_positions(obj) == pytest.approx(rest + np.array([1.0, 0.0, 0.0]), abs=1e-3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["Pin", "pins", "PINNED", "Hold", "goal"])
def test_a_group_named_like_a_pin_group_is_taken(name, scene):
    obj = grid(pins={})
    pin(obj, {3: 1.0}, name="Other")
    pin(obj, {0: 1.0}, name=name)
    assert add_hooke(obj).hooke.pin_group == name


def test_every_vertex_pinned_moves_as_if_hooke_were_not_there(scene):
    obj = grid(pins=dict.fromkeys(range(25), 1.0))
    keyframe(obj, "location", (0.0, 1.0), index=0)
    keyframe(obj, "rotation_euler", (0.0, math.pi), index=1)
    add_hooke(obj)
    rest = np.array([vertex.co for vertex in obj.data.vertices])
    for shown in play(obj, FRAMES).values():
        assert np.abs(shown - rest).max() <= 1e-6
    assert "strain" in status(obj)


def test_free_fall_without_pins_is_exact(scene):
    # Backward and symplectic Euler: z = -g h^2 N (N + 1) / 2 after N steps of h.
    obj = add_hooke(
        grid(pins={}), substeps=4, air_drag=0.0, time_stepping="BACKWARD_EULER", break_symmetry=False
    )
    h, gravity = 1.0 / (24 * 4), -scene.gravity[2]
    shown = play(obj, FRAMES)
    for frame in FRAMES:
        steps = 4 * (frame - 1)
        fallen = -gravity * h * h * steps * (steps + 1) / 2
        assert shown[frame][:, 2] == pytest.approx(np.full(25, fallen), abs=1e-6)


@pytest.mark.parametrize("scale", [(2.0, 2.0, 2.0), (0.5, 2.0, 1.5), (-1.0, 1.0, 1.0), (-1.0, -2.0, -0.5)])
def test_the_world_does_not_depend_on_the_objects_scale(scale, scene):
    # The same sheet in world space, once by its coordinates, once by the object's scale.
    reference = grid(name="Reference")
    for vertex in reference.data.vertices:
        vertex.co = [value * factor for value, factor in zip(vertex.co, scale, strict=True)]
    add_hooke(reference)
    obj = grid(name="Scaled")
    obj.scale = scale
    add_hooke(obj)
    for frame in FRAMES:
        scene.frame_set(frame)
        # float32 object coordinates round differently, and the sheet's motion amplifies that a little.
        assert np.abs(evaluated_world_positions(obj) - evaluated_world_positions(reference)).max() <= 1e-5
