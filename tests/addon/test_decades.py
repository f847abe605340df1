# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantities that span decades can be dragged from one end to the other, and every number fits its field."""

from itertools import pairwise

import pytest
from bpy.props import FloatProperty, IntProperty

from hooke.addon import sections
from hooke.addon.sections import SECTIONS, HookeSettings, decades

from .scenes import add_hooke, grid

QUANTITIES = {name: limits for section in SECTIONS for name, limits in section.decades.items()}
NUMBERS = [
    name
    for section in SECTIONS
    for name in sections.shown(section)
    if section.properties[name].function in (FloatProperty, IntProperty)
]


@pytest.mark.parametrize("name", QUANTITIES)
def test_equal_ways_are_equal_factors(name, scene):
    settings, (low, high) = add_hooke(grid()).hooke, QUANTITIES[name]
    slider, values = decades.slider_of(name), []
    for percent in (10.0, 30.0, 50.0, 70.0, 90.0, 100.0):
        setattr(settings, slider, percent)
        values.append(getattr(settings, name))
        # Values have three digits, 0.5 % in the worst, of all the decades there are.
        assert getattr(settings, slider) == pytest.approx(percent, abs=0.2)
    factors = [later / earlier for earlier, later in pairwise(values[:-1])]
    assert factors == pytest.approx([(high / low) ** 0.2] * 4, rel=0.02)
    assert values[-1] == pytest.approx(high, rel=1e-6)


@pytest.mark.parametrize("name", QUANTITIES)
def test_the_beginning_is_the_least_there_is(name, scene):
    settings, (low, _) = add_hooke(grid()).hooke, QUANTITIES[name]
    setattr(settings, decades.slider_of(name), 0.0)
    least = HookeSettings.bl_rna.properties[name].hard_min
    assert getattr(settings, name) == pytest.approx(0.0 if least == 0.0 else low)


@pytest.mark.parametrize("name", QUANTITIES)
def test_dragging_is_setting(name, scene):
    obj = add_hooke(grid())
    before = sections.settings_fingerprint(obj, scene)
    setattr(obj.hooke, decades.slider_of(name), 12.5)
    assert sections.settings_fingerprint(obj, scene) != before
    kinds = {"material": "AREA", "springs": "SPRING"}
    section = next(section for section in SECTIONS if name in section.properties)
    assert obj.hooke.measure == kinds.get(section.id, obj.hooke.measure)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_limits_and_a_step_that_fit_it(name):
    number = HookeSettings.bl_rna.properties[name]
    if name in {"frame_start", "frame_end"}:
        return
    assert -1e7 < number.soft_min < number.soft_max < 1e7
    assert number.soft_min <= number.default <= number.soft_max
    if number.type == "FLOAT":
        # Blender moves a number by a hundredth of its step a pixel: 100 pixels are to change what is shown, and not
        # cross the whole range at once.
        assert 10.0**-number.precision <= number.step <= 10 * (number.soft_max - number.soft_min), number.step
    if number.soft_max > 1.01e3 * max(number.soft_min, 1e-9) > 0.0 and number.soft_min > 0.0:
        assert name in QUANTITIES
