# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the screen that a script within Blender asks for, by ImageMagick, outside Blender."""

import subprocess
import tempfile
import time
from pathlib import Path

from picture_arguments import join
from writing import check, file_kinds, put_all

# Pictures of the sidebar alone, which become one of all, named after the version of Blender.
PANELS = "panel"
# Pictures of one panel, cut to it.
GUIDE = "guide-"
# Tries, one a second, until a panel is drawn.
PATIENCE = 60
# Of ImageMagick, for a file a fourth as large as without.
SMALL = ["+dither", "-colors", "128"]


def take(script, folder, command, names):
    """Start Blender with a script and answer what it asks for; returns its exit status. folder: of nobody else."""
    asking = [word for name in names for word in ("--only", name)]
    blender = subprocess.Popen([*command, "--python", script, "--", "--output", folder, *asking])
    while blender.poll() is None:
        for asked in folder.glob("*.asked"):
            picture = asked.with_suffix(".png")
            _take_one(picture, asked.read_text(encoding="utf-8"))
            print(f"pictures: {picture.name}", flush=True)
            asked.unlink()
        time.sleep(0.1)
    parts = sorted(folder.glob(f"{PANELS}-*.png"))
    if parts:
        _, _, version = parts[0].stem.split("-")
        join(parts, folder / f"{PANELS}s-{version}.png", SMALL)
    return blender.returncode


def _take_one(picture, place):
    """Take a part of the screen; raises CalledProcessError where nothing appears in it in time."""
    crop = ["-crop", place, "+repage"]
    if picture.name.startswith(GUIDE):
        # Around the panel is the colour of the sidebar, and around that a line.
        crop += ["-shave", "3x3", "-trim", "+repage"]
    screen = picture.with_suffix(".xwd")
    cut = ["convert", screen, *crop, *SMALL, f"png8:{picture}"]
    # A busy machine may not have drawn the panel yet; then there is nothing to trim to.
    for _ in range(PATIENCE):
        subprocess.run(["import", "-window", "root", screen], check=True)
        if subprocess.run(cut, capture_output=True).returncode == 0:
            return
        time.sleep(1.0)
    subprocess.run(cut, check=True)


def take_into(script, folder, command, names):
    """Take pictures, and write them where they belong; returns the exit status."""
    check(folder, {f"{name}.png": file_kinds.PNG for name in names if not name.startswith(PANELS)})
    with tempfile.TemporaryDirectory() as room:
        status = take(script, Path(room), command, names)
        put_all(sorted(Path(room).glob("*.png")), folder, file_kinds.PNG)
    return status
