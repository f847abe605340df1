# SPDX-License-Identifier: GPL-3.0-or-later
"""An object is ticked only where what acts on it is, in turn, as it was simulated."""

import bpy
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .changes import vertices_moved
from .colliding import collider
from .scenes import activate, add_hooke, bake, grid, play

WELL = {"effort": "DRAFT", "stiffness": 500.0}
FRAMES = range(1, 9)


@pytest.fixture
def shelf(scene):
    """A sheet that is simulated and that others collide with."""
    return collider(add_hooke(grid(name="Shelf"), **WELL))


@pytest.fixture
def cloth(shelf):
    """A sheet above it, which the shelf does not feel."""
    obj = grid(name="Cloth")
    obj.location.z = 0.5
    return add_hooke(obj, **WELL)


def told(obj):
    return readout.report(obj)


def beside(shelf):
    """Another shelf, which it collides with and does not touch."""
    activate(shelf)
    bpy.ops.object.duplicate()
    bpy.context.object.location.z -= 1.0
    return bpy.context.object


def test_what_waits_takes_the_tick_from_all_that_follow_it(shelf, cloth, scene):
    play(cloth, FRAMES)
    assert told(cloth).icon == told(shelf).icon == "CHECKMARK"
    scene.frame_set(5)
    vertices_moved(shelf, scene)
    bpy.context.view_layer.update()
    assert told(cloth).icon != "CHECKMARK"
    play(cloth, FRAMES)
    assert told(cloth).icon == told(shelf).icon == "CHECKMARK"


def test_what_stopped_takes_the_tick_from_all_that_follow_it(shelf, cloth, scene):
    beside(shelf).hooke.frame_end = 6
    play(cloth, FRAMES)
    assert sessions.find(shelf).problem
    assert told(cloth).icon != "CHECKMARK" and "Waits for 'Shelf" in told(cloth).sentence()


def test_who_loses_company_says_so_in_few_words(shelf, cloth, scene):
    other = beside(shelf)
    play(cloth, FRAMES)
    bake(other)
    play(cloth, [5])
    assert told(shelf).sentence() == "What is simulated with it changed: go to frame 1, and play"
    assert told(cloth).icon != "CHECKMARK"
