# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard keyed force fields ever pull is known from the start."""

import bpy
import numpy as np
import pytest

from hooke.addon.bakes import curves
from hooke.addon.play import sessions

from .blowing import field, keyed, sheet
from .scenes import activate, fcurves, play


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["WIND", "FORCE", "TURBULENCE", "VORTEX"])
def test_a_field_keyed_from_nothing_finds_the_stiffness_it_would_have_from_the_start(kind, scene):
    obj = field(kind, 60.0, noise=2.0)
    cloth = sheet(stiffness=1e5)

    def carried():
        activate(cloth)
        bpy.ops.hooke.reset()
        play(cloth, [1, 2])
        simulation = sessions.find(cloth).simulation
        return simulation.integrator.stiffness_share(), simulation.system.pulls

    share, pulls = carried()
    keyed(obj, {1: 0.0, 49: 0.0, 51: 60.0, 60: -20.0})
    later_share, later_pulls = carried()
    np.testing.assert_allclose(later_share, share, rtol=1e-6)
    np.testing.assert_allclose(later_pulls, pulls, rtol=1e-6)
    obj.animation_data_clear()
    obj.field.strength = obj.field.noise = 0.0
    assert carried()[1].max() < 0.1 * pulls.max()


def test_the_peak_of_curves_is_what_they_are_in_any_frame(scene):
    obj, path = field(), "field.strength"
    assert curves.peak(obj, path) is None
    keyed(obj, {3: 1.0, 10: -7.0, 30: 5.0})
    assert curves.peak(obj, path) == -7.0
    [curve] = fcurves(obj)
    # A line goes on beyond its keys, and is not followed there.
    curve.extrapolation = "LINEAR"
    assert curves.peak(obj, path) == -7.0
    noise = curve.modifiers.new("NOISE")
    noise.strength = 100.0
    seen = [curve.evaluate(frame) for frame in range(3, 1003)]
    assert curves.peak(obj, path) == max(seen, key=abs) != -7.0
    curve.mute = True
    assert curves.peak(obj, path) is None
    curve.mute = False
    curve.modifiers.remove(noise)
    # Far apart keys are all looked at.
    keyed(obj, {100_001: 30.0, 200_000: 0.0})
    assert curves.peak(obj, path) == pytest.approx(30.0, rel=1e-6)
    animation = obj.animation_data
    animation.nla_tracks.new().strips.new("Strip", 500, animation.action)
    animation.action = None
    assert curves.peak(obj, path) == pytest.approx(30.0, rel=1e-6)
