# SPDX-License-Identifier: GPL-3.0-or-later
"""What directs an object beside keys on its settings: it acts, and every way to a frame shows the same bits."""

import bpy
import numpy as np
import pytest

from . import directing
from .directing import FRAMES, LAST
from .resuming import assert_resumed_and_baked_alike
from .scenes import play, same_bits, status
from .test_all_routes_agree import rendered

CASES = {
    "let go by a mix": (directing.let_go, lambda shown: shown[LAST][:, 2].max() < -0.2),
    "taken by a mix": (directing.taken, lambda shown: -0.5 < shown[LAST][:, 2].max() < -0.2),
    "falling off, and keyed": (directing.falling_off, lambda shown: shown[LAST][0, 2] < -0.01),
    "added by an edit": (directing.added, lambda shown: shown[LAST][22, 2] > -1.0),
    "near a ball": (directing.near, lambda shown: np.ptp(shown[LAST][:, 2]) > 0.05),
    "stored by nodes": (directing.stored, lambda shown: shown[LAST][:, 2].max() < -0.2),
    "attached": (directing.attached, lambda shown: np.abs(shown[LAST][:5] - shown[1][:5]).max() > 0.5),
    "attached and let go": (directing.attached_and_let_go, lambda shown: shown[LAST][:, 2].mean() < -0.5),
    "attached to a bent one": (
        directing.attached_to_a_bent_one,
        lambda shown: shown[LAST][0, 2] != shown[1][0, 2],
    ),
    "attached to a simulated one": (
        directing.attached_to_a_simulated_one,
        lambda shown: shown[LAST][20, 2] < -0.1,
    ),
    "pressed on a side": (directing.pressed_on_a_side, lambda shown: shown[LAST][:, 0].mean() > 0.05),
    "mapped, and moving": (directing.mapped_and_moving, lambda shown: np.ptp(shown[LAST][:, 2]) > 0.05),
    "pressed by a moving map": (
        directing.pressed_by_a_moving_map,
        lambda shown: shown[LAST][:, 0].mean() > 0.01,
    ),
    "mapped, and keyed": (directing.mapped, lambda shown: np.ptp(shown[LAST][:, 2]) > 0.05),
}


@pytest.fixture(params=CASES)
def case(request, scene):
    """An object, and what is true of what it shows."""
    build, holds = CASES[request.param]
    obj = build()
    obj.hooke.frame_end = scene.frame_end = LAST
    return obj, holds


@pytest.mark.sampled(15)
def test_it_acts_and_is_the_same_scrubbed_and_simulated_again(case):
    obj, holds = case
    live = play(obj, FRAMES)
    assert "stopped" not in status(obj) and "tuned" not in status(obj)
    assert holds(live)
    assert same_bits(play(obj, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, FRAMES), live)


@pytest.mark.nightly
def test_it_is_baked_and_resumed_to_the_same_bits(case, tmp_path):
    obj, _ = case
    assert_resumed_and_baked_alike(obj, play(obj, FRAMES), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("build", [directing.near, directing.mapped_and_moving, directing.attached])
def test_it_is_rendered_as_it_is_live(build, scene, tmp_path):
    obj = build()
    obj.hooke.frame_end = scene.frame_end = LAST
    seen = rendered(obj, tmp_path)
    assert same_bits(seen, play(obj, FRAMES))
