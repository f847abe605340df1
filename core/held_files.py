# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that other programs have open, which Windows neither replaces nor removes meanwhile.

Scanners, sync clients and indexers hold a file for a moment after it was written, players for as long as they show it:
the first are waited for, the others are named as the reason.
"""

import os
import time
from pathlib import Path

# As long as pip waits for the same programs [s], and how long between two tries at most: others may let go as briefly.
PATIENCE, _PAUSE = 3.0, 0.02
# ERROR_ACCESS_DENIED, which replacing an open file gives, ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION.
_HELD = (5, 32, 33)


def replace(made, path):
    """Let a file have a name, in place of one that has it; raises OSError, after PATIENCE where one is held."""
    patiently(os.replace, made, path)


def rename(path, target):
    """Give a file or folder a name that nothing has; raises OSError, after PATIENCE where it is held."""
    patiently(os.rename, path, target)


def remove(path):
    """Remove a file if it is there; raises OSError, after PATIENCE where it is held."""
    patiently(Path(path).unlink, missing_ok=True)


def patiently(work, *arguments, patience=PATIENCE, **named):
    """The result of a function, tried again while another program holds its files; raises as the last try does."""
    began, pause = time.monotonic(), 0.005
    while True:
        try:
            return work(*arguments, **named)
        except OSError as error:
            if not is_held(error) or time.monotonic() - began >= patience:
                raise
        time.sleep(pause)
        pause = min(2.0 * pause, _PAUSE)


def is_held(error):
    """Whether an OSError says that another program has the file open; on Windows alone one can."""
    return getattr(error, "winerror", None) in _HELD


def because(error, otherwise):
    """Reason and remedy of an OSError in writing, to end a sentence; otherwise: remedy beside the obvious one."""
    if is_held(error):
        return f"(another program has it open): close it there or {otherwise}"
    return f"({error.strerror or error}): free space or {otherwise}"
