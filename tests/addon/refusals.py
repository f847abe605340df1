# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes from the command line that are refused: status 2, one line, and not a byte changed."""

import hashlib
import os
import stat

from hooke.addon import cli


def state(folder):
    """What every entry of a folder is: dict of path -> its kind, where a link leads, and a file's checksum."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = os.lstat(path).st_mode
        content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""
        found[path] = stat.S_IFMT(mode), os.readlink(path) if path.is_symlink() else "", content
    return found


def refused(folder, capfd, *words):
    """Run a bake that must end with status 2 and one line, which is returned, and change nothing in a folder."""
    before = state(folder)
    capfd.readouterr()
    status = cli.main(["bake", *map(str, words)])
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("hooke: ")]
    assert (status, len(lines)) == (2, 1), lines
    assert state(folder) == before
    return lines[0]
