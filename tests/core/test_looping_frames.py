# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that repeat without a jump."""

import numpy as np
import pytest

from hooke.core.cache import MemoryFrames
from hooke.core.looping_frames import Looped

COUNT, BLEND = 20, 8


@pytest.fixture
def frames():
    """A curve in time that does not repeat, of three vertices."""
    stored = MemoryFrames()
    for frame in range(COUNT + 4):
        stored.append(np.outer([1.0, 2.0, 3.0], [frame, np.sin(frame), 1.0]))
    return stored


def test_before_the_blend_and_after_the_range_nothing_changes(frames):
    looped = Looped(frames, COUNT, BLEND)
    assert len(looped) == len(frames)
    for index in (*range(COUNT - BLEND), *range(COUNT, COUNT + 4)):
        assert looped[index].tobytes() == frames[index].tobytes()


def test_the_last_frame_is_the_first(frames):
    assert np.allclose(Looped(frames, COUNT, BLEND)[COUNT - 1], frames[0], atol=1e-6)


def test_the_share_rises_smoothly_from_nothing_to_all(frames):
    looped = Looped(frames, COUNT, BLEND)
    shares = [
        (looped[i][0, 0] - frames[i][0, 0]) / (frames[0][0, 0] - frames[i][0, 0])
        for i in range(COUNT - 1 - BLEND, COUNT)
    ]
    way = np.linspace(0.0, 1.0, BLEND + 1)
    assert np.allclose(shares, 3 * way**2 - 2 * way**3, atol=1e-6)


@pytest.mark.parametrize("blend", [1, COUNT - 1, 10 * COUNT])
def test_any_number_of_frames_blends(frames, blend):
    looped = Looped(frames, COUNT, blend)
    assert np.allclose(looped[COUNT - 1], frames[0], atol=1e-6)
    assert looped[0].tobytes() == frames[0].tobytes()


@pytest.mark.parametrize("there", [1, COUNT - BLEND, COUNT - 2])
def test_a_frame_is_the_same_whatever_comes_after_it(frames, there):
    begun = MemoryFrames()
    for index in range(there):
        begun.append(frames[index])
    looped, whole = Looped(begun, COUNT, BLEND), Looped(frames, COUNT, BLEND)
    assert all(looped[index].tobytes() == whole[index].tobytes() for index in range(there))


@pytest.mark.parametrize("count", [0, -3])
def test_a_loop_of_no_frames_is_refused(frames, count):
    with pytest.raises(ValueError, match="has none"):
        Looped(frames, count, BLEND)
