# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation in Blender: which of its frames the scene's frame is, and what to show."""

from time import perf_counter

import numpy as np

from ...core import INTEGRATORS, SimulationDiverged
from ...core.cache import CacheError, DiskFrames, frame_count, read_inputs
from ...core.loop import Looped
from .. import cache_files, mesh_io, preflight, sections
from ..mesh_io import MeshError
from . import inputs as frame_inputs
from .reading import ENTERING
from .take import Ahead, Stale, Take, record_fits

# A frame that is never shown from a cache on disk.
_NOWHERE = -1


class Waits(Exception):
    """Nothing can be shown yet; the message says what for."""


class Session:
    """Simulation of one object and what of it is shown.

    take: its Take. problem: why it stopped, "" while it runs; note: what the artist should know.
    cache_problem: why frames are not kept on disk though they should be, or "".
    stale: number of frames in the cache that were made from other inputs.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self):
        self.take = Take(_simulation, self._store)
        self.problem = self.note = self.cache_problem = ""
        self.stale = 0
        self.milliseconds = self.transfer_milliseconds = 0.0
        self._kept: dict = {}
        self._loop = 0, 0
        # The frame at which the pins turned out to move otherwise than in the cache on disk.
        self._stale_at = None

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

    def disk_frames(self):
        """The DiskFrames in use, or None while frames are in memory."""
        return self.take.frames if isinstance(self.take.frames, DiskFrames) else None

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

    def show(self, obj, scene, depsgraph, rendering=False):
        """Show the current frame: from the cache, or simulated if it is the next one; says what hinders it."""
        try:
            self.advance(obj, scene, depsgraph, rendering)
        except Ahead as ahead:
            within = scene.frame_current <= obj.hooke.frame_end and not self.problem
            shown = obj.hooke.frame_start + len(self.take) - 1
            self.note = f"Shows frame {shown}, the last one simulated: {ahead}" if within else ""
        except Stale as stale:
            self.forget(f"{stale}: waits for frame {obj.hooke.frame_start} to start again")
        except Waits as waits:
            # What kept it from starting is worth more than that it did not start.
            self.note = "" if self.problem else str(waits)
        except (ValueError, SimulationDiverged) as error:
            self.problem = f"{error}; simulation stopped before frame {scene.frame_current}"

    def advance(self, obj, scene, depsgraph, rendering=False, begins=False):
        """Show the current frame.

        rendering: kept frames hold, as a render may evaluate other modifiers than the viewport.
        begins: build the simulation at the start frame, not only with the one after it.
        Raises what `Take.frame` does, Waits, and MeshError; where a frame is missing, the last one is shown.
        """
        settings = obj.hooke
        self._loop = settings.loop_blend, settings.frame_end - settings.frame_start + 1
        began, self.take.solve_seconds = perf_counter(), None
        index = scene.frame_current - settings.frame_start
        inputs = self._inputs(obj, scene, depsgraph)
        if scene.frame_subframe:
            self._show_between(obj, inputs, index + scene.frame_subframe)
        elif index < 0:
            mesh_io.clear_positions(obj.data)
        elif index == 0:
            self._show_start(obj, inputs, rendering, begins)
        else:
            self._make_ready(obj, inputs, index, rendering)
            self._show_frame(obj, inputs, index, rendering)
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
                self._stale_at = index
                self.forget(f"The pose that enters changed: {waits} again")

    def forget(self, note=""):
        """Let go of the frames; those on disk stay there."""
        self._release()
        self.note, self.problem = note, ""

    def begin_anew(self):
        """Let go of the frames, and take none from disk until the start frame was simulated."""
        self.forget()
        self._stale_at = _NOWHERE

    def _release(self):
        self.stale = len(self.take) or self.stale
        self.take.release()

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

    def _show_start(self, obj, inputs, rendering, begins):
        self._kept.clear()
        self._capture(inputs)
        moved = sections.starts_elsewhere(obj)
        if moved or begins:
            self._begin_if_changed(obj, inputs, 0, rendering)
        if moved:
            mesh_io.write_positions(obj.data, self.frames[0])

    def _make_ready(self, obj, inputs, index, rendering):
        """Have frames of what is there now; raises Waits where that needs the start frame."""
        take, waits = self.take, f"Waits for frame {obj.hooke.frame_start} to start from"
        if index == 1 and take.start is not None:
            self._begin_if_changed(obj, inputs, index, rendering)
            return
        if len(take) and not take.fits(inputs):
            self.forget()
        if len(take) or self._adopt(obj, inputs, index, rendering):
            return
        raise Waits(waits)

    def _show_frame(self, obj, inputs, index, rendering):
        self.note = ""
        take, last = self.take, len(self.take) - 1
        try:
            if index > max(last, obj.hooke.frame_end - obj.hooke.frame_start):
                raise Ahead("")
            if index == last + 1:
                cache_files.bound(take.frames)
            positions = take.frame(index, inputs, as_made=rendering)
        except Stale:
            self._stale_at = index
            raise
        except (Ahead, ValueError, SimulationDiverged):
            if index > last:
                mesh_io.write_positions(obj.data, self.frames[-1])
            raise
        mesh_io.write_positions(obj.data, self.frames[index] if self._loop[0] else positions)

    def _show_between(self, obj, inputs, place):
        """On a subframe, as motion blur asks for, the straight line between what was simulated on both sides."""
        index = int(np.floor(place))
        if index < 0:
            mesh_io.clear_positions(obj.data)
        elif len(self.take) and not self.take.fits(inputs):
            # An edit made on a subframe: the frames no longer fit the mesh.
            self.forget()
            raise Waits(f"Waits for frame {obj.hooke.frame_start} to start from")
        elif len(self.take):
            frames = self.frames
            frame, after = (frames[min(i, len(frames) - 1)] for i in (index, index + 1))
            mesh_io.write_positions(obj.data, frame + np.float32(place - index) * (after - frame))

    def _begin_if_changed(self, obj, inputs, index, rendering):
        """Take up or build the simulation anew from the start pose if anything it depends on is another."""
        if self.take.fits(inputs, thorough=True):
            return
        preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])
        mesh_io.check_scale(obj, self.take.start["matrix"])
        if self._adopt(obj, inputs, index, rendering):
            return
        self.forget()
        self.take.begin(inputs, sections.starts_elsewhere(obj))
        self._stale_at, self.stale = None, 0

    def _adopt(self, obj, inputs, index, rendering):
        """Take up the frames on disk if they were made from what is there now; returns whether they were."""
        path = cache_files.path_of(obj)
        record = read_inputs(path) if path is not None and self._stale_at in (None, index) else None
        if record is None:
            return False
        # A stale cache is asked for at every frame: edges and weights are read only if the rest fits.
        if not record_fits(record, inputs):
            self.stale = frame_count(path)
            return False
        preflight.check_object(obj)
        self._release()
        try:
            frames = DiskFrames.open(path)
        except CacheError as error:
            self.cache_problem = str(error)
            return False
        adopted = False
        try:
            adopted = frames.vertex_count == len(obj.data.vertices) and self.take.adopt(
                frames, inputs, index, sections.starts_elsewhere(obj), rendering
            )
        finally:
            if not adopted:
                self.stale = len(frames)
                frames.close()
        if adopted:
            self._stale_at, self.stale, self.problem, self.cache_problem = None, 0, "", ""
        return adopted

    def _store(self, inputs, vertex_count, record):
        frames, self.cache_problem = cache_files.create(inputs.where.obj, vertex_count, record)
        return frames


def _simulation(inputs, snapshot):
    """Simulation of the object at a snapshot, or where its first frame is if that is None."""
    obj, scene = inputs.where.obj, inputs.where.scene
    points = mesh_io.to_world(inputs.start["matrix"], inputs.start["pose"])
    network = sections.network(obj, points, inputs["edges"], inputs["polygons"], inputs["maps"])
    if INTEGRATORS[obj.hooke.integrator].needs_scipy and (cost := preflight.start_cost(obj.name, network)):
        print(f"hooke: {cost}", flush=True)
    simulation = sections.simulation(obj, scene, network)
    if snapshot is None:
        sections.begin(obj, simulation, inputs.start["matrix"])
    else:
        simulation.restore(snapshot)
    return simulation
