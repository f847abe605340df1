# SPDX-License-Identifier: GPL-3.0-or-later
"""The block-Jacobi preconditioner, against dense matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core.solvers.block_jacobi import BlockJacobi
from hooke.core.solvers.implicit_step import ImplicitStep


def six(blocks):
    """xx, yy, zz, xy, yz and zx of symmetric blocks, shape (count, 3, 3)."""
    return blocks[:, (0, 1, 2, 0, 1, 2), (0, 1, 2, 1, 2, 0)].T


def test_it_solves_every_block_on_its_own():
    rng = np.random.default_rng(3)
    halves = rng.normal(size=(40, 3, 3))
    blocks = halves @ halves.transpose(0, 2, 1) + 0.1 * np.eye(3)
    b = rng.normal(size=(3, 40))
    wanted = np.linalg.solve(blocks, b.T[..., None])[..., 0].T
    condition = np.linalg.cond(blocks).max()
    found = BlockJacobi(six(blocks), np.full(40, 0.1)).solve(b)
    assert_allclose(found, wanted, rtol=0, atol=1e-15 * condition * np.abs(wanted).max() * 10)


def test_one_stiff_direction_leaves_the_others_their_own():
    # k n n^T + m with k/m of 10^13: the adjugate over the determinant would be rounding alone.
    n = np.array([2.0, -1.0, 2.0]) / 3.0
    blocks = (1e13 * np.outer(n, n) + np.eye(3))[None]
    across = np.array([1.0, 0.0, -1.0])
    found = BlockJacobi(six(blocks), np.ones(1)).solve(across[:, None])[:, 0]
    # Rounding of 10^13 in the pivots is of the order of 10^-3.
    assert_allclose(found @ across, across @ across, rtol=1e-2)


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_the_blocks_are_those_of_the_linearised_step(random_net, damping):
    network = random_net(damping=damping)
    problem = ImplicitStep(network, 0.02)
    x = np.ascontiguousarray(network.points.T)
    targets = network.points[network.soft_pins]
    problem.begin(x.copy(), x.copy(), targets)
    problem.gradient(x, linearise=True)
    blocks = problem.diagonal_blocks()
    for row, column, entries in zip((0, 1, 2, 0, 1, 2), (0, 1, 2, 1, 2, 0), blocks, strict=True):
        for vertex in np.flatnonzero(network.pins < 1.0):
            p = np.zeros_like(x)
            p[column, vertex] = 1.0
            product = problem.product(p, np.empty_like(x))
            assert product[row, vertex] == pytest.approx(entries[vertex], rel=1e-12, abs=1e-9)


def test_the_value_is_the_objective_without_a_gradient(random_net):
    network = random_net(damping=0.3)
    problem = ImplicitStep(network, 0.02)
    start = np.ascontiguousarray(network.points.T)
    x = start + 0.01 * np.random.default_rng(8).normal(size=start.shape)
    problem.begin(start + 0.02, start, network.points[network.soft_pins])
    assert problem.value(x) == pytest.approx(problem.objective(x)[0], rel=1e-13)
