# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of the frame that is shown, and of the range."""

from ..play import sessions
from .remedy import Remedy


class PlayEveryFrame(Remedy):
    """Playback that drops no frames."""

    id = "EVERY_FRAME"

    def label(self, obj, scene):
        """As Blender's own menu has it."""
        return "Play Every Frame" if scene.sync_mode == "FRAME_DROP" else ""

    def apply(self, obj, scene):
        """Set the scene's playback."""
        scene.sync_mode = "NONE"


class GoToStart(Remedy):
    """The start frame, where the true simulation begins."""

    id = "START"

    def label(self, obj, scene):
        """Its number."""
        start = obj.hooke.frame_start
        return f"Go to Frame {start}" if scene.frame_current != start else ""

    def apply(self, obj, scene):
        """Go there."""
        scene.frame_set(obj.hooke.frame_start)


class GoToNewest(Remedy):
    """The last frame that was simulated, or the first that has to be compared, from where it can be played on."""

    id = "NEWEST"

    def _frame(self, obj):
        running = sessions.find(obj)
        known, kept = (running.cached, len(running.take)) if running is not None else (0, 0)
        return obj.hooke.frame_start + min(known, kept - 1)

    def label(self, obj, scene):
        """Its number."""
        newest = self._frame(obj)
        ahead = obj.hooke.frame_start <= newest < min(scene.frame_current, obj.hooke.frame_end)
        return f"Go to Frame {newest}" if ahead else ""

    def apply(self, obj, scene):
        """Go there."""
        scene.frame_set(self._frame(obj))


class LaterEnd(Remedy):
    """A range that reaches the current frame."""

    id = "END"

    def label(self, obj, scene):
        """The frame's number."""
        frame = scene.frame_current
        return f"End at Frame {frame}" if frame > obj.hooke.frame_end else ""

    def apply(self, obj, scene):
        """Move the end there."""
        obj.hooke.frame_end = scene.frame_current
