# SPDX-License-Identifier: GPL-3.0-or-later
"""Two Blenders on one project: python sharing.py artist|reader|player FILE.blend SHOWN.npz ROUNDS SEED

The artist plays to random frames, resets and tries other settings until its input ends. The reader, which may not
write, opens the file in every round and renders some frames; it prints for each "right", "refused" with Hooke's
sentence before it on stderr, or "WRONG", by comparison with SHOWN, the frames as they are. The player, which may not
write either, plays all frames in every round; it prints "true" or "live" for a pass that came to its end, by whether
all frames were the true ones, "FROZEN" with the panel's sentence for one that stood still before, or "WRONG".
"""

import os
import random
import select
import sys
from pathlib import Path

import bpy
import numpy as np

import hooke
from hooke.addon.play import sessions
from hooke.core import file_lock

FRAMES = range(1, 21)


def artist(file, rng):
    """Play about until the input ends."""
    bpy.ops.wm.open_mainfile(filepath=file)
    scene, obj = bpy.context.scene, bpy.data.objects["Cloth"]
    bpy.context.view_layer.objects.active = obj
    print("begun", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        chance = rng.random()
        if chance < 0.2:
            bpy.ops.hooke.reset()
        elif chance < 0.3:
            obj.hooke.substeps = 3
        else:
            obj.hooke.substeps = 5
        for frame in range(1, rng.randrange(3, FRAMES[-1] + 2)):
            scene.frame_set(frame)


def write_nothing():
    """Have no right to write, as in the folder of somebody else."""

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    file_lock.take = refused


def player(file, shown, rounds, _rng):
    """Open the file and play the whole range in every round."""
    write_nothing()
    for _ in range(rounds):
        bpy.ops.wm.open_mainfile(filepath=file)
        print(played(shown), flush=True)


def played(shown):
    """How a pass went, in a line."""
    obj, before, live = bpy.data.objects["Cloth"], None, False
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        seen, running = positions("Cloth"), sessions.find(obj)
        if before is not None and seen.tobytes() == before.tobytes():
            return f"FROZEN at {frame}: {running.problem or running.hint}"
        live = live or running.tuned is not None
        if not live and seen.tobytes() != shown[str(frame)].tobytes():
            return f"WRONG at {frame}"
        before = seen
    return "live" if live else "true"


def reader(file, shown, rounds, rng):
    """Render some frames in every round."""
    write_nothing()
    for _ in range(rounds):
        bpy.ops.wm.open_mainfile(filepath=file)
        scene, found = bpy.context.scene, {}
        prepare(scene, os.path.splitext(file)[0])
        scene.frame_start = rng.choice(FRAMES)
        scene.frame_end = min(scene.frame_start + rng.randrange(4), FRAMES[-1])
        bpy.app.handlers.render_post.clear()
        bpy.app.handlers.render_post.append(
            lambda scene, *_, found=found: found.update({scene.frame_current: positions("Cloth")})
        )
        try:
            bpy.ops.render.render(animation=True)
        except RuntimeError:
            print("refused")
        for frame, seen in found.items():
            print("right" if seen.tobytes() == shown[str(frame)].tobytes() else f"WRONG {frame}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    from rendering import positions, prepare

    role, file, shown, rounds, seed = sys.argv[1:]
    hooke.register()
    if role == "artist":
        artist(file, random.Random(int(seed)))
    else:
        with np.load(shown) as frames:
            {"reader": reader, "player": player}[role](
                file, dict(frames), int(rounds), random.Random(int(seed))
            )
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
