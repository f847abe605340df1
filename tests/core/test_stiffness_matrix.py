# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiffness and damping matrices against finite differences of the forces, and their block assembly."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork, forces
from hooke.core.assembly import BlockAssembly

# Central differences of forces of about 100 N: rounding 100 eps / H = 2e-8 N/m, cut-off H^2 f''' / 6 about
# 1e-9 N/m for springs of 0.1 m and more.
H = 1e-6
TOLERANCE = 1e-6


def minus_jacobian(force, at):
    """-dF/d(at) by central differences, square over all coordinates."""
    columns = []
    for entry in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[entry] = H
        columns.append((force(at + step) - force(at - step)).ravel() / (2 * H))
    return -np.column_stack(columns)


def dense(network, blocks, diagonal):
    """A^T diag(blocks) A + diag(diagonal) with a dense incidence matrix, three coordinates at a time."""
    a = np.zeros((network.spring_count, network.vertex_count))
    rows = np.arange(network.spring_count)
    np.add.at(a, (rows, network.edges[:, 0]), 1.0)
    np.add.at(a, (rows, network.edges[:, 1]), -1.0)
    size = 3 * network.vertex_count
    matrix = np.einsum("ei,eab,ej->iajb", a, blocks, a).reshape(size, size)
    return matrix + np.diag(np.repeat(diagonal, 3))


@pytest.fixture
def net(random_net):
    """Springs taut and slack, hard and soft pins."""
    return random_net(pins=[0, 0.25, 1, 0, 0.75, 0, 1, 0], pin_stiffness=40.0)


@pytest.fixture
def x(net):
    return net.points + np.random.default_rng(5).uniform(-0.2, 0.2, net.points.shape)


@pytest.fixture
def v(net):
    return np.random.default_rng(6).normal(size=net.points.shape)


def test_stiffness_matrix_is_the_derivative_of_springs_and_soft_pins(net, x):
    # Both kinds of spring matter: those pulled have positive, those pushed negative stiffness across.
    stretch = net.spring_lengths(x) - net.rest_lengths
    assert stretch.min() < -0.1
    assert stretch.max() > 0.1
    targets = net.points[net.soft_pins]

    def force(x):
        return forces.spring_forces(net, x) + forces.pin_forces(net, x, targets)

    expected = minus_jacobian(force, x)
    assert np.abs(expected).max() > 10.0
    assert_allclose(forces.stiffness_matrix(net, x).toarray(), expected, atol=TOLERANCE)


def test_stiffness_matrix_of_springs_without_rest_length(random_net):
    net = random_net(rest_lengths=0.0)
    expected = minus_jacobian(lambda x: forces.spring_forces(net, x), net.points)
    assert_allclose(forces.stiffness_matrix(net, net.points).toarray(), expected, atol=TOLERANCE)
    # Their stiffness is the same in all directions and everywhere: also where the ends meet.
    together = forces.stiffness_matrix(net, np.zeros_like(net.points)).toarray()
    assert_allclose(together, expected, atol=TOLERANCE)


def test_damping_matrix_is_the_derivative_by_the_velocities(net, x, v):
    expected = minus_jacobian(lambda v: forces.damping_forces(net, x, v), v)
    assert np.abs(expected).max() > 0.1
    assert_allclose(forces.damping_matrix(net, x).toarray(), expected, atol=TOLERANCE)


def test_damping_forces_change_with_the_direction_of_their_spring(net, x, v):
    expected = minus_jacobian(lambda x: forces.damping_forces(net, x, v), x)
    assert np.abs(expected).max() > 1.0
    assert np.abs(expected - expected.T).max() > 0.1
    blocks = forces.damping_turn_blocks(net, x, v)
    matrix = BlockAssembly(net).matrix(blocks, np.zeros(net.vertex_count))
    assert_allclose(matrix.toarray(), expected, atol=TOLERANCE)


def test_matrices_are_symmetric_and_blind_to_translation(net, x):
    # The rows of a free vertex's block sum to its pin's weight; a shift of all pulls only on the pins.
    w = np.zeros(net.vertex_count)
    w[net.soft_pins] = forces.pin_weights(net)
    for matrix, pull in ((forces.stiffness_matrix(net, x), w), (forces.damping_matrix(net, x), 0 * w)):
        matrix = matrix.toarray()
        assert_allclose(matrix, matrix.T, atol=1e-13)
        shift = np.tile([1.0, -2.0, 0.5], net.vertex_count)
        assert_allclose(matrix @ shift, np.repeat(pull, 3) * shift, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_clamped_blocks_are_positive_semidefinite(random_net, seed):
    net = random_net(seed=seed)
    exact, clamped = (forces.spring_blocks(net, net.points, compressed=share) for share in (1.0, 0.0))
    lowest = np.linalg.eigvalsh(exact)[:, 0]
    assert lowest.min() < -1.0
    assert_allclose(np.linalg.eigvalsh(clamped)[:, 0].min(), 0.0, atol=1e-13 * 80)
    assert np.linalg.eigvalsh(clamped).min() > -1e-13 * 80
    stretched = net.spring_lengths(net.points) >= net.rest_lengths
    assert 0 < stretched.sum() < len(stretched)
    assert_array_equal(clamped[stretched], exact[stretched])
    # Along the spring nothing is taken away: n^T B n = k in both.
    n, _ = forces.spring_directions(net, net.points)
    assert_allclose(np.einsum("ea,eab,eb->e", n, clamped, n), net.stiffness, rtol=1e-13)


def test_share_of_the_negative_stiffness_is_in_between(net, x):
    exact, half, clamped = (forces.spring_blocks(net, x, compressed=share) for share in (1.0, 0.5, 0.0))
    assert_allclose(half, 0.5 * (exact + clamped), atol=1e-12)


def test_block_of_one_spring_by_hand():
    # Length 2 on a rest length of 1: k along, k (1 - 1/2) across. Length 1/2: k along, -k across, or 0.
    net = SpringNetwork([[0, 0, 0], [0, 0, 2.0]], [[0, 1]], stiffness=8.0, rest_lengths=1.0)
    assert_allclose(forces.spring_blocks(net, net.points), [np.diag([4.0, 4.0, 8.0])], rtol=1e-15)
    short = net.points / 4
    assert_allclose(forces.spring_blocks(net, short), [np.diag([-8.0, -8.0, 8.0])], rtol=1e-15)
    assert_allclose(forces.spring_blocks(net, short, compressed=0.0), [np.diag([0, 0, 8.0])], rtol=1e-15)


@pytest.mark.parametrize("gap", [0.0, 1e-300, 1e-150, 1e-9])
@pytest.mark.parametrize("rest_length", [0.0, 1.0])
def test_blocks_of_ends_that_meet_or_almost_do_are_finite(gap, rest_length):
    net = SpringNetwork(
        [[0, 0, 0], [gap, 0, 0]], [[0, 1]], stiffness=1e6, rest_lengths=rest_length, damping=1e3
    )
    for compressed in (0.0, 1.0):
        block = forces.spring_blocks(net, net.points, compressed=compressed)[0]
        assert np.isfinite(block).all()
        # Squares of gaps below 1e-162 m underflow: such ends meet.
        if rest_length == 0.0:
            assert_allclose(block, 1e6 * np.eye(3), rtol=1e-12)
        elif gap < 1e-160:
            assert_array_equal(block, np.zeros((3, 3)))
    assert np.isfinite(forces.damping_blocks(net, net.points)).all()
    assert np.isfinite(forces.damping_turn_blocks(net, net.points, np.ones((2, 3)))).all()


@pytest.mark.parametrize("seed", range(5))
def test_assembly_is_the_dense_product(seed):
    rng = np.random.default_rng(seed)
    # Pairs may repeat, in both directions, and vertices may have no spring.
    pairs = rng.integers(0, 9, (30, 2))
    net = SpringNetwork(rng.normal(size=(10, 3)), pairs[pairs[:, 0] != pairs[:, 1]], rest_lengths=1.0)
    assembly = BlockAssembly(net)
    for _ in range(2):  # the pattern serves many blocks
        blocks = rng.normal(size=(net.spring_count, 3, 3))
        diagonal = rng.normal(size=10)
        matrix = assembly.matrix(blocks, diagonal)
        assert matrix.shape == (30, 30)
        # Sums of up to a dozen numbers of size 3.
        assert_allclose(matrix.toarray(), dense(net, blocks, diagonal), atol=1e-14 * 30)


def test_assembly_stores_one_block_a_pair_and_one_a_vertex():
    net = SpringNetwork(np.eye(4, 3), [[0, 1], [1, 0], [1, 2], [0, 1]], rest_lengths=1.0)
    matrix = BlockAssembly(net).matrix(np.ones((4, 3, 3)), np.ones(4))
    assert matrix.blocksize == (3, 3)
    assert len(matrix.data) == 4 + 2 * 2
    matrix.check_format(full_check=True)


def test_assembly_without_springs_is_the_diagonal():
    net = SpringNetwork(np.zeros((2, 3)), [])
    matrix = BlockAssembly(net).matrix(np.empty((0, 3, 3)), np.array([2.0, 5.0]))
    assert_array_equal(matrix.toarray(), np.diag([2.0, 2, 2, 5, 5, 5]))
