# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders whose Collision physics or visibility is keyed are the same live and baked, or are told."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout

from .blowing import field
from .colliding import block, collider, dropped, still_block
from .scenes import (
    activate,
    bake,
    baked_keys,
    clear_bake,
    key_positions,
    play,
    same_bits,
    simulated_positions,
)

LET_GO = 8
FRAMES = range(1, 13)


def keyed(path, values):
    """Key something of the block; values: by frame."""
    obj = bpy.data.objects["Block"]
    owner, _, name = path.rpartition(".")
    block_or_part = obj.path_resolve(owner) if owner else obj
    for frame, value in values.items():
        setattr(block_or_part, name, value)
        obj.keyframe_insert(path, frame=frame)


def lets_go(cloth):
    """A block that stops colliding at frame 8."""
    collider(block(size=3.0, height=-1.52))
    keyed("collision.use", {1: True, LET_GO: False})


def catches(cloth):
    """A block that collides from frame 4 on."""
    collider(block(size=3.0, height=-1.9))
    keyed("collision.use", {1: False, 4: True})


@pytest.mark.sampled(8)
@pytest.mark.parametrize("build", [lets_go, catches])
@pytest.mark.parametrize("shape", ["AUTO", "BOX", "DEFORMING"])
def test_a_collider_lets_go_and_catches_as_its_physics_is_keyed(build, shape, scene):
    cloth = dropped(build, air_drag=0.0)
    bpy.data.objects["Block"].hooke_collider.shape = shape
    scene.frame_set(1)
    shown = play(cloth, FRAMES)
    lowest = {frame: float(points[:, 2].min()) for frame, points in shown.items()}
    if build is lets_go:
        assert abs(lowest[LET_GO] - lowest[LET_GO - 2]) < 1e-3
        # From rest at that frame: g t^2 / 2, within 1/n of the n = 12 substeps.
        fallen = 9.81 * (4 / 24) ** 2 / 2
        assert abs(lowest[LET_GO] - lowest[12] - fallen) < fallen / 12
    else:
        assert -0.4 - 1e-3 < lowest[12] < -0.3


@pytest.mark.nightly
@pytest.mark.parametrize("build", [lets_go, catches])
def test_baked_from_any_frame_it_is_what_played(build, scene):
    cloth = dropped(build)
    scene.frame_set(1)
    live = {}
    for frame in FRAMES:
        play(cloth, [frame])
        if frame > 1:
            live[frame] = simulated_positions(cloth)
    for shown in (1, 12):
        scene.frame_set(shown)
        activate(cloth)
        bpy.ops.hooke.reset()
        scene.frame_set(shown)
        bake(cloth)
        keys = [key_positions(key) for key in baked_keys(cloth)]
        assert all(same_bits(keys[frame - 1], live[frame]) for frame in FRAMES[1:])
        clear_bake(cloth)


def hidden_later(cloth):
    still_block(cloth)
    keyed("hide_viewport", {1: False, 6: True})


def thicker_later(cloth):
    still_block(cloth)
    keyed("collision.thickness_outer", {1: 0.02, 12: 0.2})


def flat_later(cloth):
    still_block(cloth)
    bpy.data.objects["Block"].hooke_collider.shape = "DEFORMING"
    for index in range(3):
        obj = bpy.data.objects["Block"]
        for frame, scale in ((1, 1.0), (6, 0.0)):
            obj.scale[index] = scale
            obj.keyframe_insert("scale", index=index, frame=frame)


def fewer_faces_later(cloth):
    still_block(cloth)
    obj = bpy.data.objects["Block"]
    some = obj.vertex_groups.new(name="Some")
    some.add(range(8), 1.0, "REPLACE")
    some.add([0], 0.3, "REPLACE")
    obj.modifiers.new("Mask", "MASK").vertex_group = "Some"
    obj.modifiers.move(1, 0)
    keyed('modifiers["Mask"].threshold', {1: 0.0, 6: 0.5})


def a_field_hidden_later(cloth):
    field(strength=5.0, name="Block")
    keyed("hide_viewport", {1: False, 6: True})


def a_field_of_another_kind_later(cloth):
    field(strength=5.0, name="Block")
    keyed("field.falloff_type", {1: "CONE", 6: "TUBE"})


KEEP_IT, KEEP_THEM = "eep it the same in all frames, or ", "eep them the same in all frames, or "
PLACE = "key its Collides or its place instead"
FACES = "let a mesh whose faces stay the same collide in its place"
# How it is told in full, and in short, and what to do.
TOLD = {
    hidden_later: (
        "'Block' is hidden and does not collide from frame",
        "'Block' is hidden and",
        KEEP_IT + PLACE,
    ),
    thicker_later: ("The settings of 'Block' changed", "", KEEP_THEM + PLACE),
    flat_later: (
        "'Block' does not collide from frame 6 on",
        "'Block' does not collide after frame 5: tuned live, not kept. Its scale 0, 0, 0 flattens it",
        "ts scale 0, 0, 0 flattens it; give every axis a scale other than 0; k" + KEEP_IT + PLACE,
    ),
    fewer_faces_later: ("The faces of 'Block' changed", "", KEEP_THEM + FACES),
    a_field_hidden_later: (
        "force field 'Block' is no longer one of the forces",
        "Force field 'Block' was removed",
        KEEP_IT + "key its strength instead",
    ),
    a_field_of_another_kind_later: (
        "The kind or keys of force field 'Block' changed",
        "",
        KEEP_THEM + "key its strength instead",
    ),
}


@pytest.mark.sampled(6)
@pytest.mark.combined
@pytest.mark.parametrize(("build", "said"), TOLD.items(), ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("shown", [1, 12])
def test_what_cannot_change_on_the_way_is_refused_with_its_name_and_a_remedy(build, said, shown, scene):
    cloth = dropped(build)
    scene.frame_set(shown)
    activate(cloth)
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    told = str(refused.value)
    assert said[0] in told and "'Cloth'" in told and "frame" in told and said[2] in told
    assert cloth.data.shape_keys is None


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("build", "said"), TOLD.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_live_it_is_tuned_and_says_what_changed(build, said, scene):
    cloth = dropped(build)
    scene.frame_set(1)
    shown = play(cloth, FRAMES)
    assert np.isfinite(np.array(list(shown.values()))).all()
    (complaint,) = readout.report(cloth).complaints
    assert complaint.text.startswith(said[1] or said[0]) and complaint.text.endswith(said[2])
