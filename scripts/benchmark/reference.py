# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contestants' frames are compared with: the course's own motion, free of any solver's damping.

Hooke's core with Verlet at the largest step that is stable: explicit, of order 2, without iterations to converge
and without numerical damping. Half the step gives the same frames to a few millimetres.
"""

import zlib

import numpy as np
from measuring.page import ROOT
from theory.courses import FPS

from hooke.core import INTEGRATORS, Simulation
from hooke.core.diagnostics import enough_substeps

# Where frames are kept for later runs.
FOLDER = ROOT / "build" / "benchmark"


def frames(course, frame_count):
    """Positions [m] of frames after the first, shape (frame_count, vertex_count, 3); from disk if they are there."""
    network = course.network()
    moves = np.array([course.motion(frame / FPS) for frame in range(FPS)])
    made_from = 0
    for array in (network.points, network.edges, network.stiffness, network.masses, moves):
        made_from = zlib.crc32(np.ascontiguousarray(array).tobytes(), made_from)
    file = FOLDER / f"reference-{network.vertex_count}-{made_from:08x}.npy"
    kept = np.load(file) if file.is_file() else np.empty((0, network.vertex_count, 3))
    if len(kept) < frame_count:
        kept = _simulated(course, network, frame_count)
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, kept)
    return kept[:frame_count]


def _simulated(course, network, frame_count):
    dt = 1.0 / FPS
    substeps = enough_substeps(network, INTEGRATORS["VERLET"], dt)
    print(f"  the reference: Verlet with {substeps:,} steps a frame; kept for later runs", flush=True)
    simulation = Simulation(network, "VERLET", dt=dt, substeps=substeps)
    found = []
    for number, x in enumerate(simulation.frames(frame_count, pin_targets=course.pin_targets), start=1):
        found.append(x)
        if number % 12 == 0:
            print(f"  frame {number} of {frame_count}", flush=True)
    return np.array(found)
