# SPDX-License-Identifier: GPL-3.0-or-later
"""Text has a named encoding wherever it becomes bytes: the system's own, which Python takes else, lacks letters."""

import ast
import sys

import pytest
from commands import run_quietly
from environments import ROOT

FOLDERS = ("addon", "core", "scripts", "tests")
# How many arguments by position leave the encoding unsaid.
UNSAID = {"open": 3, "fdopen": 3, "read_text": 0, "write_text": 1}
MODES = set("rwxa+tb")


def unsaid(source):
    """Lines of a source where the system's encoding is taken."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if takes_the_systems(call)]


def takes_the_systems(call):
    """Whether a call makes bytes of text, or text of bytes, without an encoding."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if "encoding" in named:
        return False
    if any(is_true(named.get(name)) for name in ("text", "universal_newlines")):
        return True
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in UNSAID or len(call.args) > UNSAID[name]:
        return False
    if "open" not in name:
        return True
    # The libraries whose files are no text say no mode.
    given = [*call.args, *([named["mode"]] if "mode" in named else [])]
    words = [word.value for word in given if isinstance(word, ast.Constant)]
    modes = [word for word in words if isinstance(word, str) and word and set(word) <= MODES]
    alone = isinstance(call.func, ast.Name) and len(call.args) == 1
    return not any("b" in mode for mode in modes) and bool(modes or alone)


def is_true(node):
    """Whether an argument is the word True."""
    return isinstance(node, ast.Constant) and node.value is True


@pytest.mark.parametrize(
    "source",
    [
        "open(path)",
        "path.open('w')",
        "open(path, mode='a')",
        "os.fdopen(1, 'w')",
        "path.read_text()",
        "path.write_text(text)",
        "run(words, text=True)",
    ],
)
def test_what_takes_the_systems_encoding_is_found(source):
    assert unsaid(source) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "open(path, 'rb')",
        "open(path, encoding='utf-8')",
        "Image.open(path)",
        "Cache.open(owner='a')",
        "row.label(text=name)",
    ],
)
def test_what_names_one_or_has_none_is_not(source):
    assert unsaid(source) == []


def test_every_text_has_an_encoding_of_its_own():
    sources = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sources
        if (lines := unsaid(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize("words", [("dev.py", "build"), ("farm.py",), ("build.py",), ("measuring",)])
def test_scripts_print_on_any_console(words):
    ended = run_quietly(
        [sys.executable, ROOT / "scripts" / words[0], *words[1:], "--help"],
        variables={"PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
