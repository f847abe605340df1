# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `live`: whole frames in Blender, as playback changes them.

The whole frame is `scene.frame_set`, Blender's own evaluations included; Hooke is the frame handler's part of it;
transfer is the handler without the solver: reading pins, checking what is stale, writing positions.
"""

from time import perf_counter
from typing import Any

import bpy
import numpy as np

from . import hooke, sheet
from .table import print_table, spread


def run(quads, frame_count):
    """Time every effort with every linear solver."""
    columns = ("whole frame", "Hooke", "its solver", "its transfer")
    print_table(
        f"live in Blender: {(quads + 1) ** 2:,} vertices, scene.frame_set of one frame; ms are median (least-most)",
        ("solver", "substeps x iterations", *columns, *sheet.SHAPE_HEADINGS),
        [
            _measure(quads, solver, effort, frame_count)
            for effort in sheet.EFFORTS
            for solver in hooke.solver_names()
        ],
    )


def _measure(quads, solver, effort, frame_count):
    session = hooke.module("addon.session")
    scene, obj, points, edges = _scene(quads)
    obj.hooke.substeps, obj.hooke.iterations = effort
    last = 1 + sheet.WARM_UP + frame_count
    scene.frame_end = obj.hooke.frame_end = last
    times = []
    with hooke.linear_solver(solver):
        scene.frame_set(1)
        for frame in range(2, last + 1):
            began = perf_counter()
            scene.frame_set(frame)
            whole = 1e3 * (perf_counter() - began)
            running = session.find(obj)
            ours, transfer = running.milliseconds, running.transfer_milliseconds
            times.append((whole, ours, ours - transfer, transfer))
    _check(running, solver, last)
    shape = sheet.shape_columns(np.array(running.frames[1:], dtype=np.float64), points, edges)
    columns = [spread(column) for column in np.array(times[sheet.WARM_UP :]).T]
    return solver, "{} x {}".format(*effort), *columns, *shape


def _check(running, solver, frame_count):
    """Raise RuntimeError unless every frame was simulated, and by this linear solver."""
    if running.problem or len(running.frames) != frame_count:
        raise RuntimeError(f"simulated {len(running.frames)} of {frame_count} frames: {running.problem}")
    used = running.simulation.integrator.backend_name
    if used != solver:
        raise RuntimeError(f"measured {used} in place of {solver}")


def _scene(quads):
    """The sheet, ready to play, in an empty file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = sheet.FPS
    points, faces, pinned = sheet.grid(quads)
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    obj: Any = bpy.data.objects.new("Sheet", mesh)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.vertex_groups.new(name="Pin").add(pinned, 1.0, "REPLACE")
    bpy.ops.hooke.add()
    obj.hooke.stiffness, obj.hooke.mass = sheet.STIFFNESS, sheet.MASS
    obj.hooke.shear = obj.hooke.bending = 1.0
    return scene, obj, points, sheet.edges(faces)
