# SPDX-License-Identifier: GPL-3.0-or-later
"""Running simulations, one session an object.

A frame is simulated only from the one before it, and only here: playback, scrubbing, rendering, baking and the
command line all change the scene's frame and read what the session shows.
"""

from time import perf_counter

import bpy
import numpy as np

from ..core import INTEGRATORS, SimulationDiverged
from ..core.diagnostics import enough_substeps, stable_dt
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
        self._inputs = None
        self._targets = []

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
            self._start_pose = mesh_io.read_target(obj, depsgraph)
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
            if not rendering and self._targets[index] != self._pin_fingerprint(obj, depsgraph):
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
        mesh_io.write_positions(obj.data, self._between_frames(min(index, last), scene.frame_subframe))

    def _between_frames(self, index, share):
        """Frame of an index, or on a subframe (motion blur) the straight line to the next one."""
        frame = self.frames[index]
        if share == 0.0 or index + 1 >= len(self.frames):
            return frame
        return frame + np.float32(share) * (self.frames[index + 1] - frame)

    def _simulate(self, obj, depsgraph):
        matrix = np.array(obj.evaluated_get(depsgraph).matrix_world)
        mesh_io.check_scale(obj, matrix)
        pinned = self.network.pinned
        target = mesh_io.read_target(obj, depsgraph)
        began = perf_counter()
        self.simulation.step(mesh_io.to_world(matrix, target[pinned]))
        self._solve_seconds = perf_counter() - began
        positions = mesh_io.to_object(matrix, self.simulation.state.x)
        self.frames.append(positions)
        self._targets.append(_pose_fingerprint(matrix, target[pinned]))
        mesh_io.write_positions(obj.data, positions)

    def _restart_if_changed(self, obj, scene):
        """Build the simulation anew from the start pose if anything it depends on is another than before."""
        if self._start_pose is None:
            self.frames, self.simulation = [], None
            raise MeshError(
                self.problem or f"'{obj.name}' has no start pose: go to frame {obj.hooke.frame_start} first"
            )
        mesh = obj.data
        edges, polygons = mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh)
        pins = mesh_io.read_pin_weights(obj)
        inputs = (
            self._quick_inputs(obj, scene),
            *(
                mesh_io.fingerprint(array)
                for array in (edges, polygons.corners, pins, self._start_pose, self._start_matrix)
            ),
        )
        if inputs == self._inputs and self.simulation is not None:
            return
        preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])
        mesh_io.check_scale(obj, self._start_matrix)
        points = mesh_io.to_world(self._start_matrix, self._start_pose)
        network = properties.network(obj, points, edges, polygons, pins)
        self.simulation = properties.simulation(obj, scene, network)
        self._inputs = inputs
        self.problem = ""
        self.frames = [self._start_pose]
        self._targets = [_pose_fingerprint(self._start_matrix, self._start_pose[network.pinned])]

    def _changed(self, obj, scene):
        return self._inputs[0] != self._quick_inputs(obj, scene)

    def _quick_inputs(self, obj, scene):
        """The inputs cheap enough to compare every frame."""
        mesh = obj.data
        return (
            properties.settings_fingerprint(obj, scene),
            (len(mesh.vertices), len(mesh.edges), len(mesh.loops)),
            mesh_io.fingerprint(mesh_io.read_positions(mesh)),
        )

    def _pin_fingerprint(self, obj, depsgraph):
        target = mesh_io.read_target(obj, depsgraph)
        return _pose_fingerprint(
            np.array(obj.evaluated_get(depsgraph).matrix_world), target[self.network.pinned]
        )

    def _forget(self, note):
        self.simulation = None
        self.frames = self.frames[:1]
        self.note = note
        self.problem = ""


def _pose_fingerprint(matrix, positions):
    return mesh_io.fingerprint(matrix), mesh_io.fingerprint(positions)


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
        # The mesh of an object in Edit Mode is Blender's working copy, which is not ours to write.
        if obj.mode != "EDIT":
            _sessions.setdefault(obj.session_uid, Session(obj)).show(obj, scene, depsgraph, rendering)


def capture_starts(scene, depsgraph):
    """At the start frame, follow every change to the start pose."""
    for obj in simulated_objects(scene):
        if scene.frame_current == obj.hooke.frame_start and obj.mode != "EDIT":
            _sessions.setdefault(obj.session_uid, Session(obj)).capture_start(obj, depsgraph)


def stability_warning(obj):
    """Why the step in use is unstable and the number of substeps that would be enough, or None.

    The number is None where no step is stable.
    """
    session = find(obj)
    if session is None or session.simulation is None:
        return None
    simulation = session.simulation
    method, h = simulation.integrator, simulation.dt / simulation.substeps
    largest = stable_dt(simulation.network, method.stability_limit, method.damping_limit)
    if h <= largest:
        return None
    enough = enough_substeps(simulation.network, method, simulation.dt)
    if enough is None:
        return f"{method.label} is stable at no step for undamped springs", None
    return f"The step of {1e3 * h:.3g} ms is beyond the stable {1e3 * largest:.3g} ms", enough


def diagnostics(obj):
    """Labelled figures of the last simulated frame, as a list of pairs of strings."""
    session = find(obj)
    if session is None or session.simulation is None:
        return []
    figures = session.simulation.diagnostics()
    largest = figures["method_stable_dt"]
    return [
        ("Kinetic Energy", f"{figures['kinetic']:.4g} J"),
        ("Potential Energy", f"{figures['potential']:.4g} J"),
        ("Total Energy", f"{figures['total']:.4g} J"),
        ("Largest Strain", f"{100 * figures['largest_strain']:.2f} %"),
        ("Mean Strain", f"{100 * figures['mean_strain']:.3f} %"),
        ("Residual", f"{figures['residual']:.2g}"),
        ("Step", f"{1e3 * figures['dt']:.4g} ms"),
        ("Stable Step", "any" if largest == float("inf") else f"{1e3 * largest:.4g} ms"),
    ]


def status(obj):
    """Sentence and icon for the panel."""
    session = find(obj)
    if output_nodes.find(obj) is None:
        return "Hooke's modifier is gone: remove and add Hooke", "ERROR"
    if session is None:
        return f"Starts at frame {obj.hooke.frame_start}", "INFO"
    if session.problem:
        return session.problem, "ERROR"
    if session.note or session.network is None:
        return session.note or f"Ready at frame {obj.hooke.frame_start}: press play", "INFO"
    frame = obj.hooke.frame_start + len(session.frames) - 1
    return (
        f"{session.network.vertex_count:,} vertices · {session.network.spring_count:,} springs · "
        f"frame {frame} · {session.milliseconds:.0f} ms · strain {100 * session.strain:.1f} %"
    ), "CHECKMARK"
