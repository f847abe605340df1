# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies what docs/adding.md shows of adding to Hooke: diffs of files, with a line around each change."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "adding.md"
ROOMS = ("addon", "core", "docs", "scripts", "tests")


def shown(name):
    """The diff that the page shows under a name: a dict by path of hunks, each the lines before and after."""
    page = PAGE.read_text(encoding="utf-8")
    text = page.partition(f"<!-- adding:{name} -->\n```diff\n")[2].partition("```")[0]
    files = re.split(r"^--- .*\n\+\+\+ b/", text, flags=re.MULTILINE)[1:]
    return {path: list(map(_both, hunks)) for path, *hunks in (re.split(r"\n@@\n", file) for file in files)}


def _both(hunk):
    """Lines before and after a change, from lines with a sign."""
    lines = [line + "\n" for line in hunk.removesuffix("\n").split("\n")]
    return ("".join(line[1:] for line in lines if line[0] != other) for other in "+-")


def changed(path, hunks, folder=ROOT):
    """The text of a file after the changes; what is not there exactly once raises ValueError."""
    file = folder / path
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    for before, after in hunks:
        if before and text.count(before) != 1:
            raise ValueError(f"{path} has {text.count(before)} times what docs/adding.md shows: {before}")
        text = text.replace(before, after) if before else after
    return text


def applied(names, folder):
    """A copy of the checkout in a folder, with additions; returns its path."""
    copy = folder / "hooke"
    ignored = shutil.ignore_patterns("__pycache__", "pictures")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=ignored)
    for name in ("__init__.py", "blender_manifest.toml", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy / name)
    for path, hunks in [pair for name in names for pair in shown(name).items()]:
        (copy / path).write_text(changed(path, hunks, copy), encoding="utf-8")
    return copy


def run(copy, *words):
    """Run Python in a copy, where `hooke` is the copy; raises CalledProcessError where it fails."""
    subprocess.run(
        [sys.executable, *words], cwd=copy, env={**os.environ, "PYTHONPATH": str(copy.parent)}, check=True
    )
