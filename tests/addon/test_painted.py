# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights that act otherwise than they look on some vertices: the status counts them, and Select shows them."""

import bpy
import pytest

from hooke.addon import readout

from .scenes import add_hooke, grid, play
from .test_pre_flight import assigned_with_no_weight, pins_without_strength, thick_in_the_first_row


def test_what_the_status_says_of_some_vertices_can_be_selected(scene):
    obj = pins_without_strength()
    play(obj, range(1, 3))
    report = readout.report(obj)
    assert report.complaints[0].text.startswith("1 of 2 pins has no strength") and report.icon != "CHECKMARK"
    assert bpy.ops.hooke.select_found() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [vertex.index for vertex in obj.data.vertices if vertex.select] == [4]


@pytest.mark.parametrize("build", [assigned_with_no_weight, thick_in_the_first_row])
def test_what_may_be_meant_is_told_before_and_takes_no_tick(build, scene):
    obj = build()
    play(obj, range(1, 3))
    assert readout.report(obj).icon == "CHECKMARK"


def test_a_map_that_is_zero_everywhere_is_told(scene):
    obj = add_hooke(grid())
    obj.vertex_groups.new(name="Rub")
    obj.hooke.friction_group = "Rub"
    play(obj, range(1, 3))
    assert "No vertex has a weight above 0 in 'Rub', so that Friction is multiplied by 0 everywhere" in (
        readout.report(obj).complaints[0].text
    )
