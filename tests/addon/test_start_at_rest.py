# SPDX-License-Identifier: GPL-3.0-or-later
"""Start at Rest: filled bodies and strands keep the modelled shape under gravity, where anything holds them."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout

from .scenes import activate, add_hooke, evaluated_world_positions, grid, mesh_object, play, same_bits, status

LAST = 24
FRAMES = range(1, LAST + 1)


def jelly(**settings):
    """A block of jelly that its upper face holds."""
    bpy.ops.mesh.primitive_cube_add(size=0.4)
    obj = bpy.context.object
    obj.vertex_groups.new(name="Hold").add(
        [vertex.index for vertex in obj.data.vertices if vertex.co.z > 0.0], 1.0, "REPLACE"
    )
    made = {
        "fill_stiffness": 30.0,
        "fill_poisson": 0.45,
        "fill_cells": 60,
        "damping_ratio": 0.2,
        "pin_group": "Hold",
    }
    return add_hooke(obj, **made | settings)


def rope(**settings):
    """A rope of half a circle that hangs from both ends."""
    turn = np.linspace(0.0, np.pi, 17)
    points = [(-np.cos(at), 0.0, 1.0 - np.sin(at)) for at in turn]
    obj = mesh_object(points, edges=[(i, i + 1) for i in range(16)])
    obj.vertex_groups.new(name="Hold").add([0, 16], 1.0, "REPLACE")
    return add_hooke(obj, **{"line_bending": 500.0, "pin_group": "Hold", "air_drag": 0.0} | settings)


@pytest.mark.parametrize("make", [jelly, rope])
def test_it_keeps_the_modelled_shape_and_sags_without(make, scene):
    obj = make(start_at_rest=True, frame_end=LAST)
    modelled = evaluated_world_positions(obj)
    shown = play(obj, FRAMES)
    assert max(np.abs(at - modelled).max() for at in shown.values()) < 5e-4
    obj.hooke.start_at_rest = False
    bpy.ops.hooke.reset()
    assert np.abs(play(obj, FRAMES)[LAST] - modelled).max() > 2e-3


def test_it_moves_on_from_there_the_same_every_way(scene):
    obj = jelly(start_at_rest=True, frame_end=LAST)
    obj.keyframe_insert("location", frame=1)
    obj.location.x = 0.2
    obj.keyframe_insert("location", frame=6)
    live = play(obj, FRAMES)
    assert np.ptp([at[:, 0].mean() for at in live.values()]) > 0.1
    assert same_bits(play(obj, reversed(FRAMES)), live)


def test_what_is_too_soft_is_told_of(scene):
    obj = jelly(start_at_rest=True, fill_stiffness=0.5)
    play(obj, FRAMES[:2])
    told = [complaint.text for complaint in readout.report(obj).complaints]
    assert any("too soft to start at rest" in text for text in told)


def test_keys_on_the_size_at_rest_are_refused(scene):
    obj = rope(start_at_rest=True)
    for frame, size in ((1, 1.0), (10, 0.8)):
        obj.hooke.rest_scale = size
        obj.hooke.keyframe_insert("rest_scale", frame=frame)
    play(obj, FRAMES[:3])
    assert "keys on its Size at Rest cannot act" in status(obj)


def test_sheets_fall_as_they_do(scene):
    obj = add_hooke(grid(5), frame_end=6)
    plain = play(obj, range(1, 7))
    obj.hooke.start_at_rest = True
    activate(obj)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, range(1, 7)), plain)
