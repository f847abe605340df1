# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `core`: Simulation.step on the sheet, without Blender's part."""

from time import perf_counter

import numpy as np

from . import hooke, sheet
from .table import print_table, spread

# Substeps and iterations close to convergence: what fewer of them cost in truth.
REFERENCE = (10, 30)


def run(quads, frame_count):
    """Time every effort with every linear solver, and the reference with the first of them."""
    solvers = hooke.solver_names()
    cases = [(solver, effort, frame_count) for effort in sheet.EFFORTS for solver in solvers]
    cases += [(solver, REFERENCE, 24) for solver in solvers[:1]]
    print_table(
        f"core: {(quads + 1) ** 2:,} vertices, Simulation.step of one frame; ms are median (least-most)",
        ("solver", "substeps x iterations", "set-up ms", "ms a frame", *sheet.SHAPE_HEADINGS),
        [_measure(quads, *case) for case in cases],
    )


def _measure(quads, solver, effort, frame_count):
    points, faces, pinned = sheet.grid(quads)
    edges, k = sheet.edges(faces), sheet.STIFFNESS
    pins = np.zeros(len(points))
    pins[pinned] = 1.0
    core = hooke.module("core")
    network = core.SpringNetwork.from_mesh(
        points, edges, faces, structural=k, shear=k, bending=k, mass=sheet.MASS, pins=pins
    )
    substeps, iterations = effort
    began = perf_counter()
    simulation = core.Simulation(
        network, dt=1.0 / sheet.FPS, substeps=substeps, iterations=iterations, backend=solver
    )
    set_up = 1e3 * (perf_counter() - began)
    frames, milliseconds = [], []
    for _ in range(sheet.WARM_UP + frame_count):
        began = perf_counter()
        simulation.step()
        milliseconds.append(1e3 * (perf_counter() - began))
        frames.append(simulation.state.x)
    times = spread(milliseconds[sheet.WARM_UP :])
    shape = sheet.shape_columns(frames, points, edges)
    return solver, f"{substeps} x {iterations}", f"{set_up:.0f}", times, *shape
