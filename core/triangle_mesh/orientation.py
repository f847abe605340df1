# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles turned the same way, and outwards."""

import numpy as np

from .sides import edges_of, sides_of


def oriented(x, corners):
    """Mask of the triangles to turn round so that neighbours agree and volumes are above zero.

    x: corners' positions, shape (triangle_count, 3, 3); corners: the same number for the same place. Where neighbours
    agree from the start, hollows keep the way they face; what has no two sides, as a Moebius strip, stays as it is.
    """
    volumes = np.einsum(
        "ti,ti->t", x[:, 0] - x.mean(axis=(0, 1)), np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    )
    one, other, agree = _neighbours(corners)
    if agree.all():
        return np.full(len(corners), volumes.sum() < 0.0)
    # Every triangle twice, as it is and turned: what belongs together is connected.
    count = len(corners)
    labels = components(
        np.concatenate([one, one + count]),
        np.concatenate([np.where(agree, other, other + count), np.where(agree, other + count, other)]),
        2 * count,
    )
    as_is, turned = labels[:count], labels[count:]
    turn = as_is > turned
    patch = np.minimum(as_is, turned)
    inwards = np.bincount(patch, np.where(turn, -volumes, volumes)) < 0.0
    return turn ^ (inwards[patch] & (as_is != turned))


def components(one, other, count):
    """Number of the connected component of each of `count` nodes joined in pairs."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(one), dtype=bool), (one, other)), (count, count))
    return connected_components(graph, directed=False)[1]


def _neighbours(corners):
    """Pairs of triangles that alone share an edge, and whether they are wound alike."""
    edges, sharing = edges_of(corners)
    start, end = sides_of(corners).T
    order = np.argsort(edges, kind="stable")
    order = order[sharing[edges[order]] == 2].reshape(-1, 2)
    forward = start[order] < end[order]
    one, other = (order % len(corners)).T
    return one, other, forward[:, 0] != forward[:, 1]
