# SPDX-License-Identifier: GPL-3.0-or-later
"""What folds onto itself in the subject `self_collision`, simulated by Hooke's core and by the Cloth modifier."""

from typing import Any, NamedTuple

import bpy
import numpy as np

from hooke.addon import mesh_io
from hooke.core import Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points

from .courses import FPS
from .in_blender import PIN_GROUP, Cloth
from .rivals import CLOTH_MASS

THICKNESS = 0.005
EFFORTS_SHOWN = ("STANDARD",)
# The least distance [m] that Blender's collisions have, of the floor and of what falls on it.
_LEAST = 0.001
# Half a side of Cloth's floor [m].
_FLOOR = 5.0


class Scene(NamedTuple):
    """A mesh at rest, its pins, where it begins, what it may fall on, and how it is seen.

    points, start [m], shape (n, 3); faces, shape (k, 4); frames: to simulate; moments: numbers of those pictured; view:
    the camera's place and target [m], and focal length [mm].
    """

    name: str
    points: np.ndarray
    faces: np.ndarray
    pins: Any
    start: np.ndarray
    floor: bool
    frames: int
    moments: tuple[int, ...]
    view: tuple


def ribbon():
    """A ribbon of 2 m by 0.1 m that stands on a floor, bent by millimetres: what is straight does not buckle."""
    shape, spacing = (201, 11, 1), 0.01
    points = lattice_points(shape, spacing)
    along, across, _ = points.T
    noise = np.random.default_rng(0).normal(scale=1e-3, size=shape[0]).repeat(shape[1])
    aside = 2e-3 * np.sin(2.0 * np.pi * along / 0.37 + 1.0) + noise
    start = np.column_stack([aside, across, along + 0.02])
    view = (0.7, -1.1, 0.5), (0.0, 0.05, 0.09), 50
    return Scene("ribbon", points, lattice_faces(shape), None, start, True, 42, (12, 18, 42), view)


def hanging():
    """A sheet of 1 m, level, that hangs from one corner."""
    shape, spacing = (41, 41, 1), 0.025
    points = lattice_points(shape, spacing)
    noise = np.random.default_rng(0).normal(scale=1e-3, size=len(points))
    noise[0] = 0.0
    start = points + np.column_stack([np.zeros((len(points), 2)), noise])
    view = (2.2, -2.6, 0.3), (-0.2, -0.2, -0.62), 46
    return Scene("sheet from one corner", points, lattice_faces(shape), [0], start, False, 36, (18, 36), view)


class ByHooke:
    """Hooke's core; x: positions [m]."""

    def __init__(self, scene, effort, self_collision):
        self.name = f"Hooke, {EFFORTS[effort].label}"
        network = SpringNetwork.from_mesh(
            scene.points, faces=scene.faces, material=Material(), pins=scene.pins
        )
        contacts = [Plane()] if scene.floor else []
        if self_collision:
            contacts.append(SelfCollision(THICKNESS))
        self._simulation = Simulation(
            network, dt=1 / FPS, forces=Settling(), contacts=contacts, **EFFORTS[effort].settings
        )
        self._simulation.state = State(scene.start, np.zeros_like(scene.start), 0.0)

    def step(self):
        """Go to the next frame."""
        self._simulation.step()

    @property
    def x(self):
        """Shape (n, 3)."""
        return self._simulation.state.x


class ByCloth:
    """The Cloth modifier as Blender sets it up, in a scene of its own; x: positions [m]."""

    def __init__(self, scene, quality, self_collision):
        self.name = f"Cloth, quality {quality}"
        self._scene: Any = bpy.data.scenes.new("Cloth")
        self._scene.render.fps = FPS
        self._scene.frame_end = scene.frames + 1
        mesh = bpy.data.meshes.new("Cloth")
        mesh.from_pydata(scene.start.tolist(), [], scene.faces.tolist())
        self._obj = self._add(mesh)
        self._obj.shape_key_add(name="Basis")
        rest = self._obj.shape_key_add(name="Rest")
        # New keys act from Blender 5 on.
        rest.value = 0.0
        rest.data.foreach_set("co", scene.points.astype(np.float32).ravel())
        self._obj.vertex_groups.new(name=PIN_GROUP).add(scene.pins or [], 1.0, "REPLACE")
        settings = Cloth(self.name).modifier_settings(self._obj)
        settings.mass, settings.quality, settings.rest_shape_key = CLOTH_MASS, quality, rest
        modifier = self._obj.modifiers[-1]
        modifier.point_cache.frame_end = scene.frames + 1
        collisions = modifier.collision_settings
        collisions.use_self_collision, collisions.self_distance_min = self_collision, THICKNESS
        if scene.floor:
            collisions.use_collision, collisions.distance_min = True, _LEAST
            self._add_floor()
        self._go_to(1)

    def step(self):
        """Go to the next frame."""
        self._go_to(self._scene.frame_current + 1)

    @property
    def x(self):
        """Shape (n, 3)."""
        evaluated = self._obj.evaluated_get(self._scene.view_layers[0].depsgraph)
        return mesh_io.read_positions(evaluated.data).astype(np.float64)

    def _go_to(self, frame):
        self._scene.frame_set(frame)

    def _add(self, mesh):
        obj = bpy.data.objects.new(mesh.name, mesh)
        self._scene.collection.objects.link(obj)
        return obj

    def _add_floor(self):
        corners = [
            (-_FLOOR, -_FLOOR, 0.0),
            (_FLOOR, -_FLOOR, 0.0),
            (_FLOOR, _FLOOR, 0.0),
            (-_FLOOR, _FLOOR, 0.0),
        ]
        mesh = bpy.data.meshes.new("Floor")
        mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
        floor = self._add(mesh)
        floor.modifiers.new("Collision", "COLLISION")
        floor.collision.thickness_outer = _LEAST


def makers():
    """Of everyone who takes part a callable (Scene, whether with self-collision) -> who simulates it."""
    return (
        *(lambda scene, with_it, id=id: ByHooke(scene, id, with_it) for id in EFFORTS_SHOWN),
        lambda scene, with_it: ByCloth(scene, 5, with_it),
    )
