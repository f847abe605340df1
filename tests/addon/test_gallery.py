# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example opens in a new file and plays: it moves, stays whole, and the panel has nothing to say against it."""

import bpy
import numpy as np
import pytest

from hooke.addon import gallery

from .scenes import evaluated_world_positions, play, status

FRAMES = 8


@pytest.mark.parametrize("id", gallery.EXAMPLES)
def test_an_example_plays(id):
    assert bpy.ops.hooke.example(example=id) == {"FINISHED"}
    scene, obj = bpy.context.scene, bpy.context.object
    assert (scene.frame_start, scene.frame_end) == (1, gallery.EXAMPLES[id].FRAME_END)
    assert obj.hooke.enabled and scene.camera is not None
    # Modifiers below Hooke's add to the mesh, after its own vertices.
    count = len(obj.data.vertices)
    assert count < 8_000, "an example plays live on any machine"
    play(obj, range(1, 2))
    start = evaluated_world_positions(obj)[:count]
    play(obj, range(2, FRAMES + 1))
    end = evaluated_world_positions(obj)[:count]
    assert np.isfinite(end).all() and np.linalg.norm(end - start, axis=1).max() > 0.01
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    ratio = np.linalg.norm(np.subtract(*end[edges].swapaxes(0, 1)), axis=1) / np.linalg.norm(
        np.subtract(*start[edges].swapaxes(0, 1)), axis=1
    )
    assert ratio.mean() < 1.05
    assert "stopped" not in status(obj)


def test_the_flag_is_the_same_whenever_it_is_opened():
    shown = []
    for _ in range(2):
        assert bpy.ops.hooke.example(example="FLAG") == {"FINISHED"}
        play(bpy.context.object, range(1, 5))
        shown.append(evaluated_world_positions(bpy.context.object))
    # A field that Blender adds has a pattern of its own, drawn by chance.
    assert shown[0].tobytes() == shown[1].tobytes()


@pytest.mark.newest
def test_suzanne_bounces():
    assert bpy.ops.hooke.example(example="JELLY") == {"FINISHED"}
    obj, lowest = bpy.context.object, []
    for frame in range(1, 24):
        play(obj, range(frame, frame + 1))
        lowest.append(evaluated_world_positions(obj)[:, 2].min())
    landed = int(np.argmax(np.array(lowest) < 0.05))
    # Her lowest point falls by 0.8 m; what keeps a fifth of that is a bounce that anyone sees.
    assert lowest[0] > 0.7 and landed > 0 and max(lowest[landed:]) > 0.16


def test_the_menu_lists_every_example():
    assert bpy.types.HOOKE_MT_examples.is_registered
    for id, example in gallery.EXAMPLES.items():
        assert bpy.ops.hooke.example.get_rna_type().properties["example"].enum_items[id].name == example.LABEL
        assert example.DESCRIPTION and not example.DESCRIPTION.endswith(".")
