# SPDX-License-Identifier: GPL-3.0-or-later
"""What every effort keeps of energy and momentum in a minute, and when the default air brings it to rest."""

import sys
from typing import NamedTuple

import numpy as np
from energies.conservation_scenes import SCENES
from energies.energy_scenes import size
from measuring.page import ROOT, kept_rows, merged, read_block, significant, table, write_block

from hooke.core import Settling, Simulation
from hooke.core.effort import EFFORTS

from .energy import FPS, energy, work_of_pins

SOLVER = ROOT / "docs" / "solver_figures.md"
SECONDS = 60
RESTING, REST_SECONDS, PINS_STOP = 1e-4, 12, 2.0
G = np.array([0.0, 0.0, -9.81])


class Trace(NamedTuple):
    """What was found after every frame: E - E(0) - work of the pins, in parts of m g L; kinetic energy [J].

    momentum: largest difference from m g t, in parts of the sum of all m |v|; None where something is pinned.
    """

    gained: np.ndarray
    kinetic: np.ndarray
    momentum: float | None


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
    labels = [effort.label for effort in EFFORTS.values()]
    before = read_block("conservation", page)

    def grown(header, row):
        return table(header, merged(SCENES, kept_rows(header, before), [row]))

    text = [
        f"Without damping or air, {SECONDS} s, of Converged as long as the last column says: the most that energy less "
        "the pins' work was above the start, and the most it rose above its least so far, in thousandths of m g L; "
        "where no pin moves at most 9 above the start is let pass.",
        grown(("scene", *labels, "Converged [s]"), gains),
        f"With the default air: the time [s] from which on kinetic energy is below {RESTING:.0e} of its peak, pins "
        f"at rest from {PINS_STOP:g} s on; and without it, the error of what no pin holds in its momentum m g t, "
        "over the sum of all m |v|, the worst of the four.",
        grown(("scene", *labels[:-1], "momentum"), others),
    ]
    write_block("conservation", "\n\n".join(text), page)


def trace(scene, effort, seconds, forces=(), until=np.inf):
    """The Trace of a scene with an effort; until: when pins stop [s]."""
    network, settings = scene.build(), dict(effort.settings)
    targets = scene.pin_targets(network, until)
    # The work is summed over substeps, so where pins move a substep is a step by itself.
    parts, substeps = (settings.pop("substeps"), 1) if targets else (1, settings.pop("substeps"))
    simulation = Simulation(network, dt=1.0 / FPS / parts, substeps=substeps, forces=forces, **settings)
    start, work = energy(simulation), 0.0
    gained, kinetic, momentum = [], [], 0.0
    for _ in range(seconds * FPS):
        for _ in range(parts):
            before = simulation.state
            simulation.step(targets)
            if targets:
                work += work_of_pins(network, before, simulation.state)
        gained.append(energy(simulation) - start - work)
        kinetic.append(_kinetic(simulation))
        momentum = max(momentum, _momentum_error(simulation))
    scale = network.masses[network.free].sum() * 9.81 * size(network)
    return Trace(np.array(gained) / scale, np.array(kinetic), None if len(network.pinned) else momentum)


def resting_from(kinetic):
    """Frames after which kinetic energy stays below RESTING of its peak; None where it does not."""
    last = int(np.flatnonzero(kinetic > RESTING * kinetic.max())[-1]) + 1
    return last if last < len(kinetic) else None


def _kinetic(simulation):
    network, v = simulation.network, simulation.state.v
    return 0.5 * float(network.masses[network.free] @ np.sum(v[network.free] ** 2, axis=1))


def _momentum_error(simulation):
    masses, state = simulation.network.masses, simulation.state
    error = masses @ state.v - masses.sum() * G * state.t
    return float(np.linalg.norm(error) / (masses @ np.linalg.norm(state.v, axis=1)))


def _gain_cell(gained):
    rise = np.max(gained - np.minimum.accumulate(np.append(0.0, gained))[1:])
    return f"{1e3 * max(gained.max(), 0.0):.2f}, {1e3 * rise:.2f}"


def _rest_cell(scene, effort):
    if len(scene.build().pinned) == 0:
        return "falls"
    found = trace(scene, effort, REST_SECONDS, forces=Settling(), until=PINS_STOP)
    frames = resting_from(found.kinetic)
    return f"over {REST_SECONDS}" if frames is None else f"{frames / FPS:.1f}"
