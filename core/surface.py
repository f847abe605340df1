# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of a network: the triangles of its faces, and the edges that border no face."""

from functools import cached_property

import numpy as np

from .directions import lengths
from .listed import distinct_rows
from .polygons import triangulated
from .topology import Polygons, connected_parts, unique_edges


class Surface:
    """Triangles and strands between the vertices of a network.

    edges: of the mesh, shape (edge_count, 2); faces: sequence of vertex-index sequences, index array
    (face_count, k), or Polygons; None for none. points [m], shape (vertex_count, 3): at rest, for `triangulated`; None
    cuts every face into a fan.
    """

    def __init__(self, edges, faces=None, points=None):
        self.edges, self.polygons, self.points = edges, Polygons.from_faces(faces), points

    @cached_property
    def triangles(self):
        """Faces as triangles, wound like them, vertex indices of shape (triangle_count, 3)."""
        return self.polygons.triangles() if self.points is None else triangulated(self.points, self.polygons)

    @cached_property
    def strands(self):
        """Edges that border no face, of ropes, nets and wires, vertex indices of shape (strand_count, 2)."""
        return unique_edges(self.edges, known=self.polygons.edges())

    @cached_property
    def closed(self):
        """Whether there are faces, and across every side of them lies one other."""
        sides = np.sort(self.polygons.sides(), axis=1)
        _, counts = distinct_rows(sides, return_counts=True)
        return bool(len(counts) and (counts == 2).all())

    def volume(self, points):
        """Volume inside closed faces at points, shape (vertex_count, 3) [m]: of tetrahedra to their middle [m^3]."""
        a, b, c = np.swapaxes((points - points.mean(axis=0))[self.triangles], 0, 1)
        return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0


def pieces_of_surface(points, triangles):
    """The piece of surface of every vertex, the area of every piece [m^2], and the length of its rim [m].

    points: at rest [m], shape (n, 3); triangles: shape (count, 3). A piece without triangles has no area.
    """
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    sides, times = distinct_rows(sides, return_counts=True)
    parts = connected_parts(sides, len(points))
    rim = sides[times == 1]
    count = int(parts.max(initial=-1)) + 1
    around = np.bincount(parts[rim[:, 0]], lengths(points[rim[:, 1]] - points[rim[:, 0]]), count)
    a, b, c = (points[column] for column in triangles.T)
    area = np.bincount(parts[triangles[:, 0]], 0.5 * lengths(np.cross(b - a, c - a)), count)
    return parts, area, around
