# SPDX-License-Identifier: GPL-3.0-or-later
"""A ribbon's heap and a sheet that hangs from one corner, with self-collision and without; needs bpy.

Hooke's core, of cotton, and the Cloth modifier; both of a pair are stepped by turns, so that whatever else the machine
does falls on both.
"""

from time import process_time
from typing import Any

import bpy
import numpy as np
from collisions.intersections import crosses_itself
from collisions.scene import THICKNESS
from collisions.scenes import hanging, heap
from measuring.blender import new_mesh_object, positions
from measuring.measured import Measured
from theory.courses import FPS

from .in_blender import PIN_GROUP, Cloth
from .rivals import CLOTH_MASS

# The least distance [m] that Blender's collisions have, of the floor and of what falls on it; half a side of the floor.
_LEAST, _FLOOR = 0.001, 5.0


class ByHooke:
    """The scene's own simulation; x: positions [m]."""

    def __init__(self, scene, with_it):
        self._simulation = scene.make(with_it)
        self.step = self._simulation.step

    @property
    def x(self):
        """Shape (n, 3)."""
        return self._simulation.state.x


class ByCloth:
    """The Cloth modifier as Blender sets it up, in a scene of its own; x: positions [m]."""

    def __init__(self, scene, with_it):
        simulation = scene.make(False)
        network, start = simulation.network, simulation.state.x
        self._scene: Any = bpy.data.scenes.new("Cloth")
        self._scene.render.fps, self._scene.frame_end = FPS, scene.frames + 1
        self._obj = new_mesh_object(self._scene, "Cloth", start, faces=network.surface.polygons)
        self._obj.shape_key_add(name="Basis")
        rest = self._obj.shape_key_add(name="Rest")
        # New keys act from Blender 5 on.
        rest.value = 0.0
        rest.data.foreach_set("co", network.points.astype(np.float32).ravel())
        self._obj.vertex_groups.new(name=PIN_GROUP).add(network.hard_pins.tolist(), 1.0, "REPLACE")
        settings = Cloth("Cloth").modifier_settings(self._obj)
        settings.mass, settings.rest_shape_key = CLOTH_MASS, rest
        modifier = self._obj.modifiers[-1]
        modifier.point_cache.frame_end = scene.frames + 1
        collisions = modifier.collision_settings
        collisions.use_self_collision, collisions.self_distance_min = with_it, THICKNESS
        if scene.inside is not None:
            collisions.use_collision, collisions.distance_min = True, _LEAST
            self._add_floor()
        self._scene.frame_set(1)

    def step(self):
        """Go to the next frame."""
        self._scene.frame_set(self._scene.frame_current + 1)

    @property
    def x(self):
        """Shape (n, 3)."""
        return positions(self._obj, self._scene.view_layers[0].depsgraph)

    def _add_floor(self):
        corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * _FLOOR
        floor = new_mesh_object(self._scene, "Floor", corners, faces=[(0, 1, 2, 3)])
        floor.modifiers.new("Collision", "COLLISION")
        floor.collision.thickness_outer = _LEAST


def cells(make, scene):
    """Cells of a scene: times with and without, and where the cloth comes to with it."""
    surface = scene.make(False).network.surface
    made = [make(scene, with_it) for with_it in (False, True)]
    seconds, through = np.zeros(2), 0
    for _ in range(scene.frames):
        before = made[1].x
        for number, one in enumerate(made):
            began = process_time()
            one.step()
            seconds[number] += process_time() - began
        through += crosses_itself(made[1].x, surface.edges, surface.triangles)
    x = made[1].x
    speed = FPS * np.sqrt(((x - before) ** 2).sum(axis=1).mean())
    return (
        f"{len(x):,}",
        scene.frames,
        *(f"{1e3 * each / scene.frames:,.0f}" for each in seconds),
        f"{np.ptp(x[:, 2]):.2f} m",
        f"{x[:, 2].mean():.3f} m",
        through,
        f"{1e3 * speed:.1f} mm/s",
    )


def tables(_options):
    """Both scenes by both."""
    scenes = {"ribbon": heap("ribbon", (201, 11, 1)), "sheet from one corner": hanging()}
    makers = {"Hooke, Standard": ByHooke, "Cloth, quality 5": ByCloth}
    yield Measured(
        "self_collision",
        "benchmark.md",
        (
            "",
            "by",
            "vertices",
            "frames",
            "ms a frame without",
            "with",
            "height",
            "mean height",
            "frames through itself",
            "moves at the end",
        ),
        {(name, by): (make, scene) for name, scene in scenes.items() for by, make in makers.items()},
        cells,
        f"Self-collision at {1e3 * THICKNESS:.0f} mm.",
        "Measured on {machine}.",
    )
