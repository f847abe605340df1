# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends of springs against the explicit incidence matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork
from hooke.core.kernels.curvature import add_curvature
from hooke.core.spring_ends import ends_of

SIDE = 40


def grid_edges(kinds=((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0))):
    """Springs of a square of SIDE x SIDE vertices, by steps of rows and columns."""
    rows, columns = np.divmod(np.arange(SIDE**2), SIDE)
    edges = []
    for down, right in kinds:
        inside = (rows + down < SIDE) & (columns + right >= 0) & (columns + right < SIDE)
        edges.append(np.column_stack([np.arange(SIDE**2), np.arange(SIDE**2) + SIDE * down + right])[inside])
    return np.concatenate(edges)


def turned(edges, seed):
    """The same springs in another order, half of them the other way round."""
    rng = np.random.default_rng(seed)
    edges = rng.permutation(edges)
    return np.where(rng.random(len(edges))[:, None] < 0.5, edges, edges[:, ::-1])


def renumbered(edges, seed):
    return np.random.default_rng(seed).permutation(SIDE**2)[edges]


def torn(edges, share, seed):
    return edges[np.random.default_rng(seed).random(len(edges)) >= share]


NETWORKS = {
    "grid": grid_edges(),
    "grid in any order": turned(grid_edges(), 1),
    "grid with holes": torn(grid_edges(), 0.1, 2),
    "grid in tatters": torn(grid_edges(), 0.5, 3),
    "grid whose vertices have any numbers": turned(renumbered(grid_edges(), 4), 5),
    "grid with springs twice": np.concatenate([grid_edges(), grid_edges()[::7]]),
    "grid with a few far springs": np.concatenate([grid_edges(), [[0, 1599], [700, 3], [12, 900]]]),
    "rope": np.column_stack([np.arange(SIDE**2 - 1), np.arange(1, SIDE**2)]),
    "no springs": np.empty((0, 2), dtype=np.intp),
}


@pytest.fixture(params=NETWORKS.values(), ids=NETWORKS.keys())
def edges(request):
    return request.param


def test_every_spring_is_there_once(edges):
    assert_array_equal(np.sort(ends_of(edges, SIDE**2).springs), np.arange(len(edges)))


def test_differences_are_those_of_the_ends(edges):
    x = np.random.default_rng(7).normal(size=(3, SIDE**2))
    ends = ends_of(edges, SIDE**2)
    out = np.empty((3, ends.size))
    ends.differences(x, out)
    i, j = edges[ends.springs].T
    assert_array_equal(out, x[:, i] - x[:, j])


def test_the_sum_of_weighted_differences_is_a_product_with_the_stiffness_matrix(edges):
    rng = np.random.default_rng(8)
    x, k = rng.normal(size=(3, SIDE**2)), rng.uniform(1.0, 2.0, len(edges)).astype(np.float32)
    found, ends = np.zeros_like(x), ends_of(edges, SIDE**2)
    stiff = np.column_stack([ends.row(k), np.zeros(ends.size)]).astype(np.float32)
    add_curvature(x, *ends.in_slices.values(), np.zeros((ends.size, 4), np.float32), stiff, found)
    expected, (i, j) = np.zeros_like(x), edges.T
    for row, result in zip(x, expected, strict=True):
        force = k * (row[i] - row[j])
        np.add.at(result, i, force)
        np.add.at(result, j, -force)
    # A dozen terms a vertex.
    assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_blocks_are_added_at_both_ends(edges):
    values = np.random.default_rng(9).uniform(1.0, 2.0, len(edges)).astype(np.float32)
    found, ends = np.zeros((6, SIDE**2)), ends_of(edges, SIDE**2)
    stiff = np.column_stack([ends.row(values), np.zeros(ends.size)]).astype(np.float32)
    ends.add_blocks(np.zeros((ends.size, 4), np.float32), stiff, np.zeros(ends.size), 0.0, found)
    expected = np.bincount(edges.ravel(), np.repeat(values, 2), SIDE**2)
    assert_allclose(found, np.outer([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], expected), rtol=1e-14)


def test_lengths_of_a_network_go_by_them(edges):
    points = np.random.default_rng(10).normal(size=(SIDE**2, 3))
    network = SpringNetwork(points, np.unique(edges, axis=0), rest_lengths=1.0)
    i, j = network.edges.T
    expected = np.linalg.norm(points[i] - points[j], axis=1)
    assert_allclose(network.spring_lengths(points), expected, rtol=1e-15)
