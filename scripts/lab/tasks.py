# SPDX-License-Identifier: GPL-3.0-or-later
"""Task by task beside Blender's Cloth: the clicks it takes, how it ends, and the time of a frame; needs bpy.

A task is a scene whose object is there and selected, the frames that are played, a judge of them, and the words of the
clicks with Hooke and with Cloth. Panels that are closed by default are looked up in Blender, not believed.
"""

from time import process_time

import numpy as np
from measuring.blender import positions
from measuring.measured import Measured

from . import task_judges as judges
from . import task_scenes as scenes
from .clicks import clicks, count, listed

TASKS = {
    "Hang a sheet by two corners": (scenes.sheet, 240, judges.judge_hanging, "", "pin"),
    "A flag in wind": (scenes.flag, 144, judges.judge_flag, "wind", "pin gale"),
    "A skirt on a walking character": (
        scenes.skirt,
        100,
        judges.judge_skirt,
        "waist Body collider",
        "cloth-waist Body collision",
    ),
    "A jelly on a floor": (scenes.jelly, 72, judges.judge_jelly, "jelly floor", "springs plane collision"),
    "A net between two moving objects": (scenes.net, 72, judges.judge_net, "", "pin"),
    "A cylinder of cloth on a sphere": (
        scenes.cylinder,
        72,
        judges.judge_sphere,
        "Sphere collider",
        "Sphere collision",
    ),
    "A cushion that is pressed": (scenes.cushion, 96, judges.judge_cushion, "more keep-volume", "pressure"),
    "Let a banner go": (scenes.banner, scenes.LET_GO + 6, judges.judge_release, "let-go", "pin cloth-let-go"),
    "Shrink a band onto a post": (
        scenes.band,
        72,
        judges.judge_band,
        "shape shrink Post collider",
        "cloth-shape cloth-shrink Post collision",
    ),
    "Sew two panels": (scenes.panels, 72, judges.judge_seams, "shape sewing", "cloth-shape sew"),
    "Soften a banner by keys": (scenes.banner, 168, judges.judge_softened, "soften", "pin cloth-soften"),
    "Begin draped": (scenes.sheet, 72, judges.judge_draped, "more drape", "pin play apply physics cloth pin"),
    # Cloth has nothing that tears.
    "Tear a cloth in two": (scenes.pulled, 100, judges.judge_torn, "more tearing", "pin"),
}


def play(build, frames, judge, pressed):
    """Do the clicks, then play; cells: their number, the judge's words, and the median time of a frame [ms]."""
    obj = build()
    scene = obj.users_scene[0]
    for click in pressed:
        click.does(obj)
    shown, times = [], []
    for frame in range(1, frames + 1):
        began = process_time()
        scene.frame_set(frame)
        times.append(process_time() - began)
        shown.append(positions(obj))
    return count(pressed), judge(obj, np.array(shown)), f"{1e3 * np.median(times[len(times) // 4 :]):.0f}"


def by_both(build, frames, judge, *words):
    """Cells of both ways."""
    return [cell for pressed in _pressed(*words) for cell in play(build, frames, judge, pressed)]


def _pressed(hooke, cloth):
    return clicks(f"hooke add {hooke} play"), clicks(f"physics cloth {cloth} play")


TABLES = (
    Measured(
        "tasks",
        "tasks.md",
        (
            "Task",
            *("Hooke: clicks", "what comes out", "ms"),
            *("Cloth: clicks", "what comes out", "ms"),
        ),
        TASKS,
        by_both,
        right=False,
    ),
    Measured(
        "clicks",
        "tasks.md",
        ("Task", "Hooke", "Cloth"),
        TASKS,
        lambda *task: [listed(pressed) for pressed in _pressed(*task[3:])],
        right=False,
    ),
)
