# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of every operator that simulates a range: at once, or in the window a little at each timer tick."""

from collections.abc import Callable
from time import perf_counter

import bpy

from .. import preflight
from ..console import say
from ..mesh_io import MeshError
from . import current_frame, ranges

# Redrawing the window may cost more than a frame: the loop works for so long [s] between redraws, which is short
# enough for Esc to be heard at once.
_TICK_SECONDS = 0.1

# Events that the window may handle meanwhile. Any other edit would make the simulated frames stale.
_NAVIGATION = frozenset(
    {
        "MOUSEMOVE",
        "MIDDLEMOUSE",
        "WHEELUPMOUSE",
        "WHEELDOWNMOUSE",
        "TRACKPADPAN",
        "TRACKPADZOOM",
        "MOUSEROTATE",
    }
)


class Progress:
    """How far a loop over frames is.

    name: of the object; total: number of frames. fraction: 0..1; seconds_left: as the frames so far have taken.
    """

    def __init__(self, name, total):
        self.name, self.total = name, total
        self.done = 0
        self._began = perf_counter()

    @property
    def fraction(self):
        """Share of the frames that is done."""
        return self.done / self.total

    @property
    def seconds_left(self):
        """Time for the remaining frames [s], at the mean of the finished ones."""
        return (perf_counter() - self._began) / max(self.done, 1) * (self.total - self.done)

    def reach(self, done):
        """So many frames are done, less than before where it began anew; returns whether another tenth of them is."""
        before, self.done = self.done, done
        return done * 10 // self.total > before * 10 // self.total

    def sentence(self):
        """Frames done and the time left, for people."""
        minutes, seconds = divmod(round(self.seconds_left), 60)
        return f"{self.done} of {self.total} frames · {minutes}:{seconds:02d} left"


# Progress of the window's loop, for the panel to draw; None while no loop runs.
progress: Progress | None = None


class RangeOperator:
    """Operator that simulates the frame range of objects; subclasses say which, and what comes after.

    Esc cancels; the frames simulated so far stay in the cache.
    """

    bl_label: str
    report: Callable[[set[str], str], None]
    cancelled = "cancelled: the simulated frames are kept"

    def objects(self, context):
        """The objects to simulate; raises MeshError where there are none."""
        return [context.object]

    def check(self, obj):
        """Raise MeshError if an object is not fit for it."""

    def finish(self, objects):
        """Use the objects' frames as the operator wants, and report it; raises MeshError."""
        raise TypeError(f"{type(self).__name__} does not say what comes after the simulation")

    def execute(self, context):
        """Work at once, for scripts and background mode, where every tenth of the range is printed."""
        if not self._begin(context):
            return {"CANCELLED"}
        try:
            for frame in self._frames:
                if self._progress.reach(frame - self._first + 1) and bpy.app.background:
                    say(f"hooke: {self._progress.name}: {self._progress.sentence()}")
        except MeshError as error:
            return self._end(context, str(error))
        return self._end(context)

    def invoke(self, context, _event):
        """Work at each timer tick, so that Blender stays responsive."""
        global progress
        if bpy.app.background:
            return self.execute(context)
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        if not self._begin(context):
            return {"CANCELLED"}
        progress = self._progress
        context.window_manager.progress_begin(0, self._progress.total)
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Advance by some frames, or cancel on Esc."""
        if event.type == "ESC":
            self._stop_timer(context)
            return self._end(context, self.cancelled, "WARNING")
        if event.type in _NAVIGATION:
            return {"PASS_THROUGH"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            self._advance_for(_TICK_SECONDS)
        except StopIteration:
            self._stop_timer(context)
            return self._end(context)
        except MeshError as error:
            self._stop_timer(context)
            return self._end(context, str(error))
        except Exception:
            # Blender shows unforeseen exceptions; the window must stay usable.
            self.cancel(context)
            raise
        self._tell(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context):
        """Blender closes or opens another file: let go of what the loop holds."""
        self._frames.close()
        self._stop_timer(context)

    def _begin(self, context):
        self._frame_before = context.scene.frame_current, context.scene.frame_subframe
        try:
            self._objects = self.objects(context)
            for obj in self._objects:
                self.check(obj)
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return False
        for obj in self._objects:
            for warning in preflight.mesh_warnings(obj):
                self.report({"WARNING"}, warning)
        self._first = min(obj.hooke.frame_start for obj in self._objects)
        last = max(obj.hooke.frame_end for obj in self._objects)
        names = ", ".join(obj.name for obj in self._objects)
        self._progress = Progress(names, last - self._first + 1)
        self._frames = ranges.frames(context.scene, self._objects)
        return True

    def _advance_for(self, seconds):
        """Simulate for so long, at least one frame; raises StopIteration after the last one."""
        began = perf_counter()
        while True:
            self._progress.reach(next(self._frames) - self._first + 1)
            if perf_counter() - began >= seconds:
                return

    def _tell(self, context):
        context.window_manager.progress_update(self._progress.done)
        context.workspace.status_text_set(
            f"{self.bl_label} '{self._progress.name}': {self._progress.sentence()}   |   Esc: cancel"
        )
        for area in context.screen.areas:
            if area.type in {"VIEW_3D", "DOPESHEET_EDITOR"}:
                area.tag_redraw()

    def _end(self, context, problem="", level="ERROR"):
        self._frames.close()
        try:
            if not problem:
                self.finish(self._objects)
        except MeshError as error:
            problem = str(error)
        if problem:
            self.report({level}, problem)
        current_frame.go_to(context.scene, *self._frame_before)
        return {"CANCELLED"} if problem else {"FINISHED"}

    def _stop_timer(self, context):
        global progress
        progress = None
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
