# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation in Blender: which of its frames the scene's frame is, and what to show."""

import sys
from time import perf_counter

import bpy
import numpy as np

from ...core import SimulationDiverged
from ...core.cache import DiskFrames
from ...core.loop import Looped
from .. import cache_files, mesh_io, preflight, sections
from ..mesh_io import MeshError
from . import build
from . import inputs as frame_inputs
from .continued import Continued
from .object_cache import ANY, NONE, ObjectCache
from .reading import ENTERING
from .take import Ahead, Damaged, Stale, Take, Unresumable


class Waits(Exception):
    """Nothing can be shown yet; the message says what for."""


class Session:
    """Simulation of one object and what of it is shown.

    take: its Take; cache: its ObjectCache.
    problem: why it stopped, "" while it runs; note: what the artist should know.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self):
        self.cache = ObjectCache()
        self.take = Take(build.simulation, self.cache.store, cache_files.memory)
        self.problem = self.note = ""
        self.milliseconds = self.transfer_milliseconds = 0.0
        self._kept: dict = {}
        self._loop = 0, 0

    @property
    def frames(self):
        """Positions as shown, a sequence from frame_start: object space, float32, shape (vertex_count, 3) each."""
        blend, count = self._loop
        frames = self.take.frames
        return Looped(frames, count, blend) if blend and len(frames) >= count else frames

    @property
    def network(self):
        """The SpringNetwork, or None before the first simulated frame."""
        return self.take.simulation.network if self.take.simulation is not None else None

    @property
    def cached(self):
        """Number of frames that can be shown, the start pose included."""
        return len(self.take)

    @property
    def cache_problem(self):
        """Why frames are not kept on disk though they should be, or ""."""
        return self.take.memory_reason or self.cache.problem

    def disk_frames(self):
        """The frames in use if any of them are on disk, else None."""
        return self.take.frames if isinstance(self.take.frames, (DiskFrames, Continued)) else None

    def close(self):
        """Let go of the files."""
        self.take.frames.close()

    def capture_start(self, obj, scene, depsgraph):
        """Remember what enters at the start frame, which is shown; the simulation is built from it."""
        self._kept.clear()
        try:
            self._capture(self._inputs(obj, scene, depsgraph))
        except MeshError as error:
            self.problem = str(error)

    def show(self, obj, scene, depsgraph):
        """Show the current frame: from the cache, or simulated if it is the next one; says what hinders it."""
        try:
            self.advance(obj, scene, depsgraph)
        except Ahead as ahead:
            within = scene.frame_current <= obj.hooke.frame_end and not self.problem
            shown = obj.hooke.frame_start + len(self.take) - 1
            self.note = f"Shows frame {shown}, the last one simulated: {ahead}" if within else ""
        except Stale as stale:
            self.forget(f"{stale}: waits for frame {obj.hooke.frame_start} to start again")
        except Unresumable as error:
            self.cache.taken_up_at = NONE
            self.forget(f"{error}: waits for frame {obj.hooke.frame_start} to start again")
        except Waits as waits:
            # What kept it from starting is worth more than that it did not start.
            self.note = "" if self.problem else str(waits)
        except (ValueError, SimulationDiverged) as error:
            self.problem = f"{error}; simulation stopped before frame {scene.frame_current}"

    def show_kept(self, obj, scene):
        """Show the current frame as it was made, whatever the scene is now: in a render, which evaluates others."""
        settings = obj.hooke
        self._set_loop(settings)
        place = scene.frame_current - settings.frame_start + scene.frame_subframe
        if place < 0 or not len(self.take) or (place == 0 and not sections.starts_elsewhere(obj)):
            mesh_io.clear_positions(obj.data)
        else:
            mesh_io.write_positions(obj.data, self._between(place))

    def holds(self, obj, scene):
        """Whether the current frame was made from these settings and this mesh, or the last one before it.

        What moves the pins is not asked for: for an object that is not evaluated.
        """
        inputs = self._inputs(obj, scene, None)
        last = obj.hooke.frame_end - obj.hooke.frame_start
        if not self.take.fits(inputs):
            self._adopt(inputs, None)
        return len(self.take) > min(scene.frame_current - obj.hooke.frame_start, last)

    def advance(self, obj, scene, depsgraph, begins=False):
        """Show the current frame.

        begins: build the simulation at the start frame, not only with the one after it.
        Raises what `Take.frame` does, Waits, and MeshError; where a frame is missing, the last one is shown.
        """
        settings = obj.hooke
        self._set_loop(settings)
        began, self.take.solve_seconds = perf_counter(), None
        index = scene.frame_current - settings.frame_start
        inputs = self._inputs(obj, scene, depsgraph)
        if scene.frame_subframe:
            self._show_between(obj, inputs, index + scene.frame_subframe)
        elif index < 0:
            mesh_io.clear_positions(obj.data)
        elif index == 0:
            self._show_start(obj, inputs, begins)
        else:
            self._make_ready(obj, inputs, index)
            self._show_frame(obj, inputs, index)
        if self.take.solve_seconds is not None:
            self.milliseconds = 1e3 * (perf_counter() - began)
            self.transfer_milliseconds = self.milliseconds - 1e3 * self.take.solve_seconds

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, forget what it made stale."""
        self._kept.clear()
        index = scene.frame_current - obj.hooke.frame_start
        if not len(self.take) or scene.frame_subframe:
            return
        inputs = self._inputs(obj, scene, depsgraph)
        waits = f"waits for frame {obj.hooke.frame_start} to start"
        if not self.take.fits(inputs, thorough=True):
            self.forget(f"W{waits[1:]} from" if index else "")
        elif 0 < index < len(self.take):
            try:
                entered = self.take.entered(index, inputs)
            except MeshError:
                # It is not evaluated just now; should it stay so, the next frame says why.
                return
            if not entered:
                self.cache.taken_up_at = index
                self.forget(f"The pose that enters changed: {waits} again")

    def forget(self, note=""):
        """Let go of the frames; those on disk stay there."""
        self.cache.stale = len(self.take) or self.cache.stale
        self.take.release()
        self.note, self.problem = note, ""

    def begin_anew(self):
        """Let go of the frames, and take none from disk until the start frame was simulated."""
        self.forget()
        self.cache.stale = 0
        self.cache.reject()

    def take_up(self):
        """Take frames from disk again that `begin_anew` left there."""
        self.cache.taken_up_at = ANY

    def _set_loop(self, settings):
        self._loop = settings.loop_blend, settings.frame_end - settings.frame_start + 1

    def _inputs(self, obj, scene, depsgraph):
        return frame_inputs.of_frame(obj, scene, depsgraph, self.take.start, self._kept)

    def _capture(self, inputs):
        """Take the start from inputs of the start frame; raises MeshError and has none."""
        self.note = self.problem = ""
        self.take.start = self.take.failure = None
        obj = inputs.where.obj
        preflight.check_object(obj)
        self.take.start = inputs.start = inputs.only(ENTERING)
        mesh_io.clear_positions(obj.data)

    def _show_start(self, obj, inputs, begins):
        self._kept.clear()
        self._capture(inputs)
        moved = sections.starts_elsewhere(obj)
        if moved or begins:
            self._begin_if_changed(obj, inputs, 0)
            # Damaged or not, it is about to be read.
            self.take.kept(0)
        if moved:
            mesh_io.write_positions(obj.data, self.frames[0])

    def _make_ready(self, obj, inputs, index):
        """Have frames of what is there now; raises Waits where that needs the start frame."""
        take = self.take
        if index == 1 and take.start is not None:
            self._begin_if_changed(obj, inputs, index)
            return
        if len(take) and not take.fits(inputs):
            self.forget()
        if not len(take) and not self._adopt(inputs, index):
            raise Waits(f"Waits for frame {obj.hooke.frame_start} to start from")

    def _show_frame(self, obj, inputs, index):
        self.note = ""
        last = len(self.take) - 1
        try:
            if index > max(last, obj.hooke.frame_end - obj.hooke.frame_start):
                raise Ahead("")
            positions = self._frame(obj, inputs, index)
        except Damaged:
            self.cache.reject()
            raise
        except Stale:
            self.cache.taken_up_at = index
            raise
        except (Ahead, ValueError, SimulationDiverged):
            if index > last and len(self.take):
                mesh_io.write_positions(obj.data, self.frames[-1])
            raise
        mesh_io.write_positions(obj.data, self.frames[index] if self._loop[0] else positions)

    def _frame(self, obj, inputs, index):
        """A frame of the take, whose cache may by now hold what it lacks: another Blender may be writing it."""
        cache_files.bound(self.take.frames)
        reason = self.take.memory_reason
        try:
            positions = self.take.frame(index, inputs)
        except Unresumable:
            if not self._adopt(inputs, index):
                raise
            positions = self.take.frame(index, inputs)
        if self.take.memory_reason != reason and bpy.app.background:
            told = f"'{obj.name}' is kept in memory from frame {obj.hooke.frame_start + index} on"
            print(f"hooke: {told}: {self.take.memory_reason}", file=sys.stderr, flush=True)
        return positions

    def _show_between(self, obj, inputs, place):
        """On a subframe, as motion blur asks for, the straight line between what was simulated on both sides."""
        if place < 0:
            mesh_io.clear_positions(obj.data)
        elif len(self.take) and not self.take.fits(inputs):
            # An edit made on a subframe: the frames no longer fit the mesh.
            self.forget()
            raise Waits(f"Waits for frame {obj.hooke.frame_start} to start from")
        elif len(self.take):
            mesh_io.write_positions(obj.data, self._between(place))

    def _between(self, place):
        """Positions as shown at a place between frames, the last one's beyond it."""
        frames, index = self.frames, int(np.floor(place))
        frame = frames[min(index, len(frames) - 1)]
        if place == index:
            return frame
        return frame + np.float32(place - index) * (frames[min(index + 1, len(frames) - 1)] - frame)

    def _begin_if_changed(self, obj, inputs, index):
        """Take up or build the simulation anew from the start pose if anything it depends on is another."""
        if self.take.fits(inputs, thorough=True) or self._adopt(inputs, index):
            return
        self.forget()
        self.take.begin(inputs, sections.starts_elsewhere(obj))

    def _adopt(self, inputs, index):
        self.cache.stale = len(self.take) or self.cache.stale
        adopted = self.cache.hand_to(self.take, inputs, index)
        if adopted:
            self.problem = ""
        return adopted
