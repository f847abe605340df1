# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames to read by index, and those in memory."""

from collections.abc import Sequence

import numpy as np


class CacheError(ValueError):
    """Frames that cannot be read or written; the message says why and what to do."""


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
        index = self._indices[index]
        if index >= len(self._frames):
            # An IndexError would end a loop over the slice as if it were complete.
            raise CacheError(f"the frame behind {index} others is not cached any more: simulate it")
        return self._frames[index]


class MemoryFrames(Frames):
    """Frames in memory, positions float32 of shape (vertex_count, 3).

    limit: most bytes they may take; `append` raises CacheError beyond.
    """

    def __init__(self, limit=float("inf")):
        self.limit = limit
        self.notes = []
        self._frames = []
        self.newest = None

    def __len__(self):
        return len(self._frames)

    def _read(self, index):
        return self._frames[index]

    def append(self, positions, note=None, snapshot=None):
        """Add a frame, see `DiskFrames.append`; only the newest snapshot is kept."""
        positions = single_precision(positions, f"the frame behind {len(self)} others").copy()
        if (len(self) + 1) * positions.nbytes > self.limit:
            raise CacheError(
                f"{len(self)} frames fill the memory limit of {self.limit / 1e6:,.0f} MB: raise it, or cache on disk"
            )
        self._frames.append(positions)
        self.notes.append(note)
        self.newest = snapshot

    def snapshot(self):
        """Snapshot of the last frame as a dict of arrays, or None if it has none."""
        return self.newest

    def close(self):
        """Nothing to close; for both kinds of frames to be used alike."""


def single_precision(positions, name):
    """Positions as float32 in order, a copy only where they are not.

    Raises CacheError that calls the frame by its name unless all are finite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        positions = np.ascontiguousarray(positions, dtype="<f4")
    finite = np.isfinite(positions)
    if not finite.all():
        bad = int(np.flatnonzero(~finite.reshape(len(finite), -1).all(axis=1))[0])
        raise CacheError(
            f"{name} puts vertex {bad} at {positions[bad]}, which is no place: check forces and pins for extreme values"
        )
    return positions
