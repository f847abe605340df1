# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in letters that the console lacks: on Windows a pipe speaks its code page, which has one alphabet or two."""

import io
import json
import sys

import bpy
import pytest

from hooke.addon.console import say

from .scenes import grid, swing
from .script import in_a_process

FLAG = "Флаг 旗 🏁"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("page", ["cp1252", "cp932"])
def test_a_bake_ends_well_on_any_code_page(page, scene, folder):
    obj = grid()
    swing(obj)
    obj.name = FLAG
    place = folder / "Пример mit Leerzeichen"
    place.mkdir()
    file, report = place / "Флаг.blend", place / "旗.json"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    arguments = ("--object", FLAG, "--frames", "1-3", "--report", report)
    ended = in_a_process(file, *arguments, PYTHONIOENCODING=page)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(report.read_text(encoding="utf-8"))["object"] == FLAG
    assert FLAG.encode(page, "backslashreplace").decode(page) in ended.stdout


def test_help_is_printed_on_any_code_page():
    ended = in_a_process("--help", PYTHONIOENCODING="cp932")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "--object" in ended.stdout


@pytest.mark.parametrize("text", ["Флаг", "\udcff", "two\nlines", "\x1b[2J"])
def test_what_is_said_is_one_line_of_the_streams_letters(text):
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="cp1252", newline="\n")
    say(f"hooke: {text}", stream)
    said = written.getvalue().decode("cp1252")
    assert said == f"hooke: {text.encode('unicode_escape').decode()}\n"


def test_without_a_console_nothing_is_said(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    say("hooke: nobody hears it")
