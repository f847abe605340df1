# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that fills up at any write, and is freed: what was counted stays, and what follows is in its place."""

import errno
import io
import os
import shutil

import numpy as np
import pytest

from hooke.core import regular_file
from hooke.core.cache import CacheError, DiskFrames

VERTICES = 7
# Before it: the snapshot, the sidecar's line, the positions.
COUNT_WRITE = 3


def positions(frame):
    """Positions that tell which frame they are of."""
    return (np.arange(3 * VERTICES, dtype=np.float32).reshape(-1, 3) + frame) / 7


def append(frames, number, note_length=1):
    """Append a frame that tells its number in positions, note and snapshot."""
    frames.append(positions(number), [number, "x" * note_length], {"t": np.array(float(number))})


def assert_holds(path, count):
    """Assert that the cache at a path has so many frames, each its own, and resumes from the last."""
    frames = DiskFrames.open(path)
    assert len(frames) == count
    assert [frame.tobytes() for frame in frames] == [positions(i).tobytes() for i in range(count)]
    assert [note[0] for note in frames.notes] == list(range(count))
    assert frames.snapshot()["t"] == count - 1
    frames.close()


class Disk:
    """A disk that fills up at one of the writes and cuts to come.

    at: how many go well before, None for all; part: share of the bytes of the failing one that still goes through;
    stays: whether all after it fail too.
    """

    def __init__(self, monkeypatch):
        self.at, self.part, self.stays, self.calls = None, 0.0, False, 0
        opened = regular_file.open_regular
        disk = self

        class File(io.FileIO):
            def write(self, data):
                return disk.do(super().write, memoryview(data))

            def truncate(self, size):
                return disk.do(lambda _: super(File, self).truncate(size), b"")

        def open_on_disk(path, flags):
            with opened(path, flags) as file:
                return File(os.dup(file.fileno()), file.mode)

        monkeypatch.setattr(regular_file, "open_regular", open_on_disk)

    def do(self, change, data):
        number, self.calls = self.calls, self.calls + 1
        if self.at is not None and (number == self.at or (self.stays and number > self.at)):
            if number == self.at and self.part:
                change(data[: int(self.part * len(data))])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return change(data)

    def fill(self, at, part, stays):
        self.at, self.part, self.stays, self.calls = at, part, stays, 0

    def free(self):
        self.at = None


@pytest.mark.parametrize("note_length", [0, 100])
@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_a_disk_that_fills_at_any_write_and_is_freed_leaves_nothing(
    part, stays, note_length, tmp_path, monkeypatch
):
    disk = Disk(monkeypatch)
    for reached in range(20):
        path = tmp_path / str(reached) / "a.pc2"
        frames = DiskFrames.create(path, VERTICES, 1, {})
        append(frames, 0)
        append(frames, 1)
        disk.fill(reached, part, stays)
        try:
            append(frames, 2, note_length)
        except CacheError as error:
            assert "No space left on device): free space" in str(error) and len(frames) == 2
        else:
            break
        left = shutil.copytree(path.parent, tmp_path / f"{reached} left")
        disk.free()
        # Where the count, which comes last, reached a disk that takes nothing back, the frame is whole.
        assert_holds(left / "a.pc2", 3 if stays and part and reached == COUNT_WRITE else 2)
        append(frames, 2)
        append(frames, 3)
        frames.close()
        assert_holds(path, 4)
    assert reached == COUNT_WRITE + 1
