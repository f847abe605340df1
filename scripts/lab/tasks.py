# SPDX-License-Identifier: GPL-3.0-or-later
"""Task by task beside Blender's Cloth: the clicks it takes, what comes out, and the time of a frame; needs bpy.

A task is a scene whose object is there and selected, and two lists of clicks, each with what it does. Every press of
the mouse counts, as do a menu or a panel that has to be opened first and a value that is typed. Panels that are
closed by default are looked up in Blender, not believed.
"""

from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import bpy
import numpy as np
from measuring.page import ROOT, table, write_block

import hooke

from . import task_scenes as scenes
from .clicks import Click, count, listed
from .task_workflows import workflows

PAGE = ROOT / "docs" / "tasks.md"


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

TASKS = [
    Task(
        "Hang a sheet by two corners",
        scenes.sheet,
        240,
        scenes.judge_hanging,
        [HOOKE, ADD, PLAY],
        [PHYSICS, CLOTH, *cloth_group("Pin"), PLAY],
    ),
    Task(
        "A flag in wind",
        scenes.flag,
        72,
        scenes.judge_flag,
        [HOOKE, ADD, *wind(50.0), PLAY],
        # Its 0.3 kg a vertex want more of the wind.
        [PHYSICS, CLOTH, *cloth_group("Pin"), *wind(5000.0), PLAY],
    ),
    Task(
        "A skirt on a walking character",
        scenes.skirt,
        100,
        scenes.judge_skirt,
        [HOOKE, ADD, *group("Waist"), select("Body"), COLLIDER, PLAY],
        [PHYSICS, CLOTH, *cloth_group("Waist"), select("Body"), COLLISION, PLAY],
    ),
    Task(
        "A jelly on a floor",
        scenes.jelly,
        72,
        scenes.judge_jelly,
        [
            HOOKE,
            ADD,
            Click("*Material*"),
            Click("*Jelly*", preset("Jelly")),
            Click("open *Collisions*", panel="HOOKE_PT_collisions"),
            Click("**Add Floor**", lambda _obj: bpy.ops.hooke.add_floor()),
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            Click(
                "*Internal Springs*",
                setting(lambda obj: modifier(obj).settings, "use_internal_springs", True),
            ),
            *PLANE,
            COLLISION,
            PLAY,
        ],
    ),
    Task(
        "A net between two moving objects",
        scenes.net,
        72,
        scenes.judge_net,
        [HOOKE, ADD, PLAY],
        [PHYSICS, CLOTH, *cloth_group("Pin"), PLAY],
    ),
    Task(
        "A cylinder of cloth on a sphere",
        scenes.cylinder,
        72,
        scenes.judge_sphere,
        [HOOKE, ADD, select("Sphere"), COLLIDER, PLAY],
        [PHYSICS, CLOTH, select("Sphere"), COLLISION, PLAY],
    ),
]


def play(task, clicks):
    """Do what the clicks do, then play; returns what came out, and the median time of a frame [ms of processor]."""
    obj = task.build()
    scene = bpy.context.scene
    for click in clicks:
        click.does(obj)
    shown, times = [], []
    for frame in range(1, task.frames + 1):
        began = process_time()
        scene.frame_set(frame)
        times.append(process_time() - began)
        shown.append(scenes.world_positions(obj))
    return task.judge(obj, np.array(shown)), 1e3 * float(np.median(times[len(times) // 4 :]))


def run():
    """Do every task both ways, and write the page's tables."""
    if not hasattr(bpy.types.Object, "hooke"):
        hooke.register()
    rows, lists = [], []
    for task in TASKS:
        row = [task.name]
        for name, clicks in (("Hooke", task.hooke), ("Cloth", task.cloth)):
            said, time = play(task, clicks)
            row += [count(clicks), said, f"{time:.0f}"]
            lists.append([f"{task.name}, {name}", listed(clicks)])
        rows.append(row)
        print("  " + " | ".join(map(str, row)), flush=True)
    for name, own, other in workflows():
        rows.append([name, count(own.clicks), own.said, "", count(other.clicks), other.said, ""])
        lists += [[f"{name}, Hooke", listed(own.clicks)], [f"{name}, Cloth", listed(other.clicks)]]
        print("  " + " | ".join(map(str, rows[-1])), flush=True)
    header = ["Task", "Hooke: clicks", "what comes out", "ms", "Cloth: clicks", "what comes out", "ms"]
    write_block("tasks", table(header, rows, right=False), page=PAGE)
    write_block("clicks", table(["Task", "Clicks"], lists, right=False), page=PAGE)
