# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune while it plays, reopen, bake, render: the same sheet by Hooke and by Cloth; needs bpy."""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np

from . import task_scenes as scenes
from .clicks import Click, opened, plain

# Frames before and after a change, and the frame that is rendered and reopened.
CHANGED, SEEN, AT = 24, 36, 20
# Farther than rounding, nearer than a person sees [m].
SAME = 1e-5


class Way(NamedTuple):
    """How it is done, and what comes out."""

    clicks: list[Click]
    said: str


def workflows():
    """Generator of a name, and how Hooke and Cloth do it."""
    cache = [opened("Cache", "PHYSICS_PT_cloth_cache"), Click("*Bake*")]
    render = plain("*Render*", "*Render Image*")
    yield (
        "Tune while it plays",
        Way([Click("drag *Stretch*")], _tuned(_with_hooke, _soften_hooke)),
        Way([Click("drag *Tension*")], _tuned(_with_cloth, _soften_cloth)),
    )
    yield "Reopen the file and scrub", Way([], _reopened(_with_hooke)), Way([], _reopened(_with_cloth))
    yield "Bake", Way([Click("**Bake**")], _baked_hooke()), Way(cache, _baked_cloth())
    yield (
        "Render a frame of a file never played",
        Way(render, _rendered(_with_hooke)),
        Way([*cache, *render], f"the true frame once baked, {_rendered(_with_cloth)} before"),
    )


def _with_hooke():
    obj = scenes.sheet()
    bpy.ops.hooke.add()
    bpy.context.scene.frame_end = obj.hooke.frame_end = SEEN
    return obj


def _with_cloth():
    obj = scenes.sheet()
    bpy.ops.object.modifier_add(type="CLOTH")
    obj.modifiers["Cloth"].settings.vertex_group_mass = "Pin"
    obj.modifiers["Cloth"].point_cache.frame_end = bpy.context.scene.frame_end = SEEN
    return obj


def _soften_hooke(obj):
    obj.hooke.stretch_stiffness /= 50.0


def _soften_cloth(obj):
    settings = obj.modifiers["Cloth"].settings
    settings.tension_stiffness = settings.compression_stiffness = settings.tension_stiffness / 50.0


def _played(obj, first, last):
    shown = []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        shown.append(scenes.world_positions(obj))
    return np.array(shown)


def _tuned(build, soften):
    """Whether it goes on where it was, and by how much the change shows."""
    plain = _played(build(), 1, SEEN)
    obj = build()
    before = _played(obj, 1, CHANGED)
    soften(obj)
    after = _played(obj, CHANGED + 1, SEEN)
    jump = np.abs(after[0] - before[-1]).max() / np.abs(before[-1] - before[-2]).max()
    shows = np.linalg.norm(after[-1] - plain[-1], axis=1).max()
    if np.abs(after[-1] - before[-1]).max() < SAME:
        return "stands still"
    goes_on = f"goes on from there, the first step {jump:.1f} times the one before"
    return f"{goes_on}; {100 * shows:.0f} cm elsewhere after {SEEN - CHANGED} frames"


def _reopened(build):
    """Whether a frame is there at once in a file that was saved and opened again."""
    obj = build()
    name, shown = obj.name, _played(obj, 1, SEEN)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "sheet.blend"))
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        bpy.context.scene.frame_set(AT)
        again = scenes.world_positions(bpy.data.objects[name])
        off = np.abs(again - shown[AT - 1]).max()
        # Nothing of the folder may be open when it goes.
        scenes.empty()
    return "every frame is there" if off < SAME else f"frame {AT} is {100 * off:.0f} cm elsewhere"


def _baked_hooke():
    """What is left when Hooke is removed."""
    obj = _with_hooke()
    shown = _played(obj, 1, SEEN)
    bpy.ops.hooke.bake()
    bpy.ops.hooke.remove()
    off = np.abs(_played(obj, 1, SEEN) - shown).max()
    keys = len(obj.data.shape_keys.key_blocks) - 1
    return f"{keys} shape keys, {1e6 * off:.1f} µm off; they play without Hooke"


def _baked_cloth():
    """What is left with the modifier."""
    obj = _with_cloth()
    shown = _played(obj, 1, SEEN)
    cache = obj.modifiers["Cloth"].point_cache
    with bpy.context.temp_override(point_cache=cache):
        bpy.ops.ptcache.bake(bake=True)
    off = np.abs(_played(obj, 1, SEEN) - shown).max()
    kind = "baked" if cache.is_baked else "not baked"
    return f"a cache of the modifier ({kind}), {1e6 * off:.1f} µm off; it plays with the modifier"


def _rendered(build):
    """Whether a frame that was jumped to is rendered as when everything before it was played."""
    pictures = []
    for played in (True, False):
        obj = build()
        scene = bpy.context.scene
        scenes.stage.look(scene, (2.5, -3.5, 2.0), (0.5, 0.0, 1.6))
        scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 1, "CPU"
        scene.render.resolution_x = scene.render.resolution_y = 64
        if played:
            _played(obj, 1, AT)
        scene.frame_set(AT)
        pictures.append(_picture(scene))
    off = np.abs(pictures[0] - pictures[1]).mean()
    return "the true frame" if off == 0.0 else "another picture"


def _picture(scene):
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder, "frame.png"))
        scene.render.image_settings.file_format = "PNG"
        bpy.ops.render.render(write_still=True)
        image: Any = bpy.data.images.load(scene.render.filepath)
        pixels = np.array(image.pixels[:])
        bpy.data.images.remove(image)
    return pixels
