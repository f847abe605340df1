# SPDX-License-Identifier: GPL-3.0-or-later
"""Task by task beside Blender's Cloth: the clicks it takes, how it ends, and the time of a frame; needs bpy.

A task is a scene whose object is there and selected, and the clicks with Hooke and with Cloth, by their words. Panels
that are closed by default are looked up in Blender, not believed.
"""

from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import bpy
import numpy as np
from measuring.page import DOCS, table, write_block

import hooke

from . import task_judges as judges
from . import task_scenes as scenes
from .clicks import clicks, count, listed
from .task_workflows import workflows

PAGE = DOCS / "tasks.md"


class Task(NamedTuple):
    """A wish: build makes the scene and returns its object; frames are played; hooke, cloth: words of clicks.

    judge: called with the object and its world positions at every frame, shape (frames, n, 3); returns a few words.
    """

    name: str
    build: Callable[[], Any]
    frames: int
    judge: Callable[[Any, np.ndarray], str]
    hooke: str
    cloth: str


TASKS = [
    Task(*row)
    for row in (
        ("Hang a sheet by two corners", scenes.sheet, 240, judges.judge_hanging, "", "pin"),
        ("A flag in wind", scenes.flag, 144, judges.judge_flag, "wind", "pin gale"),
        (
            "A skirt on a walking character",
            scenes.skirt,
            100,
            judges.judge_skirt,
            "waist Body collider",
            "cloth-waist Body collision",
        ),
        (
            "A jelly on a floor",
            scenes.jelly,
            72,
            judges.judge_jelly,
            "jelly floor",
            "springs plane collision",
        ),
        ("A net between two moving objects", scenes.net, 72, judges.judge_net, "", "pin"),
        (
            "A cylinder of cloth on a sphere",
            scenes.cylinder,
            72,
            judges.judge_sphere,
            "Sphere collider",
            "Sphere collision",
        ),
        (
            "A cushion that is pressed",
            scenes.cushion,
            96,
            judges.judge_cushion,
            "more keep-volume",
            "pressure",
        ),
        (
            "Let a banner go",
            scenes.banner,
            scenes.LET_GO + 6,
            judges.judge_release,
            "let-go",
            "pin cloth-let-go",
        ),
        (
            "Shrink a band onto a post",
            scenes.band,
            72,
            judges.judge_band,
            "shape shrink Post collider",
            "cloth-shape cloth-shrink Post collision",
        ),
        ("Sew two panels", scenes.panels, 72, judges.judge_seams, "shape sewing", "cloth-shape sew"),
        ("Soften a banner by keys", scenes.banner, 168, judges.judge_softened, "soften", "pin cloth-soften"),
        (
            "Begin draped",
            scenes.sheet,
            72,
            judges.judge_draped,
            "more drape",
            "pin play apply physics cloth pin",
        ),
        # Cloth has nothing that tears.
        ("Tear a cloth in two", scenes.pulled, 100, judges.judge_torn, "more tearing", "pin"),
    )
]


def play(task, pressed):
    """Do the clicks, then play; returns the judge's words, and the median time of a frame [ms of processor]."""
    obj = task.build()
    scene = bpy.context.scene
    for click in pressed:
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
        for name, words in (
            ("Hooke", f"hooke add {task.hooke} play"),
            ("Cloth", f"physics cloth {task.cloth} play"),
        ):
            said, time = play(task, clicks(words))
            row += [count(clicks(words)), said, f"{time:.0f}"]
            lists.append([f"{task.name}, {name}", listed(clicks(words))])
        rows.append(row)
        print("  " + " | ".join(map(str, row)), flush=True)
    for name, own, other in workflows():
        rows.append([name, count(own.clicks), own.said, "", count(other.clicks), other.said, ""])
        lists += [[f"{name}, Hooke", listed(own.clicks)], [f"{name}, Cloth", listed(other.clicks)]]
        print("  " + " | ".join(map(str, rows[-1])), flush=True)
    header = ["Task", "Hooke: clicks", "what comes out", "ms", "Cloth: clicks", "what comes out", "ms"]
    write_block("tasks", table(header, rows, right=False), PAGE)
    write_block("clicks", table(["Task", "Clicks"], lists, right=False), PAGE)
