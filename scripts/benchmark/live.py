# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `live`: what Hooke's frames in Blender are made of.

The whole frame is `scene.frame_set`, Blender's own evaluations included; Hooke is the frame handler's part of it;
transfer is the handler without the solver: reading pins, checking what is stale, writing positions.
"""

from time import perf_counter

import numpy as np
from measuring.table import spread

from hooke.addon.play import sessions
from hooke.core.solvers.linear import backends

from . import courses
from .in_blender import PLAIN, Hooke
from .race import WARM_UP

# Ways to spend ten solves a frame: substeps, iterations.
EFFORTS = ((1, 10), (10, 1))
PARTS = ("whole frame", "Hooke", "its solver", "its transfer")


def run(options):
    """Time every effort with every linear solver; returns the rows."""
    rows = [
        _measure(options.quads, factor.name, effort, options.frames)
        for effort in EFFORTS
        for factor in backends()
    ]
    return {"quads": options.quads, "rows": rows}


def _measure(quads, solver, effort, frame_count):
    sheet = Hooke(f"Hooke, {solver}", solver, substeps=effort[0], iterations=effort[1], **PLAIN)
    sheet.start(courses.sheet(quads))
    times = []
    for _ in range(frame_count):
        began = perf_counter()
        sheet.advance()
        whole = 1e3 * (perf_counter() - began)
        running = sessions.find(sheet.obj)
        ours, transfer = running.milliseconds, running.transfer_milliseconds
        times.append((whole, ours, ours - transfer, transfer))
    columns = np.array(times[WARM_UP:]).T.tolist()
    return {
        "solver": solver,
        "substeps": effort[0],
        "iterations": effort[1],
        **dict(zip(PARTS, columns, strict=True)),
    }


def tables(results):
    """(title, headings, rows of text) of everything measured."""
    yield (
        f"live in Blender: {(results['quads'] + 1) ** 2:,} vertices; ms are median (least–most)",
        ("solver", "substeps × iterations", *PARTS),
        [
            (
                row["solver"],
                f"{row['substeps']} × {row['iterations']}",
                *(spread(row[part]) for part in PARTS),
            )
            for row in results["rows"]
        ],
    )
