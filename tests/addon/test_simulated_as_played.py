# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated in advance, an object is moved by the same as in playback: also by what asks the scene for its frame."""

from contextlib import contextmanager

import bpy
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .scenes import add_hooke, bake, grid, play, same_bits

FRAMES = range(1, 9)


def drive(obj, kind, path, expression="v * v * 0.02"):
    """Let a driver that reads a property of the scene move the object along x; kind: of the driver's variable."""
    driver = obj.driver_add("location", 0).driver
    variable = driver.variables.new()
    variable.name, variable.type = "v", kind
    if kind == "SINGLE_PROP":
        variable.targets[0].id_type, variable.targets[0].id = "SCENE", bpy.context.scene
    variable.targets[0].data_path = path
    driver.type, driver.expression = "SCRIPTED", expression


def keyed_property(scene):
    """A property of the scene that rises with the frames; returns its path."""
    for frame in (FRAMES[0], FRAMES[-1]):
        scene["far"] = float(frame)
        scene.keyframe_insert('["far"]', frame=frame)
    return '["far"]'


@contextmanager
def by_nothing_else(obj):
    yield


@contextmanager
def by_handler(obj, asked):
    """Another add-on's handler moves the object; asked: function of the handler's scene -> the scene it asks."""

    def move(scene, *_):
        obj.location.x = 0.02 * asked(scene).frame_current ** 2

    bpy.app.handlers.frame_change_pre.append(move)
    try:
        yield
    finally:
        bpy.app.handlers.frame_change_pre.remove(move)


def moved_by(kind, obj, scene):
    """Have the object moved, ever faster; returns a context in which it is."""
    match kind:
        case "the scene's frame":
            drive(obj, "SINGLE_PROP", "frame_current")
        case "the scene's property":
            drive(obj, "SINGLE_PROP", keyed_property(scene))
        case "the active scene's frame":
            drive(obj, "CONTEXT_PROP", "frame_current")
        case "Python":
            bpy.app.driver_namespace["now"] = lambda: bpy.context.scene.frame_current
            drive(obj, "CONTEXT_PROP", "frame_current", "0.0 * v + now() * now() * 0.02")
        case "its handler's scene":
            return by_handler(obj, lambda scene: scene)
        case "the window's scene":
            return by_handler(obj, lambda _: bpy.context.scene)
    return by_nothing_else(obj)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "kind",
    [
        "the scene's frame",
        "the scene's property",
        "the active scene's frame",
        "Python",
        "its handler's scene",
        "the window's scene",
    ],
)
def test_frames_are_those_of_playback(kind, scene):
    scene.frame_end = FRAMES[-1]
    obj = grid()
    with moved_by(kind, obj, scene):
        add_hooke(obj, substeps=1)
        scene.frame_set(1)
        live = play(obj, FRAMES)
        assert readout.report(obj).icon == "CHECKMARK"
        bpy.ops.hooke.reset()
        scene.frame_set(1)
        assert bpy.ops.hooke.simulate() == {"FINISHED"}
        kept = sessions.find(obj).displayed.frames
        assert len(kept) == len(FRAMES) and scene.frame_current == 1
        assert all(same_bits(kept[frame - 1], live[frame]) for frame in FRAMES)
        bpy.ops.hooke.reset()
        scene.frame_set(1)
        bake(obj, "MESH_CACHE")
        assert same_bits(play(obj, FRAMES), live)
