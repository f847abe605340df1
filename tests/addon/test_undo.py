# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo and redo through everything Hooke does."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .keyed_meshes import with_animated_keys
from .scenes import activate, evaluated_positions, grid, play, same_bits, status
from .snapshots import differences, snapshot

FRAMES = range(1, 13)
NAME = "Cloth"


def step(message="step"):
    """What the interface does after every operator and every changed setting."""
    bpy.ops.ed.undo_push(message=message)


def cloth():
    """The object as it is now: undo makes other Python objects of the same data."""
    return bpy.data.objects[NAME]


def state():
    """Everything about the object at the start frame, where nothing depends on what was simulated."""
    bpy.context.scene.frame_set(1)
    return snapshot(cloth())


@pytest.fixture
def sheet(scene):
    """A sheet with animated keys, as the first undo step; without Hooke."""
    activate(with_animated_keys())
    step()


@pytest.fixture
def simulated(sheet):
    """The sheet with Hooke, as the second undo step."""
    assert bpy.ops.hooke.add() == {"FINISHED"}
    step()


def test_add(sheet):
    before = state()
    step()
    assert bpy.ops.hooke.add() == {"FINISHED"}
    step()
    after = state()
    bpy.ops.ed.undo()
    assert differences(before, state()) == []
    assert not sessions.simulated_objects(bpy.context.scene)
    bpy.ops.ed.redo()
    assert differences(after, state()) == []
    play(cloth(), FRAMES)
    assert "frame 12" in status(cloth())


def test_remove(simulated):
    live = play(cloth(), FRAMES)
    before = state()
    step()
    assert bpy.ops.hooke.remove() == {"FINISHED"}
    step()
    after = state()
    bpy.ops.ed.undo()
    assert differences(before, state()) == []
    assert same_bits(play(cloth(), FRAMES), live)
    bpy.ops.ed.redo()
    assert differences(after, state()) == []
    assert "Hooke" not in cloth().modifiers


def test_bake_and_clear(simulated):
    live = play(cloth(), FRAMES)
    simulated_state = state()
    step()
    assert bpy.ops.hooke.bake() == {"FINISHED"}
    step()
    baked, baked_state = play(cloth(), FRAMES), state()
    bpy.ops.ed.undo()
    assert differences(simulated_state, state()) == []
    assert same_bits(play(cloth(), FRAMES), live)
    bpy.ops.ed.redo()
    assert differences(baked_state, state()) == []
    assert same_bits(play(cloth(), FRAMES), baked)
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}
    step()
    assert differences(simulated_state, state()) == []
    bpy.ops.ed.undo()
    assert differences(baked_state, state()) == []
    assert same_bits(play(cloth(), FRAMES), baked)
    # The record came back as well: clearing still restores everything.
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}
    assert differences(simulated_state, state()) == []


def test_a_setting_in_the_middle(simulated):
    live = play(cloth(), FRAMES)
    step()
    cloth().hooke.stiffness = 5.0
    step()
    play(cloth(), [12])
    assert "Tuned live since frame 12" in status(cloth())
    bpy.ops.ed.undo()
    assert cloth().hooke.stiffness == 1e4
    assert same_bits(play(cloth(), FRAMES), live)
    bpy.ops.ed.redo()
    assert cloth().hooke.stiffness == 5.0
    soft = play(cloth(), FRAMES)
    assert np.abs(soft[12] - live[12]).max() > 1e-3


def test_reset(simulated):
    live = play(cloth(), range(1, 8))
    step()
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    step()
    bpy.ops.ed.undo()
    assert same_bits(play(cloth(), range(1, 8)), live)


def test_an_edit_of_something_else_keeps_the_simulation(simulated):
    live = play(cloth(), range(1, 8))
    step()
    grid(name="Other")
    activate(cloth())
    step()
    bpy.ops.ed.undo()
    assert "Other" not in bpy.data.objects
    # The frames are still there: the next one is simulated without a new start.
    live |= play(cloth(), [8])
    assert "frame 8" in status(cloth())
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth(), range(1, 9)), live)


def test_the_pose_on_screen_after_undo_is_that_of_the_frame(simulated):
    # Undo brings back the mesh, with the pose of the frame at which the step was made, but not the frame: no step
    # was made when it changed.
    live = play(cloth(), range(1, 6))
    step()
    cloth().data.materials.append(bpy.data.materials.new("Red"))
    step()
    live |= play(cloth(), range(6, 10))
    bpy.ops.ed.undo()
    assert not cloth().data.materials
    assert bpy.context.scene.frame_current == 9
    assert same_bits(evaluated_positions(cloth()), live[9])


def test_removing_the_object(simulated):
    live = play(cloth(), FRAMES)
    step()
    bpy.ops.object.delete()
    step()
    bpy.context.scene.frame_set(3)
    assert not sessions.by_object
    bpy.ops.ed.undo()
    assert same_bits(play(cloth(), FRAMES), live)


def test_a_vertex_edit(simulated):
    live = play(cloth(), FRAMES)
    step()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    step()
    assert play(cloth(), FRAMES)[12].shape == (81, 3)
    bpy.ops.ed.undo()
    assert same_bits(play(cloth(), FRAMES), live)
