# SPDX-License-Identifier: GPL-3.0-or-later
"""The courses of the race: meshes with springs, masses and pins, 24 frames a second, which every contestant gets."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hooke.core import SpringNetwork
from hooke.core.material import Material
from hooke.core.topology import Polygons, lattice_edges, lattice_points

FPS = 24


def at_rest(t):
    """Pins that do not move."""
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class Course:
    """What is simulated.

    points [m], shape (n, 3); edges, shape (m, 2); faces, shape (k, 4), may be none; pinned: indices of hard pins.
    mass: of the whole [kg]; stiffness: of the springs along edges [N/m]; shear, bending: of those across faces and
    beyond the next vertex, as factors of it, Hooke's own defaults. material: in place of all these for Hooke and the
    reference; the mass has to be the same.
    motion: t [s] -> by how much the pins are moved then [m], shape (3,).
    """

    points: np.ndarray
    edges: np.ndarray
    faces: np.ndarray
    pinned: list[int]
    mass: float
    stiffness: float
    shear: float = 1.0
    bending: float = 0.05
    material: Material | None = None
    motion: Callable[[float], np.ndarray] = field(default=at_rest)

    def network(self):
        """SpringNetwork of the course, the same that Hooke's modifier makes of the mesh with these settings."""
        springs = {
            "structural": self.stiffness,
            "shear": self.shear * self.stiffness,
            "bending": self.bending * self.stiffness,
            "mass": self.mass,
        }
        made_of = springs if self.material is None else {"material": self.material}
        return SpringNetwork.from_mesh(self.points, self.edges, self.faces, **made_of, pins=self.pinned)

    def pin_targets(self, t):
        """Where the pins are at t [m], shape (pinned count, 3)."""
        return self.points[self.pinned] + self.motion(t)

    @property
    def size(self):
        """Largest extent of the points along an axis [m]."""
        return float(np.ptp(self.points, axis=0).max())

    def stretches(self, x):
        """|length / rest length - 1| of every edge at positions x [m], shape (edge_count,)."""
        return np.abs(self.tensions(x))

    def tensions(self, x):
        """length / rest length - 1 of every edge at positions x [m], shape (edge_count,)."""
        rest, length = (
            np.linalg.norm(p[self.edges[:, 0]] - p[self.edges[:, 1]], axis=1) for p in (self.points, x)
        )
        return length / rest - 1.0


def distance(x, y):
    """Root mean square of the distances between two sets of positions [m]."""
    return float(np.sqrt(np.mean(np.sum((x - y) ** 2, axis=1))))


def sheet(quads):
    """A square of 2 m and 1 kg in the plane z = 0, hung at two corners."""
    points, faces = _square(quads)
    return Course(points, _sides(faces), faces, [0, quads], 1.0, 1e4)


def cotton(quads):
    """The same square of Hooke's default material."""
    points, faces = _square(quads)
    material = Material()
    return Course(
        points, _sides(faces), faces, [0, quads], 4.0 * material.area_density, 1e4, material=material
    )


def flag(quads):
    """The same sheet upright, held along one edge by a pole that swings through half a metre once a second."""
    points, faces = _square(quads)
    held = np.flatnonzero(points[:, 0] == points[:, 0].min()).tolist()
    return Course(points[:, [0, 2, 1]], _sides(faces), faces, held, 1.0, 1e4, motion=swing)


def net(quads):
    """The sheet's edges alone, without springs across the meshes, hung at five knots of one edge."""
    points, faces = _square(quads)
    knots = np.unique(np.linspace(0, quads, 5).round().astype(int)).tolist()
    return Course(points, _sides(faces), np.empty((0, 4), dtype=np.intp), knots, 1.0, 1e4)


def solid(quads):
    """A soft beam of 0.6 x 0.2 x 0.2 m and 2 kg, every point joined to its 26 neighbours, held at one end."""
    # So many points as to come near a third of the sheet's: a solid has more springs a point.
    across = max(2, round((quads**2 / 9.0) ** (1.0 / 3.0)))
    shape = (3 * across + 1, across + 1, across + 1)
    points = lattice_points(shape, 0.2 / across)
    edges = lattice_edges(shape, ("FACE", "EDGE", "CORNER"))
    held = np.flatnonzero(points[:, 0] == 0.0).tolist()
    return Course(points, edges, np.empty((0, 4), dtype=np.intp), held, 2.0, 3800.0 / across)


COURSES = {"sheet": sheet, "cotton": cotton, "flag": flag, "net": net, "solid": solid}


def swing(t):
    """Across the flag, from rest and back to it once a second."""
    return np.array([0.0, 0.25 * (1.0 - np.cos(2.0 * np.pi * t)), 0.0])


def _square(quads):
    """Points [m] of a square of 2 m about the origin, rows along x, and its quads."""
    line = np.linspace(-1.0, 1.0, quads + 1)
    y, x = np.meshgrid(line, line, indexing="ij")
    corners = np.arange(x.size).reshape(x.shape)[:-1, :-1].ravel()
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    return points, corners[:, None] + np.array([0, 1, quads + 2, quads + 1])


def _sides(faces):
    """The sides of all faces once, shape (edge_count, 2)."""
    return Polygons.from_faces(faces).edges()
