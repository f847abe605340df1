# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid Mesh."""

from functools import cached_property

from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.cube import cube
from ..triangle_mesh.posed import PosedMesh
from .collider import Collider


class RigidMesh(Collider):
    """A triangle mesh that keeps its shape.

    points [m], shape (point_count, 3), and triangles of their indices, shape (triangle_count, 3), or None for a cube of
    2 m. A mesh whose openings are a tenth of its area at most is a solid; another one is a sheet, which particles stay
    on their side of.  Other arguments: see `Collider`.

    Needs SciPy. Raises ValueError for points that are not finite, triangles of no point or none with an area.
    """

    label = "Rigid Mesh"
    description = "Any mesh that keeps its shape, resting or moving"

    def __init__(self, points=None, triangles=None, **contact):
        super().__init__(**contact)
        if points is None and triangles is None:
            points, triangles = cube()
        mesh = TriangleMesh(points, triangles)
        self.solid = mesh.solid
        self.triangles, self.outline = mesh.triangles, mesh.vertices(points)
        self._mesh, self._points = mesh, points

    @cached_property
    def _posed(self):
        return PosedMesh(self._mesh, self._points)

    def closest(self, x):
        """Distances and normals."""
        found = self._posed.closest(x)
        return found.distances, found.normals
