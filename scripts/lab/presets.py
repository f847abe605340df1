# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet of each preset at three resolutions: whether it falls, swings and hangs as the same cloth."""

from functools import cache

import numpy as np
from benchmark.courses import FPS, sheet
from measuring.measured import Measured

from hooke.core import Settling, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS

from .preset_materials import material

# The first is what everybody starts with.
PRESETS = ("Cotton", "Silk", "Denim", "Rubber Sheet")
# Each twice the one before: all vertices of a coarse sheet are vertices of the finer ones.
QUADS = (32, 64, 128)
FALLING, SECONDS = 2, 10


def motion(made_of, quads, effort="STANDARD", seconds=SECONDS, every=None):
    """Positions [m] after every frame of the vertices of the coarsest sheet, shape (frames, rows, columns, 3).

    Rows run from the pinned edge to the free one. every: that many quads of this sheet make one of the coarsest.
    """
    course = sheet(quads)
    network = SpringNetwork.from_mesh(
        course.points, course.edges, course.faces, material=made_of, pins=course.pinned
    )
    simulation = Simulation(network, dt=1.0 / FPS, forces=Settling(), **EFFORTS[effort].settings)
    every = every or quads // QUADS[0]
    side = quads + 1
    return np.array([x.reshape(side, side, 3)[::every, ::every] for x in simulation.frames(seconds * FPS)])


def profile(x):
    """Mean of every row across the sheet, [m] along y and z; of the shape of x less its columns."""
    return x.mean(axis=-2)[..., 1:]


def apart(one, other):
    """RMS distance [m] of points at every frame; shape (frame count,)."""
    squares = np.sum((one - other) ** 2, axis=-1)
    return np.sqrt(squares.reshape(len(one), -1).mean(axis=1))


@cache
def _motion(name, quads):
    return motion(material(name), quads)


def row(name, quads):
    """Cells of a preset at a resolution: distances from the finest, and the lowest point."""
    found, finest = _motion(name, quads), _motion(name, QUADS[-1])
    of_profile, of_all = apart(profile(found), profile(finest)), apart(found, finest)
    falling = slice(0, FALLING * FPS)
    shares = (of_profile[falling].max(), of_all[falling].max(), of_profile[-1], of_all[-1])
    cells = ["–"] * 4 if found is finest else [f"{50.0 * share:.1f} %" for share in shares]
    return *cells, f"{found[-1, ..., 2].min():.2f}".replace("-", "−")


TABLES = (
    Measured(
        "presets",
        "solver_figures.md",
        (
            "preset",
            "vertices",
            "profile, first 2 s",
            "all, first 2 s",
            "profile at 10 s",
            "all at 10 s",
            "lowest at 10 s [m]",
        ),
        {(name, f"{(quads + 1) ** 2:,}"): (name, quads) for name in PRESETS for quads in QUADS},
        row,
        f"Sheets of 2 m, let go level at two corners, with Standard and the default air. How far each is from the "
        f"finest, over the length of the sheet: the profile, which is the mean of every row from the pinned edge to "
        f"the free one, and all vertices both have (RMS); the most of the first {FALLING} s, and after {SECONDS} s.",
    ),
)
