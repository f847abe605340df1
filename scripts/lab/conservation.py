# SPDX-License-Identifier: GPL-3.0-or-later
"""What every effort keeps of energy and momentum in a minute, and when the default air brings it to rest.

Scenes can be measured one by one: each replaces its own rows of the tables. `tests/core/test_energy_budget.py` has the
gains of all methods, and those on surfaces with friction.
"""

import sys

import numpy as np
from energies.conservation_scenes import SCENES
from measuring.page import DOCS, kept_rows, merged, read_block, significant, table, write_block

from hooke.core import Settling
from hooke.core.effort import EFFORTS

from .energies import FPS, RESTING, resting_from, trace

SOLVER = DOCS / "solver_figures.md"
SECONDS, REST_SECONDS, PINS_STOP = 60, 12, 2.0
LABELS = [effort.label for effort in EFFORTS.values()]
HEADINGS = ("scene", *LABELS, "Converged [s]"), ("scene", *LABELS[:-1], "momentum")


def run(scenes, converged_seconds):
    """Simulate the scenes that begin with some words, or all; after each its rows are written, those of others stay."""
    for name in named(scenes):
        scene = SCENES[name]
        seconds = [converged_seconds if effort.tolerance else SECONDS for effort in EFFORTS.values()]
        traces = [trace(scene, *each) for each in zip(EFFORTS.values(), seconds, strict=True)]
        gains = (name, *(_gain_cell(found.gained) for found in traces), str(converged_seconds))
        momenta = [found.momentum for found in traces]
        rests = [_rest_cell(scene, effort) for effort in EFFORTS.values() if not effort.tolerance]
        others = (name, *rests, "–" if None in momenta else significant(max(momenta)))
        print("  " + "  ".join([*gains, *others[1:]]), flush=True)
        keep(gains, others)


def named(beginnings):
    """Names of the scenes that begin with these words, or of all; ends the process where one begins none."""
    for words in beginnings:
        if not any(name.startswith(words) for name in SCENES):
            sys.exit(f"no scene is called “{words}”: there are {', '.join(SCENES)}")
    return [name for name in SCENES if not beginnings or name.startswith(tuple(beginnings))]


def keep(gains, others, page=SOLVER):
    """Put a scene's rows into both tables of a page, in the order of the scenes."""
    before = read_block("conservation", page)
    gained, rested = (
        table(header, merged(SCENES, kept_rows(header, before), [row]))
        for header, row in zip(HEADINGS, (gains, others), strict=True)
    )
    text = [
        f"Without damping or air, {SECONDS} s, of Converged as long as the last column says: the most that energy less "
        "the pins' work was above the start, and the most it rose above its least so far, in thousandths of m g L; "
        "where no pin moves at most 9 above the start is let pass.",
        gained,
        f"With the default air: the time [s] from which on kinetic energy is below {RESTING:.0e} of its peak, pins "
        f"at rest from {PINS_STOP:g} s on; and without it, the error of what no pin holds in its momentum m g t, "
        "over the sum of all m |v|, the worst of the four.",
        rested,
    ]
    write_block("conservation", "\n\n".join(text), page)


def _gain_cell(gained):
    rise = np.max(gained - np.minimum.accumulate(np.append(0.0, gained))[1:])
    return f"{1e3 * max(gained.max(), 0.0):.2f}, {1e3 * rise:.2f}"


def _rest_cell(scene, effort):
    if len(scene.build().pinned) == 0:
        return "falls"
    found = trace(scene, effort, REST_SECONDS, forces=Settling(), until=PINS_STOP)
    frames = resting_from(found.kinetic)
    return f"over {REST_SECONDS}" if frames is None else f"{frames / FPS:.1f}"
