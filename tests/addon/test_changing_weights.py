# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that change the weights of the pins act in every frame: a falling one lets go, a rising one takes hold."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .directing import FRAMES, LAST, TURN, added, heights, keyed, let_go, mixed, near, sheet, taken
from .scenes import add_hooke, evaluated_world_positions, grid, play, status

# [m/s^2]; [s]
G, FRAME = 9.81, 1.0 / 24.0


@pytest.fixture(autouse=True)
def _ends(scene):
    scene.frame_end = LAST


def test_what_is_let_go_falls_at_g_from_that_frame(scene):
    found = heights(play(let_go(), FRAMES))
    assert (found[:TURN] == 0.0).all()
    t = FRAME * np.arange(LAST - TURN + 1)
    # The first of three substeps is of first order.
    np.testing.assert_allclose(found[TURN - 1 :], -0.5 * G * t**2, atol=G * (FRAME / 3.0) ** 2)


def test_what_is_taken_hold_of_at_once_stays_where_it_is(scene):
    shown = play(taken(), FRAMES)
    assert heights(shown)[TURN - 1] < -0.1
    np.testing.assert_allclose(shown[LAST], shown[TURN], atol=1e-6)


def test_it_comes_to_rest_softly_within_the_time(scene):
    obj, time = taken(), 0.2
    obj.hooke.pin_time = time
    found = heights(play(obj, FRAMES))
    # The velocity that it fell with at that frame dies away by the square of the time left.
    speed = -G * (TURN - 1) * FRAME
    left = 1.0 - np.clip(FRAME * np.arange(LAST - TURN + 1) / time, 0.0, 1.0)
    further = speed * time / 3.0 * (1.0 - left**3)
    np.testing.assert_allclose(found[TURN - 1 :] - found[TURN - 1], further, rtol=0.01, atol=1e-6)
    assert found[-1] == pytest.approx(found[-2], abs=1e-6)


def test_vertices_that_are_none_of_the_group_are_taken_hold_of(scene):
    obj = added()
    shown = play(obj, FRAMES)
    assert shown[TURN][20:, 2].max() < 0.0
    # After the fifth of a second that it takes them.
    np.testing.assert_allclose(shown[LAST][20:], shown[LAST - 1][20:], atol=1e-6)
    assert len(sessions.find(obj).network.hard_pins) == 7


def test_only_the_corner_that_is_let_go_falls(scene):
    obj = sheet({0: 1.0, 4: 1.0})
    mixed(obj, (0.0, 0.0))
    obj.vertex_groups.new(name="One").add([4], 1.0, "REPLACE")
    modifier = obj.modifiers[0]
    modifier.mask_vertex_group = "One"
    keyed(modifier, "mask_constant", (0.0, 1.0), (1, TURN), constant=True)
    shown = play(obj, FRAMES)
    np.testing.assert_array_equal(shown[LAST][0], shown[1][0])
    assert shown[LAST][4, 2] < -0.05


@pytest.mark.newest
def test_another_curve_of_weights_makes_frames_stale(scene):
    obj = near()
    before = play(obj, FRAMES)
    obj.modifiers[0].max_dist = 1.0
    scene.frame_set(1)
    after = play(obj, FRAMES)
    assert np.abs(after[LAST] - before[LAST]).max() > 1e-3


def test_a_modifier_that_is_added_while_it_plays_is_followed(scene):
    obj = sheet({0: 1.0, 4: 1.0})
    play(obj, FRAMES[:4])
    mixed(obj, (1.0, 1.0))
    scene.frame_set(5)
    assert "tuned" in status(obj).lower() or "changed" in status(obj).lower()
    shown = play(obj, FRAMES)
    np.testing.assert_allclose(heights(shown)[-1], -0.5 * G * (11 * FRAME) ** 2, rtol=0.02)


def test_a_filled_object_is_held_as_painted_and_told_so(scene):
    bpy.ops.mesh.primitive_cube_add()
    obj = add_hooke(bpy.context.object, fill_stiffness=100.0)
    obj.vertex_groups.new(name="Pin").add([0, 1, 2, 3], 1.0, "REPLACE")
    obj.hooke.pin_group = "Pin"
    mixed(obj, (0.0, 1.0))
    before = evaluated_world_positions(obj)[:4]
    play(obj, FRAMES[:8])
    assert "the painted weights hold" in " ".join(_complaints(obj))
    np.testing.assert_allclose(evaluated_world_positions(obj)[:4], before, atol=1e-5)


def test_pins_that_are_let_go_bend_like_the_rest(scene):
    """Of a whole sheet held by keys or modifiers no face is left out of what bends."""
    held = add_hooke(grid(5, pins=dict.fromkeys(range(25), 1.0)))
    play(held, FRAMES[:2])
    followed = let_go()
    play(followed, FRAMES[:2])
    assert len(sessions.find(held).network.stencils) < len(sessions.find(followed).network.stencils)


def _complaints(obj):
    return [complaint.text for complaint in readout.report(obj).complaints]
