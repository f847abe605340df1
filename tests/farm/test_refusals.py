# SPDX-License-Identifier: GPL-3.0-or-later
"""What a farm cannot do is said in one sentence, with the exit status that design promises, and nothing is begun."""

import pytest
from conftest import run as in_a_process
from conftest import told
from farming import output_folder, run

WRONG = {
    "no wedge": (["--wedge", "stiffness"], "is no wedge"),
    "empty wedge": (["--wedge", "stiffness="], "is no wedge"),
    "empty value": (["--wedge", "stiffness=1,,2"], "empty value"),
    "empty range": (["--wedge", "damping=0:1:0"], "is empty"),
    "a million": (
        ["--wedge", "damping=0:1:1000", "--wedge", "stiffness=1:9:1000"],
        "1,000,000 variants: give --yes",
    ),
    "unknown setting": (
        ["--wedge", "stifness=1,2"],
        "no setting stifness to make a wedge of: did you mean stiffness?",
    ),
    "value out of range": (["--wedge", "substeps=5,0"], "'0' is out of range"),
    "no such choice": (["--wedge", "effort=DRAFT,BEST"], "invalid choice: 'BEST'"),
    "both": (["--wedge", "mass=1,2", "--mass", "3"], "mass is a wedge and an option of its own"),
    "the same setting twice": (
        ["--wedge", "mass=1,2", "--wedge", "mass=3,4"],
        "mass is a wedge and an option",
    ),
    "unknown option": (["--wedgy", "mass=1,2"], "unrecognized arguments: --wedgy"),
    "the bake's output": (["--report", "r.json"], "--report is given by the farm"),
    "no workers": (["--workers", "0"], "'0' is no number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_end_with_status_2(case, cloth, tmp_path):
    words, sentence = WRONG[case]
    result = told(cloth, "--object", "Cloth", "--output", tmp_path / "out", *words)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("farm: ") and sentence in line
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there(tmp_path):
    result = in_a_process(tmp_path / "no.blend", "--object", "Cloth", "--output", tmp_path / "out")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "no.blend cannot be read" in result.stderr


@pytest.mark.parametrize("others", ["wedge", "files", "file", "farm"])
def test_a_folder_that_is_anothers_stays_as_it_is(others, cloth, tmp_path):
    output = tmp_path / "out"
    words = (cloth, "--object", "Cloth", "--output", output)
    identity = {"files": ["a.blend"], "objects": ["Cloth"], "axes": [["mass", ["1", "2"]]], "common": []}
    if others == "wedge":
        with output_folder.opened(output, identity):
            pass
        sentence = "has the results of another wedge (mass=1,2)"
    elif others == "files":
        output.mkdir()
        (output / "thesis.txt").write_text("years of work")
        sentence = "holds files that are no results of a farm"
    elif others == "file":
        output.write_text("years of work")
        sentence = "is a file"
    if others == "farm":
        own = {"files": [str(cloth)], "objects": ["Cloth"], "axes": [], "common": []}
        with output_folder.opened(output, own):
            result = in_a_process(*words)
        sentence = "another farm is at work in"
    elif others == "wedge":
        result = told(*words)
    else:
        # Before the Blender named is even looked for.
        result = told(*words, "--blender", tmp_path / "nowhere")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr
    assert sentence in result.stderr


def test_a_scheduler_that_is_not_there(cloth, tmp_path, monkeypatch):
    # Nothing listens there: to ask for longer changes nothing.
    monkeypatch.setattr(run, "_CONNECT", "1s")
    words = (cloth, "--object", "Cloth", "--output", tmp_path / "out", "--frames=1-2")
    result = told(*words, "--scheduler", "tcp://127.0.0.1:9")
    assert result.returncode == 1
    (line,) = [line for line in result.stderr.splitlines() if "Dask scheduler" in line]
    assert "there is no Dask scheduler at tcp://127.0.0.1:9: start one with `dask scheduler`" in line
    assert "Traceback" not in result.stderr


def test_a_file_that_does_not_open_is_reported_and_the_others_go_on(cloth, tmp_path):
    broken = tmp_path / "broken.blend"
    broken.write_bytes(b"this is no blend file")
    words = (broken, cloth, "--object", "Cloth", "--output", tmp_path / "out", "--frames=1-2")
    result = in_a_process(*words)
    assert result.returncode == 1
    assert "1 of 2 variants are done, 1 unusable" in result.stderr.splitlines()[-1]
    assert "cannot open" in result.stderr


@pytest.mark.parametrize("words", [["nowhere", "1"], ["FOLDER", "9"]])
def test_settings_of_what_is_not_there_are_not_applied(words, tmp_path):
    with output_folder.opened(tmp_path / "out", {"files": [], "objects": [], "axes": [], "common": []}):
        pass
    result = told("apply", *[str(tmp_path / "out") if word == "FOLDER" else word for word in words])
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr
