# SPDX-License-Identifier: GPL-3.0-or-later
"""A setting that is locked is never the one that a message tells people to change."""

import bpy
import pytest

from hooke.addon import readout

from .panel_rows import alive, drawn
from .scenes import add_hooke, grid, mesh_object, play

CUBE = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
# What does nothing where faces enclose a solid, the value that sets it, and the panel that it is in.
OF_SHEETS = {
    "tearing": (True, "HOOKE_PT_tearing"),
    "keep_volume": (True, "HOOKE_PT_pressure"),
    "pressure": (100.0, "HOOKE_PT_pressure"),
    "sewing": (True, "HOOKE_PT_shape"),
    "rest_scale": (0.5, "HOOKE_PT_shape"),
}


def locks():
    """What is locked of all panels of the active object, a set of panels and settings."""
    panels = [name for name in dir(bpy.types) if name.startswith("HOOKE_PT_") and "presets" not in name]
    seen = [
        name
        for name in panels
        if not hasattr(kind := getattr(bpy.types, name), "poll") or kind.poll(bpy.context)
    ]
    return {(name, what) for name in seen for kind, what, live in drawn(name) if kind == "prop" and not live}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("weight", [1.0, 0.5])
@pytest.mark.parametrize("more", [{}, {"jiggle": True}, {"effort": "CONVERGED"}])
def test_what_has_been_played_locks_nothing(weight, more, scene):
    obj = add_hooke(grid(side=3, pins=dict.fromkeys(range(9), weight)), **more)
    before = locks()
    play(obj, range(1, 4))
    assert locks() == before
    assert alive("HOOKE_PT_pins", "attach_object")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("setting", OF_SHEETS)
def test_what_does_nothing_on_a_solid_is_told_and_can_be_taken_back(setting, scene):
    value, panel = OF_SHEETS[setting]
    obj = add_hooke(mesh_object(CORNERS, faces=CUBE), fill_stiffness=10.0)
    assert not alive(panel, setting)
    setattr(obj.hooke, setting, value)
    assert alive(panel, setting)
    play(obj, range(1, 3))
    name = obj.hooke.bl_rna.properties[setting].name
    told = [complaint.text for complaint in readout.report(obj).complaints]
    assert any(name in text and "set Filling to 0" in text for text in told), told
    obj.hooke.property_unset(setting)
    assert not any(name in complaint.text for complaint in readout.report(obj).complaints)
