# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of docs/examples.md in a Blender that has Hooke: three moments of each example, and its motion.

    python3 scripts/example_pictures.py --output docs/pictures blender

Starts that command with this script in it, which opens each example as *File > New > Hooke* does, plays it, and renders
on the way; ImageMagick's `convert` joins the frames.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from picture_arguments import join, parse
from writing import check, file_kinds, put_all, status_of

# None outside Blender, where the pictures are rendered.
bpy: Any = importlib.import_module("bpy") if importlib.util.find_spec("bpy") else None

# Of each example the frames that tell what happens.
MOMENTS = {
    "HANGING_CLOTH": (1, 18, 40),
    "FLAG": (1, 40, 90),
    "CLOTH_ON_SPHERE": (1, 20, 60),
    "SKIRT": (1, 40, 74),
    "PLEATED_SKIRT": (1, 24, 44),
    "JELLY": (1, 14, 40),
    "NET": (1, 30, 60),
    "ROPE_BRIDGE": (1, 24, 60),
    "TEAR": (1, 30, 60),
    "PILLOW": (1, 46, 90),
    "JACKET": (1, 56, 134),
    "TORN_FLAG": (36, 68, 74),
    "JIGGLE": (1, 14, 20),
    "BALLOON": (1, 70, 100),
    "DENT": (1, 40, 100),
}
SIZE, SAMPLES = (400, 440), 48
# Of the moving picture: every fourth frame, of 40 at least.
MOVING_SIZE, MOVING_SAMPLES, EVERY, LEAST = (200, 220), 8, 4, 40
# Of ImageMagick: for a file a fourth as large as without, and for a sixth of a second a picture.
SMALL = ["+dither", "-colors", "192"]
MOVING = ["-quality", "45", "-define", "webp:method=6", "-loop", "0"]
WEBP = file_kinds.beginning("a WebP picture", b"RIFF")


def picture_name(id):
    """The name of an example's picture, without its ending."""
    return f"example-{id.lower().replace('_', '-')}"


def render(id, folder):
    """Play an example and render its moments and its motion, a file each, in order of their names."""
    from bake import hooke_package

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    hooke_package().addon.gallery.build(id, scene)
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    # Some builds of Blender leave the denoiser out.
    scene.cycles.use_denoising = importlib.import_module("_cycles").with_openimagedenoise
    scene.render.image_settings.file_format = "PNG"
    moments = MOMENTS[id]

    def take(name, size, samples):
        scene.render.resolution_x, scene.render.resolution_y = size
        scene.cycles.samples, scene.render.filepath = samples, str(folder / name)
        bpy.ops.render.render(write_still=True)

    for frame in range(scene.frame_start, max(moments[-1], LEAST) + 1):
        scene.frame_set(frame)
        if frame in moments:
            take(f"{picture_name(id)}-{frame:04d}.png", SIZE, SAMPLES)
        if frame % EVERY == 1:
            take(f"{picture_name(id)}-moving-{frame:04d}.png", MOVING_SIZE, MOVING_SAMPLES)


def take_into(folder, command, ids):
    """Render examples in a Blender, and write their pictures where they belong; returns the exit status."""
    check(folder, {f"{picture_name(id)}.png": file_kinds.PNG for id in ids})
    check(folder, {f"{picture_name(id)}.webp": WEBP for id in ids})
    with tempfile.TemporaryDirectory() as room:
        asking = [word for id in ids for word in ("--only", id)]
        words = [*command, "-b", "--python", __file__, "--", "--output", room, *asking]
        status = subprocess.run(words, stdout=subprocess.DEVNULL).returncode
        for id in ids if status == 0 else ():
            whole = Path(room) / f"{picture_name(id)}.png"
            moving = sorted(Path(room).glob(f"{picture_name(id)}-moving-*.png"))
            rate = ["-delay", f"{EVERY * 100 // 24}"]
            subprocess.run(["convert", *rate, *moving, *MOVING, whole.with_suffix(".webp")], check=True)
            for part in moving:
                part.unlink()
            join(sorted(Path(room).glob(f"{picture_name(id)}-*.png")), whole, SMALL)
            print(f"example_pictures: {whole.name}", flush=True)
        put_all(sorted(Path(room).glob("*.png")), folder, file_kinds.PNG)
        put_all(sorted(Path(room).glob("*.webp")), folder, WEBP)
    return status


def main():
    """Parse the arguments, outside Blender or behind `--` within, and begin."""
    starts = "the words that start Blender" if bpy is None else None
    chosen = parse("example_pictures.py", __doc__.splitlines()[0], MOMENTS, starts)
    folder, ids = chosen.output, chosen.only or list(MOMENTS)
    if bpy is None:
        return status_of("example_pictures", lambda: take_into(folder, chosen.command, ids))
    try:
        for id in ids:
            render(id, folder)
    except Exception:  # Blender goes on after a script that raised, with status 0.
        traceback.print_exc()
        os._exit(1)
    return 0


if __name__ == "__main__" and (status := main()):
    sys.exit(status)
