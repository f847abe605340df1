# SPDX-License-Identifier: GPL-3.0-or-later
"""What collides is the mesh at the Collision modifier, as of Blender's own cloth, whatever stands below that."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.colliders import reading

from .colliding import block, collider
from .scenes import (
    add_hooke,
    bake,
    baked_keys,
    clear_bake,
    evaluated_world_positions,
    fcurves,
    grid,
    key_positions,
    pin,
    play,
    same_bits,
)

FRAMES = range(1, 13)


def masked(body):
    """Hide all but the lowest faces, as the skin under clothes is hidden."""
    pin(body, {vertex.index: 1.0 for vertex in body.data.vertices if vertex.co.z < 0.0}, name="Shown")
    body.modifiers.new("Mask", "MASK").vertex_group = "Shown"


def keyed(body):
    """A shape key that lifts all of it by 0.3 m until frame 12."""
    body.shape_key_add(name="Basis")
    key = body.shape_key_add(name="Up")
    for point in key.data:
        point.co.z += 0.3
    for frame, value in ((1, 0.0), (12, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    for curve in fcurves(body.data.shape_keys):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def scene_of(*changes):
    """A free sheet on a block of 3 m whose top is 0.05 m below it, and the block."""
    body = collider(block(size=3.0, height=-1.55))
    for change in changes:
        change(body)
    return add_hooke(grid(pins={})), body


def lowest(obj, frames=FRAMES):
    play(obj, frames)
    return evaluated_world_positions(obj)[:, 2].min()


def subdivided(body):
    body.modifiers.new("Subdivision", "SUBSURF").levels = 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize("moving", [False, True])
def test_a_masked_body_is_rested_on(moving, scene):
    obj, body = scene_of(*[keyed] * moving, masked)
    top = 0.3 * moving - 0.05
    assert lowest(obj) > top - 0.01
    assert readout.report(obj).complaints == []
    # It is shown as it was.
    assert body.modifiers["Mask"].show_viewport
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert len(body.evaluated_get(depsgraph).data.vertices) == 4


def test_what_is_read_is_the_mesh_above(scene):
    _, body = scene_of(keyed, masked, subdivided)
    scene.frame_set(7)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = reading.read(body, depsgraph)
    points = next(value for name, value in found.items() if name.startswith("shape"))
    assert len(points) == 8
    assert np.isclose(points[:, 2].max(), -0.05 + 0.3 * 6 / 11, atol=1e-6)


@pytest.mark.nightly
def test_the_bake_is_what_was_played(scene):
    obj, _ = scene_of(keyed, masked)
    shown = play(obj, FRAMES)
    bpy.ops.hooke.reset()
    bake(obj)
    assert same_bits(key_positions(baked_keys(obj)[-1]), shown[12])
    clear_bake(obj)


def test_another_scene_s_frame_is_read_as_it_is_there(scene):
    _, body = scene_of(keyed, masked)
    scene.frame_set(12)
    stage = scene.copy()
    stage.frame_set(1)
    depsgraph = stage.view_layers[0].depsgraph
    points = next(value for name, value in reading.read(body, depsgraph).items() if name.startswith("shape"))
    assert np.isclose(points[:, 2].max(), -0.05, atol=1e-6)
    assert scene.frame_current == 12


@pytest.mark.nightly
def test_what_keeps_its_shape_is_read_once(scene, monkeypatch):
    obj, body = scene_of(subdivided)
    # The same mesh may have been read for a test before.
    reading.at_collision.steady.clear()
    turned, read = [], reading.at_collision.read
    monkeypatch.setattr(reading.at_collision, "read", lambda *of: turned.append(of) or read(*of))
    play(obj, FRAMES)
    assert len(turned) == 1
    body.data.vertices[0].co.z += 0.1
    body.data.update()
    play(obj, FRAMES)
    assert len(turned) == 2
