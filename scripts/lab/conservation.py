# SPDX-License-Identifier: GPL-3.0-or-later
"""What every effort keeps of energy and momentum in a minute, and when the default air brings it to rest.

`tests/core/test_energy_budget.py` has the gains of all methods, and those on surfaces with friction.
"""

from functools import cache

import numpy as np
from energies.conservation_scenes import SCENES
from energies.traces import FPS, RESTING, resting_from, trace
from measuring.measured import Measured
from measuring.page import significant

from hooke.core import Settling
from hooke.core.effort import EFFORTS

SECONDS, REST_SECONDS, PINS_STOP = 60, 12, 2.0
# Converged takes minutes for a second.
CONVERGED_SECONDS = {name: 30 if number < 4 else 10 for number, name in enumerate(SCENES)}
QUICK = {effort.label: effort for effort in EFFORTS.values() if not effort.tolerance}
CONVERGED = next(effort for effort in EFFORTS.values() if effort.tolerance)


@cache
def _traced(name, label):
    return trace(SCENES[name], QUICK[label], SECONDS)


def gains(name):
    """Cells: of every effort the most that energy was above the start and above its least, in thousandths of m g L."""
    converged = trace(SCENES[name], CONVERGED, CONVERGED_SECONDS[name])
    for found in (*(_traced(name, label) for label in QUICK), converged):
        rise = np.max(found.gained - np.minimum.accumulate(np.append(0.0, found.gained))[1:])
        yield f"{1e3 * max(found.gained.max(), 0.0):.2f}, {1e3 * rise:.2f}"
    yield CONVERGED_SECONDS[name]


def rests(name):
    """Cells: when each effort is at rest [s], and the error of momentum."""
    scene = SCENES[name]
    for effort in QUICK.values():
        if len(scene.build().pinned) == 0:
            yield "falls"
            continue
        frames = resting_from(trace(scene, effort, REST_SECONDS, forces=Settling(), until=PINS_STOP).kinetic)
        yield f"over {REST_SECONDS}" if frames is None else f"{frames / FPS:.1f}"
    momenta = [_traced(name, label).momentum for label in QUICK]
    yield "–" if None in momenta else significant(max(momenta))


TABLES = (
    Measured(
        "conservation",
        "solver_figures.md",
        ("scene", *QUICK, CONVERGED.label, "Converged [s]"),
        {name: (name,) for name in SCENES},
        gains,
        f"Without damping or air, {SECONDS} s, of Converged as long as the last column says: the most that energy less "
        "the pins' work was above the start, and the most it rose above its least so far, in thousandths of m g L; "
        "where no pin moves at most 9 above the start is let pass.",
    ),
    Measured(
        "rest",
        "solver_figures.md",
        ("scene", *QUICK, "momentum"),
        {name: (name,) for name in SCENES},
        rests,
        f"With the default air: the time [s] from which on kinetic energy is below {RESTING:.0e} of its peak, pins "
        f"at rest from {PINS_STOP:g} s on; and without it, the error of what no pin holds in its momentum m g t, "
        "over the sum of all m |v|, the worst of the three.",
    ),
)
