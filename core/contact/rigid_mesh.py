# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid Mesh."""

from functools import cached_property

from ..quantities import number
from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.cube import cube
from ..triangle_mesh.distance_grid import DistanceGrid
from ..triangle_mesh.posed import PosedMesh
from .collider import Collider

# Distances outside are exact up to the thickness and so many mean sides of a triangle.
_EXACT = 3.0


class RigidMesh(Collider):
    """A triangle mesh that keeps its shape.

    Signed distances are told by a grid in its own space, which is made when they are first asked for.

    points [m], shape (point_count, 3), and triangles of their indices, shape (triangle_count, 3), or None for a cube of
    2 m. A mesh whose openings are a tenth of its area at most is a solid; another one is a sheet, which particles stay
    on their side of. resolution: cells of the grid along the longest side at most, see `DistanceGrid`. Distances
    are exact up to the thickness, beyond interpolated. What else it takes: see `Collider`.

    Needs SciPy. Distances of ten thousand triangles take one or two seconds to prepare, and up to 100 MB.
    Raises ValueError for points that are not finite, triangles of no point or none with an area, or a resolution
    that is not from 1 to 500.
    """

    label = "Rigid Mesh"
    description = "Any mesh that keeps its shape, resting or moving"

    def __init__(self, points=None, triangles=None, resolution=128, **contact):
        super().__init__(**contact)
        resolution = number("the rigid mesh's resolution", resolution, above=0.0, most=500.0)
        if points is None and triangles is None:
            points, triangles = cube()
        mesh = TriangleMesh(points, triangles)
        self.solid = mesh.solid
        self.triangles, self.outline = mesh.triangles, mesh.vertices(points)
        self._mesh, self._points, self._resolution = mesh, points, resolution
        self._reach = float(self.thickness.max()) + _EXACT * mesh.mean_side(points)

    def extent(self):
        """See `Shape.extent`."""
        return self.outline.min(axis=0), self.outline.max(axis=0)

    @cached_property
    def _posed(self):
        return PosedMesh(self._mesh, self._points)

    @cached_property
    def _grid(self):
        # Only where something is kept in it: what collides with it from outside meets its triangles.
        return DistanceGrid(self._mesh, self._points, float(self.thickness.max()), self._resolution)

    def closest(self, x):
        """Distances and normals, those within three sides of a triangle exact; inside see `DistanceGrid.closest`."""
        if self.inside:
            return self._grid.closest(x, lead_out=False)
        found = self._posed.closest(x, self._reach)
        return found.distances, found.normals
