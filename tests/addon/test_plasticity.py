# SPDX-License-Identifier: GPL-3.0-or-later
"""Plasticity: what is dented stays so, and is the same on every way to a frame."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .resuming import assert_resumed_and_baked_alike
from .scenes import add_hooke, grid, play, same_bits, status
from .test_keyed_settings import step_keys

LAST = 14
FRAMES = range(1, LAST + 1)


@pytest.fixture
def sheet(scene):
    """A soft sheet at four corners that weighs ten times as much for some frames, and then nothing."""
    obj = grid(7, pins={0: 1.0, 6: 1.0, 42: 1.0, 48: 1.0})
    add_hooke(obj, air_drag=0.5, stretch_stiffness=60.0, bending_rigidity=5000.0, damping_ratio=0.5)
    obj.hooke.plasticity, obj.hooke.stretch_yield, obj.hooke.bend_yield = True, 0.02, 0.1
    obj.hooke.frame_end = LAST
    for frame, weight in ((1, 5.0), (8, 0.0)):
        obj.hooke.gravity_weight = weight
        obj.keyframe_insert("hooke.gravity_weight", frame=frame)
    step_keys(obj)
    return obj


def test_what_was_pulled_out_stays_so_and_below_the_yield_it_does_not(sheet):
    play(sheet, FRAMES)
    assert "stopped" not in status(sheet)
    network = sessions.find(sheet).simulation.network
    assert network.plastic.max() > 1.05
    assert network.stencils.rest_lengths.max() > 0.1
    sheet.hooke.stretch_yield = sheet.hooke.bend_yield = 1000.0
    bpy.ops.hooke.reset()
    play(sheet, FRAMES)
    network = sessions.find(sheet).simulation.network
    assert (network.plastic == 1.0).all() and network.stencils.rest_lengths.max() < 1e-8


@pytest.mark.newest
def test_it_is_the_same_scrubbed_simulated_again_resumed_and_baked(sheet, tmp_path):
    live = play(sheet, FRAMES)
    assert same_bits(play(sheet, reversed(FRAMES)), live)
    assert_resumed_and_baked_alike(sheet, live, tmp_path)


def test_it_goes_with_keyed_size_at_rest(sheet):
    for frame, size in ((1, 1.0), (10, 1.3)):
        sheet.hooke.rest_scale = size
        sheet.keyframe_insert("hooke.rest_scale", frame=frame)
    live = play(sheet, FRAMES)
    network = sessions.find(sheet).simulation.network
    first = network.yielding.stretch.first
    np.testing.assert_allclose(network.rest_lengths, 1.3 * network.plastic * first, rtol=1e-6)
    bpy.ops.hooke.reset()
    assert same_bits(play(sheet, FRAMES), live)
