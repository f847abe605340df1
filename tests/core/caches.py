# SPDX-License-Identifier: GPL-3.0-or-later
"""Small caches on disk of which every frame tells its number, for the tests of what is read back."""

import numpy as np

from hooke.core.cache import DiskFrames

VERTICES = 7
INPUTS = {"settings": [1.5, "abc"], "mesh": [1, 2]}
SUFFIXES = (".pc2", ".jsonl", ".state0", ".state1")


def positions(number):
    """Positions of frame `number`, float32, that no other has."""
    return (np.arange(3 * VERTICES, dtype=np.float32).reshape(-1, 3) + number) / 7


def snapshot(number):
    """A snapshot of frame `number`, that no other has."""
    x = positions(number).astype(np.float64)
    arrays = {"x": x, "v": -x, "t": np.array(number / 24), "frame": np.array(number), "low": x.min(axis=0)}
    return arrays | {"targets": x[:2], "history_0": 2.0 * x, "broken": np.arange(40) % (number + 2) == 0}


def append(frames, number, note_length=0):
    """Append frame `number`; its note begins with the number."""
    frames.append(positions(number), [number, *range(note_length)], snapshot(number))


def filled(path, count, owner=None, first=0):
    """The path of a cache of so many frames, numbered from `first`, closed again."""
    frames = DiskFrames.create(path, VERTICES, 5, INPUTS, owner=owner)
    for number in range(first, first + count):
        append(frames, number)
    frames.close()
    return path


def assert_holds(path, count, **expected):
    """Assert that the cache at a path has so many frames, each its own, and resumes from the last."""
    frames = DiskFrames.open(path, **expected)
    assert len(frames) == count
    assert [frame.tobytes() for frame in frames] == [positions(i).tobytes() for i in range(count)]
    assert [note[0] for note in frames.notes] == list(range(count))
    if count:
        assert_same(frames.snapshot(), snapshot(count - 1))
    frames.close()


def assert_same(arrays, expected):
    """Assert that two snapshots are the same, bit for bit."""
    assert arrays.keys() == expected.keys()
    for name, array in expected.items():
        assert arrays[name].shape == array.shape and arrays[name].dtype == array.dtype
        assert arrays[name].tobytes() == array.tobytes()


def contents(folder):
    """What is in a folder, by name."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
