# SPDX-License-Identifier: GPL-3.0-or-later
"""The newest snapshot of a simulation on disk, in two files that are written in turns."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

_LENGTH = struct.Struct("<I")


class Checkpoint:
    """Snapshots beside a cache: while one is being written, the one before it stays whole.

    path: of the cache's PC2 file.
    A file is the length of a JSON header, the header (frame, checksum, names, types and shapes) and the arrays.
    """

    def __init__(self, path):
        self._slots = [Path(path).with_suffix(f".state{slot}") for slot in (0, 1)]
        # Kept open: making a file anew for every frame takes longer than filling it.
        self._files: list[Any] = [None, None]

    def write(self, frame, snapshot):
        """Put a dict of arrays in place of the snapshot before the last; raises OSError."""
        arrays = {name: np.asarray(array, order="C") for name, array in snapshot.items()}
        checksum = 0
        for array in arrays.values():
            checksum = zlib.crc32(_bytes(array), checksum)
        header = {
            "frame": frame,
            "checksum": checksum,
            "arrays": [[name, array.dtype.str, array.shape] for name, array in arrays.items()],
        }
        text = json.dumps(header).encode()
        file = self._open(frame % 2)
        file.seek(0)
        for part in (_LENGTH.pack(len(text)) + text, *map(_bytes, arrays.values())):
            write_all(file, part)

    def _open(self, slot):
        if self._files[slot] is None:
            path = self._slots[slot]
            self._files[slot] = open(path, "r+b" if path.exists() else "w+b", buffering=0)
        return self._files[slot]

    def read(self, frame):
        """The frame's snapshot as a dict of arrays, or None where it is missing or not whole."""
        try:
            content = self._slots[frame % 2].read_bytes()
            end = _LENGTH.size + _LENGTH.unpack_from(content)[0]
            header = json.loads(content[_LENGTH.size : end])
            arrays, size = _arrays(header["arrays"], content[end:])
            checksum = zlib.crc32(content[end : end + size])
            return arrays if (header["frame"], header["checksum"]) == (frame, checksum) else None
        except (OSError, ValueError, KeyError, struct.error):
            return None

    def close(self):
        """Close the files."""
        for file in self._files:
            if file is not None:
                file.close()
        self._files = [None, None]

    def delete(self):
        """Close and remove both files."""
        self.close()
        for slot in self._slots:
            slot.unlink(missing_ok=True)


def write_all(file, data):
    """Write all of it to an unbuffered file: a disk that is full takes a part without an error."""
    view = memoryview(data)
    while len(view):
        view = view[file.write(view) :]


def _bytes(array):
    """An array's bytes without a copy."""
    return array.reshape(-1).view(np.uint8).data


def _arrays(described, data):
    """The arrays, and how many bytes they take; raises ValueError where there are not as many."""
    arrays, at = {}, 0
    for name, kind, shape in described:
        dtype = np.dtype(kind)
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
    return arrays, at
