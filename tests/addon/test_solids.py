# SPDX-License-Identifier: GPL-3.0-or-later
"""Filled objects: live, baked and gone on with they are the same, held by their pins, and play beside others."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions
from hooke.core import Solid

from .scenes import add_hooke, evaluated_positions, play, status


@pytest.fixture
def jelly(scene):
    """A cube of jelly above a floor."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.8), rotation=(0.5, 0.3, 0.0))
    obj = bpy.context.object
    add_hooke(obj)
    obj.hooke.fill_stiffness, obj.hooke.fill_poisson, obj.hooke.damping_ratio = 300.0, 0.48, 0.05
    bpy.ops.hooke.add_floor()
    bpy.context.view_layer.objects.active = obj
    return obj


@pytest.mark.newest
def test_a_filled_cube_is_a_solid_that_lands(jelly):
    play(jelly, range(1, 16))
    body = sessions.find(jelly).simulation.body
    assert isinstance(body, Solid) and body.network.masses.sum() == pytest.approx(1000.0, rel=1e-5)
    assert len(evaluated_positions(jelly)) == 8
    assert "stopped" not in status(jelly)


@pytest.mark.newest
def test_frames_are_the_same_live_and_baked(jelly):
    shown = play(jelly, range(1, 13))
    jelly.hooke.frame_end = 12
    assert bpy.ops.hooke.bake(mode="SHAPE_KEYS") == {"FINISHED"}
    for frame in (8, 12):
        bpy.context.scene.frame_set(frame)
        assert np.abs(evaluated_positions(jelly) - shown[frame]).max() < 1e-6


def test_a_changed_filling_goes_on_from_what_is_seen(jelly):
    shown = play(jelly, range(1, 9))
    jelly.hooke.fill_cells = 64
    there = play(jelly, range(9, 10))[9]
    assert "tuned live" in status(jelly)
    assert np.abs(there - shown[8]).max() < 0.5
    jelly.hooke.fill_stiffness = 0.0
    assert np.isfinite(play(jelly, range(10, 12))[11]).all()


def test_pinned_corners_hold_a_solid(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    obj = bpy.context.object
    group = obj.vertex_groups.new(name="hold")
    top = [vertex.index for vertex in obj.data.vertices if vertex.co.z > 0.0]
    group.add(top, 1.0, "REPLACE")
    add_hooke(obj)
    obj.hooke.pin_group, obj.hooke.fill_stiffness = "hold", 100.0
    start = play(obj, range(1, 2))[1]
    shown = play(obj, range(2, 25))
    others = np.setdiff1d(np.arange(8), top)
    assert np.abs(shown[24][top] - start[top]).max() < 1e-6
    # By its weight 0.05 m, and twice that where it swings.
    sunk = (start - shown[24])[others, 2]
    assert (sunk > 0.0).all() and sunk.max() < 0.15


@pytest.mark.newest
def test_painted_friction_and_others_that_collide(jelly):
    group = jelly.vertex_groups.new(name="smooth")
    group.add([0, 1, 2], 0.5, "REPLACE")
    jelly.hooke.friction_group = "smooth"
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(0.1, 0.0, 2.2))
    other = bpy.context.object
    add_hooke(other)
    other.hooke.fill_stiffness = 300.0
    for obj in (jelly, other):
        obj.modifiers.new("Collision", "COLLISION")
    for frame in range(1, 10):
        bpy.context.scene.frame_set(frame)
    for obj in (jelly, other):
        assert "stopped" not in status(obj) and len(evaluated_positions(obj)) == 8
