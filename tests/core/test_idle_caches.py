# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache that is let go holds nothing, and goes on where it was if its files are as they were."""

import shutil

import pytest

from hooke.core.cache import CacheError, DiskFrames, remove
from hooke.core.file_lock import NAME, Lock

from .caches import INPUTS, VERTICES, append, assert_holds, filled, positions


@pytest.fixture
def path(tmp_path):
    """Where the cache is, in a folder of its own."""
    return tmp_path / "flag_hooke" / "flag.pc2"


@pytest.fixture
def frames(path):
    """A cache of three frames that was let go."""
    made = DiskFrames.create(path, VERTICES, 5, INPUTS)
    for number in range(3):
        append(made, number)
    made.let_go()
    yield made
    made.close()


def test_it_goes_on_with_the_same_bits(frames, path, tmp_path):
    assert not (path.parent / NAME).exists()
    assert frames[1].tobytes() == positions(1).tobytes()
    append(frames, 3)
    assert (path.parent / NAME).exists()
    frames.let_go()
    append(frames, 4)
    frames.close()
    assert_holds(path, 5)
    straight = filled(tmp_path / "flag.pc2", 5)
    assert path.read_bytes() == straight.read_bytes()


def test_only_what_is_unused_is_let_go(frames, path):
    append(frames, 3)
    frames.let_go(unused_for=3600.0)
    assert (path.parent / NAME).exists()


def test_its_folder_can_be_deleted(frames, path):
    shutil.rmtree(path.parent)
    with pytest.raises(CacheError, match=r"flag\.pc2 cannot be read"):
        append(frames, 3)
    with pytest.raises(CacheError, match=r"flag\.pc2 cannot be read"):
        frames[1]
    assert not path.parent.exists()


def test_another_process_may_have_it_meanwhile(frames, path):
    other = Lock(path)
    with pytest.raises(CacheError, match="in use by another Blender"):
        append(frames, 3)
    other.release()
    append(frames, 3)
    assert len(frames) == 4


@pytest.mark.parametrize("meanwhile", ["appended", "made anew"])
def test_what_others_made_of_it_stays(meanwhile, frames, path):
    if meanwhile == "appended":
        other = DiskFrames.open(path)
        append(other, 7)
        other.close()
    else:
        assert remove(path)
        filled(path, 3)
    before = path.read_bytes()
    with pytest.raises(CacheError, match="it was changed meanwhile: simulate again"):
        append(frames, 3)
    assert path.read_bytes() == before
    assert len(DiskFrames.open(path)) == (4 if meanwhile == "appended" else 3)


def test_closed_it_stays_closed(frames):
    frames.close()
    with pytest.raises(CacheError, match="it was closed: open it again"):
        append(frames, 3)
