# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sheet of cotton falls and comes to rest in Hooke's air and in the Cloth modifier's; needs bpy."""

import numpy as np
from benchmark.courses import COURSES, FPS
from benchmark.in_blender import Cloth
from benchmark.reference import frames
from measuring.page import ROOT, significant, table, write_block

from hooke.core import AirDrag, Settling, Simulation
from hooke.core.effort import EFFORTS

QUADS, SECONDS = 50, 12
RESTING = 1e-4
MOMENTS = (0.5, 0.75, 1.0)
LATER = (4, 6, 8, 10)
HEADINGS = (
    "",
    *(f"height at {moment} s" for moment in MOMENTS),
    "highest after",
    *(f"energy at {moment} s" for moment in LATER),
    f"rests after [s], below {RESTING:.0e}",
)
AIRS = {"no air": (), "Settling 0.1": Settling(), "Real 1.2, the default": AirDrag()}


def run():
    """Simulate the sheet in every air and write the table."""
    course = COURSES["cotton"](QUADS)
    rows = [("the equations without air", *_heights(frames(course, 2 * FPS)), *["–"] * (len(LATER) + 1))]
    for name, found in _played(course):
        rows.append((name, *_heights(found), *_energies(course, found)))
        print("  " + "  ".join(rows[-1]), flush=True)
    note = (
        f"A sheet of cotton, 2 m, {len(course.points):,} vertices, let go level at two corners: mean height [m], the "
        "highest after the first second, and kinetic energy over its peak, the most within half a second."
    )
    write_block("settling", f"{note}\n\n" + table(HEADINGS, rows), page=ROOT / "docs" / "air.md")


def _played(course):
    """Names and frames of all that is compared."""
    for air, forces in AIRS.items():
        for effort in ("Standard", "Fine"):
            yield f"{effort}, {air}", _by_hooke(course, EFFORTS[effort.upper()], forces)
    for air, damping in (("air 1, the default", 1.0), ("no air", 0.0)):
        yield f"Cloth modifier, {air}", _by_cloth(course, damping)


def _by_hooke(course, effort, forces):
    simulation = Simulation(course.network(), dt=1.0 / FPS, forces=forces, **effort.settings)
    return np.array(list(simulation.frames(SECONDS * FPS)))


def _by_cloth(course, air_damping):
    """Frames of the modifier, at its default quality and mass of a vertex."""
    contestant = Cloth("Cloth", 0.3, air_damping=air_damping)
    contestant.start(course)
    contestant.scene.frame_end = contestant.obj.modifiers[0].point_cache.frame_end = SECONDS * FPS + 1
    found = []
    for _ in range(SECONDS * FPS):
        contestant.advance()
        found.append(contestant.positions())
    return np.array(found)


def _heights(found):
    """Mean heights at the moments, and the highest after a second, as cells."""
    heights = found[:, :, 2].mean(axis=1)
    moments = [heights[round(moment * FPS) - 1] for moment in MOMENTS]
    return [f"{height:.2f}".replace("-", "−") for height in (*moments, heights[FPS:].max())]


def _energies(course, found):
    """Kinetic energies over their peak, and when they are small for good, as cells; from differences of frames."""
    moved = np.diff(np.concatenate([course.points[None], found]), axis=0)
    energies = np.einsum("fij,fij->f", moved, moved)
    energies /= energies.max()
    last = np.flatnonzero(energies > RESTING)[-1] + 1
    cells = [significant(energies[FPS * moment - FPS // 2 : FPS * moment].max()) for moment in LATER]
    return [*cells, f"{last / FPS:.1f}" if last < len(energies) else f"over {SECONDS}"]
