# SPDX-License-Identifier: GPL-3.0-or-later
"""Render a file in a process of its own, as a farm does: python rendering.py FILE.blend OBJECT FIRST-LAST OUT.npz

Renders the frames as an animation of 4 x 4 pixels, or the saved frame as a picture where FIRST-LAST is "still", and
writes what each of them showed, by its number. Exit status 1 where the render was refused.
"""

import os
import sys

import bpy
import numpy as np

import hooke


def main(file, name, frames, output):
    """Open, render, write; returns the exit status."""
    hooke.register()
    bpy.ops.wm.open_mainfile(filepath=file)
    scene, shown = bpy.context.scene, {}
    prepare(scene, os.path.splitext(output)[0])
    bpy.app.handlers.render_post.append(lambda *_: shown.update({str(scene.frame_current): positions(name)}))
    if frames != "still":
        scene.frame_start, scene.frame_end = map(int, frames.split("-"))
    try:
        bpy.ops.render.render(animation=frames != "still")
    except RuntimeError:
        return 1
    finally:
        np.savez(output, **shown)
    return 0


def prepare(scene, path):
    """Have the smallest picture rendered."""
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 1, False
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.filepath = path
    if scene.camera is None:
        scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
        scene.collection.objects.link(scene.camera)


def positions(name):
    """Positions of the evaluated mesh of an object, float32."""
    obj = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float32)


if __name__ == "__main__":
    status = main(*sys.argv[1:])
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
