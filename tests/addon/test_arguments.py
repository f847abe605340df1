# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of the command line: what is wrong is said in one line, and nothing is lost."""

import re
import sys
from pathlib import Path

import bpy
import pytest

from hooke.addon import cli

from .scenes import grid, link, pin
from .snapshots import differences, snapshot


def test_the_object_s_name_may_be_any(scene, command_line):
    name = 'Tuch "ä" [3]'
    grid(name=name)
    exit_status, errors, _ = command_line("--object", name, "--frames", "1-3")
    assert (exit_status, errors) == (0, [])
    assert len(bpy.data.objects[name].data.shape_keys.key_blocks) == 4


WRONG_ARGUMENTS = {
    "--stiffness 0": r"'0' is out of range: give a number from 1e-06 to 3.40282e\+38",
    "--stiffness -5": "'-5' is out of range|expected one argument",
    "--stiffness nan": "'nan' is out of range",
    "--stiffness inf": "'inf' is out of range",
    "--stiffness 1e300": "'1e300' is out of range",
    "--stiffness 1e-300": "'1e-300' is out of range",
    "--stiffness soft": "'soft' is out of range",
    "--mass 0": "'0' is out of range",
    "--mass nan": "'nan' is out of range",
    "--mass 1e39": "'1e39' is out of range",
    "--substeps 0": "'0' is out of range: give a whole number from 1 to",
    "--substeps -1": "'-1' is out of range|expected one argument",
    "--substeps 2.5": "'2.5' is out of range",
    "--substeps 99999999999": "'99999999999' is out of range",
    "--iterations 0": "'0' is out of range",
    "--iterations many": "'many' is out of range",
    "--frames 9-3": "'9-3' is no frame range: give first-last, for example 1-250",
    "--frames 5": "'5' is no frame range",
    "--frames a-b": "'a-b' is no frame range",
    "--frames 1-": "'1-' is no frame range",
    "--frames 1.5-3": "'1.5-3' is no frame range",
    "--frames 1-99999999999": "'1-99999999999' is no frame range",
    "--integrator EULER": "invalid choice: 'EULER' .choose from",
    "--integrator projective_dynamics": "invalid choice",
    "--mode MESH": "invalid choice: 'MESH' .choose from",
    "--colour red": "unrecognized arguments: --colour",
    "--object": "expected one argument",
    "--output nowhere/out.blend": "the folder of nowhere/out.blend does not exist: create it or choose another",
    "--report nowhere/out.json": "the folder of nowhere/out.json does not exist: create it or choose another",
}


@pytest.mark.sampled(10)
@pytest.mark.parametrize("arguments", WRONG_ARGUMENTS)
def test_wrong_arguments(arguments, command_line):
    obj = grid()
    before = snapshot(obj)
    exit_status, errors, unchanged = command_line("--object", "Cloth", *arguments.split())
    assert exit_status == 2
    assert len(errors) == 1 and errors[0].startswith("hooke: ")
    assert re.search(WRONG_ARGUMENTS[arguments], errors[0])
    assert unchanged
    assert differences(before, snapshot(obj)) == []


def test_no_object(command_line):
    exit_status, errors, _ = command_line()
    assert exit_status == 2
    assert errors == ["hooke: one of the arguments --object --all is required (see --help)"]


def test_an_unknown_object_names_the_candidates(command_line):
    grid(name="Flag")
    grid(name="Curtain")
    link(bpy.data.objects.new("Empty", None))
    exit_status, errors, unchanged = command_line("--object", "Flagg")
    assert (exit_status, unchanged) == (2, True)
    assert errors == [
        "hooke: there is no object 'Flagg' in the file: name one of its mesh objects, 'Curtain', 'Flag'"
    ]


def test_an_object_in_no_scene(command_line):
    obj = grid()
    obj.use_fake_user = True
    bpy.context.scene.collection.objects.unlink(obj)
    exit_status, errors, unchanged = command_line("--object", "Cloth")
    assert (exit_status, errors) == (2, ["hooke: object 'Cloth' is in no scene: link it to one"])
    assert unchanged


def test_no_file_is_open(scene, capfd):
    grid()
    assert cli.main(["bake", "--object", "Cloth"]) == 2
    errors = capfd.readouterr().err.splitlines()
    assert errors == ["hooke: no file is open to save the bake into: open one or give --output OUT.blend"]


@pytest.mark.parametrize("option", ["--output", "--report"])
def test_a_folder_that_cannot_be_written_is_found_before_simulating(option, command_line):
    # Not even root can create a file here.
    folder = Path("/proc/self")
    if sys.platform != "linux":
        pytest.skip("needs a folder that nobody can write, which Linux has in /proc")
    grid()
    exit_status, errors, unchanged = command_line("--object", "Cloth", option, folder / "out.file")
    assert (exit_status, len(errors), unchanged) == (2, 1, True)
    assert "/proc/self/out.file cannot be written" in errors[0]


@pytest.mark.parametrize("option", ["--output", "--report"])
def test_a_folder_in_place_of_a_file_is_found_before_simulating(option, command_line, tmp_path):
    grid()
    (tmp_path / "out").mkdir()
    exit_status, errors, unchanged = command_line("--object", "Cloth", option, tmp_path / "out")
    assert (exit_status, len(errors), unchanged) == (2, 1, True)
    assert "cannot be written" in errors[0]


def test_a_command_that_is_none(capfd):
    assert cli.main(["simulate"]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
    assert cli.main([]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_help_is_no_error(capfd):
    assert cli.main(["bake", "--help"]) == 0
    told = capfd.readouterr()
    assert told.err == ""
    for option in (
        "--object",
        "--pin-group",
        "--frames",
        "--mode",
        "--integrator",
        "--substeps",
        "--iterations",
    ):
        assert option in told.out


def test_a_missing_pin_group_is_told_with_those_there_are(command_line):
    obj = grid()
    pin(obj, {3: 1.0}, name="Other")
    exit_status, errors, unchanged = command_line(
        "--object", "Cloth", "--pin-group", "Gone", "--frames", "1-3"
    )
    assert (exit_status, unchanged) == (2, True)
    assert errors == [
        "hooke: 'Cloth' has no vertex group 'Gone' to pin: name one of its groups, 'Pin', 'Other'"
    ]


@pytest.mark.parametrize("option", ["--friction-group", "--thickness-group", "--self-distance-group"])
def test_another_missing_group_is_told_as_well(option, command_line):
    grid()
    exit_status, errors, unchanged = command_line("--object", "Cloth", option, "Gone", "--frames", "1-3")
    assert (exit_status, unchanged) == (2, True)
    assert errors == [
        f"hooke: 'Cloth' has no vertex group 'Gone' for {option}: name one of its groups, 'Pin'"
    ]


def test_absolute_keys_on_the_command_line(command_line):
    obj = grid()
    obj.shape_key_add(name="Basis")
    obj.data.shape_keys.use_relative = False
    exit_status, errors, unchanged = command_line("--object", "Cloth", "--mode", "SHAPE_KEYS")
    assert (exit_status, len(errors), unchanged) == (2, 1, True)
    assert "absolute: turn on Relative" in errors[0]
