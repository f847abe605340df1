# SPDX-License-Identifier: GPL-3.0-or-later
"""How a surface turns over the edges between its faces."""

import numpy as np


class Hinges:
    """Edges with a point on either side: the turn of the slope over an edge as a weighted sum of four points.

    On two triangles that share an edge and are unfolded into a plane, the slope perpendicular to the edge jumps from
    one to the other by sum of w_i x_i: a vector, normal to the surface, as long as the fold's angle where that is
    small. It is zero, whatever the triangles' shapes, as long as the surface is flat.

    points [m], shape (vertex_count, 3); edges: vertex indices, shape (count, 2); first, second: vertex opposite on
    either side, shape (count,).
    vertices, weights [1/m]: of each, shape (count, 4), in the order edge, first, second; lengths: of the edges [m];
    heights: of the points above them, and shares: where along them, from 0 to 1, both of shape (count, 2).
    """

    def __init__(self, points, edges, first, second):
        self.vertices = np.column_stack([edges, first, second])
        i, j = points[edges[:, 0]], points[edges[:, 1]]
        along = j - i
        square = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        self.lengths = np.sqrt(square)
        shares, heights = [], []
        for opposite in (first, second):
            away = points[opposite] - i
            share = np.einsum("ij,ij->i", away, along) / square
            across = away - share[:, None] * along
            shares.append(share)
            heights.append(np.sqrt(np.einsum("ij,ij->i", across, across)))
        self.heights = np.column_stack(heights)
        # Where three points lie in line the slope has no bound: what bends there is left out by its owner.
        least = np.maximum(np.finfo(float).eps * self.lengths, np.finfo(float).tiny)
        up = 1.0 / np.maximum(self.heights, least[:, None])
        self.shares = np.column_stack(shares)
        to_j = (self.shares * up).sum(axis=1)
        self.weights = np.column_stack([to_j - up.sum(axis=1), -to_j, up])

    def firm(self, least):
        """Which have both points above them at more than such a share of the edge's length."""
        return self.heights.min(axis=1) > least * self.lengths
