# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a network its surroundings touch: the triangles of its faces, and the edges that border no face."""

from functools import cached_property

import numpy as np

from .topology import Polygons, unique_edges


class Surface:
    """Triangles and strands between the vertices of a network.

    edges: of the mesh, shape (edge_count, 2); faces: sequence of vertex-index sequences, index array
    (face_count, k), or Polygons; None for none.
    """

    def __init__(self, edges, faces=None):
        self.edges, self.polygons = edges, Polygons.from_faces(faces)

    @cached_property
    def triangles(self):
        """Faces as fans of triangles, wound like them, vertex indices of shape (triangle_count, 3)."""
        return self.polygons.triangles()

    @cached_property
    def strands(self):
        """Edges that border no face, of ropes, nets and wires, vertex indices of shape (strand_count, 2)."""
        return unique_edges(self.edges, known=self.polygons.edges())

    @cached_property
    def closed(self):
        """Whether there are faces, and across every side of them lies one other."""
        sides = np.sort(self.polygons.sides(), axis=1)
        _, counts = np.unique(sides, axis=0, return_counts=True)
        return bool(len(counts) and (counts == 2).all())

    def volume(self, points):
        """Volume inside closed faces at points, shape (vertex_count, 3) [m]: of tetrahedra to their middle [m^3]."""
        a, b, c = np.swapaxes((points - points.mean(axis=0))[self.triangles], 0, 1)
        return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0
