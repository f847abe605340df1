# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that fills up at any write, and is freed: what was counted stays, and what follows is in its place."""

import contextlib
import errno
import io
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from hooke.core import regular_file
from hooke.core.cache import CacheError, DiskFrames

from ..waiting import HANGS
from .caches import VERTICES, append, assert_holds, contents, filled

# Number of the write that counts a frame, behind the snapshot, the sidecar's line and the positions.
COUNT_WRITE = 3


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


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_a_disk_that_fills_while_a_cache_is_made_leaves_no_cache(part, tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    for reached in range(20):
        disk.fill(reached, part, stays=True)
        with contextlib.suppress(CacheError):
            DiskFrames.create(tmp_path / "deep" / "er" / "a.pc2", VERTICES, 1, {}).close()
            break
        assert contents(tmp_path) == {} and not (tmp_path / "deep").exists()
    assert reached == 4


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_a_disk_that_fills_during_a_copy_leaves_the_original(part, tmp_path, monkeypatch):
    frames = DiskFrames.open(filled(tmp_path / "a.pc2", 2))
    disk = Disk(monkeypatch)
    for reached in range(40):
        disk.fill(reached, part, stays=True)
        with contextlib.suppress(CacheError):
            frames.copy(tmp_path / "copy" / "b.pc2").close()
            break
        assert not (tmp_path / "copy" / "b.pc2").exists()
    frames.close()
    assert reached > 10
    assert_holds(tmp_path / "a.pc2", 2)
    assert_holds(tmp_path / "copy" / "b.pc2", 2)


REALLY_FULL = """
    import os, resource, sys
    from pathlib import Path
    import numpy as np
    from hooke.core.cache import CacheError, DiskFrames, write_pc2

    # Python would keep half of what it compiles, and fail on it ever after.
    sys.dont_write_bytecode = True
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    path, ballast = folder / "a.pc2", folder / "ballast"

    def fill(pages):
        if kind == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 4096 * pages, -1))
            return
        with open(ballast, "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)) == 4096:
                    pass
            except OSError:
                pass
            file.truncate(max(0, file.tell() - 4096 * pages))

    def free():
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
        ballast.unlink(missing_ok=True)

    def append(number):
        x = np.full((3000, 3), float(number))
        frames.append(x, [number, "x" * 3000], {"x": x, "v": -x})

    frames = DiskFrames.create(path, 3000, 1, {})
    append(0)
    failed = 0
    for pages in (0, 1, 2, 5, 9, 10, 15, 30, 36, 40, 50):
        fill(pages)
        try:
            append(len(frames))
        except CacheError as error:
            failed += 1
            assert "free space or choose another folder" in str(error), error
        before = sorted(os.listdir(folder))
        try:
            write_pc2(folder / "b.pc2", [np.zeros((90_000, 3), np.float32)], 1)
        except CacheError as error:
            assert "b.pc2 cannot be written" in str(error) and "free space" in str(error), error
        else:
            raise AssertionError("the disk was not full")
        assert sorted(os.listdir(folder)) == before
        free()
        append(len(frames))
    count = len(frames)
    frames.close()
    frames = DiskFrames.open(path)
    assert len(frames) == count and failed >= 3, (len(frames), count, failed)
    for number in range(count):
        assert (frames[number] == number).all() and frames.notes[number][0] == number
    assert (frames.snapshot()["x"] == count - 1).all()
"""


@pytest.fixture(params=["limit", "disk"])
def full(request, tmp_path):
    """A folder, and what makes files in it end: a limit of the process, or a disk of 1 MB where one can be mounted."""
    if request.param == "disk":
        options = ["-t", "tmpfs", "-o", "size=1m", "hooke", str(tmp_path)]
        mount = shutil.which("mount")
        if not mount or subprocess.run([mount, *options], capture_output=True).returncode:
            pytest.skip("only root may mount a small disk")
    yield tmp_path, request.param
    if request.param == "disk":
        subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.skipif(sys.platform == "win32", reason="there are neither limits nor disks to mount on Windows")
def test_really_full(full):
    folder, kind = full
    command = [sys.executable, "-c", textwrap.dedent(REALLY_FULL), str(folder), kind]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS)
    assert result.returncode == 0, result.stderr
