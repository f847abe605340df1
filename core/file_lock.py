# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks on the files of a folder, which the system takes back when the process ends, however it ends.

All locks of a process in a folder are bytes of one lock file, so that they take one descriptor: a byte a name. The
file is there while somebody holds one.
"""

import contextlib
import errno
import hashlib
import os
import struct
import time
import weakref
from pathlib import Path

from .regular_file import open_regular

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

NAME = "hooke.lock"
# msvcrt's offsets are sure to 31 bits.
_BYTES = 1 << 62 if fcntl is not None else 1 << 31
# By device and file number, because one file may be reached by several paths. A process's own locks do not stop it,
# and without locks of open file descriptions all fall when any descriptor of the file closes: one is open, once.
open_locks: dict = {}


class FileBusy(Exception):
    """The lock is held already, by another process or in this one."""


class Lock:
    """A lock on a path, held until `release`, or until nothing refers to it.

    Raises FileBusy if it is held already, OSError where the folder's lock file cannot be written, ValueError where
    that is no regular file.
    """

    def __init__(self, path):
        path = Path(path)
        name = hashlib.blake2b(path.name.encode(errors="surrogateescape"), digest_size=8).digest()
        held = take(path.with_name(NAME), int.from_bytes(name, "little") % _BYTES)
        self._release = weakref.finalize(self, _release, *held)

    def release(self):
        """Let others hold it."""
        self._release()


class _LockFile:
    def __init__(self, path):
        self.path, self.held = path, set()
        self.file = open_regular(path, os.O_RDWR | os.O_CREAT)
        self.identity = _identity(os.fstat(self.file.fileno()))
        open_locks[self.identity] = self

    def take(self, byte):
        """Whether the lock was had: not if somebody removed the file meanwhile, and another is to be made."""
        if byte in self.held:
            raise FileBusy
        try:
            _lock(self.file, byte, 1)
        except FileBusy:
            if self._is_there():
                raise
            return False
        if self._is_there():
            self.held.add(byte)
            return True
        _unlock(self.file, byte)
        return False

    def _is_there(self):
        try:
            return _identity(os.lstat(self.path)) == self.identity
        except FileNotFoundError:
            return False

    def leave(self):
        """Close the file where nothing is held, and remove it if nobody else holds anything."""
        if self.held:
            return
        del open_locks[self.identity]
        with self.file, contextlib.suppress(OSError, FileBusy):
            if fcntl is None:
                # A file that another program has open cannot be removed here.
                self.file.close()
                self.path.unlink()
            else:
                _lock(self.file, 0, 0)
                if self._is_there():
                    self.path.unlink()


def take(path, byte):
    tries = 0
    while True:
        try:
            known = open_locks.get(_identity(os.lstat(path)))
        except FileNotFoundError:
            known = None
        lock_file = known or _LockFile(path)
        try:
            if lock_file.take(byte):
                return lock_file, byte
        except FileBusy:
            # Another process may hold everything for a moment, to remove the file.
            tries += 1
            if tries == 4 or byte in lock_file.held:
                raise
            time.sleep(0.002)
        finally:
            lock_file.leave()


def _release(lock_file, byte):
    lock_file.held.discard(byte)
    _unlock(lock_file.file, byte)
    lock_file.leave()


def _identity(status):
    return status.st_dev, status.st_ino


if fcntl is None:

    def _lock(file, byte, count):
        file.seek(byte)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, count)
        except OSError as error:
            raise FileBusy from error

    def _unlock(file, byte):
        file.seek(byte)
        with contextlib.suppress(OSError):
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _lock(file, byte, count):
        try:
            _set_lock(file, fcntl.F_WRLCK, byte, count)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                raise FileBusy from error
            raise

    def _unlock(file, byte):
        with contextlib.suppress(OSError):
            _set_lock(file, fcntl.F_UNLCK, byte, 1)

    def _set_lock(file, kind, byte, count):
        if hasattr(fcntl, "F_OFD_SETLK"):
            # struct flock of 64-bit Linux: type, whence, start, length, process. Held by the open file, not by the
            # process, of which another part may copy the folder and close its lock file.
            lock = struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, count, 0)
            try:
                fcntl.fcntl(file, fcntl.F_OFD_SETLK, lock)
                return
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise
        operation = fcntl.LOCK_UN if kind == fcntl.F_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB
        fcntl.lockf(file, operation, count, byte, os.SEEK_SET)
