# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .triangles import ROUNDING, Triangles


class Surroundings(NamedTuple):
    """The parts of a mesh that are close to points.

    distances: signed [m], shape (count,); normals: shape (count, 3); triangles, shape (count,), and the barycentric
    weights in them, shape (3, count), of what is closest.
    """

    distances: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray


class PosedMesh:
    """Signed distances from triangles in a pose that is asked for a few times.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m].
    """

    def __init__(self, mesh, points):
        self.vertices = mesh.vertices(points)
        self._triangles, self._mesh = Triangles(self.vertices, mesh.triangles), mesh

    def closest(self, x):
        """Surroundings of points, shape (count, 3)."""
        found = self._triangles.each(x, np.arange(len(x)), self._nearest(x))
        sides = self._mesh.sides
        features = sides.features(found.triangles, found.weights)
        normals = sides.normals(features, self._triangles.ab, self._triangles.ac)
        signed, normals = _signed_offsets(found, normals, self._triangles.scale)
        if not self._mesh.solid:
            signed, normals = np.abs(signed), np.copysign(1.0, signed) * normals
        return Surroundings(signed, normals.T, found.triangles, found.weights)

    @cached_property
    def _nearest(self):
        return self._mesh.tree.about(self.vertices)


def _signed_offsets(found, features, scale):
    """Signed distances [m], shape (count,), and normals out of the surface, shape (3, count), of what is closest.

    found: Closest; features: normals of the face, edge or vertex that each closest point lies on, shape (3, count);
    scale: of the coordinates [m]. Out is along the offset where a point is off the surface, else along the feature.
    """
    x, y, z = found.offsets * features
    out = x + y + z
    side = np.where(out >= 0.0, 1.0, -1.0)
    off = found.distances > ROUNDING * scale
    directions = side * found.offsets / np.where(off, found.distances, 1.0)
    return np.where(off, side * found.distances, out), np.where(off, directions, features)
