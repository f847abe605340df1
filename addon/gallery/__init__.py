# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples to open and play: the catalogue that the menu, the demo and the tests read.

Whoever adds one writes a module with LABEL, DESCRIPTION, FRAME_END and build(scene), which fills an empty scene by
what a user would do, Hooke's own operators included, and returns the simulated object; and one line in EXAMPLES.
"""

from typing import Any

import bpy

from . import (
    balloon,
    cloth_on_sphere,
    dent,
    flag,
    hanging_cloth,
    jacket,
    jelly,
    jiggle,
    net,
    pillow,
    pleated_skirt,
    rope_bridge,
    skirt,
    stage,
    tear,
    torn_flag,
)

EXAMPLES = {
    "HANGING_CLOTH": hanging_cloth,
    "FLAG": flag,
    "CLOTH_ON_SPHERE": cloth_on_sphere,
    "SKIRT": skirt,
    "PLEATED_SKIRT": pleated_skirt,
    "JACKET": jacket,
    "JELLY": jelly,
    "NET": net,
    "ROPE_BRIDGE": rope_bridge,
    "PILLOW": pillow,
    "BALLOON": balloon,
    "JIGGLE": jiggle,
    "DENT": dent,
    "TEAR": tear,
    "TORN_FLAG": torn_flag,
}

__all__ = ["EXAMPLES", "build"]


def build(id, scene):
    """Fill an empty scene with an example, at its first frame; returns the object it simulates."""
    example = EXAMPLES[id]
    scene.frame_start, scene.frame_end = 1, example.FRAME_END
    # Every frame is simulated from the one before: playback that drops some would stop.
    scene.sync_mode = "NONE"
    windows = bpy.context.window_manager.windows
    # Timers and handlers after opening a file have no window, and without one there is no active object.
    override: dict[str, Any] = {"window": windows[0]} if len(windows) else {}
    with bpy.context.temp_override(**override):
        obj = example.build(scene)
        scene.frame_set(1)
        stage.activate(obj)
    return obj
