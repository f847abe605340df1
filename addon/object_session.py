# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation: what it was made from, the frames it has, and which of them to show."""

from time import perf_counter
from typing import Any

import numpy as np

from ..core import INTEGRATORS, SimulationDiverged
from ..core.cache import CacheError, DiskFrames, MemoryFrames, frame_count, read_inputs
from ..core.loop import Looped
from . import cache_files, mesh_io, output_nodes, preflight, properties
from .mesh_io import MeshError
from .staleness import Inputs, Note, Pose, Start, mesh_inputs, quick_fits, quick_inputs


class Session:
    """Simulation of one object and the frames it has made.

    problem: why the simulation stopped, "" while it runs; note: what the artist should know.
    cache_problem: why frames are not kept on disk though they should be, or "".
    stale: number of frames in the cache that were made from other inputs.
    simulation: Simulation, or None until a frame has to be simulated.
    simulated: number of frames simulated since the object was added or the file opened.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self, obj):
        self.uid = obj.session_uid
        self.problem = ""
        self.note = ""
        self.cache_problem = ""
        self.stale = 0
        self.simulated = 0
        self.milliseconds = 0.0
        self.transfer_milliseconds = 0.0
        self.simulation: Any = None
        self._solve_seconds = None
        self._start = None
        # The frames as simulated, and the inputs they were made from: None while there is only a start pose.
        self._stored = MemoryFrames()
        self._inputs = None
        self._pinned = None
        self._loop = 0, 0
        # The frame at which the pins turned out to move otherwise than in the cache on disk.
        self._stale_at = None

    @property
    def frames(self):
        """Positions as shown, a sequence from frame_start: object space, float32, shape (vertex_count, 3) each."""
        blend, count = self._loop
        return Looped(self._stored, count, blend) if blend and len(self._stored) >= count else self._stored

    @property
    def network(self):
        """The SpringNetwork, or None before the first simulated frame."""
        return self.simulation.network if self.simulation is not None else None

    @property
    def strain(self):
        """Largest strain of the newest frame, 0.01 for one percent."""
        return self.strain_of(len(self._stored) - 1)

    def strain_of(self, index):
        """Largest strain of a frame by its index."""
        return Note.read(self._stored.notes[index]).strain if self._inputs is not None else 0.0

    @property
    def cached(self):
        """Number of frames that can be shown, the start pose included."""
        return len(self._stored) if self._inputs is not None else 0

    def disk_frames(self):
        """The DiskFrames in use, or None while frames are in memory."""
        return self._stored if isinstance(self._stored, DiskFrames) else None

    def move_to(self, path):
        """Go on with the copy of the cache at another path."""
        self._stored.close()
        self._stored = DiskFrames.open(path)

    def close(self):
        """Let go of the files."""
        self._stored.close()

    def capture_start(self, obj, depsgraph):
        """Remember the pose at the start frame; the simulation is built from it with the next frame."""
        self.note = self.problem = ""
        try:
            preflight.check_object(obj)
            pose = output_nodes.read_target(obj, depsgraph)
        except MeshError as error:
            self._start = None
            self.problem = str(error)
            return
        self._start = Start(pose, mesh_io.world_matrix(obj, depsgraph))
        if self._inputs is None:
            self._stored = _only(pose)
        mesh_io.clear_positions(obj.data)

    def show(self, obj, scene, depsgraph, rendering):
        """Show the current frame: from the cache, or simulated if it is the next one."""
        settings = obj.hooke
        self._loop = settings.loop_blend, settings.frame_end - settings.frame_start + 1
        index = scene.frame_current - settings.frame_start
        if scene.frame_subframe:
            self._show_between(obj, scene, index)
            return
        began = perf_counter()
        self._solve_seconds = None
        try:
            if index < 0:
                mesh_io.clear_positions(obj.data)
            elif index == 0:
                self._show_start(obj, scene, depsgraph, rendering)
            elif self._ready(obj, scene, depsgraph, index, rendering):
                self._show_frame(obj, scene, depsgraph, index, rendering)
        except (ValueError, SimulationDiverged) as error:
            self.problem = f"{error}; simulation stopped before frame {scene.frame_current}"
        if self._solve_seconds is not None:
            self.milliseconds = 1e3 * (perf_counter() - began)
            self.transfer_milliseconds = self.milliseconds - 1e3 * self._solve_seconds

    def _show_start(self, obj, scene, depsgraph, rendering):
        self.capture_start(obj, depsgraph)
        if self._start is not None and properties.starts_elsewhere(obj):
            self._restart_if_changed(obj, scene, depsgraph, rendering)
            mesh_io.write_positions(obj.data, self.frames[0])

    def _ready(self, obj, scene, depsgraph, index, rendering):
        """Whether the frames are of what is there now; says what is missing where they are not."""
        if index == 1 and self._start is not None:
            self._restart_if_changed(obj, scene, depsgraph, rendering)
            return True
        waits = f"Waits for frame {obj.hooke.frame_start} to start from"
        if self._inputs is not None and self._changed(obj, scene):
            self._forget(waits)
        if self._inputs is not None or self._adopt(obj, scene, depsgraph, index, rendering):
            return True
        if index == 1:
            self._restart_if_changed(obj, scene, depsgraph, rendering)
        # What kept it from starting is worth more than that it did not start.
        if not self.problem:
            self.note = waits
        return False

    def _show_frame(self, obj, scene, depsgraph, index, rendering):
        last = len(self._stored) - 1
        self.note = ""
        if index <= last:
            # A render may evaluate other modifiers than the viewport: it shows what was simulated.
            pins = Note.read(self._stored.notes[index]).pose.pins
            if not rendering and pins != Pose.entering(obj, depsgraph, self._pinned).pins:
                self._stale_at = index
                self._forget(
                    f"The pins' motion changed: waits for frame {obj.hooke.frame_start} to start again"
                )
                return
        elif index == last + 1 and scene.frame_current <= obj.hooke.frame_end and not self.problem:
            self._simulate(obj, scene, depsgraph)
            return
        else:
            shown = obj.hooke.frame_start + last
            if not self.problem and scene.frame_current <= obj.hooke.frame_end:
                self.note = f"Shows frame {shown}, the last one simulated: play on from there"
        mesh_io.write_positions(obj.data, self.frames[min(index, last)])

    def _show_between(self, obj, scene, index):
        """On a subframe, as motion blur asks for, the straight line between what was simulated on both sides."""
        share = scene.frame_subframe
        if index < 0:
            mesh_io.clear_positions(obj.data)
        elif self._inputs is not None and self._changed(obj, scene):
            # An edit made on a subframe: the frames no longer fit the mesh.
            self._forget(f"Waits for frame {obj.hooke.frame_start} to start from")
        elif self._inputs is not None:
            frames = self.frames
            frame, after = (frames[min(i, len(frames) - 1)] for i in (index, index + 1))
            mesh_io.write_positions(obj.data, frame + np.float32(share) * (after - frame))

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, forget what it made stale."""
        index = scene.frame_current - obj.hooke.frame_start
        if self._inputs is None or scene.frame_subframe:
            return
        if self._changed(obj, scene) or self._inputs.mesh != mesh_inputs(obj):
            self._forget(f"Waits for frame {obj.hooke.frame_start} to start from" if index else "")
        elif 0 < index < len(self._stored):
            try:
                pose = Pose.entering(obj, depsgraph, self._pinned)
            except MeshError:
                # It is not evaluated just now; should it stay so, the next frame says why.
                return
            if pose != Note.read(self._stored.notes[index]).pose:
                self._stale_at = index
                self._forget(
                    f"The pose that enters changed: waits for frame {obj.hooke.frame_start} to start again"
                )

    def _simulate(self, obj, scene, depsgraph):
        matrix = mesh_io.world_matrix(obj, depsgraph)
        mesh_io.check_scale(obj, matrix)
        target = output_nodes.read_target(obj, depsgraph)
        self._resume(obj, scene)
        pinned = self._pinned
        began = perf_counter()
        try:
            self.simulation.step(mesh_io.to_world(matrix, target[pinned]))
        except (ValueError, SimulationDiverged):
            mesh_io.write_positions(obj.data, self.frames[-1])
            raise
        self._solve_seconds = perf_counter() - began
        self.simulated += 1
        self._append(mesh_io.to_object(matrix, self.simulation.state.x), matrix, target)
        mesh_io.write_positions(obj.data, self.frames[-1])

    def _append(self, positions, matrix, target):
        """Store where the simulation is, as a frame into which the pose `target` entered."""
        strain = float(np.abs(self.network.strains(self.simulation.state.x)).max(initial=0.0))
        note = Note(Pose.of(matrix, target, self._pinned), strain)
        cache_files.bound(self._stored)
        try:
            self._stored.append(positions, note, self.simulation.snapshot())
        except CacheError:
            # The simulation is a frame ahead of what is stored: it must not go on from there.
            self.simulation = None
            raise

    def _restart_if_changed(self, obj, scene, depsgraph, rendering):
        """Take up or build the simulation anew from the start pose if anything it depends on is another."""
        if self._start is None:
            self._release()
            raise MeshError(
                self.problem or f"'{obj.name}' has no start pose: go to frame {obj.hooke.frame_start} first"
            )
        inputs = Inputs.of(obj, scene, self._start)
        if inputs == self._inputs:
            return
        preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])
        mesh_io.check_scale(obj, self._start.matrix)
        index = scene.frame_current - obj.hooke.frame_start
        if self._adopt(obj, scene, depsgraph, index, rendering):
            return
        self._release()
        self._build(obj, scene)
        properties.begin(obj, self.simulation, self._start.matrix)
        self._stored, self.cache_problem = cache_files.create(
            obj, self.network.vertex_count, inputs.record(self._start)
        )
        pose, matrix = self._start
        # Without a pre-roll the pose itself: through world space and back it might differ in the last bit.
        moved = properties.starts_elsewhere(obj)
        first = mesh_io.to_object(matrix, self.simulation.state.x) if moved else pose
        self._append(first, matrix, pose)
        self._inputs = inputs
        self._stale_at, self.stale, self.problem = None, 0, ""

    def _build(self, obj, scene):
        mesh = obj.data
        points = mesh_io.to_world(self._start.matrix, self._start.pose)
        network = properties.network(
            obj, points, mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh), mesh_io.read_pin_weights(obj)
        )
        if INTEGRATORS[obj.hooke.integrator].needs_scipy and (
            cost := preflight.start_cost(obj.name, network)
        ):
            print(f"hooke: {cost}", flush=True)
        self.simulation = properties.simulation(obj, scene, network)
        self._pinned = network.pinned
        return self.simulation

    def _resume(self, obj, scene):
        """Build the simulation at the last stored frame, if frames were taken from disk."""
        if self.simulation is not None:
            return
        snapshot = self._stored.snapshot()
        if self._start is None or snapshot is None:
            lacking = "the start pose" if self._start is None else "the state to continue from"
            remedy = f"go to frame {obj.hooke.frame_start} once" if self._start is None else "press Reset"
            raise MeshError(f"the cached frames of '{obj.name}' end here and lack {lacking}: {remedy}")
        simulation = self._build(obj, scene)
        simulation.restore(snapshot)

    def _adopt(self, obj, scene, depsgraph, index, rendering):
        """Take up the frames on disk if they were made from what is there now; returns whether they were."""
        path = cache_files.path_of(obj)
        record = read_inputs(path) if path is not None and self._stale_at in (None, index) else None
        if record is None:
            return False
        # A stale cache is asked for at every frame: edges and weights are read only if the rest fits.
        inputs = Inputs.of(obj, scene, self._start) if quick_fits(record, quick_inputs(obj, scene)) else None
        if inputs is None or not inputs.fits(record):
            self.stale = frame_count(path)
            return False
        self._release()
        try:
            stored = DiskFrames.open(path)
        except CacheError as error:
            self.cache_problem = str(error)
            return False
        self._pinned = np.flatnonzero(mesh_io.read_pin_weights(obj))
        try:
            fits = len(stored) > 0 and (rendering or self._enters(obj, depsgraph, stored, index))
        except MeshError:
            stored.close()
            raise
        if not fits:
            stored.close()
            return False
        if self._start is None and not properties.starts_elsewhere(obj):
            self._start = Start(stored[0], np.array(record["matrix"]))
        self._stored = stored
        self._inputs = inputs._replace(start=tuple(record["start"]))
        self._stale_at, self.stale, self.problem, self.cache_problem = None, 0, "", ""
        return True

    def _enters(self, obj, depsgraph, stored, index):
        """Whether the pose that enters is the one that did when the frame was simulated."""
        if not 0 < index < len(stored):
            return True
        return Pose.entering(obj, depsgraph, self._pinned) == Note.read(stored.notes[index]).pose

    def _changed(self, obj, scene):
        start = self._start.checksums() if self._start is not None else self._inputs.start
        return self._inputs.start != start or self._inputs.quick != quick_inputs(obj, scene)

    def _release(self):
        """Let go of the frames; those on disk stay there."""
        self.stale = len(self._stored) if self._inputs is not None else self.stale
        self._stored.close()
        self._stored = _only(self._start.pose) if self._start is not None else MemoryFrames()
        self._inputs = self.simulation = None

    def _forget(self, note):
        self._release()
        self.note = note
        self.problem = ""


def _only(pose):
    frames = MemoryFrames()
    frames.append(pose)
    return frames
