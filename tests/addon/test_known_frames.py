# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that an edit of keys may have changed: none of them counts as cached, or is shown, before it was compared."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.drawing import timeline
from hooke.addon.play import sessions

from .scenes import add_hooke, fcurves, grid, play, same_bits, simulated_positions

LAST = 8


@pytest.fixture
def edited(scene):
    """A sheet that was played to the end and is shown at frame 2, whose key at frame 6 was then moved.

    At the end it is where it was before.
    """
    scene.frame_end = LAST
    obj = grid()
    for frame, x in ((1, 0.0), (4, 0.1), (6, 0.2), (LAST, 0.3)):
        obj.location.x = x
        obj.keyframe_insert("location", index=0, frame=frame)
    (curve,) = fcurves(obj)
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    add_hooke(obj, substeps=1, frame_end=LAST)
    play(obj, range(1, LAST + 1))
    scene.frame_set(2)
    curve.keyframe_points[2].co.y += 0.5
    curve.update()
    obj.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    return obj


def said(obj):
    return readout.report(obj).icon, readout.report(obj).sentence()


def test_the_timeline_and_the_cache_tell_them_apart(edited):
    assert readout.report(edited).icon == "CHECKMARK"
    assert sessions.find(edited).cached == 4 and len(sessions.find(edited).take) == LAST
    assert timeline.spans(edited) == {"CACHED": (1, 4), "STALE": (5, LAST)}
    assert readout.cache_status(edited)[0].endswith("what moves it changed from frame 5 on")


def test_none_is_shown_between_two_frames_either(edited, scene):
    scene.frame_set(3, subframe=0.5)
    assert readout.report(edited).icon == "CHECKMARK"
    scene.frame_set(4, subframe=0.5)
    assert readout.report(edited).icon != "CHECKMARK"
    assert "What moves it changed: go to frame 5, and play" in said(edited)[1]


def test_no_pose_of_theirs_is_saved(edited, scene):
    scene.frame_set(LAST)
    assert not bpy.ops.hooke.save_pose.poll()
    scene.frame_set(4)
    assert bpy.ops.hooke.save_pose.poll()


def test_compared_in_order_they_hold_or_are_made_anew(edited, scene):
    scene.frame_set(LAST)
    assert sessions.find(edited).hint == "What moves it changed: go to frame 5, and play"
    play(edited, range(1, LAST + 1))
    bpy.ops.hooke.reset()
    right = play(edited, range(1, LAST + 1))
    assert readout.report(edited).icon == "CHECKMARK"
    assert same_bits(simulated_positions(edited), right[LAST]) and np.isfinite(right[LAST]).all()
