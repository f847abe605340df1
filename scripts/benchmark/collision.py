# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `collision`: cotton dropped on Suzanne, by Hooke and by what Blender itself offers, at the same distance.

What is below the surface is counted for everyone alike: by the distances of vertices and of the middles of faces from
the collider's triangles.
"""

from pathlib import Path
from time import perf_counter

import bpy
import numpy as np
from measuring import results
from measuring.table import spread
from scenes import studio

from hooke.addon import mesh_io
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS

from . import courses
from .courses import FPS
from .in_blender import Cloth, Hooke, Xpbd
from .race import WARM_UP
from .rivals import CLOTH_MASS

# What everyone keeps from the surface [m], and the part of it that is the collider's: the least that Blender has.
DISTANCE, OUTER = 0.01, 0.001
# Frames simulated for each that is asked for: the sheet has to fall and come to rest.
LONGER = 3
# When it is pictured, as shares of all frames.
MOMENTS = (0.15, 0.4, 1.0)
PANEL = (330, 300)
EFFORTS_SHOWN = ("STANDARD", "FINE")


class HookeOnSuzanne(Hooke):
    """Hooke, with its Collisions."""

    def equip(self, obj, course):
        """Add the collider, and Hooke as its user would."""
        self.collider = suzanne(self.scene)
        bpy.context.view_layer.objects.active = obj
        obj.select_set(True)
        super().equip(obj, course)
        obj.hooke.collision_thickness = DISTANCE - OUTER


class ClothOnSuzanne(Cloth):
    """The Cloth modifier with object collisions; collision_quality: of its collision settings."""

    def __init__(self, name, vertex_mass, collision_quality, **settings):
        super().__init__(name, vertex_mass, **settings)
        self.collision_quality = collision_quality

    def modifier_settings(self, obj):
        """Settings of a new modifier that collides."""
        self.collider = suzanne(self.scene)
        settings = super().modifier_settings(obj)
        collisions = obj.modifiers[-1].collision_settings
        collisions.use_collision = True
        collisions.distance_min = DISTANCE - OUTER
        collisions.collision_quality = self.collision_quality
        return settings


class XpbdOnSuzanne(Xpbd):
    """The XPBD node with a collider among its effectors."""

    def equip(self, obj, course):
        """Make the collider one of the node's own kind."""
        self.collider = suzanne(self.scene)
        super().equip(obj, course)
        with bpy.data.libraries.load(str(Path(bpy.utils.system_resource("DATAFILES"), self.FILE))) as (
            _,
            wanted,
        ):
            wanted.node_groups = ["Collider"]
        self.collider.modifiers.new("Collider", "NODES").node_group = wanted.node_groups[0]
        effectors = bpy.data.collections.new("Effectors")
        self.scene.collection.children.link(effectors)
        effectors.objects.link(self.collider)
        modifier = obj.modifiers["XPBD"]
        self._input(modifier, "Effectors Collection").value = effectors
        self._input(modifier, "Collision Radius").value = DISTANCE


def suzanne(scene):
    """A monkey of a head's size and 3,936 triangles with Collision physics, her top at z = -0.1."""
    bpy.ops.mesh.primitive_monkey_add(size=1.4)
    maker = bpy.context.object
    maker.modifiers.new("Subdivision", "SUBSURF").levels = 1
    evaluated = maker.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = bpy.data.meshes.new_from_object(evaluated)
    bpy.data.objects.remove(maker)
    points = mesh_io.read_positions(mesh)
    points[:, 2] -= points[:, 2].max() + 0.1
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    collider = studio.add(scene, "Suzanne", mesh)
    collider.modifiers.new("Collision", "COLLISION")
    collider.collision.thickness_outer = OUTER
    return collider


def contestants():
    """Everyone who takes part, Hooke first."""
    return [
        *(HookeOnSuzanne(f"Hooke, {EFFORTS[id].label}", effort=id) for id in EFFORTS_SHOWN),
        ClothOnSuzanne("Cloth, quality 5, collision quality 2", CLOTH_MASS, 2, quality=5),
        ClothOnSuzanne("Cloth, quality 12, collision quality 5", CLOTH_MASS, 5, quality=12),
        XpbdOnSuzanne("XPBD node, 5 × 15", 5, 15),
        XpbdOnSuzanne("XPBD node, 20 × 30", 20, 30),
    ]


def run(options):
    """Simulate, count and render; returns the figures of all, and the pictures' files by name."""
    # Half the vertices along each side: others take seconds for a frame of the whole.
    course, count = courses.cotton(options.quads // 2), LONGER * options.frames
    course = courses.Course(**{**vars(course), "pinned": []})
    rows, kept = [], {}
    for contestant in contestants():
        row = {"name": contestant.name}
        try:
            figures, kept[contestant.name] = measure(contestant, course, count)
            row |= figures
        # Whatever goes wrong in one of many programs of others, the rest is still worth its figures.
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        print(f"  {contestant.name}: {row.get('failed') or 'measured'}", flush=True)
        rows.append(row)
    files = pictures(course, kept, count)
    return {
        "title": "collision",
        "vertices": len(course.points),
        "frames": count,
        "rows": rows,
        "files": files,
    }


def measure(contestant, course, count):
    """Figures of one contestant, and its positions at the moments pictured.

    below: vertices below the surface in the worst frame, and middles of faces; deepest of both [m]. Tensions are the
    stretches of edges that are longer than at rest, 0 for others: the worst of all frames, and the mean over the edges
    of the last. speed: root mean square over the last frame [m/s].
    Raises RuntimeError where positions are not finite, or nothing touches the collider.
    """
    began = perf_counter()
    contestant.start(course)
    mesh = contestant.collider.data
    collider = RigidMesh(mesh_io.read_positions(mesh), mesh_io.read_triangles(mesh), thickness=2 * DISTANCE)
    start_ms = 1e3 * (perf_counter() - began)
    milliseconds, below, deepest, worst, kept, x = [], [], [], [], [], course.points
    for frame in range(1, count + 1):
        before, began = x, perf_counter()
        contestant.advance()
        milliseconds.append(1e3 * (perf_counter() - began))
        x = contestant.positions()
        if not np.isfinite(x).all():
            raise RuntimeError(f"frame {frame} has positions that are not finite")
        heights = [collider.distances(points) for points in (x, x[course.faces].mean(axis=1))]
        below.append([int((each < 0.0).sum()) for each in heights])
        deepest.append(float(max(0.0, *(-each.min() for each in heights))))
        tension = np.maximum(course.tensions(x), 0.0)
        worst.append(float(tension.max()))
        if frame in frames_pictured(count):
            kept.append(x)
    if heights[0].min() > 5 * DISTANCE:
        raise RuntimeError("nothing rests on the collider in the end")
    return {
        "start_ms": start_ms,
        "milliseconds": milliseconds[WARM_UP:],
        "median_ms": float(np.median(milliseconds[WARM_UP:])),
        "below": np.max(below, axis=0).tolist(),
        "deepest": max(deepest),
        "worst_tension": max(worst),
        "mean_tension": float(tension.mean()),
        "speed": courses.distance(x, before) * FPS,
    }, kept


def frames_pictured(count):
    """Numbers of the frames of the moments."""
    return [max(1, round(share * count)) for share in MOMENTS]


def pictures(course, kept, count):
    """Render what was kept, a file a contestant and moment; their names by contestant."""
    scene = studio.empty_scene(FPS, 1)
    scene.cycles.samples = 12
    collider = suzanne(scene)
    collider.data.materials.append(studio.material("Suzanne", (0.9, 0.55, 0.15)))
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata(course.points.tolist(), [], course.faces.tolist())
    mesh.materials.append(studio.material("Cotton", (0.35, 0.5, 0.75), roughness=0.8))
    mesh.shade_smooth()
    studio.add(scene, "Sheet", mesh)
    scene.world = bpy.data.worlds.new("World")
    studio.area_light(scene, "Key", (-3.0, -4.0, 3.0), (0, 0, -0.6), 1.5, 500, (1.0, 0.93, 0.85))
    studio.area_light(scene, "Back", (4.0, 2.0, 2.0), (0, 0, -0.6), 1.5, 300, (0.85, 0.93, 1.0))
    studio.camera(scene, (2.6, -4.2, 1.0), (0.0, 0.0, -0.75), 50)
    files: dict[str, list[str]] = {}
    for number, (name, frames) in enumerate(kept.items()):
        files[name] = []
        for frame, x in zip(frames_pictured(count), frames, strict=True):
            mesh.vertices.foreach_set("co", x.astype(np.float32).ravel())
            mesh.update()
            path = results.FOLDER / f"collision-{number}-{frame}.png"
            studio.render(scene, 1, PANEL, path)
            files[name].append(path.name)
    return files


HEADINGS = (
    "",
    "ms a frame",
    "vertices below",
    "faces below",
    "deepest",
    "worst tension",
    "mean at the end",
    "moves at the end",
    "start ms",
)


def tables(results):
    """(title, headings, rows of text) of everyone."""
    title = f"collision: {results['vertices']:,} vertices on 3,936 triangles, {results['frames']} frames"
    yield title, HEADINGS, [_cells(row) for row in results["rows"]]


def _cells(row):
    if "failed" in row:
        return (row["name"], row["failed"], *("–" for _ in HEADINGS[2:]))
    return (
        row["name"],
        spread(row["milliseconds"]),
        *(f"{count:,}" for count in row["below"]),
        f"{1e3 * row['deepest']:.1f} mm",
        f"{row['worst_tension']:.1%}",
        f"{row['mean_tension']:.2%}",
        f"{1e3 * row['speed']:.1f} mm/s",
        f"{row['start_ms']:.0f}",
    )
