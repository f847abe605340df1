# SPDX-License-Identifier: GPL-3.0-or-later
"""What a frame of Hooke costs while an animation plays in Blender, and which part of it is whose.

The whole frame is `scene.frame_set`, Blender's own evaluations included; Hooke is the frame handler's part of it;
transfer is the handler without the solver: reading pins, checking what is stale, writing positions.
"""

from functools import partial

import numpy as np
from measuring.measured import Measured
from measuring.page import spread
from theory import courses

from hooke.addon.play import sessions

from .in_blender import PLAIN, Hooke
from .race import WARM_UP


def parts(options, substeps, iterations):
    """Cells of some substeps and iterations."""
    sheet = Hooke("Hooke", substeps=substeps, iterations=iterations, **PLAIN)
    times = []
    for _, whole in sheet.played(courses.sheet(options.quads), options.frames):
        running = sessions.find(sheet.obj)
        ours, transfer = running.milliseconds, running.transfer_milliseconds
        times.append((whole, ours, ours - transfer, transfer))
    return [spread(column) for column in np.array(times[WARM_UP:]).T]


def tables(options):
    """Ways to spend ten solves a frame."""
    yield Measured(
        "live",
        "benchmark.md",
        ("substeps × iterations", "whole frame", "Hooke", "its solver", "its transfer"),
        {"1 × 10": (1, 10), "10 × 1": (10, 1)},
        partial(parts, options),
        f"{(options.quads + 1) ** 2:,} vertices; ms are median (least–most).",
        "Measured on {machine}.",
    )
