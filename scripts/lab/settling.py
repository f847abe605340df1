# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sheet of cotton falls and comes to rest in Hooke's air and in the Cloth modifier's; needs bpy."""

from functools import cache, partial

import numpy as np
from benchmark.in_blender import Cloth
from benchmark.reference import frames
from measuring.measured import Measured
from measuring.page import significant
from theory.courses import COURSES, FPS

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


def row(found=None):
    """Cells of frames, by default of the equations without air."""
    if found is None:
        return *_heights(frames(_course(), 2 * FPS)), *["–"] * (len(LATER) + 1)
    played = found()
    return *_heights(played), *_energies(_course(), played)


@cache
def _course():
    return COURSES["cotton"](QUADS)


def _by_hooke(effort, air):
    """Frames of the core."""
    settings = EFFORTS[effort].settings
    simulation = Simulation(_course().network(), dt=1.0 / FPS, forces=AIRS[air], **settings)
    return np.array(list(simulation.frames(SECONDS * FPS)))


def _by_cloth(air_damping):
    """Frames of the modifier, at its default quality and mass of a vertex."""
    contestant = Cloth("Cloth", 0.3, air_damping=air_damping)
    contestant.start(_course())
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


TABLES = (
    Measured(
        "settling",
        "air.md",
        HEADINGS,
        {
            "the equations without air": (),
            **{
                f"{effort.title()}, {air}": (partial(_by_hooke, effort, air),)
                for air in AIRS
                for effort in ("STANDARD", "FINE")
            },
            "Cloth modifier, air 1, the default": (partial(_by_cloth, 1.0),),
            "Cloth modifier, no air": (partial(_by_cloth, 0.0),),
        },
        row,
        "A sheet of cotton, 2 m, 2,601 vertices, let go level at two corners: mean height [m], the highest after the "
        "first second, and kinetic energy over its peak, the most within half a second.",
    ),
)
