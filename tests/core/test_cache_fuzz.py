# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever happens to the bytes of a cache's files, each frame that is read is the one that was written.

100 cases a change and 500 a night, drawn alike in every run, or as many times that as `drawn` says: the only
exception is CacheError, reading takes no more memory than the files have on the disk and a few lines besides, and no
case takes more than 2 s of the processor.
"""

import os
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooke.core.cache import CacheError, DiskFrames, frame_count, read_inputs, remove
from hooke.core.file_lock import Lock

from .cache_damage import damage
from .caches import SUFFIXES, VERTICES, append, assert_same, filled, positions, snapshot
from .drawn import drawn

COUNT = 5
# Lines of the sidecar are read in blocks and may be 1 MiB long; parsing one takes a few times that.
WORKING_MEMORY = 8 << 20


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Folder of the case, and the contents of two caches: of owner "a", and of "b" with other frames."""
    folder = tmp_path_factory.mktemp("damaged")
    caches = []
    for owner, first in (("a", 0), ("b", 100)):
        path = filled(folder / f"{owner}.pc2", COUNT, owner, first)
        caches.append({suffix: path.with_suffix(suffix).read_bytes() for suffix in SUFFIXES})
    # Held all the time, by which the folder's lock file is not made and removed in every case.
    held = Lock(folder / "other")
    yield folder / "case.pc2", *caches
    held.release()


def put(path, files):
    """Write contents to disk; returns the bytes that they take there."""
    taken = 0
    for suffix in SUFFIXES:
        file = path.with_suffix(suffix)
        data = files.get(suffix)
        if data is None:
            file.unlink(missing_ok=True)
            continue
        data, size = data if isinstance(data, tuple) else (data, len(data))
        file.write_bytes(data)
        os.truncate(file, max(size, len(data)))
        taken += len(data)
    return taken


def readable(frames):
    """Number of frames up to the first that does not check out; the others are as they were written."""
    for index in range(len(frames)):
        try:
            frame = frames[index]
        except CacheError:
            assert len(frames) == index
            return index
        assert frame.tobytes() == positions(index).tobytes()
        assert frames.notes[index][0] == index
    return len(frames)


def read(path):
    """Read all that can be read of a damaged cache; returns it open, or None."""
    frame_count(path)
    read_inputs(path, owner="a")
    try:
        frames = DiskFrames.open(path, vertex_count=VERTICES, owner="a")
    except CacheError:
        return None
    count = readable(frames)
    state = frames.snapshot() if count else None
    if state is not None:
        assert_same(state, snapshot(count - 1))
    return frames


def go_on(path, frames):
    """Append to a damaged cache, open it again and remove it."""
    if frames is not None:
        try:
            append(frames, len(frames))
        except CacheError as error:
            # A file beside it is not Hooke's any more.
            assert "move it away" in str(error)
        frames.close()
        again = DiskFrames.open(path, vertex_count=VERTICES, owner="a")
        assert readable(again) == len(frames)
        again.close()
    try:
        remove(path, owner="a")
    except CacheError:
        return
    assert not any(path.with_suffix(suffix).exists() for suffix in SUFFIXES)


def damaged(place, changes):
    """Change a cache's files, read them, go on with them and remove them."""
    path, files, other = place
    for change in changes:
        files = change(files, other)
    taken = put(path, files)
    began = time.process_time()
    tracemalloc.start()
    frames = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < taken + WORKING_MEMORY
    go_on(path, frames)
    assert time.process_time() - began < 2.0


CHANGES = given(changes=st.lists(damage, min_size=1, max_size=3))


@drawn(100)
@CHANGES
def test_damaged_files(place, changes):
    damaged(place, changes)


@pytest.mark.nightly
@drawn(500)
@CHANGES
def test_many_damaged_files(place, changes):
    damaged(place, changes)
