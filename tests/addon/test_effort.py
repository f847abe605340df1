# SPDX-License-Identifier: GPL-3.0-or-later
"""The effort is what the solver's settings amount to, whoever set them."""

import json

import bpy
import pytest

from hooke.addon import cli
from hooke.addon.play import sessions
from hooke.core import INTEGRATORS
from hooke.core.effort import EFFORTS

from .scenes import add_hooke, grid, play

FRAMES = range(1, 4)


def test_a_new_simulation_has_the_standard_effort(scene):
    assert add_hooke(grid()).hooke.effort == "STANDARD"


@pytest.mark.parametrize("name", EFFORTS)
def test_an_effort_sets_what_it_names(scene, name):
    obj = add_hooke(grid(), substeps=7, iterations=9, acceleration="LBFGS", tolerance=0.25)
    assert obj.hooke.effort == "CUSTOM"
    obj.hooke.effort = name
    assert obj.hooke.effort == name
    play(obj, FRAMES)
    simulation = sessions.find(obj).take.simulation
    assert simulation.substeps == EFFORTS[name].substeps
    method = simulation.integrator
    assert (method.iterations, method.acceleration) == (EFFORTS[name].iterations, EFFORTS[name].acceleration)
    assert method.tolerance == pytest.approx(EFFORTS[name].tolerance, rel=1e-6)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("substeps", 23), ("iterations", 11), ("acceleration", "LBFGS"), ("tolerance", 0.125)],
)
def test_what_is_set_by_hand_stays_and_shows_as_custom(scene, setting, value):
    obj = add_hooke(grid(), **{setting: value})
    assert (obj.hooke.effort, getattr(obj.hooke, setting)) == ("CUSTOM", value)
    obj.hooke.effort = "CUSTOM"
    assert getattr(obj.hooke, setting) == value


@pytest.mark.parametrize("name", ["DRAFT", "FINE"])
def test_another_effort_starts_anew(scene, name):
    obj = add_hooke(grid())
    play(obj, FRAMES)
    before = sessions.find(obj).take.simulation
    obj.hooke.effort = name
    play(obj, FRAMES)
    assert sessions.find(obj).take.simulation is not before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_method_runs_at_the_standard_effort(scene, integrator):
    obj = add_hooke(grid(), integrator=integrator, stiffness=0.5, mass=10.0)
    play(obj, FRAMES)
    running = sessions.find(obj)
    assert running.problem == ""
    assert running.take.simulation.substeps == EFFORTS["STANDARD"].substeps


def test_the_effort_is_kept_in_a_file(scene, tmp_path):
    obj = add_hooke(grid())
    obj.hooke.effort = "FINE"
    name, path = obj.name, str(tmp_path / "effort.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert bpy.data.objects[name].hooke.effort == "FINE"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--quality", "DRAFT"], ("DRAFT", EFFORTS["DRAFT"].substeps, EFFORTS["DRAFT"].iterations, "NEWTON")),
        # What is given besides the effort counts more, in any order.
        (["--substeps", "5", "--effort", "FINE"], ("CUSTOM", 5, EFFORTS["FINE"].iterations, "NEWTON")),
        (
            ["--acceleration", "LBFGS"],
            ("CUSTOM", EFFORTS["STANDARD"].substeps, EFFORTS["STANDARD"].iterations, "LBFGS"),
        ),
    ],
)
def test_the_command_line_takes_efforts(scene, tmp_path, arguments, expected):
    obj = grid()
    report = tmp_path / "report.json"
    files = ["--output", str(tmp_path / "baked.blend"), "--report", str(report)]
    assert cli.main(["bake", "--object", obj.name, "--frames", "1-3", *arguments, *files]) == cli.DONE
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert tuple(figures[key] for key in ("effort", "substeps", "iterations", "acceleration")) == expected


@pytest.mark.parametrize("argument", ["--effort", "--quality", "--acceleration"])
def test_an_unknown_word_is_answered_with_the_known_ones(scene, argument, capfd):
    assert cli.main(["bake", "--object", grid().name, argument, "MAXIMUM"]) == cli.UNUSABLE
    assert "invalid choice: 'MAXIMUM'" in capfd.readouterr().err
