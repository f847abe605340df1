# SPDX-License-Identifier: GPL-3.0-or-later
"""What is not well is complained of once, and where one click mends it, it does."""

import bpy
import pytest

from hooke.addon import output_nodes, readout
from hooke.addon.readout.remedies import REMEDIES

from .colliding import block, collider
from .scenes import activate, add_hooke, grid, pin, play

FRAMES = range(1, 13)
WELL = {"effort": "CONVERGED", "stiffness": 2000.0}


def missing_group(obj, scene):
    obj.vertex_groups["Pin"].name = "Other"
    obj.hooke.pin_group = "Gone"


def dropped_frames(obj, scene):
    scene.sync_mode = "FRAME_DROP"


def no_modifier(obj, scene):
    obj.modifiers.remove(output_nodes.find(obj))


def past_the_end(obj, scene):
    play(obj, [20])


def ahead(obj, scene):
    bpy.ops.hooke.reset()
    play(obj, [1, 2, 3, 9])


def backwards(obj, scene):
    scene.frame_set(12)
    obj.hooke.frame_end = -3


def unstable(obj, scene):
    obj.hooke.integrator, obj.hooke.substeps = "VERLET", 1
    obj.hooke.stiffness = 2e4
    play(obj, range(1, 3))


def stretched(obj, scene):
    obj.hooke.effort, obj.hooke.measure, obj.hooke.breaking_strain = "DRAFT", "AREA", 1e-4
    play(obj, FRAMES)


def unbending(obj, scene):
    obj.hooke.measure, obj.hooke.integrator = "AREA", "POSITION_BASED"
    play(obj, range(1, 3))


def without_pins(obj, scene):
    obj.hooke.pin_group = ""
    play(obj, FRAMES)


def tuned(obj, scene):
    obj.hooke.stiffness = 1000.0
    play(obj, [13])


# What happens, the words it is complained of in, and the remedy that mends it.
COMPLAINTS = {
    missing_group: ("There is no vertex group 'Gone'", "PIN_GROUP"),
    dropped_frames: ("Playback drops frames", "EVERY_FRAME"),
    no_modifier: ("modifier is gone", "MODIFIER"),
    past_the_end: ("Frame 20 is past the range's end: it stays as at frame 12", "END"),
    ahead: ("Shows frame 3, the last one simulated: play on from there", "NEWEST"),
    backwards: ("Frames end at -3, before they start at 1", "END"),
    unstable: ("is beyond the stable", "SUBSTEPS"),
    stretched: ("more than it bears", "EFFORT"),
    unbending: ("Bending does not act with Position Based", "INTEGRATOR"),
    without_pins: ("Falls freely", "PIN_GROUP"),
    tuned: ("Tuned live since frame 12", "START"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("happening", COMPLAINTS, ids=lambda happening: happening.__name__)
def test_what_is_wrong_has_no_tick_and_is_mended_with_one_click(happening, scene):
    obj = add_hooke(grid(), **WELL)
    play(obj, FRAMES)
    assert readout.report(obj).icon == "CHECKMARK"
    happening(obj, scene)
    words, remedy = COMPLAINTS[happening]
    told = readout.report(obj)
    assert told.icon != "CHECKMARK"
    # One problem is complained of once.
    (complaint,) = told.complaints
    assert words in complaint.text
    assert remedy in complaint.remedies and REMEDIES[remedy].label(obj, scene)
    activate(obj)
    assert bpy.ops.hooke.mend(remedy=remedy) == {"FINISHED"}
    play(obj, FRAMES[:3])
    if remedy == "EFFORT":
        # One step up, which may not be enough.
        assert obj.hooke.effort == "STANDARD"
        return
    assert not any(words in complaint.text for complaint in readout.report(obj).complaints)


def test_where_all_is_well_nothing_is_mended(scene):
    obj = add_hooke(grid(), **WELL)
    play(obj, FRAMES)
    scene.frame_set(1)
    # More substeps are always to be had.
    offered = {name for name, remedy in REMEDIES.items() if remedy.label(obj, scene)}
    assert offered <= {"SUBSTEPS"}
    for name in REMEDIES.keys() - {"SUBSTEPS"}:
        assert bpy.ops.hooke.mend(remedy=name) == {"CANCELLED"}


def test_a_fall_onto_a_collider_is_wanted(scene):
    obj = add_hooke(grid(pins={}), **WELL)
    play(obj, FRAMES)
    assert "Falls freely" in readout.report(obj).complaints[0].text
    collider(block(height=-9.0))
    play(obj, FRAMES)
    assert readout.report(obj).complaints == []


def test_a_group_that_holds_nothing_is_named(scene):
    obj = add_hooke(grid(), **WELL)
    pin(obj, {3: 0.0}, name="Hollow")
    obj.hooke.pin_group = "Hollow"
    play(obj, FRAMES)
    complaint = readout.report(obj).complaints[0]
    assert complaint.text == "Falls freely: no vertex is in the group 'Hollow': assign some"
    assert REMEDIES["PIN_GROUP"].label(obj, scene) == "Pin Group 'Pin'"


def test_what_a_material_bears_is_the_material_s(scene):
    obj = add_hooke(grid(), effort="CONVERGED", stretch_stiffness=5.0, air_drag=0.0)
    obj.hooke.breaking_strain = 0.25
    play(obj, FRAMES)
    assert "more than it bears" in readout.report(obj).complaints[0].text
    obj.hooke.breaking_strain = 50.0
    assert readout.report(obj).icon == "CHECKMARK"
    # It is said of the motion, and does not change it.
    assert "frame 12" in readout.status(obj)[0]
