# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a file that is saved in the midst, opened again and played on, and those of its bake."""

import bpy

from .scenes import activate, bake, clear_bake, play, same_bits

# Of the frames, that many are played before the file is saved.
_PLAYED = 7


def assert_resumed_and_baked_alike(obj, live, folder):
    """Assert that an object's frames are those that it was played with, opened again in the midst, and baked.

    live: positions by frame, in order; folder: to save in.
    """
    file, called, frames = str(folder / "resumed.blend"), obj.name, list(live)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=file)
    play(obj, frames[:_PLAYED])
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    obj = bpy.data.objects[called]
    assert same_bits(play(obj, frames), live)
    activate(obj)
    bpy.ops.hooke.reset()
    bake(obj, "MESH_CACHE")
    assert same_bits(play(obj, frames), live)
    clear_bake(obj)
