# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Python and its environments are elsewhere, by folders and programs made for it: nothing here has run there."""

import os
import sys
from pathlib import Path

import environments
import interpreters
import pytest


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty machine: a home without versions, a PATH with one folder, which is returned."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name in ("PYENV_ROOT", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return tmp_path / "home"


def made(path):
    """An empty file with its folders."""
    path.parent.mkdir(parents=True)
    path.touch()
    return path


@pytest.mark.parametrize(("system", "place"), [("nt", "Scripts/python.exe"), ("posix", "bin/python")])
def test_an_environment_has_its_interpreter_where_venv_puts_it(system, place):
    assert environments.interpreter_in(Path("plain"), system) == Path("plain", place)


@pytest.mark.parametrize(
    "place",
    [
        ".pyenv/versions/3.11.9/bin/python",
        ".pyenv/pyenv-win/versions/3.11.9/python.exe",
        ".local/share/uv/python/cpython-3.11.9-linux-x86_64-gnu/bin/python3.11",
        "AppData/Roaming/uv/python/cpython-3.11.9-windows-x86_64-none/python.exe",
    ],
)
def test_what_version_managers_installed_is_found(place, home, monkeypatch):
    monkeypatch.setenv("APPDATA", str(home / "AppData/Roaming"))
    path = made(home / place)
    assert path in list(interpreters.candidates("3.11"))
    assert path not in list(interpreters.candidates("3.13"))


@pytest.mark.skipif(os.name == "nt", reason="the launcher is a shell script here")
def test_windows_launcher_is_asked_for_the_version(home):
    launcher = home.parent / "programs" / "py"
    launcher.write_text(f'#!/bin/sh\n[ "$1" = "-3.11" ] && echo "{sys.executable}"\n', encoding="utf-8")
    launcher.chmod(0o755)
    assert Path(sys.executable) in list(interpreters.candidates("3.11"))
    here = Path(getattr(sys, "_base_executable", sys.executable))
    assert list(interpreters.candidates("3.13")) == [here]


def test_what_pip_says_again_and_again_is_said_once():
    retry = "WARNING: Retrying (Retry(total={}, connect=None)) after connection broken by 'SSLError(1)': /simple/x/"
    printed = "\n".join(
        [*(retry.format(left) for left in (4, 3, 2, 1, 0)), "ERROR: No matching distribution found"]
    )
    assert environments.last_words(printed).splitlines() == [
        "WARNING: connection broken by 'SSLError(1)': /simple/x/",
        "ERROR: No matching distribution found",
    ]
