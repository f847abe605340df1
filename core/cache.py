# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a simulation, on disk or in memory, each a sequence that grows at its end."""

import json
import os
import struct
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from .checkpoint import Checkpoint, write_all
from .file_lock import FileBusy, lock

# PC2: magic, version, point count, first frame, frames between samples, sample count; then float32 positions.
_HEADER = struct.Struct("<12siiffi")
_COUNT_AT = _HEADER.size - 4
_MAGIC = b"POINTCACHE2\0"
_FORMAT = "hooke cache 1"


class CacheError(ValueError):
    """A cache that cannot be read or written; the message says why and what to do."""


class Frames(Sequence):
    """Frames to read by index; a slice is another sequence, which reads when asked."""

    def _read(self, index):
        raise TypeError(f"{type(self).__name__} reads no frame: a kind of Frames must")

    def __getitem__(self, index):
        if isinstance(index, slice):
            return _Slice(self, range(len(self))[index])
        return self._read(range(len(self))[index])


class _Slice(Frames):
    def __init__(self, frames, indices):
        self._frames, self._indices = frames, indices

    def __len__(self):
        return len(self._indices)

    def _read(self, index):
        return self._frames[self._indices[index]]


class MemoryFrames(Frames):
    """Frames in memory, positions float32 of shape (vertex_count, 3).

    limit: most bytes they may take; `append` raises CacheError beyond.
    """

    def __init__(self, limit=float("inf")):
        self.limit = limit
        self.notes = []
        self._frames = []
        self._snapshot = None

    def __len__(self):
        return len(self._frames)

    def _read(self, index):
        return self._frames[index]

    def append(self, positions, note=None, snapshot=None):
        """Add a frame, see `DiskFrames.append`; only the newest snapshot is kept."""
        positions = np.array(positions, dtype=np.float32)
        if (len(self) + 1) * positions.nbytes > self.limit:
            raise CacheError(
                f"{len(self)} frames fill the memory limit of {self.limit / 1e6:,.0f} MB: raise it, or cache on disk"
            )
        self._frames.append(positions)
        self.notes.append(note)
        self._snapshot = snapshot

    def snapshot(self):
        """Snapshot of the last frame as a dict of arrays, or None if it has none."""
        return self._snapshot

    def close(self):
        """Nothing to close; for both kinds of frames to be used alike."""


class DiskFrames(Frames):
    """Frames in a PC2 file, which Blender's Mesh Cache modifier reads, with a sidecar beside it.

    STEM.pc2 holds positions, float32; STEM.jsonl a first line with `inputs`, anything JSON can hold that says what
    the frames were made from, and one line with the note of every frame; STEM.state0 and STEM.state1, in turns, the
    snapshot of the newest frame. A frame counts once the header of the PC2 file says so, and everything else of it
    has been written by then: a process killed at any moment leaves the frames before it whole and resumable.

    One process at a time writes; others may read. `create` and `open` make instances.
    """

    def __init__(self, path, data, sidecar, inputs, notes, vertex_count, count):
        self.path, self.inputs, self.notes, self.vertex_count = path, inputs, notes, vertex_count
        self.writable = True
        self._data, self._sidecar, self._count = data, sidecar, count
        self._checkpoint = Checkpoint(path)

    @classmethod
    def create(cls, path, vertex_count, frame_start, inputs):
        """Empty files in place of what is there; raises CacheError where they cannot be written or are in use."""
        path = Path(path)
        with _explained(path, "written"), ExitStack() as opened:
            path.parent.mkdir(parents=True, exist_ok=True)
            sidecar = opened.enter_context(_open_locked(path.with_suffix(".jsonl"), "a+b"))
            sidecar.truncate(0)
            write_all(sidecar, _line({"format": _FORMAT, "inputs": inputs}))
            data = opened.enter_context(open(path, "w+b", buffering=0))
            write_all(data, _HEADER.pack(_MAGIC, 1, vertex_count, frame_start, 1.0, 0))
            Checkpoint(path).delete()
            frames = cls(path, data, sidecar, json.loads(json.dumps(inputs)), [], vertex_count, 0)
            opened.pop_all()
        return frames

    @classmethod
    def open(cls, path):
        """The frames that are there whole; raises CacheError where there are none, or other files.

        Where another process has them open, or they may only be read, they are not `writable`: several can render
        from one cache.
        """
        path = Path(path)
        with _explained(path, "read"), ExitStack() as opened:
            try:
                sidecar = opened.enter_context(_open_locked(path.with_suffix(".jsonl"), "r+b"))
                data = opened.enter_context(open(path, "r+b", buffering=0))
                writable = True
            except (FileBusy, OSError):
                sidecar = opened.enter_context(open(path.with_suffix(".jsonl"), "rb", buffering=0))
                data = opened.enter_context(open(path, "rb", buffering=0))
                writable = False
            magic, _, vertex_count, _, _, counted = _HEADER.unpack(_read_exactly(data, _HEADER.size))
            lines = sidecar.readall().split(b"\n")[:-1]
            first = json.loads(lines[0])
            if magic != _MAGIC or first["format"] != _FORMAT or vertex_count < 1:
                raise ValueError("not a cache of this version")
            whole = (path.stat().st_size - _HEADER.size) // (12 * vertex_count)
            count = min(counted, whole, len(lines) - 1)
            notes = [json.loads(line) for line in lines[1 : count + 1]]
            frames = cls(path, data, sidecar, first["inputs"], notes, vertex_count, count)
            frames.writable = writable
            if writable:
                frames._drop_remains(sum(len(line) + 1 for line in lines[: count + 1]))
            opened.pop_all()
        return frames

    def __len__(self):
        return self._count

    def _read(self, index):
        positions = np.empty((self.vertex_count, 3), dtype="<f4")
        with _explained(self.path, "read"):
            self._data.seek(_HEADER.size + index * positions.nbytes)
            if self._data.readinto(positions.data.cast("B")) != positions.nbytes:
                raise ValueError(f"frame {index} is not whole")
        return positions

    def append(self, positions, note=None, snapshot=None):
        """Add a frame; raises CacheError where it cannot be written, and counts it only when all is.

        positions: shape (vertex_count, 3), here cast to float32; note: anything JSON can hold.
        snapshot: dict of arrays that the simulation resumes from, see `Simulation.snapshot`; None keeps none.
        """
        if not self.writable:
            raise CacheError(
                f"the cache {self.path} is in use by another Blender or may only be read: close it there, or save "
                "the file under another name"
            )
        positions = np.ascontiguousarray(positions, dtype="<f4")
        if positions.shape != (self.vertex_count, 3):
            raise CacheError(
                f"positions of shape {positions.shape} do not fit {self.path.name}, which holds {self.vertex_count} "
                "vertices a frame: begin another cache"
            )
        with _explained(self.path, "written"):
            if snapshot is not None:
                self._checkpoint.write(self._count, snapshot)
            write_all(self._sidecar, _line(note))
            self._data.seek(_HEADER.size + self._count * positions.nbytes)
            write_all(self._data, positions.data.cast("B"))
            self._data.seek(_COUNT_AT)
            write_all(self._data, struct.pack("<i", self._count + 1))
        self._count += 1
        self.notes.append(note)

    def snapshot(self):
        """Snapshot of the last frame as a dict of arrays, or None if it has none that is whole."""
        return self._checkpoint.read(self._count - 1)

    def copy(self, path):
        """Files with the same frames at another path, open; raises CacheError like `create`."""
        path = Path(path)
        copied = DiskFrames.create(path, self.vertex_count, self.frame_start, self.inputs)
        for index, note in enumerate(self.notes):
            copied.append(self[index], note, self.snapshot() if index == self._count - 1 else None)
        return copied

    @property
    def frame_start(self):
        """Frame number of the first frame, as the PC2 file has it."""
        with _explained(self.path, "read"):
            self._data.seek(0)
            return int(_HEADER.unpack(_read_exactly(self._data, _HEADER.size))[3])

    def close(self):
        """Close the files and let others open them."""
        self._checkpoint.close()
        self._data.close()
        self._sidecar.close()

    def _drop_remains(self, sidecar_size):
        """Cut off what a killed process wrote of a frame it did not count."""
        self._data.truncate(_HEADER.size + 12 * self.vertex_count * self._count)
        self._data.seek(_COUNT_AT)
        write_all(self._data, struct.pack("<i", self._count))
        self._sidecar.truncate(sidecar_size)
        self._sidecar.seek(0, os.SEEK_END)


def read_inputs(path):
    """The `inputs` of the cache at a path, or None where there is none of this version."""
    try:
        with open(Path(path).with_suffix(".jsonl"), "rb") as file:
            first = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return first["inputs"] if isinstance(first, dict) and first.get("format") == _FORMAT else None


def frame_count(path):
    """Number of frames that the PC2 file at a path counts, 0 where there is none."""
    try:
        with open(path, "rb") as file:
            return int(_HEADER.unpack(_read_exactly(file, _HEADER.size))[-1])
    except (OSError, EOFError):
        return 0


def remove(path):
    """Remove the files of a cache; those that are missing are not missed, those another process has open stay."""
    path = Path(path)
    try:
        _open_locked(path.with_suffix(".jsonl"), "r+b").close()
    except FileBusy:
        return
    except FileNotFoundError:
        pass
    for file in (path, path.with_suffix(".jsonl")):
        file.unlink(missing_ok=True)
    Checkpoint(path).delete()


def write_pc2(path, frames, frame_start, sample_rate=1.0):
    """Write frames, float32 of shape (vertex_count, 3) each, as a PC2 file; the file appears when it is whole."""
    path = Path(path)
    partial = path.with_name(f"{path.name}.partial")
    try:
        with open(partial, "wb") as file:
            shape = np.shape(frames[0])
            file.write(_HEADER.pack(_MAGIC, 1, shape[0], frame_start, sample_rate, len(frames)))
            for positions in frames:
                file.write(np.ascontiguousarray(positions, dtype="<f4").data)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


class _explained:
    """Turns the system's errors, and those of files that are no cache, into CacheError."""

    def __init__(self, path, done):
        self._path, self._done = path, done

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, FileBusy):
            raise CacheError(
                f"the cache {self._path} is in use by another Blender: close it there"
            ) from error
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise CacheError(
                f"the cache {self._path} cannot be {self._done} ({reason}): free space or choose another folder"
            ) from error
        if isinstance(
            error, (KeyError, IndexError, TypeError, ValueError, struct.error, EOFError)
        ) and not isinstance(error, CacheError):
            raise CacheError(
                f"{self._path} is no cache that can be {self._done} ({error}): remove it"
            ) from error


def _open_locked(path, mode):
    file = open(path, mode, buffering=0)
    try:
        lock(file)
    except FileBusy:
        file.close()
        raise
    if mode.startswith("r"):
        file.seek(0)
    return file


def _line(value):
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _read_exactly(file, size):
    data = file.read(size)
    if data is None or len(data) < size:
        raise EOFError("the file ends in its header")
    return data
