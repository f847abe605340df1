# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contestants' frames are compared with: the sheet's own motion, free of any solver's damping.

Hooke's core with Verlet at the largest step that is stable: explicit, of order 2, without iterations to converge
and without numerical damping. Half the step gives the same frames to a few millimetres.
"""

import zlib

import numpy as np
from measuring import results

from . import sheet


def frames(quads, frame_count):
    """Positions [m] of frames after the first, shape (frame_count, vertex_count, 3); from disk if they are there."""
    network = sheet.network(quads)
    made_from = zlib.crc32(network.points.tobytes() + network.edges.tobytes() + network.stiffness.tobytes())
    file = results.FOLDER / f"reference-{quads}-{made_from:08x}.npy"
    kept = np.load(file) if file.is_file() else np.empty((0, network.vertex_count, 3))
    if len(kept) < frame_count:
        kept = _simulated(network, frame_count)
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, kept)
    return kept[:frame_count]


def _simulated(network, frame_count):
    from hooke.core import INTEGRATORS, Simulation
    from hooke.core.diagnostics import enough_substeps

    dt = 1.0 / sheet.FPS
    substeps = enough_substeps(network, INTEGRATORS["VERLET"], dt)
    print(f"the reference: Verlet with {substeps:,} steps a frame; kept for later runs", flush=True)
    simulation = Simulation(network, "VERLET", dt=dt, substeps=substeps)
    found = []
    for number, x in enumerate(simulation.frames(frame_count), start=1):
        found.append(x)
        if number % 12 == 0:
            print(f"  frame {number} of {frame_count}", flush=True)
    return np.array(found)
