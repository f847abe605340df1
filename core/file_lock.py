# SPDX-License-Identifier: GPL-3.0-or-later
"""A lock on an open file, which the system takes back when the process ends, however it ends."""

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

# Locks are mandatory on Windows: one byte far behind the data keeps the data readable.
_FAR_BYTE = 1 << 40


class FileBusy(Exception):
    """Another process holds the file."""


def lock(file):
    """Hold the file until it is closed; raises FileBusy if another process does."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            file.seek(_FAR_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except BlockingIOError as error:
        raise FileBusy from error
    except PermissionError as error:
        raise FileBusy from error
