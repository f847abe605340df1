# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings an object's take to the scene's frame and shows it, or raises what hinders it."""

import sys
from time import perf_counter
from typing import Any

import bpy

from .. import cache_files, mesh_io, preflight, sections
from . import build
from . import inputs as frame_inputs
from .joined import Joined
from .object_cache import ObjectCache
from .reading import ENTERING
from .shown import Shown
from .take import Ahead, Damaged, Stale, Take, Unresumable, stepped_otherwise


class Waits(Exception):
    """Nothing can be shown yet; the message says what for."""


class Player:
    """One object's simulation at the scene's frame.

    take: its Take; cache: its ObjectCache; shown: its Shown.
    problem: why it stopped, "" while it runs; hint: what the artist should know.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self):
        self.cache = ObjectCache()
        self.take = Take(build.simulation, self.cache.store, cache_files.memory)
        self.shown = Shown(self.take)
        self.problem = self.hint = ""
        self.milliseconds = self.transfer_milliseconds = 0.0
        # Those that act on the object from outside, by session_uid.
        self.around: tuple[int, ...] = ()
        # What of the scene itself the frames depend on, see `sections.of_scene`.
        self.of_scene: tuple = ()
        # What was read of the mesh, until it is edited.
        self._kept: dict = {}
        # The frame shown last as it was made, object space, float32; None where none is.
        self._made: Any = None

    def advance(self, obj, scene, depsgraph, begins=False):
        """Show the current frame.

        begins: build the simulation at the start frame, not only with the one after it.
        Raises what `Take.frame` does, Waits, and MeshError; where a frame is missing, the last one is shown.
        """
        self._advance(self._inputs(obj, scene, depsgraph), begins)

    def _advance(self, inputs, begins=False):
        obj, scene, depsgraph = inputs.where
        settings = obj.hooke
        self.shown.follow(settings)
        self.look_around(obj, scene, depsgraph)
        began, self.take.solve_seconds = perf_counter(), None
        index = scene.frame_current - settings.frame_start
        if scene.frame_subframe:
            self._show_between(obj, inputs, index + scene.frame_subframe)
        elif index < 0:
            mesh_io.clear_positions(obj.data)
        elif index == 0:
            self._show_start(obj, inputs, begins)
        else:
            self._make_ready(obj, inputs, index)
            self._show_frame(obj, inputs, index)
        self._note_time(began, self.take.solve_seconds)

    def show_kept(self, obj, scene):
        """Show the current frame as it was made, whatever the scene is now: in a render, which evaluates others."""
        settings = obj.hooke
        self.shown.follow(settings)
        place = scene.frame_current - settings.frame_start + scene.frame_subframe
        if place < 0 or not len(self.take) or (place == 0 and not sections.starts_elsewhere(obj)):
            mesh_io.clear_positions(obj.data)
        else:
            mesh_io.write_positions(obj.data, self.shown.at(place))

    def holds(self, obj, scene):
        """Whether the current frame was made from these settings and this mesh, or the last one before it.

        What moves the pins is not asked for: for an object that is not evaluated.
        """
        inputs = self._inputs(obj, scene, None)
        last = obj.hooke.frame_end - obj.hooke.frame_start
        if not self.take.fits(inputs):
            self._adopt(inputs, None)
        return len(self.take) > min(scene.frame_current - obj.hooke.frame_start, last)

    def look_around(self, obj, scene, depsgraph):
        """Remember the scene's own part, and which objects act on this one from outside; returns these, a list."""
        around = sections.sources(frame_inputs.Where(obj, scene, depsgraph))
        self.of_scene = sections.of_scene(obj, scene)
        self.around = tuple(source.session_uid for source in around)
        return around

    def forget(self, hint=""):
        """Let go of the frames; those on disk stay there."""
        self.hint, self.problem = hint, ""
        self.cache.stale = len(self.take) or self.cache.stale
        self.take.release()
        self.shown.let_go()

    def _note_time(self, began, solve_seconds):
        """Note what the frame has cost since it began, unless it was a kept one."""
        if solve_seconds is not None:
            self.milliseconds = 1e3 * (perf_counter() - began)
            self.transfer_milliseconds = self.milliseconds - 1e3 * solve_seconds

    def mesh_inputs(self, obj, scene, depsgraph):
        """Inputs of the object's own mesh, whatever it is simulated with."""
        return frame_inputs.of_mesh(obj, scene, depsgraph, self._kept)

    def _inputs(self, obj, scene, depsgraph):
        return frame_inputs.of_frame(obj, scene, depsgraph, self.take.start, self._kept)

    def _capture(self, inputs):
        """Take the start from inputs of the start frame; raises MeshError and has none."""
        self.hint = self.problem = ""
        self.take.start = self.take.failure = None
        obj = inputs.where.obj
        for member in inputs.objects if isinstance(inputs, Joined) else [obj]:
            preflight.check_object(member)
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
        self._made = self.take.kept(0) if moved else inputs["pose"]
        if moved:
            mesh_io.write_positions(obj.data, self.shown.at(0))

    def _make_ready(self, obj, inputs, index):
        """Have frames of what is there now; raises Waits where that needs the start frame."""
        take = self.take
        if index == 1 and take.start is not None and inputs.names(ENTERING) <= take.start.names(ENTERING):
            self._begin_if_changed(obj, inputs, index)
            return
        if len(take) and not take.fits(inputs):
            self.forget()
        if not len(take) and not self._adopt(inputs, index):
            raise Waits(f"Waits for frame {obj.hooke.frame_start} to start from")

    def _show_frame(self, obj, inputs, index):
        self.hint = ""
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
        except Exception:
            if index > last and len(self.take):
                mesh_io.write_positions(obj.data, self.shown.at(len(self.take) - 1))
            raise
        self._made = positions
        mesh_io.write_positions(obj.data, self.shown.eased(index, positions))

    def _frame(self, obj, inputs, index):
        """A frame of the take, whose cache may by now hold what it lacks: another Blender may be writing it."""
        cache_files.bound(self.take.frames)
        reason = self.take.memory_reason
        if index >= len(self.take):
            mesh_io.check_scale(obj, inputs["matrix"], inputs.where.scene.frame_current)
        try:
            positions = self.take.frame(index, inputs)
        except Unresumable:
            if not self._adopt(inputs, index) or len(self.take) < index:
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
            mesh_io.write_positions(obj.data, self.shown.at(place))

    def _begin_if_changed(self, obj, inputs, index):
        """Take up or build the simulation anew from the start pose if anything it depends on is another."""
        fits = self.take.fits(inputs, thorough=True)
        # From the start on there is nothing to wait for: what moves otherwise begins anew at once.
        if fits and 0 < index < len(self.take) and stepped_otherwise(self.take, index, inputs):
            fits = False
        if fits or self._adopt(inputs, index):
            return
        self.forget()
        self.take.begin(inputs, sections.starts_elsewhere(obj))

    def _adopt(self, inputs, index):
        self.cache.stale = len(self.take) or self.cache.stale
        adopted = self.cache.hand_to(self.take, inputs, index)
        if adopted:
            self.problem = ""
        return adopted
