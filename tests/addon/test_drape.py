# SPDX-License-Identifier: GPL-3.0-or-later
"""Drape: one click lets an object come to rest where it begins, and starts from there."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import activate, add_hooke, grid, play, same_bits, status


@pytest.fixture
def cloth(scene):
    return add_hooke(grid(9), frame_end=20)


@pytest.mark.nightly
def test_it_begins_at_rest_and_stays_there(cloth):
    falls = play(cloth, range(1, 3))
    assert np.abs(falls[2] - falls[1]).max() > 5e-3
    assert bpy.ops.hooke.drape() == {"FINISHED"}
    shown = play(cloth, range(1, 13))
    assert shown[1][:, 2].min() < -0.8
    # A hundredth of what it falls by otherwise in half a second.
    assert np.abs(shown[12] - shown[1]).max() < 0.012
    network = sessions.find(cloth).network
    # What it was modelled as stays its shape at rest.
    assert np.abs(network.points[:, 2]).max() < 1e-6
    assert same_bits(play(cloth, reversed(range(1, 13))), shown)


@pytest.mark.nightly
def test_it_rests_on_what_it_collides_with(scene):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, location=(0.0, 0.0, -0.6))
    ball = bpy.context.object
    ball.modifiers.new("Collision", "COLLISION")
    cloth = add_hooke(grid(13, pins={}), frame_end=20)
    bpy.ops.hooke.drape(most=150)
    shown = play(cloth, range(1, 9))
    assert shown[1][:, 2].min() < -0.4
    distances = np.linalg.norm(shown[1] - [0.0, 0.0, -0.6], axis=1)
    assert distances.min() > 0.5
    assert np.abs(shown[8] - shown[1]).max() < 0.05


def test_what_falls_for_ever_is_told_and_can_be_undone(scene, capfd):
    cloth = add_hooke(grid(5, pins={}))
    activate(cloth)
    assert bpy.ops.hooke.drape(most=5) == {"FINISHED"}
    assert "still moves after 5 frames" in "".join(capfd.readouterr())
    assert bpy.ops.hooke.forget_pose() == {"FINISHED"}
    assert not cloth.hooke.use_saved_pose


def test_a_sewn_pillow_that_was_draped_begins_closed(scene):
    from .test_sewing import gaps, panels

    obj = panels(sewing=True, sewing_time=0.3, pressure=50.0, gravity_weight=0.0, frame_end=10)
    bpy.ops.hooke.drape()
    shown = play(obj, range(1, 9))
    assert max(gaps(shown[frame]).max() for frame in range(1, 9)) < 1e-3


@pytest.mark.nightly
def test_as_rest_shape_it_is_not_strained_where_it_begins(cloth):
    modelled = [tuple(vertex.co) for vertex in cloth.data.vertices]
    assert bpy.ops.hooke.drape(as_rest_shape=True) == {"FINISHED"}
    keys = cloth.data.shape_keys.key_blocks
    assert cloth.hooke.rest_key == "Draped" and keys["Draped"].value == 0.0
    assert cloth.active_shape_key_index == 0
    assert [tuple(vertex.co) for vertex in cloth.data.vertices] == modelled
    cloth.hooke.gravity_weight = 0.0
    shown = play(cloth, range(1, 13))
    network = sessions.find(cloth).network
    free = network.stretchable
    strains = network.spring_lengths(shown[1].astype(float))[free] / network.rest_lengths[free] - 1.0
    assert np.abs(strains).max() < 1e-4
    # Without gravity it keeps the shape that it hung in: modelled, it would spring back.
    assert np.abs(shown[12] - shown[1]).max() < 0.01
    assert same_bits(play(cloth, reversed(range(1, 13))), shown)
    assert bpy.ops.hooke.drape(as_rest_shape=True) == {"FINISHED"}
    assert cloth.hooke.rest_key == "Draped.001" and "Draped" in cloth.data.shape_keys.key_blocks


def test_what_is_filled_keeps_its_shape_at_rest_and_is_told(scene, capfd):
    bpy.ops.mesh.primitive_cube_add()
    cube = add_hooke(bpy.context.object, fill_stiffness=5.0)
    activate(cube)
    with pytest.raises(RuntimeError, match="is filled"):
        bpy.ops.hooke.drape(as_rest_shape=True)
    assert not cube.hooke.use_saved_pose and cube.data.shape_keys is None


def test_a_sewn_pillow_may_rest_closed(scene):
    from .test_sewing import gaps, panels

    obj = panels(sewing=True, sewing_time=0.3, pressure=50.0, gravity_weight=0.0, frame_end=10)
    bpy.ops.hooke.drape(as_rest_shape=True)
    shown = play(obj, range(1, 9))
    assert "stopped" not in status(obj)
    assert max(gaps(shown[frame]).max() for frame in range(1, 9)) < 1e-3
