# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake looks like the live simulation, whatever else drives the object's shape."""

import bpy
import numpy as np
import pytest

from hooke.addon import bakes
from hooke.addon.bakes import MODES
from hooke.addon.play import sessions

from .keyed_meshes import (
    KEYED_MESHES,
    push_down,
    with_animated_keys,
    with_keys,
    with_keys_in_nla,
    with_modifiers,
)
from .scenes import add_hooke, bake, clear_bake, fcurves, grid, link, pin, play
from .snapshots import differences, snapshot
from .test_pins import MOVERS

# Beyond the third, from which on what is animated here differs.
FRAMES = range(1, 7)


# Largest difference of each mode [m]. Basis plus difference rounds twice; principal shapes take what they are
# allowed; modifiers below amplify either by their few neighbours. A cache holds the very numbers.
AMPLIFIED = 4
LIMITS = {"SHAPE_KEYS": 2e-6, "PRINCIPAL_SHAPES": 1e-4 * AMPLIFIED, "MESH_CACHE": 0.0}


@pytest.fixture
def scene(scene):
    """The scene, with as few frames as that."""
    scene.frame_end = FRAMES[-1]
    return scene


@pytest.fixture(params=MODES)
def mode(request):
    """Each way to bake."""
    return request.param


def assert_bake_looks_live(obj, mode="SHAPE_KEYS"):
    """Play, bake, compare; clear elsewhere in time, compare fields."""
    live = play(obj, FRAMES)
    bpy.context.scene.frame_set(5)
    before = snapshot(obj)
    bpy.context.scene.frame_set(3)
    bake(obj, mode, tolerance=1e-4)
    baked = play(obj, FRAMES)
    for frame in FRAMES:
        assert np.abs(baked[frame] - live[frame]).max() <= LIMITS[mode], f"frame {frame}"
    play(obj, (4, 20, -3))
    clear_bake(obj)
    bpy.context.scene.frame_set(5)
    assert differences(before, snapshot(obj)) == []


@pytest.mark.sampled(5)
@pytest.mark.combined
@pytest.mark.parametrize("build", KEYED_MESHES, ids=lambda build: build.__name__)
def test_beside_the_user_s_keys_and_modifiers(build, mode, scene):
    # One substep a frame: what is asked is what Blender makes of the frames.
    assert_bake_looks_live(add_hooke(build(), substeps=1), mode)


@pytest.mark.sampled(5)
@pytest.mark.combined
@pytest.mark.parametrize("build", MOVERS, ids=lambda build: build.__name__)
def test_beside_what_moves_the_pins(build, mode, scene):
    obj = grid()
    build(obj)
    assert_bake_looks_live(add_hooke(obj, substeps=1), mode)


@pytest.mark.sampled(2)
def test_while_only_the_active_key_is_shown(mode, scene):
    obj = add_hooke(with_keys())
    obj.show_only_shape_key = True
    assert_bake_looks_live(obj, mode)


def assert_refused(obj, sentence):
    """The bake is refused with the sentence and changes nothing."""
    play(obj, FRAMES)
    before = snapshot(obj)
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    assert differences(before, snapshot(obj)) == []


def test_a_key_whose_mute_is_animated_is_refused(scene):
    # It would come on again over the bake.
    obj = add_hooke(with_keys())
    key = obj.data.shape_keys.key_blocks["Lift"]
    for frame, mute in ((1, False), (4, True), (8, False)):
        key.mute = mute
        key.keyframe_insert("mute", frame=frame)
    assert_refused(obj, r'key_blocks\["Lift"\].mute of .Cloth. is animated')


def test_a_key_whose_mute_is_driven_is_refused(scene):
    obj = add_hooke(with_keys())
    obj.data.shape_keys.key_blocks["Lift"].driver_add("mute").driver.expression = "frame < 4"
    assert_refused(obj, r'key_blocks\["Lift"\].mute of .Cloth. is animated')


@pytest.mark.parametrize("setting", ["show_viewport", "show_render"])
def test_a_modifier_above_whose_visibility_is_driven_is_refused(setting, scene):
    obj = add_hooke(with_modifiers())
    obj.modifiers["Hook 0"].driver_add(setting).driver.expression = "frame > 3"
    assert_refused(obj, rf'modifiers\["Hook 0"\].{setting} of .Cloth. is animated')


def test_a_modifier_above_whose_visibility_is_animated_in_a_strip_is_refused(scene):
    obj = add_hooke(with_modifiers())
    for frame, visible in ((1, True), (6, False)):
        obj.modifiers["Hook 0"].show_viewport = visible
        obj.modifiers["Hook 0"].keyframe_insert("show_viewport", frame=frame)
    push_down(obj.animation_data)
    assert_refused(obj, r'modifiers\["Hook 0"\].show_viewport of .Cloth. is animated')


def test_beside_animated_visibility_of_a_modifier_below(scene):
    obj = add_hooke(with_modifiers())
    obj.modifiers["Subdivision"].driver_add("show_viewport").driver.expression = "frame > 3"
    assert_bake_looks_live(obj)


def test_beside_an_action_over_a_strip(scene):
    obj = with_keys_in_nla()
    keys = obj.data.shape_keys
    keys.key_blocks["Lift"].value = 0.5
    keys.key_blocks["Lift"].keyframe_insert("value", frame=1)
    assert_bake_looks_live(add_hooke(obj))


@pytest.mark.parametrize("setting", [("action_influence", 0.5), ("action_blend_type", "ADD")])
def test_an_action_that_is_blended_over_strips_is_refused(setting, scene):
    # The bake's curves would be blended as well.
    obj = with_keys_in_nla()
    keys = obj.data.shape_keys
    keys.key_blocks["Lift"].keyframe_insert("value", frame=1)
    setattr(keys.animation_data, *setting)
    assert_refused(add_hooke(obj), "blended over its NLA tracks")


def test_a_linked_action_is_refused(scene, tmp_path):
    library = str(tmp_path / "talk.blend")
    obj = with_animated_keys()
    animation = obj.data.shape_keys.animation_data
    bpy.data.libraries.write(library, {animation.action})
    animation.action = None
    bpy.data.actions.remove(bpy.data.actions["Talk"])
    with bpy.data.libraries.load(library, link=True) as (_, linked):
        linked.actions = ["Talk"]
    animation.action = linked.actions[0]
    assert_refused(add_hooke(obj), "the action 'Talk' of the shape keys of 'Cloth' is linked from")


def test_with_an_action_whose_slot_another_mesh_shares(scene):
    obj, other = with_animated_keys(), with_keys()
    animation, others = obj.data.shape_keys.animation_data, other.data.shape_keys.animation_data_create()
    others.action = animation.action
    if hasattr(others, "action_slot"):
        others.action_slot = animation.action_slot
    assert np.abs(np.subtract(*play(other, (1, 9)).values())).max() > 0.05
    beside = play(other, FRAMES)
    assert_bake_looks_live(add_hooke(obj))
    assert all((shown == beside[frame]).all() for frame, shown in play(other, FRAMES).items())


def test_two_bakes_in_one_action(scene):
    obj, other = with_animated_keys(), with_keys()
    animation, others = obj.data.shape_keys.animation_data, other.data.shape_keys.animation_data_create()
    others.action = animation.action
    if hasattr(others, "action_slot"):
        others.action_slot = animation.action_slot
    other.location.x = 3.0
    add_hooke(obj)
    add_hooke(other, stiffness=100.0)
    live, before = {cloth: play(cloth, FRAMES) for cloth in (obj, other)}, (snapshot(obj), snapshot(other))
    bake(obj)
    bake(other)
    for cloth in (obj, other):
        for frame, shown in play(cloth, FRAMES).items():
            assert np.abs(shown - live[cloth][frame]).max() <= 2e-6
    clear_bake(obj)
    for frame, shown in play(other, FRAMES).items():
        assert np.abs(shown - live[other][frame]).max() <= 2e-6
    clear_bake(other)
    assert differences(before, (snapshot(obj), snapshot(other))) == []


def test_with_muted_and_locked_curves(scene):
    obj = with_animated_keys()
    curve = fcurves(obj.data.shape_keys)[0]
    curve.mute, curve.lock = True, True
    assert_bake_looks_live(add_hooke(obj))


def test_with_a_basis_that_is_no_longer_first(scene):
    obj = with_keys()
    obj.active_shape_key_index = 0
    bpy.ops.object.shape_key_move(type="BOTTOM")
    assert_bake_looks_live(add_hooke(obj))


def test_a_scene_that_starts_late(scene):
    obj = add_hooke(grid(), frame_start=101, frame_end=112)
    live = play(obj, range(101, 113))
    bake(obj)
    for frame, shown in play(obj, range(101, 113)).items():
        assert np.abs(shown - live[frame]).max() <= 2e-6


def with_absolute_keys():
    """Keys that follow each other in time."""
    obj = with_keys()
    obj.data.shape_keys.use_relative = False
    return obj


def test_absolute_keys_are_refused(scene):
    assert_refused(add_hooke(with_absolute_keys()), "absolute: turn on Relative")


def deformed_by_parent():
    """A sheet whose parent, a rig, deforms it."""
    rig = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    obj = grid()
    pin(obj, {0: 1.0}, name="Bone")
    obj.parent, obj.parent_type = rig, "ARMATURE"
    return obj


def test_deformation_by_the_parent_is_refused(scene):
    assert_refused(add_hooke(deformed_by_parent()), "deformed by its parent 'Rig'")


@pytest.mark.parametrize("build", [deformed_by_parent, with_absolute_keys], ids=lambda build: build.__name__)
def test_a_mesh_cache_takes_what_shape_keys_cannot(build, scene):
    assert_bake_looks_live(add_hooke(build()), "MESH_CACHE")


@pytest.mark.sampled(4)
def test_what_modifiers_above_do_besides_moving_vertices_stays(mode, scene):
    obj = grid()
    obj.data.uv_layers.new(name="UVMap")
    warp = obj.modifiers.new("UV Warp", "UV_WARP")
    warp.uv_layer, warp.offset = "UVMap", (0.25, 0.5)
    mix = obj.modifiers.new("Weights", "VERTEX_WEIGHT_EDIT")
    mix.vertex_group, mix.use_add, mix.add_threshold, mix.default_weight = "Pin", True, 0.0, 1.0
    add_hooke(obj)
    obj.modifiers.new("Displace", "DISPLACE").vertex_group = "Pin"
    assert_bake_looks_live(obj, mode)
    bake(obj, mode)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    plain, shown = (
        np.array([tuple(corner.uv) for corner in mesh.uv_layers["UVMap"].data])
        for mesh in (obj.data, evaluated)
    )
    assert np.allclose(shown - plain, (0.25, 0.5))


def test_a_modifier_whose_data_depends_on_the_pose_is_named(scene):
    obj = grid()
    obj.modifiers.new("Near", "VERTEX_WEIGHT_PROXIMITY")
    nodes = obj.modifiers.new("Nodes", "NODES")
    nodes.node_group = bpy.data.node_groups.new("Nothing", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        nodes.node_group.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    group = nodes.node_group.nodes
    nodes.node_group.links.new(group.new("NodeGroupInput").outputs[0], group.new("NodeGroupOutput").inputs[0])
    add_hooke(obj)
    obj.modifiers.move(obj.modifiers.find("Hooke"), 2)
    play(obj, FRAMES)
    frames = sessions.find(obj).frames[: len(FRAMES)]
    warnings = bakes.make(obj, "SHAPE_KEYS", frames, 1).warnings
    assert "'Near' of 'Cloth' will read the baked positions" in warnings[0]
    assert "'Nodes' of 'Cloth' is turned off" in warnings[1]
    bakes.clear(obj)
    assert bakes.make(obj, "MESH_CACHE", frames, 1).warnings[:-1] == ()
