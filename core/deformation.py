# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a mesh is from its shape at rest, edge by edge."""

import numpy as np

from .topology import sides_of_edges


def edge_strains(edges, x, rest):
    """Length over the one at rest, less 1, of every edge, shape (edge_count,); 0 where that is 0.

    edges: shape (edge_count, 2); x, rest: positions now and at rest, shape (vertex_count, 3) [m].
    """
    now, before = (np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1) for points in (x, rest))
    return np.divide(now - before, before, out=np.zeros(len(edges)), where=before > 0.0)


def edge_bends(edges, polygons, x, rest):
    """Angle by which the faces beside every edge are folded from rest [rad], 0 to pi, shape (edge_count,).

    0 for edges that not two faces share; of an edge that more share, that of two of them. As of `edge_strains`.
    """
    beside, found = sides_of_edges(polygons), np.zeros(len(edges))
    if not len(beside.edges):
        return found
    turned = _angles(beside, polygons, x) - _angles(beside, polygons, rest)
    bends = np.abs(np.remainder(turned + np.pi, 2.0 * np.pi) - np.pi)
    count = len(x)
    keys, shared = (ends.min(axis=1) * count + ends.max(axis=1) for ends in (edges.astype(int), beside.edges))
    order = np.argsort(shared, kind="stable")
    place = order[np.minimum(np.searchsorted(shared, keys, sorter=order), len(shared) - 1)]
    return np.where(shared[place] == keys, bends[place], 0.0)


def _angles(beside, polygons, x):
    """Angles between the normals on both sides of shared edges [rad], signed alike in every pose, shape (count,)."""
    one, other = polygons.area_vectors(x)[beside.faces].transpose(1, 0, 2)
    along = x[beside.edges[:, 1]] - x[beside.edges[:, 0]]
    lengths = np.linalg.norm(along, axis=1)
    across = np.einsum("ij,ij->i", np.cross(one, other), along)
    return np.arctan2(across, lengths * np.einsum("ij,ij->i", one, other))
