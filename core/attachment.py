# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that are stuck to a surface and go where it goes."""

import numpy as np

from .quantities import check_indices, index_array, real_array
from .triangle_mesh.tree import TriangleTree
from .triangle_mesh.triangles import Triangles


class Attachment:
    """Points that stick to a surface while it moves, turns, grows or bends.

    Each point keeps its barycentric place on the nearest triangle of the start, and its offset from there in a frame of
    the first side and the normal, in proportion to the square root of the triangle's area. So points follow motion,
    rotation and growth of the whole surface exactly.

    points: at the start [m], shape (count, 3); surface: vertices at the start [m], shape (vertex_count, 3); triangles:
    their indices, shape (triangle_count, 3); triangles without area hold nothing.
    Raises ValueError where no triangle has an area, and for rows that are not of three numbers or name no vertex.
    """

    def __init__(self, points, surface, triangles):
        points, surface = real_array("points", points), real_array("surface", surface)
        triangles = index_array("triangles", triangles)
        for name, rows in (("points", points), ("surface", surface), ("triangles", triangles)):
            if rows.ndim != 2 or rows.shape[1] != 3:
                raise ValueError(f"{name} of an attachment has shape {rows.shape}: give rows of three")
        check_indices("triangle", triangles, len(surface))
        triangles = triangles[_frames(surface[triangles])[1] > 0.0]
        if len(triangles) == 0:
            raise ValueError("the surface has no triangle with an area: attach to a mesh with faces")
        nearest, self._weights = _nearest(points, surface, triangles)
        self.corners, self._count = triangles[nearest], len(surface)
        corners = surface[self.corners]
        frames, sizes = _frames(corners)
        away = points - self.on(corners)
        self._away = np.einsum("kij,kj->ki", frames, away) / sizes[:, None]

    def __call__(self, surface):
        """Where the points belong [m], shape (count, 3), with the vertices of the surface [m].

        Raises ValueError for another number of vertices. A triangle that has no area any more holds them on itself.
        """
        surface = np.asarray(surface, dtype=np.float64)
        if surface.shape != (self._count, 3):
            raise ValueError(f"the surface has shape {surface.shape}: give x, y, z of {self._count} vertices")
        corners = surface[self.corners]
        frames, sizes = _frames(corners)
        return self.on(corners) + np.einsum("kij,ki->kj", frames, sizes[:, None] * self._away)

    def on(self, corners):
        return np.einsum("kc,kcj->kj", self._weights, corners)


def _frames(corners):
    """Unit vectors along the first side, across it and off the triangle, as rows, and the square root of twice its
    area [m]; without an area they are 0."""
    along, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(along, other)
    doubled = np.linalg.norm(normals, axis=1)
    first, normal = _units(along), _units(normals)
    return np.stack([first, np.cross(normal, first), normal], axis=1), np.sqrt(doubled)


def _units(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)


def _nearest(points, surface, triangles):
    """Triangles that are nearest to points, and barycentric weights of what of them is, shape (count, 3)."""
    chosen = TriangleTree(surface, triangles).about(surface)(points)
    return chosen, Triangles(surface, triangles).each(points, np.arange(len(points)), chosen).weights.T
