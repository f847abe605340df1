# SPDX-License-Identifier: GPL-3.0-or-later
"""The newest snapshot of a simulation on disk, in two files that are written in turns."""

import math
import re
import struct

import numpy as np

from .bounded_json import from_json, to_json
from .checksum import checksum
from .regular_file import RegularFile

MAGIC = b"HOOKEST2"
# Magic, length of the JSON header, checksum of everything behind this prefix.
_PREFIX = struct.Struct("<8sII")
_LONGEST_HEADER = 1 << 14

_DTYPES = ("<f8", "<f4", "<i8", "<i4", "|b1")
_MOST_ARRAYS = 64
_SMALL = 1 << 12


class Checkpoint:
    """Snapshots beside a cache: while one is being written, the one before it stays whole.

    path: of the cache's PC2 file.
    A file is a prefix, a JSON header (frame, chain, names and shapes) and the arrays. The chain is the checksum of
    all that the cache's sidecar says up to the frame, so that a file of another cache is not taken for this one's.
    """

    def __init__(self, path):
        self._writers = [RegularFile(slot, writable=True, create=True) for slot in slots(path)]
        self._checked = [False, False]

    def write(self, frame, chain, snapshot):
        """Put a dict of arrays in place of the snapshot before the last.

        Raises OSError, and ValueError for arrays that are none of `Simulation.snapshot`'s or a file that is not
        Hooke's.
        """
        arrays = [(name, np.asarray(array, order="C")) for name, array in snapshot.items()]
        # The small ones first, which are written at once.
        arrays.sort(key=lambda item: item[1].nbytes)
        described = [[name, array.dtype.str, array.shape] for name, array in arrays]
        if not _may_be(described):
            raise ValueError(f"no snapshot of a simulation has these arrays: {described}")
        text = to_json({"frame": frame, "chain": chain, "arrays": described})
        parts = [text, *(_bytes(array) for _, array in arrays)]
        found = 0
        for part in parts:
            found = checksum(part, found)
        small = sum(len(part) <= _SMALL for part in parts)
        begin = b"".join([_PREFIX.pack(MAGIC, len(text), found), *parts[:small]])
        slot = frame % 2
        if not self._checked[slot]:
            _check_ours(self._writers[slot])
            self._checked[slot] = True
        self._writers[slot].write(0, begin, *parts[small:])

    def read(self, frame, chain, size):
        """The frame's snapshot as a dict of arrays, or None where it is missing or does not check out.

        size: bytes of its arrays, as `size_of` told when it was written.
        """
        file = RegularFile(self._writers[frame % 2].path)
        try:
            return _read(file, frame, chain, size)
        except (OSError, ValueError, KeyError, TypeError, MemoryError):
            return None
        finally:
            file.close()

    def close(self):
        """Close the files."""
        for file in self._writers:
            file.close()


def size_of(snapshot):
    """Bytes of a snapshot's arrays."""
    return sum(np.asarray(array).nbytes for array in snapshot.values())


def _read(file, frame, chain, size):
    magic, length, expected = _PREFIX.unpack(file.read(0, _PREFIX.size).ljust(_PREFIX.size, b"\0"))
    if magic != MAGIC or length > _LONGEST_HEADER:
        return None
    text = file.read(_PREFIX.size, length)
    header = from_json(text)
    if (header["frame"], header["chain"]) != (frame, chain) or not _may_be(header["arrays"]):
        return None
    at, described = _PREFIX.size + length, header["arrays"]
    if sum(np.dtype(dtype).itemsize * math.prod(shape) for _, dtype, shape in described) != size:
        return None
    if at + size > file.size():
        return None
    arrays, found = {}, checksum(text)
    for name, dtype, shape in described:
        arrays[name] = np.empty(shape, dtype)
        content = _bytes(arrays[name])
        file.read_into(at, content)
        at, found = at + len(content), checksum(content, found)
    return arrays if found == expected and all(map(_is_sound, arrays.values())) else None


def _may_be(described):
    """Whether names, types and shapes may be those of a snapshot's arrays."""
    return len(described) <= _MOST_ARRAYS and all(
        re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name)
        and dtype in _DTYPES
        and len(shape) <= 2
        and all(type(size) is int and size >= 0 for size in shape)
        for name, dtype, shape in described
    )


def _is_sound(array):
    """Whether all numbers are finite, or truth values are 0 or 1."""
    if array.dtype == bool:
        return array.view(np.uint8).max(initial=0) <= 1
    return np.isfinite(array).all()


def slots(path):
    """The two files beside a cache's PC2 file."""
    return [path.with_suffix(f".state{slot}") for slot in (0, 1)]


def is_ours(file):
    """Whether a file is empty or begins as a checkpoint does, or one of version 1."""
    begin = file.read(0, 14)
    return begin.startswith(MAGIC[: len(begin)]) or begin[4:] == b'{"frame": '


def _check_ours(file):
    if not is_ours(file):
        raise ValueError(f"{file.path.name} is not Hooke's: move it away")


def _bytes(array):
    """An array's bytes without a copy."""
    return array.reshape(-1).view(np.uint8).data
