# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of edges that share no vertex: what makes a vectorised Gauss-Seidel sweep one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hooke.core import SpringNetwork
from hooke.core.topology import edge_batches

from .drawn import drawn

STEADY = drawn(100)


@st.composite
def graphs(draw):
    """Edges, repeats allowed, and the number of vertices, some of them without an edge."""
    vertex_count = draw(st.integers(2, 12))
    vertex = st.integers(0, vertex_count - 1)
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=40))
    edges = [pair for pair in pairs if pair[0] != pair[1]]
    return np.array(edges, dtype=np.intp).reshape(-1, 2), vertex_count


def degrees(edges, vertex_count):
    return np.bincount(edges.ravel(), minlength=vertex_count)


@STEADY
@given(graphs())
def test_every_edge_is_in_one_batch_and_no_batch_shares_a_vertex(graph):
    edges, vertex_count = graph
    batches = edge_batches(edges, vertex_count)
    assert_array_equal(np.sort(np.concatenate([*batches, []])), np.arange(len(edges)))
    for batch in batches:
        assert len(batch) > 0
        assert degrees(edges[batch], vertex_count).max() == 1


@STEADY
@given(graphs())
def test_batches_are_maximal_matchings_of_what_is_left(graph):
    edges, vertex_count = graph
    batches = edge_batches(edges, vertex_count)
    for number, batch in enumerate(batches):
        taken = degrees(edges[batch], vertex_count) > 0
        for later in batches[number + 1 :]:
            assert taken[edges[later]].any(axis=1).all()
    # So every edge loses a neighbour to each batch before its own: at most 2 (d - 1) of them.
    if len(edges):
        assert len(batches) <= 2 * (degrees(edges, vertex_count).max() - 1) + 1


@STEADY
@given(graphs())
def test_same_edges_give_the_same_batches(graph):
    for first, second in zip(edge_batches(*graph), edge_batches(*graph), strict=True):
        assert_array_equal(first, second)


def test_no_edges_give_no_batches():
    assert edge_batches(np.empty((0, 2), dtype=np.intp), 3) == []


def test_lattice_needs_few_batches():
    # Every inner vertex has 26 springs, so 26 batches at least; greedy matching stays near that.
    network = SpringNetwork.lattice((8, 8, 8))
    batches = edge_batches(network.edges, network.vertex_count)
    assert 26 <= len(batches) <= 40
