# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that write results into a folder replace nothing there but results of the same kind."""

import hashlib
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import build
import pytest
import writing

from ..waiting import HANGS

SCRIPTS = Path(writing.__file__).parent
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def zip_name():
    """The file that a build for Linux writes."""
    facts = build.manifest()
    return f"{facts['id']}-{facts['version']}-linux_x64.zip"


def somebodys_zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("blender_manifest.toml", 'id = "another"')


BARRED = {
    "text": lambda path: path.write_text("years of work", encoding="utf-8"),
    "link": lambda path: path.symlink_to(path.with_name("elsewhere")),
    "folder": lambda path: path.mkdir(),
    "FIFO": lambda path: os.mkfifo(path),
    "PNG or zip of others": lambda path: (
        path.write_bytes(PNG) if path.suffix == ".zip" else somebodys_zip(path)
    ),
    "zip of another extension": somebodys_zip,
}


def state(folder):
    """What every entry of a folder is: its kind, and a file's checksum."""
    modes = {path: os.lstat(path).st_mode for path in sorted(folder.rglob("*"))}
    return {
        path: (stat.S_IFMT(mode), hashlib.sha256(path.read_bytes()).digest() if stat.S_ISREG(mode) else b"")
        for path, mode in modes.items()
    }


@pytest.mark.parametrize("barred", BARRED)
@pytest.mark.parametrize("script", ["pictures", "build"])
def test_nothing_is_replaced_but_results(script, barred, tmp_path):
    folder, begun = tmp_path / "out", tmp_path / "begun"
    folder.mkdir()
    (folder / "elsewhere").write_bytes(PNG)
    BARRED[barred](folder / (zip_name() if script == "build" else "window.png"))
    words = ["--platform", "linux-x64"]
    if script == "pictures":
        words = ["--only", "window", sys.executable, "-c", f"open({str(begun)!r}, 'w')"]
        words = ["--output", folder, *words[:2], "--", *words[2:]]
    else:
        words = ["--output", folder, *words]
    before = state(folder)
    ended = subprocess.run(
        [sys.executable, SCRIPTS / f"{script}.py", *words],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1), ended.stderr
    assert state(folder) == before and not begun.exists()


def test_a_file_in_place_of_the_folder_is_said(tmp_path):
    (tmp_path / "out").write_text("years of work", encoding="utf-8")
    words = [sys.executable, SCRIPTS / "pictures.py", "--output", tmp_path / "out", "--", "nothing"]
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1), ended.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "years of work"


def test_results_take_the_place_of_results_and_second_names_keep_theirs(tmp_path):
    room, folder = tmp_path / "room", tmp_path / "out"
    for made in (room, folder):
        made.mkdir()
        (made / "window.png").write_bytes(PNG + made.name.encode())
    os.link(folder / "window.png", folder / "second.png")
    writing.put_all([room / "window.png"], folder, writing.file_kinds.PNG)
    assert (folder / "window.png").read_bytes() == PNG + b"room"
    assert (folder / "second.png").read_bytes() == PNG + b"out"
    assert sorted(os.listdir(folder)) == ["second.png", "window.png"]


def test_a_zip_of_the_extension_is_known(tmp_path):
    path = tmp_path / zip_name()
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(SCRIPTS.parent / "blender_manifest.toml", "blender_manifest.toml")
    writing.output_files.check_replaceable(path, build.ZIP)
