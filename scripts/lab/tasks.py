# SPDX-License-Identifier: GPL-3.0-or-later
"""Task by task beside Blender's Cloth: the clicks it takes, what comes out, and the time of a frame; needs bpy.

A task is a scene whose object is there and selected, and two lists of clicks, each with what it does. Every press of
the mouse counts, as do a menu or a panel that has to be opened first and a value that is typed. Panels that are
closed by default are looked up in Blender, not believed.
"""

from time import process_time

import bpy
import numpy as np
from measuring.page import ROOT, table, write_block

import hooke

from . import task_scenes as scenes
from .clicks import Click, count, listed
from .directed_tasks import DIRECTED
from .task_clicks import (
    ADD,
    CLOTH,
    COLLIDER,
    COLLISION,
    HOOKE,
    PHYSICS,
    PLANE,
    PLAY,
    Task,
    cloth_group,
    group,
    modifier,
    preset,
    select,
    setting,
    wind,
)
from .task_workflows import workflows

PAGE = ROOT / "docs" / "tasks.md"


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
        144,
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
    for task in (*TASKS, *DIRECTED):
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
