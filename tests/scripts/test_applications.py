# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender is found where it is named, by what it says of itself; what is too old or no Blender is passed over."""

import sys

import applications
import pytest
from farming import command_words


def program(path, *lines):
    """The command of a program that prints lines, whatever it is asked."""
    path.write_text("".join(f"print({line!r})\n" for line in lines), encoding="utf-8")
    return [sys.executable, str(path)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Blender 4.2.23 LTS", "\tbuild date: 2026"], (4, 2)),
        (["Read prefs: userpref.blend", "Blender 5.10.0"], (5, 10)),
        (["GNU tar 1.35"], None),
        ([], None),
    ],
)
def test_the_version_is_what_the_command_says(lines, expected, tmp_path):
    assert applications.version(program(tmp_path / "said.py", *lines)) == expected


def test_a_command_that_does_not_start_or_fails_is_no_blender(tmp_path):
    assert applications.version([str(tmp_path / "nothing")]) is None
    failing = tmp_path / "failing.py"
    failing.write_text("print('Blender 4.2.0'); raise SystemExit(1)\n", encoding="utf-8")
    assert applications.version([sys.executable, str(failing)]) is None


def test_the_first_that_has_extensions_is_taken(tmp_path, monkeypatch):
    old = program(tmp_path / "old.py", "Blender 3.6.0")
    good, better = (program(tmp_path / f"{name}.py", f"Blender {name}.0") for name in ("4.5", "5.2"))
    monkeypatch.setenv("BLENDER", ";".join(command_words.join(command) for command in (old, good, better)))
    assert applications.find_blender() == good


def test_none_is_found_where_there_is_none(monkeypatch):
    monkeypatch.setenv("BLENDER", "")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(applications, "PLACES", ())
    assert applications.find_blender() is None
