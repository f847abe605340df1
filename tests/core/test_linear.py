# SPDX-License-Identifier: GPL-3.0-or-later
"""The linear backends against a dense solve."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from hooke.core import Simulation, SpringNetwork
from hooke.core.solvers import linear

BACKENDS = {
    "CHOLMOD": "cholespy",
    "SUPERLU": "scipy",
}


@pytest.fixture
def matrix():
    """Symmetric positive definite, sparse, of condition about 1e4."""
    rng = np.random.default_rng(0)
    b = sparse.random(60, 40, density=0.1, random_state=1, data_rvs=rng.standard_normal)
    return (b.T @ b + sparse.diags(rng.uniform(0.01, 1.0, 40))).tocsr()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("columns", [1, 3])
def test_factor_solves_like_a_dense_solve(matrix, backend, columns):
    pytest.importorskip(BACKENDS[backend], reason=f"{BACKENDS[backend]} is not installed")
    b = np.random.default_rng(2).normal(size=(40, columns))
    factor = linear.factorise(matrix, backend)
    assert factor.name == backend
    expected = np.linalg.solve(matrix.toarray(), b)
    # Condition 1e4 times round-off.
    assert_allclose(factor.solve(b), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    # Right-hand sides in any memory order, as often as wanted, and the caller's arrays stay as they are.
    assert_allclose(factor.solve(np.asfortranarray(b)), expected, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("backend", BACKENDS)
def test_factorising_leaves_the_matrix_alone(matrix, backend):
    pytest.importorskip(BACKENDS[backend], reason=f"{BACKENDS[backend]} is not installed")
    before = matrix.copy()
    linear.factorise(matrix, backend)
    assert (matrix != before).nnz == 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "entries",
    [
        [[-1.0, 0], [0, 1]],
        [[1, 2], [2, 1.0]],
        [[1, 1], [1, 1.0]],  # singular
        [[0, 1], [1, 0.0]],  # zeros on the diagonal, which a solver may pivot around
        [[1, 1, 0], [1, 1, 1], [0, 1, 1.0]],  # a zero that elimination makes
        [[np.nan, 0], [0, 1]],
        [[np.inf, 0], [0, 1]],
    ],
)
def test_matrix_that_is_not_positive_definite_is_refused(backend, entries):
    pytest.importorskip(BACKENDS[backend], reason=f"{BACKENDS[backend]} is not installed")
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        linear.factorise(sparse.csc_matrix(np.array(entries)), backend)


def test_sparse_lu_solves_a_matrix_that_is_not_symmetric():
    rng = np.random.default_rng(4)
    matrix = sparse.random(40, 40, density=0.1, random_state=5, data_rvs=rng.standard_normal) + sparse.eye(40)
    b = rng.normal(size=(40, 2))
    expected = np.linalg.solve(matrix.toarray(), b)
    assert_allclose(linear.SparseLU(matrix).solve(b), expected, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("entries", [[[1, 1], [1, 1.0]], [[0, 0], [0, 1.0]], [[np.nan, 0], [0, 1]]])
def test_sparse_lu_refuses_what_is_singular_or_not_finite(entries):
    with pytest.raises(np.linalg.LinAlgError, match=r"the matrix is (singular|not finite)"):
        linear.SparseLU(sparse.csc_matrix(np.array(entries)))


def test_auto_takes_the_first_backend_there_is(matrix):
    assert linear.factorise(matrix, definite=True).name == linear.backends()[0].name


# The second is what frames are told to have been made by, where a factor in single precision makes them.
@pytest.mark.parametrize("name", ["PARDISO", "SUPERNODAL"])
def test_another_backend_is_named(name):
    with pytest.raises(ValueError, match=f"linear solver backend is '{name}': use AUTO, CHOLMOD or SUPERLU"):
        linear.factorise(None, name)
    with pytest.raises(ValueError, match=f"linear solver backend is '{name}': use AUTO, CHOLMOD or SUPERLU"):
        Simulation(SpringNetwork.grid((3, 3), 0.1), dt=0.04, backend=name)


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(linear, "backends", lambda: (linear.SuperLUFactor,))
    with pytest.raises(ImportError, match="cholespy is not installed"):
        linear.factorise(None, "CHOLMOD")
    monkeypatch.setattr(linear, "backends", lambda: ())
    with pytest.raises(ImportError, match="SciPy is not installed"):
        linear.factorise(None)
