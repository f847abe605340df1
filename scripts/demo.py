# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake four of the gallery's examples with Blender, and make a moving picture of them.

    python scripts/demo.py --output DIR        with the bpy module

Writes a .blend of each, baked to shape keys, so that it plays in a Blender without Hooke; demo.gif with all four, which
is docs/pictures/demo.gif; and a still of each.
"""

import argparse
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import bpy
import numpy as np
from bake import hooke_package
from PIL import Image
from writing import check, file_kinds, output_files, status_of

EXAMPLES = ("FLAG", "JELLY", "CLOTH_ON_SPHERE", "SKIRT")
FRAME_END, EVERY, SIZE, COLORS = 96, 3, (272, 204), 255
TOLD_EVERY = 8
# Frame of the still, when most is seen of each.
MOMENT = 61
KINDS = {".blend": file_kinds.BLEND, ".png": file_kinds.PNG, ".gif": file_kinds.GIF}


def make(id, folder, hooke):
    """Build, bake, save and render an example; returns its pictures, in order."""
    gallery = hooke.addon.gallery
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    began, scene = perf_counter(), bpy.context.scene
    obj = gallery.build(id, scene)
    scene.frame_end = obj.hooke.frame_end = FRAME_END
    bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    label = gallery.EXAMPLES[id].LABEL
    tell(f"{label}: baked {FRAME_END} frames of {len(obj.data.vertices):,} vertices", began)
    name = id.lower()
    began = perf_counter()
    pictures = render(scene, folder / f"{name}.png")
    tell(f"{label}: rendered {len(pictures)} pictures", began)
    scene.frame_set(scene.frame_start)
    scene.render.filepath = f"//{name}_"
    with quiet(), written(folder / f"{name}.blend") as path:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=True, check_existing=False)
    return pictures


def render(scene, still):
    """Pictures of the scene, one every few frames; the one of the moment is kept as `still` too."""
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", 10
    scene.render.use_persistent_data = True
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.image_settings.file_format = "PNG"
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        frames = range(1, FRAME_END + 1, EVERY)
        for frame in frames:
            if len(pictures) % TOLD_EVERY == 0:
                print(f"demo: rendering picture {len(pictures) + 1} of {len(frames)}", flush=True)
            scene.render.filepath = str(Path(folder, f"{frame}.png"))
            with quiet():
                scene.frame_set(frame)
                bpy.ops.render.render(write_still=True)
            with Image.open(scene.render.filepath) as picture:
                pictures.append(picture.convert("RGB"))
    with written(still) as path:
        pictures[(MOMENT - 1) // EVERY].save(path)
    return pictures


def moving_picture(rows, path):
    """All examples side by side, two in a row, as a GIF that loops; rows: the pictures of each example."""
    width, height = SIZE
    frames = []
    for pictures in zip(*rows, strict=True):
        whole = Image.new("RGB", (2 * width, -(-len(rows) // 2) * height))
        for number, picture in enumerate(pictures):
            whole.paste(picture, (number % 2 * width, number // 2 * height))
        frames.append(whole)
    # One palette for all: with one each the ground would flicker.
    palette = palette_of(np.concatenate([np.asarray(frame) for frame in frames[:: len(frames) // 6]]))
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    with written(path) as made:
        frames[0].save(
            made,
            save_all=True,
            append_images=frames[1:],
            duration=round(1000 * EVERY / 24),
            loop=0,
            optimize=True,
        )


def palette_of(pixels):
    """A picture with a palette of pixels, shape (…, 3), in which what is small has its colours beside what is large.

    Each colour counts by the cube root of how often it is there: counted as often as it is, ground and sky take all.
    """
    colors, counts = np.unique(pixels.reshape(-1, 3) // 4, axis=0, return_counts=True)
    weighed = np.repeat(4 * colors + 2, np.ceil(np.cbrt(counts)).astype(int), axis=0)
    return Image.fromarray(weighed[None].astype(np.uint8)).quantize(COLORS)


@contextmanager
def written(path):
    """A path to write to, which takes the place of one of its kind when it is whole; raises output_files.Refused."""
    made = output_files.partial(path)
    try:
        yield made
        output_files.put(made, path, KINDS[path.suffix])
    finally:
        made.unlink(missing_ok=True)


@contextmanager
def quiet():
    """Keep what Blender prints, a line a sample, off the terminal."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def tell(what, began):
    """Say what was done, and how long it took."""
    print(f"demo: {what} in {perf_counter() - began:.0f} s", flush=True)


def main():
    """Make all examples and the moving picture; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="folder for files and pictures"
    )
    folder = parser.parse_args().output.resolve()
    names = [f"{id.lower()}{ending}" for id in EXAMPLES for ending in (".blend", ".png")]
    check(folder, {name: KINDS[Path(name).suffix] for name in (*names, "demo.gif")})
    hooke = hooke_package()
    print(f"demo: {len(EXAMPLES)} examples into {folder}; on two idle cores this takes minutes", flush=True)
    moving_picture([make(id, folder, hooke) for id in EXAMPLES], folder / "demo.gif")
    return 0


if __name__ == "__main__":
    status = status_of("demo", main)
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
