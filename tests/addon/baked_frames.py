# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether bakes show what simulating again shows, when they are made and whatever is done after them."""

import bpy
import numpy as np

from .scenes import evaluated_positions

# The number of what an object's bake should show: undo, redo and files take it along with the bake.
NUMBER = "number of the bake"
# Shape keys keep float32 distances to the basis.
ROUNDING = 1e-6


class BakedFrames:
    """What each bake of a file should show, noted as it is made."""

    def __init__(self):
        self._noted: list = []

    def noting(self, bakes, rng, true, known):
        """Let a user bake; returns what is wrong, or "".

        true: TrueFrames; known: whether all edits were evaluated, so that these are what a bake should have.
        """
        scene = bpy.context.scene
        before, frames = _baked(scene), true.whole(scene) if known else {}
        bakes(rng)
        for obj in _baked(scene) - before:
            if isinstance(frames, str):
                return f"bakes '{obj.name}', though simulating it again says: {frames}"
            obj[NUMBER] = len(self._noted)
            self._noted.append(frames.get(obj.name, ()))
        return ""

    def wrong(self, scene):
        """What a bake shows in the current frame that it should not, or ""."""
        for obj in _baked(scene):
            place = scene.frame_current - obj.hooke.bake.frame_start
            frames = self._noted[obj[NUMBER]] if NUMBER in obj else ()
            if 0 <= place < len(frames) and not _is_moved_again(obj):
                apart = np.linalg.norm(evaluated_positions(obj) - frames[place], axis=1).max()
                if apart > obj.hooke.bake.largest_error + ROUNDING:
                    return f"plays place {place} of the bake of '{obj.name}' {apart:.3g} m off"
        return ""


def _baked(scene):
    return {obj for obj in scene.objects if obj.type == "MESH" and obj.hooke.bake.exists}


def _is_moved_again(obj):
    """Whether what the bake shows goes through a modifier of the user's."""
    return any(modifier.type == "CAST" and modifier.show_viewport for modifier in obj.modifiers)
