# SPDX-License-Identifier: GPL-3.0-or-later
"""In Blender: add Hooke to a flag, play, bake and clear; print what was seen as one line of JSON."""

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import bpy
import cholespy
import hooke_kernels
import numpy as np
import scipy

sys.path.insert(0, str(Path(__file__).parent))
from drive_flag import make_flag

FIRST, LAST = 1, 13


def shown(obj):
    """Positions of the evaluated mesh, as the viewport and a render see it; shape (n, 3)."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def stored(obj):
    """Positions of the mesh data-block itself; shape (n, 3)."""
    positions = np.empty(3 * len(obj.data.vertices), np.float32)
    obj.data.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def play(obj):
    """The shown positions of every frame, stepping from the first; shape (frames, n, 3)."""
    frames = []
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        frames.append(shown(obj))
    return np.array(frames)


flag = make_flag()
scene = bpy.context.scene
base = stored(flag)
pinned = base[:, 1] > 0.499
bpy.ops.hooke.add()
flag.hooke.pin_group = "hold"
flag.hooke.frame_start, flag.hooke.frame_end = FIRST, LAST
live = play(flag)
seen = {
    "blender": bpy.app.version_string,
    "enabled": "bl_ext.user_default.hooke" in bpy.context.preferences.addons,
    "scipy_file": scipy.__file__,
    "cholespy_file": cholespy.__file__,
    "kernels": import_module("bl_ext.user_default.hooke.core.kernels").CHOSEN.name,
    "kernels_file": hooke_kernels.__file__,
    "seconds": (LAST - FIRST) * scene.render.fps_base / scene.render.fps,
    "steps": (LAST - FIRST) * flag.hooke.substeps,
    "frame_count": LAST - FIRST + 1,
    "pin_drift": float(abs(live[:, pinned] - base[pinned]).max()),
    "lowest_drop": float((base[:, 2] - live[-1, :, 2]).max()),
    "base_mesh_unchanged": bool((stored(flag) == base).all()),
}
seen["bakes"] = {}
for mode in ("SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"):
    assert bpy.ops.hooke.bake(mode=mode, tolerance=1e-3) == {"FINISHED"}
    keys = flag.data.shape_keys
    baked = {
        "keys": len(keys.key_blocks) - 1 if keys else 0,
        "difference": float(abs(play(flag) - live).max()),
    }
    if mode == "PRINCIPAL_SHAPES":
        # What the file system and Blender's exporters of this version make of it.
        folder = Path(tempfile.mkdtemp())
        for form, ending in (("GLTF", "glb"), ("ALEMBIC", "abc"), ("USD", "usdc")):
            path = folder / f"flag.{ending}"
            try:
                bpy.ops.hooke.export(format=form, filepath=str(path))
                baked[form] = path.stat().st_size
            except RuntimeError as error:
                baked[form] = str(error)
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}
    keys = flag.data.shape_keys
    baked["keys_after_clear"] = len(keys.key_blocks) if keys else 0
    baked["difference_after_clear"] = float(abs(play(flag) - live).max())
    seen["bakes"][mode] = baked
seen["base_mesh_unchanged_after_clear"] = bool((stored(flag) == base).all())
print(json.dumps(seen), flush=True)
