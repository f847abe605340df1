# SPDX-License-Identifier: GPL-3.0-or-later
"""The status of frames is the same whether they were simulated just now or are read from the cache."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import frame_notes, sessions
from hooke.addon.readout.remedies import REMEDIES
from hooke.core.cache import MemoryFrames

from .colliding import ball, collider, lower, plate
from .scenes import add_hooke, grid, play

FRAMES = range(1, 5)
# Solved: a residual of a thousandth, and springs that give little.
WELL = {"effort": "CONVERGED", "stiffness": 2000.0}


def falling(obj):
    obj.hooke.pin_group = ""


def begun_inside(obj):
    collider(ball(height=0.0))


def squeezed(obj):
    collider(plate("Low", -0.05))
    lower(collider(plate("Up", 0.1)), 0.15, (1, 4))


def lagging(obj):
    settings = {
        "stiffness": 1e7,
        "substeps": 1,
        "iterations": 1,
        "acceleration": "NONE",
        "carried_stiffness": "ALL",
    }
    for name, value in settings.items():
        setattr(obj.hooke, name, value)


def unstable(obj):
    # A tenth beyond: it grows, and is no explosion yet.
    obj.hooke.integrator, obj.hooke.substeps, obj.hooke.stiffness = "SYMPLECTIC_EULER", 3, 100.0


def soft(obj):
    obj.hooke.effort, obj.hooke.stiffness = "STANDARD", 1e7


def seen(obj, scene):
    """All of the status but the time that a frame took, with the buttons."""
    report = readout.report(obj)
    offers = [REMEDIES[id].label(obj, scene) for each in report.complaints for id in each.remedies]
    return report.icon, report.complaints, report.note, report.figures[0], offers


@pytest.mark.sampled(3)
@pytest.mark.parametrize("make", [falling, begun_inside, squeezed, lagging, unstable, soft, lambda obj: None])
def test_frames_from_the_cache_are_told_of_as_when_they_were_simulated(make, scene, tmp_path):
    obj = add_hooke(grid(), **WELL)
    make(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    obj = bpy.data.objects["Cloth"]
    play(obj, FRAMES)

    simulated = seen(obj, scene)
    assert make is not squeezed or "no room" in simulated[1][0].text
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    obj, scene = bpy.data.objects["Cloth"], bpy.context.scene
    play(obj, FRAMES)
    assert sessions.find(obj).simulation is None
    assert seen(obj, scene) == simulated


WORTHLESS = [
    None,
    [],
    "begun",
    {"springs": -1, "held": "no", "room": "1", "step": [], "stable": None, "enough": 2**70, "doubts": "text"},
    {
        "springs": True,
        "room": float("nan"),
        "step": float("inf"),
        "enough": 1.5,
        "doubts": [["text"], "text", [1, "INFO"]],
    },
    {"doubts": [["text", "NO_ICON"], ["text", "INFO", 1], {}]},
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "forged", [None, [], 3, [1, "Low", "Up"], [-1, "Low", "Up", 0.1], [1, 2, "Up", 0.1], [1, "L", "U", -1.0]]
)
def test_no_room_that_no_simulation_notes_is_none(forged):
    frames = MemoryFrames()
    frames.append(np.zeros((1, 3)), {"squeezed": forged}, {})
    assert frame_notes.read_squeezed(frames, 0) is None
    frames.append(np.zeros((1, 3)), {"squeezed": [1, "Low", "Up", 0.5]}, {})
    assert frame_notes.read_squeezed(frames, 1) == (1, (1, "Low", "Up", 0.5))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("forged", WORTHLESS, ids=range(len(WORTHLESS)))
def test_what_no_simulation_notes_is_as_if_nothing_were_noted(forged):
    assert frame_notes.read_begun({"begun": forged}) == frame_notes.read_begun(forged) == frame_notes.Begun()
