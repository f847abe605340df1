# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake the demo's scenes with Blender and picture them: a flag on a swinging pole and Suzanne as jelly.

    python scripts/demo.py --output DIR        with the bpy module

Writes flag.blend and jelly.blend, baked to shape keys, so they play in a Blender without Hooke; a picture strip
of each; and demo.png with both, which is docs/pictures/demo.png.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import bpy
from bake import hooke_package
from scenes import flag, jelly, strip, studio

SCENES = {"flag": flag, "jelly": jelly}


def make_scene(name, folder):
    """Build, bake, render and save a scene; returns the pixels of its picture strip.

    Raises RuntimeError with Hooke's words if it cannot be baked.
    """
    recipe = SCENES[name]
    began = perf_counter()
    scene, obj = recipe.build()
    bake(obj, recipe.SETTINGS)
    baked = perf_counter()
    print(f"demo: baked {recipe.FRAME_END} frames of '{obj.name}' in {baked - began:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as pictures:
        moments = [Path(pictures, f"{frame:04d}.png") for frame in recipe.MOMENTS]
        for frame, path in zip(recipe.MOMENTS, moments, strict=True):
            studio.render(scene, frame, recipe.PANEL, path)
        pixels = strip.join([strip.read_picture(path) for path in moments], axis=1)
    print(f"demo: rendered {len(moments)} pictures in {perf_counter() - baked:.0f} s", flush=True)
    strip.write_picture(folder / f"{name}.png", pixels)
    scene.frame_set(scene.frame_start)
    scene.render.filepath = f"//{name}_"
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"), compress=True, check_existing=False)
    return pixels


def bake(obj, settings):
    """Add Hooke to an object as the buttons do, with these settings, and bake it to shape keys."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.hooke.add()
    for name, value in settings.items():
        setattr(obj.hooke, name, value)
    bpy.ops.hooke.bake(mode="SHAPE_KEYS")


def main():
    """Make every scene and the strip of all, and say where they are; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="folder for files and pictures"
    )
    folder = parser.parse_args().output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    hooke_package()
    rows = [make_scene(name, folder) for name in SCENES]
    strip.write_picture(folder / "demo.png", strip.join(rows, axis=0))
    for path in sorted(folder.glob("*.blend")) + sorted(folder.glob("*.png")):
        print(f"demo: {path}")
    return 0


if __name__ == "__main__":
    status = main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
