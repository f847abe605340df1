# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation that goes on from another's snapshot."""

from numpy.testing import assert_array_equal


def assert_restored_alike(one, other, frames):
    """One steps some frames, the other takes up its snapshot, and four frames more are the same bits of both."""
    for _ in range(frames):
        one.step()
    other.restore(one.snapshot())
    for _ in range(4):
        one.step()
        other.step()
        assert_array_equal(one.state.x, other.state.x)
        assert_array_equal(one.state.v, other.state.v)
