# SPDX-License-Identifier: GPL-3.0-or-later
"""Every integrator in the sidebar: its options, its stable step, and what the diagnostics say."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout, sections
from hooke.addon.play import sessions
from hooke.core import INTEGRATORS

from .scenes import activate, add_hooke, grid, play, same_bits, status

FRAMES = range(1, 7)
LIMITED = [name for name, method in INTEGRATORS.items() if 0.0 < method.stability_limit < np.inf]
NEVER_STABLE = [name for name, method in INTEGRATORS.items() if method.stability_limit == 0.0]
ALWAYS_STABLE = [name for name, method in INTEGRATORS.items() if np.isinf(method.stability_limit)]


@pytest.fixture
def sheet(scene):
    """A sheet soft enough that some dozen substeps are stable."""
    return add_hooke(grid(), stiffness=200.0, substeps=1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", INTEGRATORS)
def test_every_method_runs_with_automatic_substeps(sheet, name):
    sheet.hooke.integrator = name
    sheet.hooke.automatic_substeps = True
    # Methods that are stable at no step without damping get some.
    sheet.hooke.damping, sheet.hooke.substeps = 0.2, 40
    shown = play(sheet, FRAMES)
    assert "frame 6" in status(sheet)
    assert np.isfinite(shown[6]).all()
    assert shown[6][:, 2].min() < -0.05
    assert same_bits(shown, play(sheet, FRAMES))


@pytest.mark.parametrize("name", LIMITED)
def test_a_step_beyond_the_stable_one_is_warned_of_and_mended_with_one_click(sheet, name):
    sheet.hooke.integrator = name
    play(sheet, range(1, 3))
    text, enough = readout.stability_warning(sheet)
    assert "is beyond the stable" in text
    activate(sheet)
    assert bpy.ops.hooke.mend(remedy="SUBSTEPS") == {"FINISHED"}
    assert sheet.hooke.substeps == enough
    play(sheet, FRAMES)
    assert readout.stability_warning(sheet) is None
    assert "frame 6" in status(sheet)
    assert bpy.ops.hooke.mend(remedy="SUBSTEPS") == {"CANCELLED"}


@pytest.mark.parametrize("name", NEVER_STABLE)
def test_a_method_that_is_never_stable_says_so(sheet, name):
    sheet.hooke.integrator = name
    play(sheet, range(1, 3))
    text, enough = readout.stability_warning(sheet)
    assert "stable at no step" in text
    assert enough is None
    assert "Prefer" in INTEGRATORS[name].description


@pytest.mark.parametrize("name", ALWAYS_STABLE)
def test_a_method_that_is_always_stable_keeps_the_chosen_substeps(sheet, name):
    sheet.hooke.integrator, sheet.hooke.automatic_substeps, sheet.hooke.substeps = name, True, 3
    play(sheet, range(1, 3))
    assert readout.stability_warning(sheet) is None
    assert sessions.find(sheet).take.simulation.substeps == 3


def test_automatic_substeps_that_would_take_forever_are_refused(sheet):
    sheet.hooke.integrator, sheet.hooke.automatic_substeps = "VERLET", True
    sheet.hooke.stiffness = 1e12
    play(sheet, range(1, 3))
    assert "substeps on 'Cloth', more than 10,000: choose Projective Dynamics" in status(sheet)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", INTEGRATORS)
def test_the_methods_own_options_reach_it(sheet, name):
    sheet.hooke.integrator = name
    values = {"iterations": 7, "newton_iterations": 3, "damping_rate": 0.25, "max_stretch": 0.5}
    values |= {
        "acceleration": "LBFGS",
        "tolerance": 0.125,
        "time_stepping": "BDF2",
        "carried_stiffness": "ATTAINABLE",
    }
    for option, value in values.items():
        setattr(sheet.hooke, option, value)
    play(sheet, range(1, 3))
    method = sessions.find(sheet).take.simulation.integrator
    shown = sections.shown_options(sheet)
    assert set(shown) == set(values) & set(method.options)
    assert all(getattr(method, option) == values[option] for option in shown)


def test_length_normalised_stiffness_is_divided_by_the_rest_length(sheet):
    sheet.hooke.length_normalised = True
    play(sheet, range(1, 3))
    network = sessions.find(sheet).network
    assert network.stiffness[np.isclose(network.rest_lengths, 0.5)] == pytest.approx(200.0 / 0.5)


def test_the_diagnostics_are_those_of_the_simulation(sheet):
    assert readout.diagnostics(sheet) == []
    sheet.hooke.substeps = 10
    play(sheet, FRAMES)
    rows = dict(readout.diagnostics(sheet))
    figures = sessions.find(sheet).take.simulation.diagnostics()
    assert float(rows["Kinetic Energy"].removesuffix(" J")) == pytest.approx(figures["kinetic"], rel=1e-3)
    assert float(rows["Total Energy"].removesuffix(" J")) == pytest.approx(figures["total"], rel=1e-3)
    assert float(rows["Step"].removesuffix(" ms")) == pytest.approx(1e3 / 24 / 10, rel=1e-3)
    assert rows["Stable Step"] == "any"
