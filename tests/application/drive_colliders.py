# SPDX-License-Identifier: GPL-3.0-or-later
"""In Blender: a sheet falls on a ball that waves; `FIRST FILE` plays half of it, saves and dies without a word.

`LAST FILE` goes on from there, and then plays, scrubs and bakes it from the start; prints what was seen as JSON.
"""

import json
import os
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from drive_flag import make_flag

FRAMES, HALF = range(1, 13), 6


def shown(frame):
    """Positions of the evaluated flag in a frame, shape (n, 3)."""
    bpy.context.scene.frame_set(frame)
    mesh = bpy.data.objects["Flag"].evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def same(frames, others):
    """Whether frames of both dicts are the same to the last bit."""
    return all(frames[frame].tobytes() == others[frame].tobytes() for frame in frames)


part, file = sys.argv[-2:]
if part == "FIRST":
    flag = make_flag()
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.3, location=(0.0, 0.0, -0.4))
    ball = bpy.context.object
    wave = ball.modifiers.new("Wave", "WAVE")
    wave.height, wave.time_offset = 0.1, -10.0
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    bpy.context.view_layer.objects.active = flag
    bpy.ops.hooke.add()
    bpy.ops.wm.save_as_mainfile(filepath=file)
    for number in range(1, HALF + 1):
        shown(number)
    bpy.ops.wm.save_mainfile()
    print(json.dumps({"played": HALF}), flush=True)
    os._exit(0)

bpy.ops.preferences.addon_enable(module="bl_ext.user_default.hooke")
bpy.ops.wm.open_mainfile(filepath=file)
bpy.context.view_layer.objects.active = bpy.data.objects["Flag"]
resumed = {number: shown(number) for number in FRAMES[HALF:]}
bpy.data.objects["Flag"].hooke.frame_end = FRAMES[-1]
bpy.ops.hooke.reset()
live = {number: shown(number) for number in FRAMES}
heights = live[12][:, 2]
seen = {
    "resumed": same(resumed, live),
    "scrubbed": same({number: shown(number) for number in (9, 3, 12, 1)}, live),
    "lifted": float(heights.max() - heights.min()),
}
assert bpy.ops.hooke.bake(mode="MESH_CACHE") == {"FINISHED"}
seen["baked"] = same({number: shown(number) for number in FRAMES}, live)
print(json.dumps(seen), flush=True)
