# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of every kind where NumPy does otherwise than on small arrays, and no array is copied for a kernel."""

import sys
from contextlib import nullcontext

import numpy as np
import pytest

from hooke.core.kernels import CHOSEN

from . import large_scenes

kernel = sys.modules["hooke.core.kernels.kernel"]


def on_a_ball(simulation):
    """Something lies on the ball of 0.2 m, nothing in it."""
    apart = np.linalg.norm(simulation.state.x - [0.0, 0.0, 0.25], axis=1) - 0.2
    return -1e-3 < apart.min() < 5e-3


def on_the_floor(simulation):
    """Something of the mesh lies on the floor, nothing under it."""
    return -1e-3 < simulation.vertices[:, 2].min() < 5e-3


def hung_beside_a_ball(simulation):
    apart = np.linalg.norm(simulation.state.x - [0.0, 0.0, 0.3], axis=1) - 0.1
    return -1e-3 < apart.min() < 5e-3 and np.ptp(simulation.state.x[:, 2]) < 0.21


def blown(simulation):
    network, x = simulation.network, simulation.state.x
    volume = network.enclosure_operators.volumes(np.ascontiguousarray(x.T))[0]
    return volume > 4.0 / 3.0 * np.pi * 0.3**3 and on_the_floor(simulation)


def drawn_together(simulation):
    network = simulation.network
    one, other = network.stencils.vertices[network.seams.stencils, :2].T
    lengths = np.linalg.norm(simulation.state.x[one] - simulation.state.x[other], axis=1)
    return lengths.max() < 0.7 * network.seams.gaps.max()


# What is to be seen after some frames.
SCENES = {
    "contact": (2, on_a_ball),
    "self_collision": (1, on_the_floor),
    "solid": (2, on_the_floor),
    "strands": (3, hung_beside_a_ball),
    "air": (2, lambda simulation: simulation.state.v[:, 0].max() > 0.1),
    "seams": (2, drawn_together),
    "pressure": (2, blown),
    "tears": (3, lambda simulation: simulation.network.broken.any()),
    "plasticity": (2, lambda simulation: on_a_ball(simulation) and (simulation.network.plastic != 1.0).any()),
    "pins": (3, on_a_ball),
}


def played(name, count):
    """A scene after its frames; sides of what tears are drawn apart by a tenth of a metre a frame."""
    simulation, points = getattr(large_scenes, name)(count), None
    for frame in range(SCENES[name][0]):
        if name == "tears":
            points = simulation.network.points * [1.0 + 0.1 * (frame + 1), 1.0, 1.0]
        simulation.step(points)
    return simulation


def refuse_copies(monkeypatch):
    """Let it fail where an array lies in memory as no kernel reads it, and is copied."""
    laid_out = kernel.laid_out

    def refusing(argument, value):
        as_c_reads = laid_out(argument, value)
        assert as_c_reads is value, (
            f"{argument.name} of shape {value.shape} is copied: its strides {value.strides}"
        )
        return as_c_reads

    monkeypatch.setattr(kernel, "laid_out", refusing)


CASES = [
    pytest.param(name, count, False, id=f"{name}-{count}")
    if (name, count) == ("contact", 12_000)
    else pytest.param(name, count, False, id=f"{name}-{count}", marks=pytest.mark.nightly)
    for count in (12_000, 40_000)
    for name in SCENES
]
CASES += [pytest.param(name, 12_000, True, id=f"{name}-NumPy", marks=pytest.mark.nightly) for name in SCENES]


@pytest.mark.parametrize(("name", "count", "definitions"), CASES)
def test_a_large_scene_plays_and_copies_nothing(name, count, definitions, monkeypatch):
    refuse_copies(monkeypatch)
    with CHOSEN.definitions() if definitions else nullcontext():
        simulation = played(name, count)
        assert SCENES[name][1](simulation)
        assert all(np.isfinite(value) or value == np.inf for value in simulation.diagnostics().values())
