# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `self_collision`: a ribbon that falls in a heap and a sheet that hangs from one corner, with and without.

Hooke's core, of cotton, and the Cloth modifier; both of a pair are stepped by turns, so that whatever else the machine
does falls on both.
"""

from time import process_time

import bpy
import numpy as np
from measuring import results
from scenes import studio
from scipy.spatial import cKDTree

from hooke.core.kernels import Indices
from hooke.core.kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points
from hooke.core.topology import Polygons, unique_edges
from hooke.core.triangle_mesh.sides import sides_of

from .courses import FPS
from .folding import THICKNESS, hanging, makers, ribbon

PANEL = (330, 300)
# Faces along the mesh of one colour.
STRIPE = 5
# Edges and vertices whose distances are looked at together.
AT_ONCE = 64


def least_distance(scene, x):
    """Least distance [m] at positions x of vertices from triangles, and of edges from edges.

    Of those that are farther from each other at rest than two edges.
    """
    triangles = Polygons.from_faces(scene.faces).triangles()
    edges = unique_edges(sides_of(triangles))
    vertices = np.arange(len(x))[:, None]
    sides = scene.points[scene.faces[:, :2]]
    far = 2.0 * np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1).max()
    least = np.inf
    for kind, ones, others in ((POINT_TRIANGLE, vertices, triangles), (EDGE_EDGE, edges, edges)):
        for rows in _close(x, ones, others):
            rows = rows[_distances(kind, scene.points, rows) > far]
            least = min(least, _distances(kind, x, rows).min(initial=np.inf))
    return float(least)


def _close(x, ones, others):
    """Corners of all of one list and of another that may be closer than the thickness, some at a time."""
    middles = [x[of_one].mean(axis=1) for of_one in (ones, others)]
    radii = [
        np.linalg.norm(x[of_one] - middle[:, None], axis=2).max()
        for of_one, middle in zip((ones, others), middles, strict=True)
    ]
    other = cKDTree(middles[1])
    # What no self-collision keeps apart may lie in one place, all of it.
    for first in range(0, len(ones), AT_ONCE):
        one = cKDTree(middles[0][first : first + AT_ONCE])
        pairs = one.sparse_distance_matrix(other, sum(radii) + THICKNESS, output_type="ndarray")
        yield np.concatenate([ones[first + pairs["i"]], others[pairs["j"]]], axis=1)


def _distances(kind, x, rows):
    count = len(rows)
    distances, kinds = np.empty(count), np.full(count, kind, dtype=np.uint8)
    others = np.empty((count, 4)), np.empty((3, count)), distances, np.empty(count)
    closest_points(np.ascontiguousarray(x.T), Indices(rows, len(x)), kinds, *others)
    return distances


def run(options):
    """Simulate by turns, with and without, and render; returns the figures of all, and the pictures' files by name."""
    rows, files = [], {}
    for scene in (ribbon(), hanging()):
        for make in makers():
            # Who is made is in the file that the stage empties.
            stage = _Stage(scene)
            made = [make(scene, with_it) for with_it in (False, True)]
            rows += _measured(scene, made, stage, files)
            print(f"  {scene.name}, {made[0].name}: measured", flush=True)
    return {"title": "self collision", "rows": rows, "files": files}


def _measured(scene, made, stage, files):
    """Rows of figures of a pair, without and with; pictures are added to files by name."""
    seconds, touched = np.zeros((2, scene.frames)), scene.frames
    for frame in range(scene.frames):
        before = [one.x for one in made]
        for number, one in enumerate(made):
            began = process_time()
            one.step()
            seconds[number, frame] = process_time() - began
        if not np.array_equal(*(one.x for one in made)):
            touched = min(touched, frame)
        if frame + 1 in scene.moments:
            for with_it, one in zip(("without", "with"), made, strict=True):
                name = f"{one.name}, {with_it}"
                file = stage.render(one.x, f"{scene.name}-{name}".replace(",", ""), frame + 1)
                files.setdefault(name, []).append(file)
    speeds = [
        FPS * np.sqrt(((one.x - x) ** 2).sum(axis=1).mean()) for one, x in zip(made, before, strict=True)
    ]
    return list(_rows(scene, made, seconds, speeds, touched))


def _rows(scene, made, seconds, speeds, touched):
    """Rows of figures; speeds: root mean squares of the last frame [m/s]; touched: the first that differs."""
    contact = np.median(seconds[:, touched:], axis=1)
    for number, one in enumerate(made):
        yield {
            "name": f"{scene.name}, {one.name}, {'with' if number else 'without'}",
            "vertices": len(one.x),
            "frames": scene.frames,
            "height": float(np.ptp(one.x[:, 2])),
            "mean_height": float(one.x[:, 2].mean()),
            "least": least_distance(scene, one.x) / THICKNESS,
            "speed": float(speeds[number]),
            "ratio": float(seconds[number].sum() / seconds[0].sum()),
            "contact_ratio": float(contact[number] / contact[0]),
            "milliseconds": (1e3 * seconds[number]).tolist(),
        }


class _Stage:
    """The scene that is rendered, and the mesh in it that takes the positions."""

    def __init__(self, scene):
        self._scene = studio.empty_scene(FPS, 1)
        self._scene.cycles.samples = 8
        self._mesh = mesh = bpy.data.meshes.new("Cloth")
        mesh.from_pydata(scene.start.tolist(), [], scene.faces.tolist())
        for name, color in (("Light", (0.85, 0.8, 0.7)), ("Dark", (0.55, 0.1, 0.06))):
            mesh.materials.append(studio.material(name, color, roughness=0.8))
        # Corners 0 and 2 of the first face are a row and a vertex apart.
        across = np.ptp(scene.faces[0]) - 2
        stripes = np.arange(len(scene.faces)) // across // STRIPE % 2
        mesh.polygons.foreach_set("material_index", stripes.astype(np.int32))
        studio.add(self._scene, "Cloth", mesh)
        place, target, length = scene.view
        if scene.floor:
            studio.backdrop(self._scene, (0.10, 0.19, 0.22), 3.0)
        else:
            self._scene.world = bpy.data.worlds.new("World")
        studio.area_light(self._scene, "Key", (-2.0, -3.0, 3.0), target, 1.0, 200, (1.0, 0.93, 0.85))
        studio.area_light(self._scene, "Back", (3.0, 2.0, 2.0), target, 1.0, 150, (0.85, 0.93, 1.0))
        studio.camera(self._scene, place, target, length)

    def render(self, x, name, frame):
        """Render positions [m]; returns the file's name."""
        self._mesh.vertices.foreach_set("co", x.astype(np.float32).ravel())
        self._mesh.update()
        path = results.FOLDER / f"self-collision-{name.replace(' ', '-')}-{frame}.png"
        studio.render(self._scene, 1, PANEL, path)
        return path.name


HEADINGS = (
    "",
    "vertices",
    "frames",
    "ms a frame",
    "height",
    "mean height",
    "least distance : thickness",
    "moves at the end",
    "time : without",
    "a frame since they touch",
)


def tables(results):
    """(title, headings, rows of text) of everyone."""
    yield f"self collision: {1e3 * THICKNESS:.0f} mm", HEADINGS, [_cells(row) for row in results["rows"]]


def _cells(row):
    return (
        row["name"],
        f"{row['vertices']:,}",
        str(row["frames"]),
        f"{np.mean(row['milliseconds']):,.0f}",
        f"{row['height']:.2f} m",
        f"{row['mean_height']:.3f} m",
        f"{row['least']:.2f}",
        f"{1e3 * row['speed']:.1f} mm/s",
        f"{row['ratio']:.1f}",
        f"{row['contact_ratio']:.1f}",
    )
