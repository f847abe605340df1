# SPDX-License-Identifier: GPL-3.0-or-later
"""With several view layers, what is simulated collides with what the seen one shows, and nothing changes that."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .blowing import field
from .colliding import block, collider, dropped
from .scenes import activate, bake, baked_keys, key_positions, play, same_bits, simulated_positions, status

FRAMES = range(1, 13)


def move_to(collection, obj):
    """Put an object into a collection of the scene alone."""
    bpy.context.scene.collection.objects.unlink(obj)
    collection.objects.link(obj)


@pytest.fixture
def cloth(scene):
    """A sheet above a block, in wind, both in a collection that the second view layer leaves out."""

    def below(_cloth):
        props = bpy.data.collections.new("Props")
        scene.collection.children.link(props)
        move_to(props, collider(block()))
        move_to(props, field("WIND", 5.0))

    sheet = dropped(below)
    scene.view_layers.new("Other").layer_collection.children["Props"].exclude = True
    return sheet


def test_another_view_layer_changes_nothing(cloth, scene):
    both = play(cloth, FRAMES)
    assert "Tuned" not in status(cloth) and sessions.find(cloth).take.simulated == 11
    assert same_bits(play(cloth, reversed(FRAMES)), {frame: both[frame] for frame in reversed(FRAMES)})
    scene.view_layers.remove(scene.view_layers["Other"])
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), both)


def test_an_edit_seen_in_another_view_layer_keeps_the_frames(cloth, scene):
    play(cloth, FRAMES)
    scene.view_layers["Other"].update()
    bpy.data.objects["Block"].location.x += 0.0
    scene.view_layers["Other"].update()
    assert len(sessions.find(cloth).take) == 12
    bpy.data.objects["Block"].location.x += 0.3
    bpy.context.view_layer.update()
    assert len(sessions.find(cloth).take) < 12


@pytest.mark.newest
def test_baked_frames_are_the_live_ones(cloth, scene):
    live = {}
    play(cloth, [1])
    for frame in FRAMES[1:]:
        play(cloth, [frame])
        live[frame] = simulated_positions(cloth)
    assert np.abs(live[12][:, 2]).max() > 0.1
    activate(cloth)
    bpy.ops.hooke.reset()
    bake(cloth)
    keys = [key_positions(key) for key in baked_keys(cloth)]
    assert all(same_bits(keys[frame - 1], live[frame]) for frame in FRAMES[1:])
