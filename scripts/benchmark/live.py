# SPDX-License-Identifier: GPL-3.0-or-later
"""What one frame costs live in Blender: a grid of 10,201 vertices hung at two corners.

The whole frame is `scene.frame_set`, Blender's own evaluations included; the handler is Hooke's part of it; the
transfer is the handler without the solver: reading pins, checking what is stale, writing positions.
"""

import importlib
import os
from time import perf_counter
from typing import Any

import bpy
import numpy as np
from bake import hooke_package

SIDE = 100
FRAMES = 36
WARM_UP = 6


def main():
    """Print a table over linear solvers and ways to spend ten iterations."""
    package = hooke_package()
    print(
        f"\nLive in Blender {bpy.app.version_string}, {os.cpu_count()} cores, {(SIDE + 1) ** 2:,} vertices, "
        f"{FRAMES - WARM_UP} frames; ms as median (least to most)"
    )
    print(f"{'solver':8} {'steps x iterations':18} {'whole frame':22} {'handler':22} {'transfer':18} stretch")
    for backend in _backends(package):
        for substeps, iterations in ((1, 10), (10, 1)):
            print(
                f"{backend:8} {substeps:5} x {iterations:<10} {_row(package, backend, substeps, iterations)}"
            )


def _backends(package):
    linear: Any = importlib.import_module(".core.linear", package.__name__)
    return [factor.name for factor in linear.backends()]


def _row(package, backend, substeps, iterations):
    linear: Any = importlib.import_module(".core.linear", package.__name__)
    session: Any = importlib.import_module(".addon.session", package.__name__)
    every = linear.backends
    # AUTO takes the first backend that is installed: this leaves one to choose from.
    linear.backends = lambda: tuple(factor for factor in every() if factor.name == backend)
    try:
        obj = hanging_grid(substeps, iterations)
        scene, whole, handler, transfer = bpy.context.scene, [], [], []
        for frame in range(1, FRAMES + 2):
            began = perf_counter()
            scene.frame_set(frame)
            whole.append(1e3 * (perf_counter() - began))
            running = session.find(obj)
            handler.append(running.milliseconds)
            transfer.append(running.transfer_milliseconds)
            if running.problem:
                raise RuntimeError(running.problem)
    finally:
        linear.backends = every
    strains = running.network.strains(running.simulation.state.x)
    columns = (_spread(times[1 + WARM_UP :]) for times in (whole, handler, transfer))
    largest, mean = 1.0 + strains.max(), np.abs(strains).mean()
    return "{:22} {:22} {:18}".format(*columns) + f" {largest:.3f} worst, {100 * mean:.3f} % mean"


def hanging_grid(substeps, iterations):
    """A new file with the grid of 2 m, 1 kg and 1e4 N/m in every spring, two corners pinned, 24 fps."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=SIDE, y_subdivisions=SIDE, size=2.0)
    obj = bpy.context.object
    obj.vertex_groups.new(name="Pin").add([0, SIDE], 1.0, "REPLACE")
    bpy.ops.hooke.add()
    settings = obj.hooke
    settings.stiffness, settings.shear, settings.bending, settings.mass = 1e4, 1.0, 1.0, 1.0
    settings.substeps, settings.iterations = substeps, iterations
    return obj


def _spread(times):
    return f"{np.median(times):6.1f} ({min(times):.1f} to {max(times):.1f})"
