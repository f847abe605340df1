# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a file in a process of its own: python playback.py FILE.blend OBJECT FIRST-LAST OUT.npz

Writes the shown positions of every frame, named by its number.
"""

import os
import sys

import bpy
import numpy as np

import hooke


def main(file, name, frames, output):
    """Open, play, write."""
    hooke.register()
    bpy.ops.wm.open_mainfile(filepath=file)
    first, last = map(int, frames.split("-"))
    shown = {}
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        obj = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown[str(frame)] = np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float32)
    np.savez(output, **shown)


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    os._exit(0)
