# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the file that a bake plays is the one that it wrote: folders are moved, and files in them mixed up."""

import os
import stat
from functools import lru_cache

from . import files, places


def problem(obj):
    """Why an object's bake does not show what was simulated, a sentence that names the remedy, or ""."""
    for modifier in files.own_players(obj):
        path = places.absolute(modifier.filepath, obj.library)
        try:
            status = os.stat(path)
        except OSError:
            status = None
        if status is None or not stat.S_ISREG(status.st_mode):
            return f"the bake of '{obj.name}' is not there: put its file {path} back, or Clear Bake and bake again"
        digest = obj.hooke.bake.cache_digest
        if digest and digest != _digest(path, status.st_mtime_ns, status.st_size):
            return (
                f"'{obj.name}' plays a file that is not its bake, or was changed since: put the right one at {path}, "
                "or Clear Bake and bake again"
            )
    return ""


# Panels ask whenever they are drawn.
@lru_cache(maxsize=1024)
def _digest(path, _changed, _size):
    return places.content_digest(path)
