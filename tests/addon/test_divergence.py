# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation that leaves the rails stops, says why and what to change, and never reaches the mesh."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .scenes import add_hooke, grid, pin, play, same_bits, status
from .snapshots import differences, snapshot

FRAMES = range(1, 13)


@pytest.fixture
def exploding(scene):
    """A sheet far too stiff for symplectic Euler at its step."""
    return add_hooke(grid(), integrator="SYMPLECTIC_EULER")


def test_it_stops_with_the_remedy(exploding):
    play(exploding, FRAMES)
    text = status(exploding)
    assert "Symplectic Euler diverged" in text
    assert "substeps or Projective Dynamics" in text
    assert "simulation stopped before frame" in text
    assert readout.status(exploding)[1] == "ERROR"


def test_the_remedy_works(exploding):
    play(exploding, FRAMES)
    words = status(exploding).split()
    exploding.hooke.substeps = int(words[words.index("substeps") - 1])
    shown = play(exploding, FRAMES)
    assert "frame 12" in status(exploding)
    # It hangs and swings: no vertex falls faster than freely, nor leaves the reach of the sheet.
    fallen = 9.81 / 2 * (11 / 24) ** 2
    assert shown[12][:, 2].min() >= -1.2 * fallen
    assert np.abs(shown[12]).max() < 4.0


def test_the_last_good_frame_stays(exploding, scene):
    shown = play(exploding, FRAMES)
    good = len(sessions.find(exploding).frames)
    assert 1 <= good < 12
    assert all(np.isfinite(positions).all() for positions in shown.values())
    for frame in range(good, 13):
        assert same_bits(shown[frame], shown[good])
    assert "diverged" in status(exploding)


def test_frames_before_a_pin_was_torn_away_are_still_shown(scene):
    obj = grid()
    for frame, x in ((1, 0.0), (6, 0.0), (7, 1e30)):
        obj.location.x = x
        obj.keyframe_insert("location", index=0, frame=frame)
    add_hooke(obj)
    shown = play(obj, range(1, 7))
    # From wherever one goes there.
    assert same_bits(play(obj, [3, 7]), {3: shown[3], 7: shown[6]})
    assert "pin motion for extreme values; simulation stopped before frame 7" in status(obj)
    assert same_bits(play(obj, [4, 9, 7, 8]), {4: shown[4], **dict.fromkeys((9, 7, 8), shown[6])})


def test_a_bake_of_a_diverging_simulation_changes_nothing(exploding, scene):
    scene.frame_set(1)
    before = snapshot(exploding)
    with pytest.raises(RuntimeError, match=r"diverged at .* substeps or Projective Dynamics"):
        bpy.ops.hooke.bake()
    scene.frame_set(1)
    assert differences(before, snapshot(exploding)) == []
    assert scene.frame_current == 1


def test_projective_dynamics_survives_what_explicit_methods_do_not(scene):
    obj = add_hooke(grid(), stiffness=1e9, substeps=1)
    shown = play(obj, FRAMES)
    assert "frame 12" in status(obj)
    assert np.abs(shown[12]).max() < 4.0


def test_a_pin_that_is_nowhere_stops_it(scene):
    obj = add_hooke(grid())
    obj.driver_add("location", 0).driver.expression = "1e38 * 1e38 if frame > 4 else 0"
    shown = play(obj, FRAMES)
    assert all(same_bits(shown[frame], shown[4]) for frame in range(5, 13))
    # One Blender version takes the driver's infinity, another the largest number in its place.
    assert "check what moves the pinned vertices" in status(obj) or "pin motion for extreme" in status(obj)
    assert "simulation stopped before frame 5" in status(obj)


EXTREMES = (
    {"stiffness": 3e38},
    {"stiffness": 1e-6, "mass": 3e38},
    {"mass": 1e-6, "stiffness": 1e12},
    {"damping": 3e38},
    {"shear": 3e38},
    {"pin_stiffness": 3e38},
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("settings", EXTREMES, ids=str)
def test_the_interface_s_extremes_show_a_sheet_that_holds_together(settings, scene):
    obj = grid()
    pin(obj, {12: 0.5})
    add_hooke(obj, **settings)
    shown = play(obj, FRAMES)
    assert "frame 12" in status(obj)
    # Nothing moves farther than free fall, 1.03 m in these frames, from the 2 m sheet.
    assert np.abs(shown[12]).max() < 2.1
