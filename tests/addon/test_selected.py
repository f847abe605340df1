# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, settings, simulate and bake act on all selected objects, and a vertex group that was renamed is followed."""

import bpy
import pytest

from hooke.addon.play import sessions
from hooke.addon.sections import SECTIONS

from .scenes import add_hooke, bake, evaluated_positions, grid, link, pin, play, same_bits, status

FRAMES = range(1, 13)
NAMES = ("One", "Two", "Three")


def select(objects):
    """Make the objects selected, the first one active."""
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(other in objects)
    bpy.context.view_layer.objects.active = objects[0]


@pytest.fixture
def sheets(scene):
    """Three selected sheets that are not simulated yet, and one that is not selected."""
    sheets = [grid(name=name) for name in (*NAMES, "Aside")]
    select(sheets[:3])
    return sheets


def test_add_adds_to_all_that_are_selected(sheets):
    assert bpy.ops.hooke.add(selected=True) == {"FINISHED"}
    assert [obj.hooke.enabled for obj in sheets] == [True, True, True, False]
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
    assert all("frame 12" in status(obj) for obj in sheets[:3])


def test_add_alone_is_of_the_active_object(sheets):
    assert bpy.ops.hooke.add() == {"FINISHED"}
    assert [obj.hooke.enabled for obj in sheets] == [True, False, False, False]


def test_what_cannot_be_simulated_is_no_hindrance_for_the_others(sheets, capfd):
    sheets[1].data = sheets[3].data
    light = link(bpy.data.objects.new("Light", bpy.data.lights.new("Light", "POINT")))
    light.select_set(True)
    assert bpy.ops.hooke.add(selected=True) == {"FINISHED"}
    assert [obj.hooke.enabled for obj in sheets] == [True, False, True, False]
    assert "shared by 2 objects" in capfd.readouterr().out


def test_simulate_simulates_all_that_are_selected(sheets):
    bpy.ops.hooke.add(selected=True)
    assert bpy.ops.hooke.simulate(selected=True) == {"FINISHED"}
    assert [sessions.find(obj).cached for obj in sheets[:3]] == [12, 12, 12]


def test_simulate_leaves_out_what_is_baked(sheets):
    bpy.ops.hooke.add(selected=True)
    bake(sheets[1])
    select(sheets[:3])
    assert bpy.ops.hooke.simulate(selected=True) == {"FINISHED"}
    assert sheets[1].hooke.bake.exists
    assert [sessions.find(obj).cached for obj in (sheets[0], sheets[2])] == [12, 12]


def test_reset_and_remove_are_of_all_that_are_selected(sheets, scene):
    bpy.ops.hooke.add(selected=True)
    bpy.ops.hooke.simulate(selected=True)
    assert bpy.ops.hooke.reset(selected=True) == {"FINISHED"}
    assert [sessions.find(obj).cached for obj in sheets[:3]] == [0, 0, 0]
    assert bpy.ops.hooke.remove(selected=True) == {"FINISHED"}
    assert not any(obj.hooke.enabled for obj in sheets)


def settings_of(obj):
    """All settings of an object that are stored."""
    return {
        name: getattr(obj.hooke, name)
        for section in SECTIONS
        for name, declared in section.properties.items()
        if "get" not in declared.keywords
    }


@pytest.mark.parametrize(
    "settings",
    [
        {"stretch_stiffness": 77.0, "effort": "FINE", "frame_end": 9},
        {"stiffness": 5.0},
        {"integrator": "VERLET"},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_settings_are_copied_to_all_that_are_selected(settings, sheets):
    bpy.ops.hooke.add(selected=True)
    for name, value in settings.items():
        setattr(sheets[0].hooke, name, value)
    assert bpy.ops.hooke.copy_settings() == {"FINISHED"}
    assert settings_of(sheets[1]) == settings_of(sheets[2]) == settings_of(sheets[0])


def test_a_group_that_others_lack_is_not_copied(sheets):
    bpy.ops.hooke.add(selected=True)
    pin(sheets[0], {3: 1.0}, name="Mine")
    sheets[0].hooke.pin_group = "Mine"
    bpy.ops.hooke.copy_settings()
    assert sheets[1].hooke.pin_group == "Pin"


def test_what_is_baked_keeps_its_settings(sheets):
    bpy.ops.hooke.add(selected=True)
    bake(sheets[1])
    select(sheets[:3])
    sheets[0].hooke.stretch_stiffness = 77.0
    assert bpy.ops.hooke.copy_settings() == {"FINISHED"}
    assert [obj.hooke.stretch_stiffness for obj in sheets[1:3]] == [5000.0, 77.0]


def test_alone_there_is_nobody_to_copy_to(scene):
    add_hooke(grid())
    assert not bpy.ops.hooke.copy_settings.poll()


@pytest.mark.parametrize(
    ("names", "chosen"), [(["Sail"], "Sail"), (["Sail", "Rope"], ""), (["Sail", "Hold"], "Hold"), ([], "")]
)
def test_the_group_that_holds_is_chosen_when_hooke_is_added(names, chosen, scene):
    obj = grid(pins={})
    for name in names:
        pin(obj, {0: 1.0}, name=name)
    assert add_hooke(obj).hooke.pin_group == chosen


def test_groups_that_bones_move_by_do_not_hide_the_one_that_holds(scene):
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    obj = grid(pins={0: 1.0})
    obj.vertex_groups[0].name = "Waist"
    pin(obj, dict.fromkeys(range(25), 1.0), name=rig.data.bones[0].name)
    assert add_hooke(obj).hooke.pin_group == ""
    assert bpy.ops.hooke.remove() == {"FINISHED"}
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    assert add_hooke(obj).hooke.pin_group == "Waist"


def test_a_renamed_group_is_followed_and_the_frames_stay(scene):
    obj = add_hooke(grid())
    live = play(obj, FRAMES)
    play(obj, [6])
    obj.vertex_groups["Pin"].name = "Renamed"
    bpy.context.view_layer.update()
    again = play(obj, [7, 8, 12])
    assert obj.hooke.pin_group == "Renamed"
    assert same_bits(again, {frame: live[frame] for frame in again})
    assert sessions.find(obj).cached == 12 and "strain" in status(obj)


def test_a_group_that_takes_another_s_place_is_not_followed(scene):
    obj = add_hooke(grid())
    play(obj, range(1, 4))
    obj.vertex_groups.remove(obj.vertex_groups["Pin"])
    pin(obj, {24: 1.0}, name="New")
    pin(obj, {3: 1.0}, name="More")
    play(obj, [5])
    assert obj.hooke.pin_group == "Pin"
    assert "There is no vertex group 'Pin'" in status(obj)
    assert evaluated_positions(obj).shape == (25, 3)
