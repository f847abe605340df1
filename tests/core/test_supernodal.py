# SPDX-License-Identifier: GPL-3.0-or-later
"""The factor in single precision against dense algebra, and what is found on it against double precision."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import EFFORTS, Simulation, SpringNetwork, State
from hooke.core.kernels import CHOSEN
from hooke.core.solvers.conjugate_gradients import ConjugateGradients
from hooke.core.solvers.drift import Drift
from hooke.core.solvers.global_matrix import global_matrix
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.linear import SuperLUFactor
from hooke.core.solvers.single_gradients import SingleGradients
from hooke.core.solvers.supernodal import SupernodalFactor
from hooke.core.solvers.supernodes import structure_of

DT = 0.02


@pytest.fixture(scope="module", autouse=True)
def library():
    """The compiled library, which tests/conftest.py made."""
    if CHOSEN.library is None:
        pytest.skip(CHOSEN.reason)


def pieces(*sides):
    """Grids side by side, none joined to another."""
    grids = [SpringNetwork.grid((side, side), 0.1) for side in sides]
    first = np.cumsum([0, *(grid.vertex_count for grid in grids[:-1])])
    points = [grid.points + place for place, grid in enumerate(grids)]
    edges = [grid.edges + start for start, grid in zip(first, grids, strict=True)]
    return SpringNetwork(np.concatenate(points), np.concatenate(edges), masses=0.01, stiffness=100.0)


NETWORKS = {
    "one vertex": SpringNetwork([[0.0, 0.0, 0.0]], []),
    "no springs": SpringNetwork(np.random.default_rng(1).normal(size=(9, 3)), []),
    "rope": SpringNetwork(np.eye(40)[:, :3], np.column_stack([np.arange(39), np.arange(1, 40)])),
    "pinned grid": SpringNetwork.grid((30, 20), 0.05, pins=[0, 19]),
    "held by pins alone": SpringNetwork.grid((4, 4), 0.05, pins=list(range(16))),
    "lattice": SpringNetwork.lattice((6, 5, 7), 0.1),
    "pieces": pieces(5, 1, 17, 2),
    # More than what one tree holds.
    "large grid": SpringNetwork.grid((130, 130), 0.02, pins=[0, 129]),
}


@pytest.fixture(params=NETWORKS.values(), ids=NETWORKS.keys())
def network(request):
    return request.param


def solved(matrix, right):
    """S^-1 b by the factor in single precision, for b of shape (n, 3)."""
    b = np.zeros((len(right), 4), np.float32)
    b[:, :3] = right
    out = np.full_like(b, np.nan)
    SupernodalFactor(matrix).by_lanes(b, out)()
    assert (out[:, 3] == 0.0).all()
    return out[:, :3]


@pytest.mark.sampled(2)
def test_it_solves_to_single_precision(network):
    matrix = global_matrix(network, DT)
    right = np.random.default_rng(3).normal(size=(network.vertex_count, 3)).astype(np.float32)
    expected = SuperLUFactor(matrix).solve(right.astype(float))
    # A backward error of some roundings: as large as the condition number makes it in the answer.
    residual = matrix @ solved(matrix, right) - right
    bound = 1e-6 * (np.abs(matrix).sum(axis=1).max() * np.abs(expected).max() + 1.0)
    assert np.abs(residual).max() <= bound


def test_large_networks_are_several_trees_and_a_trunk():
    network = NETWORKS["large grid"]
    trees = SupernodalFactor(global_matrix(network, DT))._factor["trees"].values
    assert 2 <= len(trees) - 1 <= 8


@pytest.mark.newest
def test_bits_are_the_same_on_any_number_of_threads():
    matrix = global_matrix(NETWORKS["large grid"], DT)
    right = np.random.default_rng(4).normal(size=(matrix.shape[0], 3))
    found = []
    for count in (1, 2, 7):
        CHOSEN.threads.use(count)
        found.append(solved(matrix, right).tobytes())
    CHOSEN.threads.use()
    assert found[0] == found[1] == found[2]


def torn(network):
    """A network torn between two rows, as faces tear: sides break, and the diagonals with them."""
    return network.changed(broken=(network.edges < 200).sum(axis=1) == 1)


@pytest.mark.parametrize(
    "other",
    [
        lambda network: network.changed(pins=[3, 77]),
        lambda network: network.changed(pins=np.full(network.vertex_count, 0.5)),
        lambda network: torn(network.changed(pins=[0])),
        lambda network: network.changed(pins=[0], stiffness=50.0 + 0.01 * np.arange(network.spring_count)),
    ],
    ids=["pins", "soft pins", "broken", "stiffness"],
)
@pytest.mark.parametrize("lump", [True, False])
def test_what_changes_keeps_the_structure(other, lump):
    network = SpringNetwork.grid((30, 20), 0.05)
    first = structure_of(global_matrix(network.changed(pins=[0, 19]), DT, lump=lump))
    network = other(network)
    matrix = global_matrix(network, DT, lump=lump)
    assert structure_of(matrix) is first
    right = np.random.default_rng(8).normal(size=(network.vertex_count, 3))
    expected = np.linalg.solve(matrix.toarray(), right)
    assert_allclose(first.solve(matrix, right), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert_allclose(solved(matrix, right), expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("scale", [1e-25, 1.0, 1e25])
def test_no_scale_leaves_single_precision(scale):
    matrix = (scale * global_matrix(NETWORKS["pinned grid"], DT)).tocsc()
    right = np.random.default_rng(5).normal(size=(matrix.shape[0], 3))
    expected = SuperLUFactor(matrix).solve(right)
    assert_allclose(solved(matrix, right), expected, rtol=0, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("sign", [-1.0, 0.0])
def test_what_is_not_positive_definite_is_refused(sign):
    matrix = global_matrix(NETWORKS["pinned grid"], DT)
    shift = (sign - 1.0) * matrix.diagonal()
    matrix.setdiag(matrix.diagonal() + np.where(np.arange(matrix.shape[0]) == 77, shift, 0.0))
    with pytest.raises(np.linalg.LinAlgError):
        SupernodalFactor(matrix)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("network", [each for each in NETWORKS.values() if each.spring_count], ids=str)
@pytest.mark.parametrize("iterations", [1, 2, 3, 6])
def test_gradients_are_those_of_double_precision(network, iterations):
    matrix, problem = global_matrix(network, DT), ImplicitStep(network, DT)
    x = np.ascontiguousarray(network.points.T) + np.random.default_rng(6).normal(
        scale=0.01, size=(3, network.vertex_count)
    )
    problem.begin(x + 0.001, x, network.points[network.soft_pins])
    single = SingleGradients(problem, SupernodalFactor(matrix))
    g = problem.gradient(x, linearise=True).copy()
    found = single.direction(g, iterations).copy()
    problem.gradient(x, linearise=True)
    factor, increment = SuperLUFactor(matrix).by_rows(), np.empty(x.shape)

    def solve(right):
        factor(right, increment)
        return increment

    expected, _ = ConjugateGradients(x.shape, solve).direction(
        g, problem.product, iterations, parts=problem.parts
    )
    # Single precision gives free parts the mean that Newton's step has.
    Drift.of_parts(network).remove(expected, expected + g / problem.inertia)
    # Rounding grows with the condition number and from iteration to iteration; the iterations leave far more.
    assert_allclose(found, expected, rtol=0, atol=2e-4 * np.abs(expected).max())


def test_what_no_pin_holds_keeps_its_momentum():
    network = pieces(5, 9)
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), **EFFORTS["STANDARD"].settings)
    v = np.random.default_rng(7).normal(size=network.points.shape)
    simulation.state = State(network.points, v, 0.0)
    momentum = [network.masses[part] @ v[part] for part in (slice(25), slice(25, None))]
    for _ in range(10):
        simulation.step()
    for part, before in zip((slice(25), slice(25, None)), momentum, strict=True):
        assert_allclose(network.masses[part] @ simulation.state.v[part], before, rtol=0, atol=1e-12)
