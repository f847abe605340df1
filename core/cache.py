# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a simulation on disk, a sequence that grows at its end.

Guarantees for callers:
1. Nothing on disk is believed. A frame that is read has the bits that were appended, or CacheError is raised and the
   cache ends before it from then on: `len` may shrink. No other exception comes out of a file's contents. `inputs`
   and notes are JSON within bounds, of the caller's own form, which only the caller can check.
2. `open` changes nothing on disk. The next `append` cuts off the remains of a killed or failed write.
3. An `append` that fails counts nothing, whatever failed; the next one writes to the same places.
4. `create` and `remove` touch files only if the sidecar says that they are Hooke's and, where `owner` is given, of
   this owner; links and what is no regular file are refused everywhere. CacheError names the file.
5. One process writes a cache at a time, others read: `writable`, and why not in `read_only_reason`.
6. Descriptors are bounded for the whole process, see `regular_file`, and one for each folder that is written to.
"""

import contextlib
import os
import struct
import time
from pathlib import Path

import numpy as np

from . import checkpoint, held_files, pc2
from .cache_files import check_owned, delete, explained, files_of, lock_to_write, sidecar_of
from .checkpoint import Checkpoint
from .checksum import checksum
from .file_lock import FileBusy, Lock
from .frames import CacheError, Frames, MemoryFrames, single_precision
from .pc2 import write_pc2
from .regular_file import RegularFile
from .sidecar import Sidecar

__all__ = [
    "CacheError",
    "DiskFrames",
    "Frames",
    "MemoryFrames",
    "frame_count",
    "read_inputs",
    "remove",
    "write_pc2",
]

_COUNT = struct.Struct("<i")


class DiskFrames(Frames):
    """Frames in a PC2 file, which Blender's Mesh Cache modifier reads, with files beside it.

    STEM.pc2 holds positions, float32; STEM.jsonl says what the frames were made from, whose they are, and checksum
    and note of every frame; STEM.state0 and STEM.state1, in turns, the snapshot of the newest frame. A frame counts
    once the header of the PC2 file says so, and everything else of it has been written by then: a process killed at
    any moment leaves the frames before it whole and resumable.

    inputs: anything JSON can hold that says what the frames were made from; owner: whose they are, or None.
    notes: one a frame; frame_start: number of the first.
    read_only_reason: why it is not `writable`, or "".
    `create` and `open` make instances.
    """

    def __init__(self, path, data, lines, lock, read_only_reason=""):
        self.path = path
        self.inputs, self.notes = lines.inputs, lines.notes
        self.vertex_count, self.frame_start = lines.vertex_count, lines.frame_start
        self.owner = lines.owner
        self.read_only_reason = read_only_reason
        self.data, self.sidecar, self._lock = data, lines, lock
        self._checkpoint = Checkpoint(path)
        # Whether there may be more in the files than what counts; how many frames they hold that were told or written.
        self.remains, self._held = True, len(lines.notes)
        self._used = time.monotonic()

    @property
    def writable(self):
        """Whether frames can be appended."""
        return not self.read_only_reason

    @classmethod
    def create(cls, path, vertex_count, frame_start, inputs, *, owner=None):
        """Empty files in place of this owner's; raises CacheError where they cannot be written, or are others'.

        owner: text that says whose cache it is; None says nothing, and replaces anyone's.
        """
        path = Path(path)
        with explained(path, "written"), contextlib.ExitStack() as undo:
            lines = Sidecar.create(sidecar_of(path), owner, vertex_count, frame_start, inputs)
            undo.callback(_remove_empty, [folder for folder in path.parents if not folder.exists()])
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = Lock(path)
            undo.callback(lock.release)
            check_owned(path, owner, writable=True)
            undo.callback(delete, path)
            undo.callback(lines.close)
            lines.begin()
            data = RegularFile(path, writable=True, create=True)
            undo.callback(data.close)
            data.truncate(0)
            data.write(0, pc2.header(vertex_count, frame_start, 0))
            for slot in checkpoint.slots(path):
                held_files.remove(slot)
            undo.pop_all()
        return cls(path, data, lines, lock)

    @classmethod
    def open(cls, path, *, vertex_count=None, owner=None):
        """The frames that are there whole; raises CacheError where there are none, or other files.

        vertex_count, owner: what the cache must say of itself, where given.
        Where another process has them open, or they may only be read, they are not `writable`: several can render
        from one cache.
        """
        path = Path(path)
        with explained(path, "read"), contextlib.ExitStack() as undo:
            lock, reason = lock_to_write(path)
            writable = lock is not None
            if lock is not None:
                undo.callback(lock.release)
            data = RegularFile(path, writable=writable)
            undo.callback(data.close)
            points, start, count = pc2.counted(data.read(0, pc2.HEADER.size), data.size())
            lines = Sidecar.open(sidecar_of(path), writable=writable, most=count)
            undo.callback(lines.close)
            if (points, start) != (lines.vertex_count, lines.frame_start):
                raise ValueError("its header does not fit its sidecar")
            if vertex_count not in (None, points):
                raise ValueError(f"it holds {points} vertices a frame, not {vertex_count}")
            if owner not in (None, lines.owner):
                raise ValueError("it belongs to another object")
            undo.pop_all()
        return cls(path, data, lines, lock, reason)

    def __len__(self):
        return len(self.notes)

    def _read(self, index):
        self._used = time.monotonic()
        with explained(self.path, "read"):
            positions = np.empty((self.vertex_count, 3), dtype="<f4")
            content = positions.data.cast("B")
            whole = self.data.read_into(pc2.HEADER.size + index * positions.nbytes, content)
            right = whole and checksum(content) == self.sidecar.checksums[index]
            if not right or not np.isfinite(positions).all():
                self.sidecar.end_before(index)
                self.remains = True
                raise ValueError(f"frame {self.frame_start + index} is not as it was written")
        return positions

    def append(self, positions, note=None, snapshot=None):
        """Add a frame; raises CacheError where it cannot be written, and counts it only when all is.

        positions: finite, shape (vertex_count, 3), here cast to float32; note: anything JSON can hold.
        snapshot: dict of arrays that the simulation resumes from, see `Simulation.snapshot`; None keeps none.
        """
        if not self.writable:
            raise CacheError(f"the cache {self.path} cannot be written: {self.read_only_reason}")
        if np.shape(positions) != (self.vertex_count, 3):
            raise CacheError(
                f"positions of shape {np.shape(positions)} do not fit {self.path.name}, which holds "
                f"{self.vertex_count} vertices a frame: begin another cache"
            )
        positions = single_precision(positions, f"frame {self.frame_start + len(self)}")
        self._used = time.monotonic()
        if self._lock is None:
            _take_up(self)
        with explained(self.path, "written"):
            if self.remains:
                self._cut()
            self.remains = True
            try:
                self._write(positions.data.cast("B"), note, snapshot)
            except BaseException:
                # For whoever opens the files next; where the disk takes nothing at all the next append does it.
                with contextlib.suppress(OSError, ValueError):
                    self._cut()
                raise
            self.remains = False

    def _write(self, content, note, snapshot):
        frame, facts = len(self), (checksum(content), checkpoint.size_of(snapshot or {}), note)
        line, chain = self.sidecar.line(*facts)
        if snapshot is not None:
            self._checkpoint.write(frame, chain, snapshot)
        self.sidecar.write(line)
        self.data.write(self._end, content)
        self.data.write(pc2.COUNT_AT, _COUNT.pack(frame + 1))
        self.sidecar.keep(len(line), chain, *facts)
        self._held = len(self)

    def _cut(self):
        """Remove what a killed or failed process wrote of frames that do not count."""
        self.data.write(pc2.COUNT_AT, _COUNT.pack(len(self)))
        self.data.truncate(self._end)
        self.sidecar.cut()
        self.remains, self._held = False, len(self)

    @property
    def _end(self):
        return pc2.HEADER.size + 12 * self.vertex_count * len(self)

    def snapshot(self):
        """Snapshot of the last frame as a dict of arrays, or None if it has none that checks out."""
        if not len(self) or not self.sidecar.snapshot_sizes[-1]:
            return None
        return self._checkpoint.read(len(self) - 1, self.sidecar.chain, self.sidecar.snapshot_sizes[-1])

    def copy(self, path, *, owner=None):
        """Files with the same frames at another path, open; owner: whose they are. Raises CacheError like `create`."""
        path = Path(path)
        copied = DiskFrames.create(path, self.vertex_count, self.frame_start, self.inputs, owner=owner)
        try:
            for index in range(len(self)):
                last = index == len(self) - 1
                copied.append(self[index], self.notes[index], self.snapshot() if last else None)
        except BaseException:
            copied.close()
            remove(path)
            raise
        return copied

    def close(self):
        """Close the files and let others write them."""
        self.read_only_reason = self.read_only_reason or "it was closed: open it again"
        self.let_go()

    def let_go(self, unused_for=0.0):
        """Close the files, if they were not used for so long [s], until they are: others may write and remove them.

        The next `append` raises CacheError where they did.
        """
        if time.monotonic() - self._used < unused_for:
            return
        for file in (self._checkpoint, self.data, self.sidecar):
            file.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _take_up(frames):
    """Lock and open the files that DiskFrames let go; raises CacheError where they are not as they were."""
    there = DiskFrames.open(frames.path, owner=frames.owner)
    same = len(there) == frames._held and there.sidecar.chain_of(len(frames)) == frames.sidecar.chain
    reason = there.read_only_reason if same else "it was changed meanwhile: simulate again"
    if not reason:
        frames._lock, there._lock, frames.remains = there._lock, None, True
    there.close()
    if reason:
        raise CacheError(f"the cache {frames.path} cannot be written: {reason}")


def read_inputs(path, *, owner=None):
    """The `inputs` of the cache at a path, or None where there is none of this version, or of this owner."""
    try:
        lines = Sidecar.open(sidecar_of(Path(path)))
    except (OSError, ValueError):
        return None
    lines.close()
    return lines.inputs if owner in (None, lines.owner) else None


def frame_count(path):
    """Number of frames that the PC2 file at a path counts and has room for, 0 where there is none."""
    with contextlib.closing(RegularFile(Path(path))) as file:
        try:
            return pc2.counted(file.read(0, pc2.HEADER.size), file.size())[2]
        except (OSError, ValueError):
            return 0


def remove(path, *, owner=None):
    """Remove the files of a cache, missing or not; returns False where another process has it open.

    Raises CacheError where they cannot be removed, or are not Hooke's cache of this owner, None for anyone's.
    """
    path = Path(path)
    with explained(path, "removed"):
        if any(os.path.lexists(file) for file in files_of(path)):
            try:
                lock = Lock(path)
            except FileBusy:
                return False
            try:
                check_owned(path, owner, writable=False)
                delete(path)
            finally:
                lock.release()
    return True


def _remove_empty(folders):
    with contextlib.suppress(OSError):
        for folder in folders:
            folder.rmdir()
