# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet of each preset at three resolutions: whether it falls, swings and hangs as the same cloth."""

from functools import cache

from measuring.measured import Measured
from theory.courses import FPS
from theory.preset_materials import material
from theory.preset_sheets import apart, motion, profile

# The first is what everybody starts with.
PRESETS = ("Cotton", "Silk", "Denim", "Rubber Sheet")
# Each twice the one before: all vertices of a coarse sheet are vertices of the finer ones.
QUADS = (32, 64, 128)
FALLING, SECONDS = 2, 10


@cache
def _motion(name, quads):
    return motion(material(name), quads, SECONDS, quads // QUADS[0])


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
