# SPDX-License-Identifier: GPL-3.0-or-later
"""What does not check out ends a cache before it or makes it unusable, in one sentence; the rest stays usable."""

import json
import os
import shutil
import struct

import numpy as np
import pytest

from hooke.core.cache import CacheError, DiskFrames, frame_count, read_inputs

from .caches import SUFFIXES, VERTICES, append, assert_holds, assert_same, filled, positions, snapshot

FRAME = 12 * VERTICES


def overwrite(file, at, data):
    """Put bytes in the place of others."""
    content = bytearray(file.read_bytes())
    content[at : at + len(data)] = data
    file.write_bytes(content)


@pytest.mark.parametrize("bits", [b"\xff\xff\xff\xff", struct.pack("<f", np.nan), positions(0).tobytes()])
def test_a_damaged_frame_ends_the_cache(bits, tmp_path):
    path = filled(tmp_path / "a.pc2", 5)
    overwrite(path, 32 + 2 * FRAME, bits)
    frames = DiskFrames.open(path)
    later = frames[2:]
    # Frame 5 is the first.
    with pytest.raises(CacheError, match=r"a\.pc2 cannot be read: frame 7 is not as it was written"):
        frames[2]
    assert len(frames) == len(frames.notes) == 2
    assert [frame.tobytes() for frame in frames] == [positions(0).tobytes(), positions(1).tobytes()]
    # A loop must not take the rest of a cache for the end of what it was to read.
    with pytest.raises(CacheError, match="the frame behind 2 others is not cached any more"):
        list(later)
    assert frames.snapshot() is None
    append(frames, 2)
    frames.close()
    assert_holds(path, 3)


@pytest.mark.parametrize(
    ("at", "value"),
    [(12, 2), (16, 0), (16, VERTICES + 1), (16, 2**31 - 1), (16, -1), (20, 9), (24, 9), (28, -1)],
)
def test_a_damaged_header_makes_it_unusable(at, value, tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    overwrite(path, at, struct.pack("<i", value))
    with pytest.raises(CacheError, match=r"a\.pc2 cannot be read: it.*simulate again or remove it"):
        DiskFrames.open(path)


@pytest.mark.parametrize("count", [4, 10**6, 2**31 - 1])
def test_a_count_of_more_than_there_is_is_not_believed(count, tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    overwrite(path, 28, struct.pack("<i", count))
    assert frame_count(path) == 3
    assert_holds(path, 3)
    os.truncate(path, 1 << 40)
    assert_holds(path, 3)


@pytest.mark.parametrize("change", ["missing", "twice", "moved", "another cache's", "cut", "another note"])
def test_a_damaged_line_ends_the_cache(change, tmp_path):
    path, other = filled(tmp_path / "a.pc2", 5), filled(tmp_path / "b.pc2", 5)
    file = path.with_suffix(".jsonl")
    lines, others = (p.with_suffix(".jsonl").read_bytes().splitlines(keepends=True) for p in (path, other))
    lines = {
        "missing": [*lines[:3], *lines[4:]],
        "twice": [*lines[:3], *lines[2:]],
        "moved": [*lines[:3], lines[4], lines[3], lines[5]],
        "another cache's": [*lines[:3], *others[3:]],
        "cut": [*lines[:3], lines[3][:-3]],
        "another note": [*lines[:3], lines[3].replace(b"[2]", b"[3]"), *lines[4:]],
    }[change]
    file.write_bytes(b"".join(lines))
    frames = DiskFrames.open(path)
    assert len(frames) == 2 and frames.notes == [[0], [1]]
    append(frames, 2)
    frames.close()
    assert_holds(path, 3)


FIRST_LINES = [
    b"",
    b"\n",
    b"{}\n",
    b"[" * 100_000,
    b'["00000000",{}]\n',
    b'{"format":"hooke cache 1","inputs":{}}\n',
]


@pytest.mark.parametrize("line", FIRST_LINES)
def test_a_damaged_first_line_makes_it_unusable(line, tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    path.with_suffix(".jsonl").write_bytes(line)
    assert read_inputs(path) is None
    with pytest.raises(CacheError, match=r"a\.pc2 cannot be read: .*; simulate again or remove it"):
        DiskFrames.open(path)


@pytest.mark.parametrize("first", ["x", "v", "t"])
def test_a_snapshot_whose_header_was_changed_is_none(first, tmp_path):
    # x and v are alike in type and shape: exchanged names are wrong in nothing but what they mean.
    path = filled(tmp_path / "a.pc2", 3)
    state = path.with_suffix(".state0")
    content = state.read_bytes()
    exchanged = {"x": (b'["x"', b'["v"'), "v": (b'["v"', b'["w"'), "t": (b'"<f8",[]', b'"<i8",[]')}[first]
    changed = content.replace(*exchanged, 1)
    if first == "x":
        changed = changed[::-1].replace(b'"v"[', b'"x"[', 1)[::-1]
    assert len(changed) == len(content) and changed != content
    state.write_bytes(changed)
    frames = DiskFrames.open(path)
    assert len(frames) == 3 and frames.snapshot() is None
    frames.close()


def test_a_snapshot_of_another_cache_is_none(tmp_path):
    path, other = filled(tmp_path / "a.pc2", 3), filled(tmp_path / "b.pc2", 3)
    shutil.copyfile(other.with_suffix(".state0"), path.with_suffix(".state0"))
    frames = DiskFrames.open(path)
    assert frames.snapshot() is None
    frames.close()


def test_a_snapshot_that_a_huge_file_promises_is_none(tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    state = path.with_suffix(".state0")
    content = state.read_bytes()
    length = struct.unpack_from("<8sII", content)[1]
    header = json.loads(content[16 : 16 + length]) | {"arrays": [["x", "<f8", [2**31, 3]]]}
    text = json.dumps(header).encode()
    state.write_bytes(struct.pack("<8sII", b"HOOKEST2", len(text), 0) + text)
    os.truncate(state, 1 << 36)
    frames = DiskFrames.open(path)
    assert frames.snapshot() is None
    frames.close()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_that_say_they_are_huge_are_read_as_far_as_they_go(suffix, tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    os.truncate(path.with_suffix(suffix), 1 << 40)
    frames = DiskFrames.open(path)
    assert len(frames) == 3
    assert_same(frames.snapshot(), snapshot(2))
    append(frames, 3)
    frames.close()
    assert_holds(path, 4)
