# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `self_collision`: a ribbon that falls in a heap and a sheet that hangs from one corner, with and without.

The core alone, of cotton; both of a pair are stepped by turns, so that whatever else the machine does falls on both.
"""

from time import process_time
from typing import Any, NamedTuple

import bpy
import numpy as np
from measuring import results
from scenes import studio
from scipy.spatial import cKDTree

from hooke.core import Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.contacts import SelfCollision
from hooke.core.contacts.pair_kinds import Faces, Strands
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import Polygons, lattice_faces, lattice_points
from hooke.core.triangle_mesh.sides import edges_of

from .courses import FPS

THICKNESS = 0.005
EFFORTS_SHOWN = ("STANDARD",)
PANEL = (330, 300)
# Faces along the mesh of one colour.
STRIPE = 5


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


def simulation(scene, effort, contacts):
    """A Simulation of a scene."""
    network = SpringNetwork.from_mesh(scene.points, faces=scene.faces, material=Material(), pins=scene.pins)
    if scene.floor:
        contacts = [Plane(), *contacts]
    made = Simulation(network, dt=1 / FPS, forces=Settling(), contacts=contacts, **EFFORTS[effort].settings)
    made.state = State(scene.start, np.zeros_like(scene.start), 0.0)
    return made


def least_distance(scene, x):
    """Least distance [m] at positions x of vertices from triangles, and of edges from edges.

    Of those that are farther from each other at rest than two edges.
    """
    triangles = Polygons.from_faces(scene.faces).triangles()
    edges, _, _ = edges_of(triangles)
    vertices = np.arange(len(x))[:, None]
    sides = scene.points[scene.faces[:, :2]]
    far = 2.0 * np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1).max()
    least = np.inf
    for kind, ones, others in ((Faces, vertices, triangles), (Strands, edges, edges)):
        rows = _close(x, ones, others)
        rows = rows[_distances(kind, scene.points, rows) > far]
        least = min(least, _distances(kind, x, rows).min(initial=np.inf))
    return float(least)


def _close(x, ones, others):
    """Corners of all of one list and of another that may be closer than the thickness."""
    middles = [x[of_one].mean(axis=1) for of_one in (ones, others)]
    radii = [
        np.linalg.norm(x[of_one] - middle[:, None], axis=2).max()
        for of_one, middle in zip((ones, others), middles, strict=True)
    ]
    one, other = map(cKDTree, middles)
    pairs = one.sparse_distance_matrix(other, sum(radii) + THICKNESS, output_type="ndarray")
    return np.concatenate([ones[pairs["i"]], others[pairs["j"]]], axis=1)


def _distances(kind, x, rows):
    p = x.T[:, rows.T]
    offsets = np.einsum("kc,akc->ac", kind.weights(p), p)
    return np.linalg.norm(offsets, axis=0)


def run(options):
    """Simulate by turns, with and without, and render; returns the figures of all, and the pictures' files by name."""
    rows, files = [], {}
    for scene in (ribbon(), hanging()):
        stage = _Stage(scene)
        for effort in EFFORTS_SHOWN:
            made = [simulation(scene, effort, contacts) for contacts in ((), [SelfCollision(THICKNESS)])]
            seconds, touched = np.zeros((2, scene.frames)), scene.frames
            for frame in range(scene.frames):
                for number, one in enumerate(made):
                    began = process_time()
                    one.step()
                    seconds[number, frame] = process_time() - began
                if not np.array_equal(*(one.state.x for one in made)):
                    touched = min(touched, frame)
                if frame + 1 in scene.moments:
                    for with_it, one in enumerate(made):
                        name = f"{EFFORTS[effort].label}, {'with' if with_it else 'without'}"
                        files.setdefault(name, []).append(
                            stage.render(one.state.x, f"{scene.name}-{effort}-{with_it}", frame + 1)
                        )
            rows += _rows(scene, effort, made, seconds, touched)
            print(f"  {scene.name}, {EFFORTS[effort].label}: measured", flush=True)
    return {"title": "self collision", "rows": rows, "files": files}


def _rows(scene, effort, made, seconds, touched):
    """Rows of figures; touched: the first frame that self-collision changes."""
    contact = np.median(seconds[:, touched:], axis=1)
    for number, one in enumerate(made):
        x, v = one.state.x, one.state.v
        yield {
            "name": f"{scene.name}, {EFFORTS[effort].label}, {'with' if number else 'without'}",
            "vertices": len(x),
            "frames": scene.frames,
            "height": float(np.ptp(x[:, 2])),
            "mean_height": float(x[:, 2].mean()),
            "least": least_distance(scene, x) / THICKNESS,
            "speed": float(np.sqrt((v**2).sum(axis=1).mean())),
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
        f"{row['height']:.2f} m",
        f"{row['mean_height']:.3f} m",
        f"{row['least']:.2f}",
        f"{1e3 * row['speed']:.1f} mm/s",
        f"{row['ratio']:.1f}",
        f"{row['contact_ratio']:.1f}",
    )
