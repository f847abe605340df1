# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet of cotton that falls on Suzanne, by Hooke and by what Blender offers; needs bpy.

What is below the surface is counted for everyone alike: by the distances of vertices and of the middles of faces from
the collider's triangles.
"""

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
from measuring.blender import monkey, new_mesh_object
from measuring.measured import Measured
from measuring.page import spread
from theory import courses
from theory.courses import FPS

from hooke.addon import mesh_io
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS

from .in_blender import Cloth, Hooke, Xpbd
from .race import WARM_UP, failing
from .rivals import CLOTH_MASS

# What everyone keeps from the surface [m], and the part of it that is the collider's: the least that Blender has.
DISTANCE, OUTER = 0.01, 0.001
# Frames simulated for each that is asked for: the sheet has to fall and come to rest.
LONGER = 3
HEADINGS = (
    "ms a frame",
    "vertices below",
    "faces below",
    "deepest",
    "worst tension",
    "mean at the end",
    "moves at the end",
    "start ms",
)


def suzanne(scene):
    """A monkey of a head's size and 3,936 triangles with Collision physics, her top at z = -0.1."""
    points, faces = monkey(1.4, 1)
    points[:, 2] -= points[:, 2].max() + 0.1
    collider = new_mesh_object(scene, "Suzanne", points, faces=faces)
    collider.modifiers.new("Collision", "COLLISION")
    collider.collision.thickness_outer = OUTER
    return collider


class HookeOnSuzanne(Hooke):
    """Hooke, with its Collisions."""

    def equip(self, obj, course):
        """Add the collider, and Hooke as its user would."""
        self.collider = suzanne(self.scene)
        super().equip(obj, course)
        obj.hooke.collision_thickness = DISTANCE - OUTER


class ClothOnSuzanne(Cloth):
    """The Cloth modifier with object collisions; collision_quality: of its collision settings."""

    def __init__(self, name, collision_quality, **settings):
        super().__init__(name, CLOTH_MASS, **settings)
        self.collision_quality = collision_quality

    def modifier_settings(self, obj):
        """Settings of a new modifier that collides."""
        self.collider = suzanne(self.scene)
        settings = super().modifier_settings(obj)
        collisions = obj.modifiers[-1].collision_settings
        collisions.use_collision, collisions.distance_min = True, DISTANCE - OUTER
        collisions.collision_quality = self.collision_quality
        return settings


class XpbdOnSuzanne(Xpbd):
    """The XPBD node with a collider among its effectors."""

    def equip(self, obj, course):
        """Make the collider one of the node's own kind."""
        self.collider = suzanne(self.scene)
        super().equip(obj, course)
        file = Path(bpy.utils.system_resource("DATAFILES"), self.FILE)
        with bpy.data.libraries.load(str(file)) as (_, wanted):
            wanted.node_groups = ["Collider"]
        self.collider.modifiers.new("Collider", "NODES").node_group = wanted.node_groups[0]
        effectors = bpy.data.collections.new("Effectors")
        self.scene.collection.children.link(effectors)
        effectors.objects.link(self.collider)
        modifier = obj.modifiers["XPBD"]
        self._input(modifier, "Effectors Collection").value = effectors
        self._input(modifier, "Collision Radius").value = DISTANCE


CONTESTANTS = (
    *(HookeOnSuzanne(f"Hooke, {EFFORTS[id].label}", effort=id) for id in ("STANDARD", "FINE")),
    ClothOnSuzanne("Cloth, quality 5, collision quality 2", 2, quality=5),
    ClothOnSuzanne("Cloth, quality 12, collision quality 5", 5, quality=12),
    XpbdOnSuzanne("XPBD node, 5 × 15", 5, 15),
    XpbdOnSuzanne("XPBD node, 20 × 30", 20, 30),
)


def cells(contestant, course, count):
    """Cells of one contestant; raises RuntimeError where nothing touches the collider.

    Vertices below the surface in the worst frame, and middles of faces; tensions are the stretches of edges that are
    longer than at rest: the worst of all frames, and the mean over the edges of the last.
    """
    times, below, deepest, worst, x = [], [], 0.0, 0.0, course.points
    for now, milliseconds in contestant.played(course, count):
        if not times:
            mesh = contestant.collider.data
            triangles = mesh_io.read_triangles(mesh)
            collider = RigidMesh(mesh_io.read_positions(mesh), triangles, thickness=2 * DISTANCE)
        before, x = x, now
        times.append(milliseconds)
        heights = [collider.distances(points) for points in (x, x[course.faces].mean(axis=1))]
        below.append([int((each < 0.0).sum()) for each in heights])
        deepest = max(deepest, *(-each.min() for each in heights))
        tension = np.maximum(course.tensions(x), 0.0)
        worst = max(worst, tension.max())
    if heights[0].min() > 5 * DISTANCE:
        raise RuntimeError("nothing rests on the collider in the end")
    return (
        spread(times[WARM_UP:]),
        *(f"{number:,}" for number in np.max(below, axis=0)),
        f"{1e3 * deepest:.1f} mm",
        f"{worst:.1%}",
        f"{tension.mean():.2%}",
        f"{1e3 * courses.distance(x, before) * FPS:.1f} mm/s",
        f"{times[0]:.0f}",
    )


def tables(options):
    """Everyone, Hooke first, on half the quads along each side: others take seconds for a frame of the whole."""
    course, count = replace(courses.cotton(options.quads // 2), pinned=[]), LONGER * options.frames
    yield Measured(
        "collision",
        "benchmark.md",
        ("", *HEADINGS),
        {each.name: (each, course, count) for each in CONTESTANTS},
        failing(cells, len(HEADINGS)),
        f"{len(course.points):,} vertices on 3,936 triangles, {count} frames.",
        "Measured on {machine}.",
    )
