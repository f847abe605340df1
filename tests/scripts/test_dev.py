# SPDX-License-Identifier: GPL-3.0-or-later
"""dev.py's command line: help runs nothing, mistakes are one sentence and status 2, and checks are named truly."""

import os
import subprocess
import sys
from pathlib import Path

import checks
import dev
import environments
import farm
import pytest

COMMANDS = ("course", "site", "test", "lint", "demo", "build", "lab", "benchmark")


@pytest.fixture
def status(monkeypatch, capsys):
    """Run dev.py with some words; returns its exit status and what it printed on stdout and stderr."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["dev.py", *words])
        with pytest.raises(SystemExit) as ended:
            dev.main()
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_and_runs_nothing(command, status, monkeypatch):
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("something was run"))
    code, told, errors = status(command, "--help")
    assert (code, errors) == (0, "")
    assert f"usage: dev.py {command}" in told


def test_what_a_build_fetches_is_said_before_it_does(status):
    size = sum(environments.ENVIRONMENTS[name].gigabytes for name in ("build", environments.WITH_BPY[0]))
    _, told, _ = status("build", "--help")
    assert "MB are fetched" in told and f"{size:g} GB" in told


@pytest.mark.parametrize("command", ["", "apply"])
def test_the_farm_helps_before_it_sets_anything_up(command, monkeypatch, capsys):
    monkeypatch.setattr(farm, "python_of", lambda *_: pytest.fail("an environment was made"))
    monkeypatch.setattr("sys.argv", ["farm.py", *command.split(), "--help"])
    with pytest.raises(SystemExit) as ended:
        farm.main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: {' '.join(['farm.py', *command.split()])} [-h]")


def test_the_farm_finds_mistakes_before_it_sets_anything_up(monkeypatch, capsys):
    monkeypatch.setattr(farm, "python_of", lambda *_: pytest.fail("an environment was made"))
    monkeypatch.setattr(
        "sys.argv", ["farm.py", "shot.blend", "--object", "Flag", "--output", "out", "--workers=0"]
    )
    assert farm.main() == 2
    assert capsys.readouterr().err.startswith("farm: argument --workers: '0' is no number")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "COMMAND"),
        (["bake"], "'bake'"),
        (["demo", "--output"], "--output: expected one argument"),
        (["demo", "pictures"], "pictures"),
        (["test", "cor"], "no check cor"),
        (["lab", "core"], "no subject core"),
        (["benchmark", "methods"], "no subject methods"),
        (["benchmark", "--frames", "3"], "3 is too small: give at least 8"),
        (["benchmark", "--quads", "many"], "'many'"),
        (["lab", "conservation", "--row"], "--row: expected one argument"),
    ],
)
def test_a_mistake_is_one_sentence(words, named, status):
    code, told, errors = status(*words)
    assert (code, told, errors.count("\n")) == (2, "", 1)
    assert named in errors and "--help" in errors


@pytest.mark.parametrize("words", [["--output", "there"], ["--output=there"]])
@pytest.mark.parametrize("command", ["demo", "build"])
def test_both_ways_to_give_a_folder(command, words):
    assert dev.parser().parse_args([command, *words]).output == Path("there")


def test_what_the_readme_names_exists():
    readme = (environments.ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("demo", "test", "build"):
        assert f"python3 scripts/dev.py {command}" in readme


def test_the_usual_checks_cover_the_range_of_blender():
    # From blender_version_min on, which the manifest states, to the newest that has an environment.
    manifest = (environments.ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    versions = sorted(name for name in environments.ENVIRONMENTS if name.startswith("bpy-"))
    assert f'blender_version_min = "{versions[0].removeprefix("bpy-")}.0"' in manifest
    assert {versions[0], versions[-1]} <= set(checks.USUAL)
    assert set(versions) <= set(checks.CHECKS)
    wanted = {name for tools in checks.CHECKS.values() for tool in tools for name in tool.environments}
    assert wanted <= set(environments.ENVIRONMENTS)


def test_what_is_compiled_is_kept_for_the_next_process(monkeypatch, tmp_path):
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    around["PYTHONDONTWRITEBYTECODE"] = "1"
    monkeypatch.setattr("os.environ", around)
    (tmp_path / "told.py").write_text("print('told')", encoding="utf-8")
    environments.keep_compiled()
    subprocess.run([sys.executable, "-c", "import told"], cwd=tmp_path, env=around, check=True)
    assert [path.suffix for path in tmp_path.glob("__pycache__/told.*")] == [".pyc"]


@pytest.mark.parametrize("name", environments.ENVIRONMENTS)
def test_requirements_are_pinned(name):
    for file in environments.requirements(name):
        lines = [line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines()]
        assert all("==" in line or line.startswith("-r ") for line in lines if line), file
