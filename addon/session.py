# SPDX-License-Identifier: GPL-3.0-or-later
"""Running simulations, one session an object.

A frame is simulated only from the one before it, and only here: playback, scrubbing, rendering, baking and the
command line all change the scene's frame and read what the session shows.
"""

from time import perf_counter
from typing import NamedTuple

import bpy
import numpy as np

from ..core import INTEGRATORS, SimulationDiverged
from . import mesh_io, output_nodes, preflight, properties
from .mesh_io import MeshError


class Session:
    """Simulation of one object and the frames it has made.

    frames: positions in object space, float32, one per frame from frame_start; the first is the start pose.
    problem: why the simulation stopped, "" while it runs; note: what the artist should know.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self, obj):
        self.uid = obj.session_uid
        self.frames = []
        self.problem = ""
        self.note = ""
        self.milliseconds = 0.0
        self.transfer_milliseconds = 0.0
        self.simulation = None
        self._solve_seconds = None
        self._start_pose = None
        self._start_matrix = None
        # Checksums: of everything the simulation depends on, and of the pose that entered each frame.
        self._inputs = None
        self._poses = []

    @property
    def network(self):
        """The SpringNetwork, or None before the first simulated frame."""
        return self.simulation.network if self.simulation is not None else None

    @property
    def strain(self):
        """Largest strain of the last simulated frame, 0.01 for one percent."""
        if self.simulation is None:
            return 0.0
        return float(np.abs(self.network.strains(self.simulation.state.x)).max(initial=0.0))

    def capture_start(self, obj, depsgraph):
        """Remember the pose at the start frame; the simulation is built from it with the next frame."""
        self.note = self.problem = ""
        try:
            preflight.check_object(obj)
            self._start_pose = output_nodes.read_target(obj, depsgraph)
        except MeshError as error:
            self._start_pose = None
            self.problem = str(error)
            return
        self._start_matrix = np.array(obj.evaluated_get(depsgraph).matrix_world)
        if not self.frames:
            self.frames = [self._start_pose]
        mesh_io.clear_positions(obj.data)

    def show(self, obj, scene, depsgraph, rendering):
        """Show the current frame: from memory, or simulated if it is the next one."""
        settings = obj.hooke
        index = scene.frame_current - settings.frame_start
        if scene.frame_subframe:
            self._show_between(obj, scene, index)
            return
        if index == 0:
            self.capture_start(obj, depsgraph)
            return
        began = perf_counter()
        self._solve_seconds = None
        try:
            if index < 0:
                mesh_io.clear_positions(obj.data)
                return
            if index == 1:
                self._restart_if_changed(obj, scene)
            elif self.simulation is None or self._changed(obj, scene):
                # What kept it from starting is worth more than that it did not start.
                if self.simulation is not None or not self.problem:
                    self._forget(f"Waits for frame {settings.frame_start} to start from")
                return
            self._show_frame(obj, scene, depsgraph, index, rendering)
        except (ValueError, SimulationDiverged) as error:
            self.problem = f"{error}; simulation stopped before frame {scene.frame_current}"
        if self._solve_seconds is not None:
            self.milliseconds = 1e3 * (perf_counter() - began)
            self.transfer_milliseconds = self.milliseconds - 1e3 * self._solve_seconds

    def _show_frame(self, obj, scene, depsgraph, index, rendering):
        last = len(self.frames) - 1
        self.note = ""
        if index <= last:
            # A render may evaluate other modifiers than the viewport: it shows what was simulated.
            if not rendering and self._poses[index].pins != self._pose(obj, depsgraph).pins:
                self._forget(
                    f"The pins' motion changed: waits for frame {obj.hooke.frame_start} to start again"
                )
                return
        elif index == last + 1 and scene.frame_current <= obj.hooke.frame_end and not self.problem:
            self._simulate(obj, depsgraph)
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
        elif self.simulation is not None and self._changed(obj, scene):
            # An edit made on a subframe: the frames no longer fit the mesh.
            self._forget(f"Waits for frame {obj.hooke.frame_start} to start from")
        elif self.simulation is not None:
            frame, after = (self.frames[min(i, len(self.frames) - 1)] for i in (index, index + 1))
            mesh_io.write_positions(obj.data, frame + np.float32(share) * (after - frame))

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, forget what it made stale."""
        index = scene.frame_current - obj.hooke.frame_start
        if self.simulation is None or scene.frame_subframe:
            return
        if self._changed(obj, scene) or self._inputs.mesh != _mesh_inputs(obj):
            self._forget(f"Waits for frame {obj.hooke.frame_start} to start from" if index else "")
        elif 0 < index < len(self.frames):
            try:
                pose = self._pose(obj, depsgraph)
            except MeshError:
                # It is not evaluated just now; should it stay so, the next frame says why.
                return
            if pose != self._poses[index]:
                self._forget(
                    f"The pose that enters changed: waits for frame {obj.hooke.frame_start} to start again"
                )

    def _simulate(self, obj, depsgraph):
        matrix = np.array(obj.evaluated_get(depsgraph).matrix_world)
        mesh_io.check_scale(obj, matrix)
        pinned = self.network.pinned
        target = output_nodes.read_target(obj, depsgraph)
        began = perf_counter()
        try:
            self.simulation.step(mesh_io.to_world(matrix, target[pinned]))
        except (ValueError, SimulationDiverged):
            mesh_io.write_positions(obj.data, self.frames[-1])
            raise
        self._solve_seconds = perf_counter() - began
        positions = mesh_io.to_object(matrix, self.simulation.state.x)
        self.frames.append(positions)
        self._poses.append(_Pose.of(matrix, target, pinned))
        mesh_io.write_positions(obj.data, positions)

    def _restart_if_changed(self, obj, scene):
        """Build the simulation anew from the start pose if anything it depends on is another than before."""
        if self._start_pose is None:
            self.frames, self.simulation = [], None
            raise MeshError(
                self.problem or f"'{obj.name}' has no start pose: go to frame {obj.hooke.frame_start} first"
            )
        inputs = _Inputs(self._quick_inputs(obj, scene), self._start_inputs(), _mesh_inputs(obj))
        if inputs == self._inputs and self.simulation is not None:
            return
        preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])
        mesh_io.check_scale(obj, self._start_matrix)
        points = mesh_io.to_world(self._start_matrix, self._start_pose)
        mesh = obj.data
        network = properties.network(
            obj, points, mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh), mesh_io.read_pin_weights(obj)
        )
        self.simulation = properties.simulation(obj, scene, network)
        self._inputs = inputs
        self.problem = ""
        self.frames = [self._start_pose]
        self._poses = [_Pose.of(self._start_matrix, self._start_pose, network.pinned)]

    def _changed(self, obj, scene):
        inputs = self._inputs
        return inputs.quick != self._quick_inputs(obj, scene) or inputs.start != self._start_inputs()

    def _quick_inputs(self, obj, scene):
        """The inputs cheap enough to compare every frame."""
        mesh = obj.data
        return (
            properties.settings_fingerprint(obj, scene),
            (len(mesh.vertices), len(mesh.edges), len(mesh.loops)),
            mesh_io.fingerprint(mesh_io.read_positions(mesh)),
        )

    def _start_inputs(self):
        if self._start_pose is None:
            return None
        return mesh_io.fingerprint(self._start_pose), mesh_io.fingerprint(self._start_matrix)

    def _pose(self, obj, depsgraph):
        matrix = np.array(obj.evaluated_get(depsgraph).matrix_world)
        return _Pose.of(matrix, output_nodes.read_target(obj, depsgraph), self.network.pinned)

    def _forget(self, note):
        self.simulation = None
        self.frames = self.frames[:1]
        self.note = note
        self.problem = ""


class _Inputs(NamedTuple):
    """Checksums of what a simulation is made from: settings and scene, start pose, mesh and weights."""

    quick: tuple
    start: tuple | None
    mesh: tuple


class _Pose(NamedTuple):
    """Checksums of the pose that enters a frame, in all and of what the simulation reads of it."""

    whole: int
    pins: tuple

    @classmethod
    def of(cls, matrix, target, pinned):
        """Of a world matrix, all target positions, and the indices of the pinned vertices."""
        pins = mesh_io.fingerprint(matrix), mesh_io.fingerprint(target[pinned])
        return cls(mesh_io.fingerprint(target), pins)


def _mesh_inputs(obj):
    """Checksums of edges, face corners and pin weights."""
    mesh = obj.data
    arrays = mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh).corners, mesh_io.read_pin_weights(obj)
    return tuple(mesh_io.fingerprint(array) for array in arrays)


_sessions: dict[int, Session] = {}


def find(obj):
    """The object's session, or None."""
    return _sessions.get(obj.session_uid)


def drop(obj):
    """Forget the object's simulation and show the pose that enters Hooke."""
    _sessions.pop(obj.session_uid, None)
    mesh_io.clear_positions(obj.data)


def drop_all():
    """Forget every simulation."""
    _sessions.clear()


def simulated_objects(scene):
    """Objects of the scene that Hooke simulates, a bake aside."""
    return [
        obj for obj in scene.objects if obj.type == "MESH" and obj.hooke.enabled and not obj.hooke.bake.items
    ]


def update_scene(scene, depsgraph, rendering=False):
    """Show the scene's current frame on every simulated object; forget those that are gone."""
    objects = simulated_objects(scene)
    alive = {obj.session_uid for obj in bpy.data.objects}
    for uid in [uid for uid in _sessions if uid not in alive]:
        del _sessions[uid]
    for obj in objects:
        # A mesh in Edit Mode, be it through another object, is Blender's working copy, which is not ours to write.
        if not obj.data.is_editmode:
            _sessions.setdefault(obj.session_uid, Session(obj)).show(obj, scene, depsgraph, rendering)


def capture_starts(scene, depsgraph):
    """Take the start pose of every object whose start frame is shown."""
    for obj in simulated_objects(scene):
        if (
            not obj.data.is_editmode
            and scene.frame_current == obj.hooke.frame_start
            and not scene.frame_subframe
        ):
            _sessions.setdefault(obj.session_uid, Session(obj)).capture_start(obj, depsgraph)


def follow_edits(scene, depsgraph):
    """After an edit: at the start frame take the new start pose, elsewhere forget what became stale."""
    capture_starts(scene, depsgraph)
    edited = {update.id.original for update in depsgraph.updates}
    for obj in simulated_objects(scene):
        running = find(obj)
        if running is not None and not obj.data.is_editmode and edited & {obj, obj.data, obj.data.shape_keys}:
            running.recheck(obj, scene, depsgraph)
