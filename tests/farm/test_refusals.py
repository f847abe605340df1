# SPDX-License-Identifier: GPL-3.0-or-later
"""What a farm cannot do is said in one sentence, with the exit status that design promises, and nothing is begun."""

import json
import subprocess

import pytest
from conftest import ROOT, told
from conftest import run as in_a_process
from farming import output_folder, run
from waiting import HANGS

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


# Options of every bake, settings with their values, and what Blender says of them.
UNUSABLE = {
    "value out of range": ([], [["substeps", ["5", "0"]]], "'0' is out of range"),
    "no such choice": ([], [["effort", ["DRAFT", "BEST"]]], "invalid choice: 'BEST'"),
    "both": (["--mass=3"], [["mass", ["1", "2"]]], "mass is a wedge and an option of its own"),
    "the same setting twice": ([], [["mass", ["1"]], ["mass", ["3"]]], "mass is a wedge and an option"),
    "unknown option": (["--wedgy=1"], [], "unrecognized arguments: --wedgy"),
}

# Hooke is registered once, for all of them.
ASK = """
import json, sys
sys.path.insert(0, {scripts!r})
import bake
from farming import checking
package = bake.hooke_package()
bake.hooke_package = lambda: package
for words, axes in {asked!r}:
    status = checking.check({{"arguments": words, "axes": axes, "answer": {answer!r}}})
    print("HOOKE", json.dumps([status, json.load(open({answer!r}))]))
sys.stdout.flush()
bake.leave(0)
"""


def test_what_blender_cannot_take_is_said_of_each(blender, tmp_path):
    asked = [case[:2] for case in UNUSABLE.values()]
    script = tmp_path / "ask.py"
    script.write_text(
        ASK.format(scripts=str(ROOT / "scripts"), asked=asked, answer=str(tmp_path / "a.json")),
        encoding="utf-8",
    )
    said = subprocess.run(
        [*blender, script], capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS
    )
    found = [json.loads(line[6:]) for line in said.stdout.splitlines() if line.startswith("HOOKE ")]
    assert len(found) == len(UNUSABLE), said.stderr
    for (status, sentence), (_, _, expected) in zip(found, UNUSABLE.values(), strict=True):
        assert status == 2
        assert expected in sentence


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
        (output / "thesis.txt").write_text("years of work", encoding="utf-8")
        sentence = "holds files that are no results of a farm"
    elif others == "file":
        output.write_text("years of work", encoding="utf-8")
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
    monkeypatch.setattr(run, "CONNECT", "1s")
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
