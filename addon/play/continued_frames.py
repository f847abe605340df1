# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames on disk to which no more can be added, and those after them in memory."""

from ...core.frames import Frames


class Continued(Frames):
    """Frames that begin on disk and go on in memory.

    kept: DiskFrames; more: MemoryFrames. Should a kept frame turn out to be damaged, all ends before it.
    """

    def __init__(self, kept, more):
        self.kept, self.more = kept, more
        self._count = len(kept)

    @property
    def _whole(self):
        return len(self.kept) == self._count

    def __len__(self):
        return self._count + len(self.more) if self._whole else len(self.kept)

    def _read(self, index):
        return self.kept[index] if index < self._count else self.more[index - self._count]

    @property
    def notes(self):
        """What is kept beside every frame, a list."""
        return [*self.kept.notes, *self.more.notes] if self._whole else self.kept.notes

    def append(self, positions, note=None, snapshot=None):
        """Add a frame in memory, see `MemoryFrames.append`."""
        self.more.append(positions, note, snapshot)

    def snapshot(self):
        """Snapshot of the last frame as a dict of arrays, or None if it has none."""
        return self.more.snapshot() if len(self.more) else self.kept.snapshot()

    @property
    def path(self):
        """Of the PC2 file of the frames on disk."""
        return self.kept.path

    def copy(self, path, *, owner=None):
        """All frames on disk at another path, see `DiskFrames.copy`."""
        copied = self.kept.copy(path, owner=owner)
        for index, positions in enumerate(self.more):
            last = index == len(self.more) - 1
            copied.append(positions, self.more.notes[index], self.snapshot() if last else None)
        return copied

    def let_go(self, unused_for=0.0):
        """Close the files, if they were not used for so long [s], until they are."""
        self.kept.let_go(unused_for)

    def close(self):
        """Close the files."""
        self.kept.close()
