# SPDX-License-Identifier: GPL-3.0-or-later
"""The newest snapshot of a simulation on disk, in two files that are written in turns."""

import json
import struct
import zlib
from pathlib import Path

import numpy as np

_LENGTH = struct.Struct("<I")


class Checkpoint:
    """Snapshots beside a cache: while one is being written, the one before it stays whole.

    path: of the cache's PC2 file.
    A file is the length of a JSON header, the header (frame, checksum, names, types and shapes) and the arrays.
    """

    def __init__(self, path):
        self._slots = [Path(path).with_suffix(f".state{slot}") for slot in (0, 1)]

    def write(self, frame, snapshot):
        """Put a dict of arrays in place of the snapshot before the last; raises OSError."""
        arrays = {name: np.asarray(array) for name, array in snapshot.items()}
        data = b"".join(array.tobytes() for array in arrays.values())
        header = {
            "frame": frame,
            "checksum": zlib.crc32(data),
            "arrays": [[name, array.dtype.str, array.shape] for name, array in arrays.items()],
        }
        text = json.dumps(header).encode()
        with open(self._slots[frame % 2], "wb") as file:
            file.write(_LENGTH.pack(len(text)) + text + data)

    def read(self, frame):
        """The frame's snapshot as a dict of arrays, or None where it is missing or not whole."""
        try:
            content = self._slots[frame % 2].read_bytes()
            end = _LENGTH.size + _LENGTH.unpack_from(content)[0]
            header = json.loads(content[_LENGTH.size : end])
            data = content[end:]
            if header["frame"] != frame or header["checksum"] != zlib.crc32(data):
                return None
            return _arrays(header["arrays"], data)
        except (OSError, ValueError, KeyError, struct.error):
            return None

    def delete(self):
        """Remove both files."""
        for slot in self._slots:
            slot.unlink(missing_ok=True)


def _arrays(described, data):
    arrays, at = {}, 0
    for name, kind, shape in described:
        dtype = np.dtype(kind)
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
    return arrays
