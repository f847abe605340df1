# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task is, and the clicks that tasks share; needs bpy."""

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
import numpy as np

from . import task_scenes as scenes
from .clicks import Click


class Task(NamedTuple):
    """What is wanted: build makes the scene and returns its object; judge says what came out.

    judge: called with the object and its world positions at every frame, shape (frames, n, 3); returns a few words.
    """

    name: str
    build: Callable[[], Any]
    frames: int
    judge: Callable[[Any, np.ndarray], str]
    hooke: list[Click]
    cloth: list[Click]


def setting(owner, name, value):
    """A function of an object that sets a value: owner: a function of the object."""

    def does(obj):
        setattr(owner(obj), name, value)

    return does


def modifier(obj, kind="CLOTH"):
    """The object's modifier of a kind."""
    return next(m for m in obj.modifiers if m.type == kind)


def select(name):
    """Click an object."""

    def does(_obj):
        scenes.activate(bpy.data.objects[name])

    return Click(f"select the {name}", does)


def preset(name):
    """Choose a material."""

    def does(_obj):
        scenes.material_preset(name)

    return does


def group(name):
    """Choose a vertex group of Hooke's."""
    return [
        Click("*Pin Group*"),
        Click(f"*{name}*", setting(lambda obj: obj.hooke, "pin_group", name)),
    ]


def cloth_group(name):
    """Choose a vertex group of Cloth's."""
    return [
        Click("open *Shape*", panel="PHYSICS_PT_cloth_shape"),
        Click("*Pin Group*"),
        Click(f"*{name}*", setting(lambda obj: modifier(obj).settings, "vertex_group_mass", name)),
    ]


def wind(strength):
    """Add a Wind that blows along x, as an artist does."""

    def blow(_obj):
        scenes.wind(strength)

    return [
        Click("*Add*"),
        Click("*Force Field*"),
        Click("*Wind*"),
        Click("type its rotation"),
        Click("type its strength", blow),
    ]


PLAY = Click("play")
HOOKE, PHYSICS = Click("the tab *Hooke*"), Click("the tab *Physics*")
MORE = Click("open *More*", panel="HOOKE_PT_more")
ADD = Click("**Add Hooke**", lambda _obj: bpy.ops.hooke.add())
COLLIDER = Click("**Make Collider**", lambda _obj: bpy.ops.hooke.make_collider())
CLOTH = Click("*Cloth*", lambda _obj: bpy.ops.object.modifier_add(type="CLOTH"))
COLLISION = Click("*Collision*", lambda _obj: bpy.ops.object.modifier_add(type="COLLISION"))
PLANE = [
    Click("*Add*"),
    Click("*Mesh*"),
    Click("*Plane*", lambda _obj: scenes.plane()),
    Click("type its size"),
]
