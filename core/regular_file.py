# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular files that many caches read and write in turns, of which few are open at once."""

import errno
import os
import stat
import threading
import weakref
from collections import OrderedDict

# Three files serve an appended frame, so eight simulated objects close none; macOS gives a program 256 in all.
_MOST_OPEN = 32
# A file's size may exceed its room on the disk by this much, enough for one that is packed into its entry.
_SURE = 1 << 20
_open_files: OrderedDict = OrderedDict()
# Blender renders in another thread than it draws: none may close or move what another is reading.
_turn = threading.RLock()


def open_regular(path, flags):
    """Unbuffered file of a path; flags: os.O_RDONLY or os.O_RDWR, with os.O_CREAT and os.O_EXCL as needed.

    Raises OSError, and ValueError where the path is a link or anything else that is no regular file: neither is
    followed or waited for.
    """
    try:
        _check_regular(path, os.lstat(path))
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    descriptor = _descriptor(path, flags)
    try:
        _check_regular(path, os.fstat(descriptor))
        return open(descriptor, "r+b" if flags & os.O_RDWR else "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def _descriptor(path, flags):
    with _turn:
        try:
            return os.open(path, flags, 0o666)
        except OSError as error:
            if error.errno != errno.EMFILE or not _open_files:
                raise
        # The program has opened all it may: give back what is kept here.
        while _open_files:
            _open_files.popitem(last=False)[1].close()
        return os.open(path, flags, 0o666)


def write_all(file, data):
    """Write all of it to an unbuffered file: a disk that is full takes a part without an error."""
    view = memoryview(data)
    while len(view):
        view = view[file.write(view) :]


def _check_regular(path, status):
    if not stat.S_ISREG(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "no regular file"
        raise ValueError(f"{path.name} is {kind}: move it away")


class RegularFile:
    """A regular file that is opened when it is used and closed when others need its place.

    writable: whether it is opened to be written; create: whether it is made where it is missing.
    Methods raise OSError, and ValueError where the path is no regular file, leads to another file than before, or is
    to be written and has a second name on the disk, whose contents would change with it.
    """

    def __init__(self, path, *, writable=False, create=False):
        self.path, self.writable, self._create = path, writable, create
        self._identity = None
        self._key = object()
        weakref.finalize(self, _close, self._key)

    def size(self):
        """Bytes that the file has; one that is hollow has not what it says, which nobody has to make room for."""
        with _turn:
            status = os.fstat(self._opened().fileno())
        # A file system that compresses may put a hundred bytes in one. Some do not tell what a file takes.
        taken = 512 * getattr(status, "st_blocks", 0)
        return min(status.st_size, 100 * taken + _SURE) if taken else status.st_size

    def read(self, at, size):
        """Bytes from an offset, fewer where the file ends."""
        with _turn:
            file = self._opened()
            file.seek(at)
            parts = []
            while size > 0 and (part := file.read(min(size, 1 << 20))):
                parts.append(part)
                size -= len(part)
        return b"".join(parts)

    def read_into(self, at, buffer):
        """Fill a buffer of bytes from an offset; returns whether the file holds as many."""
        view = memoryview(buffer)
        with _turn:
            file = self._opened()
            file.seek(at)
            while len(view) and (count := file.readinto(view)):
                view = view[count:]
        return not len(view)

    def write(self, at, *parts):
        """Write all of some buffers of bytes, one behind the other, from an offset."""
        with _turn:
            file = self._opened()
            file.seek(at)
            for part in parts:
                write_all(file, part)

    def truncate(self, size):
        """Cut the file off at a size."""
        with _turn:
            self._opened().truncate(size)

    def close(self):
        """Close the file if it is open; whatever uses it opens it again."""
        _close(self._key)

    def _opened(self):
        file = _open_files.get(self._key)
        if file is not None:
            _open_files.move_to_end(self._key)
            return file
        while len(_open_files) >= _MOST_OPEN:
            _open_files.popitem(last=False)[1].close()
        flags = os.O_RDWR if self.writable else os.O_RDONLY
        if self._create and self._identity is None:
            flags |= os.O_CREAT
        file = open_regular(self.path, flags)
        try:
            self._check_identity(os.fstat(file.fileno()))
        except ValueError:
            file.close()
            raise
        _open_files[self._key] = file
        return file

    def _check_identity(self, status):
        if self.writable and status.st_nlink > 1:
            raise ValueError(f"{self.path.name} is linked to another name: remove one of them")
        identity = status.st_dev, status.st_ino
        if self._identity not in (None, identity):
            raise ValueError(f"{self.path.name} was replaced by another file")
        self._identity = identity


def _close(key):
    with _turn:
        file = _open_files.pop(key, None)
        if file is not None:
            file.close()
