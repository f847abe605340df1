# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder for every attempt at a variant, with the simulated frames of those before it.

Nobody else ever writes there: a worker that was given up for lost may go on, and finds its own as it left it.
"""

import contextlib
import secrets
import shutil
from pathlib import Path


def begin(folder):
    """A new folder within a folder of attempts, with a copy of the frames of the one that came furthest.

    Frames carry checksums: what was being written while it was copied ends the copy there, and nothing more.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    before = [attempt / "cache" for attempt in folder.iterdir() if (attempt / "cache").is_dir()]
    own = folder / secrets.token_hex(4)
    own.mkdir()
    furthest = max(before, key=_size, default=None)
    if furthest is not None:
        # It may end meanwhile, and take its folder along.
        with contextlib.suppress(OSError, shutil.Error):
            shutil.copytree(furthest, own / "cache", ignore=shutil.ignore_patterns("hooke.lock"))
    (own / "cache").mkdir(exist_ok=True)
    return own


def count(folder):
    """Number of attempts that are there."""
    return sum(path.is_dir() for path in Path(folder).iterdir())


def end(folder):
    """Remove a folder of attempts; what somebody still writes there stays for the next time."""
    shutil.rmtree(folder, ignore_errors=True)


def _size(cache):
    total = 0
    for path in cache.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
