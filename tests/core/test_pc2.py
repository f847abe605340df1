# SPDX-License-Identifier: GPL-3.0-or-later
"""PC2 files that are written at once: whole or not at all."""

import os
import struct

import numpy as np
import pytest

from hooke.core.cache import CacheError, write_pc2

from .caches import contents, positions


def read_pc2(path):
    """Header and positions of a PC2 file, read as the format is documented."""
    content = path.read_bytes()
    header = struct.unpack("<12siiffi", content[:32])
    return header, np.frombuffer(content[32:], "<f4").reshape(header[5], header[2], 3)


def test_header_and_positions(tmp_path):
    write_pc2(tmp_path / "b.pc2", [positions(0), positions(1).astype(float)], 3, 0.5)
    header, samples = read_pc2(tmp_path / "b.pc2")
    assert header == (b"POINTCACHE2\0", 1, 7, 3.0, 0.5, 2)
    assert samples.tobytes() == positions(0).tobytes() + positions(1).tobytes()
    assert list(contents(tmp_path)) == ["b.pc2"]


class Stopped(Exception):
    """What ends a bake that is stopped."""


def stopping():
    """Frames of which the second is not to be had, as a sequence."""

    class Frames(list):
        def __getitem__(self, index):
            if index == 1:
                raise Stopped
            return super().__getitem__(index)

        def __iter__(self):
            return (self[index] for index in range(len(self)))

    return Frames([positions(0), positions(1)])


def shrinking():
    """Frames that turn out to be fewer than they said."""

    class Frames(list):
        def __len__(self):
            return 3

    return Frames([positions(0), positions(1)])


@pytest.mark.parametrize(
    ("frames", "error", "message"),
    [
        (
            [positions(0), np.full((7, 3), np.nan)],
            CacheError,
            "frame 2 puts vertex 0 at .*, which is no place",
        ),
        ([positions(0), np.full((7, 3), 1e39)], CacheError, "frame 2 puts vertex 0"),
        ([positions(0), positions(1)[:5]], CacheError, "frames of 7 and of 5 vertices"),
        (shrinking(), CacheError, "2 of 3 frames are there"),
        ([], CacheError, "0 of 0 frames are there"),
        (stopping(), Stopped, None),
    ],
    ids=["not a number", "too far", "another mesh", "fewer", "none", "stopped"],
)
def test_what_cannot_be_written_leaves_what_was_there(frames, error, message, tmp_path):
    path = tmp_path / "b.pc2"
    write_pc2(path, [positions(5)], 1)
    before = contents(tmp_path)
    with pytest.raises(error, match=message):
        write_pc2(path, frames, 1)
    assert contents(tmp_path) == before


def test_a_folder_that_is_not_there_is_told_in_one_sentence(tmp_path):
    with pytest.raises(
        CacheError, match=r"b\.pc2 cannot be written \(No such file or directory\): free space"
    ):
        write_pc2(tmp_path / "missing" / "b.pc2", [positions(0)], 1)


@pytest.mark.parametrize("letter", ["x", "\N{LATIN SMALL LETTER U WITH DIAERESIS}", "\N{SNOWMAN}"])
def test_a_name_may_be_as_long_as_the_system_allows(letter, tmp_path):
    path = tmp_path / (letter * (251 // len(letter.encode())) + ".pc2")
    write_pc2(path, [positions(0)], 1)
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_replaced_and_not_followed(tmp_path):
    target = tmp_path / "others.pc2"
    target.write_bytes(b"theirs")
    (tmp_path / "b.pc2").symlink_to(target)
    write_pc2(tmp_path / "b.pc2", [positions(0)], 1)
    assert target.read_bytes() == b"theirs" and not (tmp_path / "b.pc2").is_symlink()


def test_the_file_is_as_readable_as_any(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_pc2(tmp_path / "b.pc2", [positions(0)], 1)
    assert os.stat(tmp_path / "b.pc2").st_mode == os.stat(tmp_path / "plain").st_mode
