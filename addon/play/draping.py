# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates an object until it rests, where it begins and with all that is around it as it is there."""

import numpy as np

from .. import preflight, sections
from ..mesh_io import MeshError
from . import build
from . import inputs as frame_inputs
from .joint_inputs import Joined
from .lazy_values import AROUND, ENTERING
from .surroundings import Surroundings

# Speed of the fastest vertex below which it rests [m/s], for so many frames one after the other.
_AT_REST, _FRAMES = 0.01, 4


def draped(obj, scene, depsgraph, most, told=None):
    """Positions of the object's vertices in the world [m] where it rests, and whether it does, after `most` frames.

    It loses its motion wherever that was fastest, which takes it to rest in a fraction of the time that air does. The
    scene is at the object's start frame; told: callable number of the frame, or None.

    Cundall 1976, and Day 1965 "An introduction to dynamic relaxation", for kinetic damping.
    Raises MeshError, ValueError and SimulationDiverged for what cannot be simulated.
    """
    preflight.check_object(obj)
    inputs = frame_inputs.of_frame(obj, scene, depsgraph, None, {})
    inputs.start = inputs.only(ENTERING)
    around = Surroundings({name: inputs.start[name] for name in inputs.values(AROUND)})
    simulation = build.simulation(inputs, None, around)
    before, rests = 0.0, 0
    for number in range(most):
        simulation.step(inputs["pin_targets"])
        v = simulation.state.v
        kinetic = float(np.sum(simulation.network.masses[:, None] * v**2))
        rests = rests + 1 if np.sqrt((v**2).sum(axis=1)).max(initial=0.0) < _AT_REST else 0
        if rests == _FRAMES:
            return simulation.vertices, True
        # Objects simulated together share their inputs.
        if kinetic < before and not isinstance(inputs, Joined):
            _stop(simulation)
            kinetic = 0.0
        before = kinetic
        if told is not None:
            told(number)
    return simulation.vertices, False


def check_rests_in_a_key(obj):
    """Raise MeshError for an object whose rest shape no shape key can hold."""
    if sections.is_filled(obj.hooke):
        raise MeshError(f"'{obj.name}' is filled, which rests as it is modelled: turn As Rest Shape off")


def _stop(simulation):
    """Set a simulation's velocities and history to zero."""
    snapshot = {k: of for k, of in simulation.snapshot().items() if not k.startswith("history_")}
    simulation.restore(snapshot | {"v": np.zeros_like(snapshot["v"])})
