# SPDX-License-Identifier: GPL-3.0-or-later
"""The incidence operator against the explicit dense matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import incidence as module
from hooke.core.incidence import Incidence

# Vertex 5 has no spring; 0-3 is there twice, once each way.
EDGES = np.array([[0, 1], [3, 0], [2, 4], [0, 3], [4, 1], [2, 0]])
VERTEX_COUNT = 6


@pytest.fixture(params=["with SciPy", "without SciPy"])
def scipy(request, monkeypatch):
    if request.param == "without SciPy":
        monkeypatch.setattr(module, "sparse", None)


@pytest.fixture
def incidence(scipy):
    return Incidence(EDGES, VERTEX_COUNT)


@pytest.fixture
def dense():
    a = np.zeros((len(EDGES), VERTEX_COUNT))
    for row, (i, j) in enumerate(EDGES):
        a[row, i], a[row, j] = 1.0, -1.0
    return a


def test_differences_are_a_times_x(incidence, dense):
    x = np.random.default_rng(1).normal(size=(VERTEX_COUNT, 3))
    assert_allclose(incidence.differences(x), dense @ x, rtol=1e-15)


def test_sums_are_the_transpose_times_f(incidence, dense):
    # At most four terms a vertex: a few units of round-off.
    f = np.random.default_rng(2).normal(size=(len(EDGES), 3))
    assert_allclose(incidence.sums(f), dense.T @ f, atol=1e-15)


def test_sums_without_springs_are_zero(scipy):
    none = Incidence(np.empty((0, 2), dtype=int), 2)
    assert_array_equal(none.sums(np.empty((0, 3))), np.zeros((2, 3)))


def test_matrix_is_the_dense_one(dense):
    matrix = Incidence(EDGES, VERTEX_COUNT).matrix()
    assert matrix.shape == dense.shape
    assert_array_equal(matrix.toarray(), dense)
