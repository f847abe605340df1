# SPDX-License-Identifier: GPL-3.0-or-later
"""Break Symmetry: a flag that begins exactly level falls, from the pose as it was modelled, the same every time."""

import bpy
import numpy as np

from .scenes import add_hooke, evaluated_positions, mesh_object, pin, play, same_bits

SIDE, LAST = 13, 36


def flag(**settings):
    """A square of 1 m in the plane of gravity, held by a side."""
    along = np.linspace(0.0, 1.0, SIDE)
    points = [(x, 0.0, z) for x in along for z in along]
    corners = [i * SIDE + j for i in range(SIDE - 1) for j in range(SIDE - 1)]
    obj = mesh_object(points, faces=[(i, i + 1, i + SIDE + 1, i + SIDE) for i in corners])
    pin(obj, dict.fromkeys(range(SIDE), 1.0))
    return add_hooke(obj, **settings)


def test_a_level_flag_falls_from_the_modelled_pose(scene):
    scene.frame_end = LAST
    obj = flag()
    modelled = evaluated_positions(obj)
    shown = play(obj, range(1, LAST + 1))
    assert same_bits(shown[1], modelled)
    assert np.abs(shown[LAST][:, 1]).max() > 0.03
    assert shown[LAST][-SIDE:, 2].mean() < modelled[-SIDE:, 2].mean() - 0.1
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, range(1, LAST + 1)), shown)


def test_without_it_the_flag_stands(scene):
    scene.frame_end = LAST
    obj = flag(break_symmetry=False)
    assert np.abs(play(obj, range(1, LAST + 1))[LAST][:, 1]).max() == 0.0


def test_files_from_before_begin_exactly_as_modelled():
    settings = bpy.types.Object.bl_rna.properties["hooke"].fixed_type.properties
    assert not settings["break_symmetry"].default
