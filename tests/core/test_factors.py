# SPDX-License-Identifier: GPL-3.0-or-later
"""Factors: when they are made anew, how many are kept, and what they were estimated to cost."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.sparse.linalg import splu

from hooke.core import Simulation, SpringNetwork
from hooke.core.solvers.factors import FACTORS, FactorCache, factor_cost
from hooke.core.solvers.global_matrix import global_matrix

DT = 0.04


def grid(side, bending):
    """A sheet of side^2 vertices."""
    return SpringNetwork.grid((side, side), 1.0 / (side - 1), bending=bending)


def random_net(vertex_count, degree, seed):
    """Vertices joined at random: nothing to dissect."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, vertex_count, size=(vertex_count * degree // 2, 2))
    return SpringNetwork(rng.uniform(size=(vertex_count, 3)), edges[edges[:, 0] != edges[:, 1]])


NETWORKS = {
    "grid 20": lambda: grid(20, 1e3),
    "grid 90": lambda: grid(90, 1e3),
    "grid 60 without bending": lambda: grid(60, 0.0),
    "lattice": lambda: SpringNetwork.lattice((13, 13, 13)),
    "long lattice": lambda: SpringNetwork.lattice((60, 6, 6)),
    "lattice of faces": lambda: SpringNetwork.lattice((14, 14, 14), reach="FACE"),
    "random": lambda: random_net(1500, 6, 0),
    "sparse random": lambda: random_net(1500, 3, 1),
    "chain": lambda: SpringNetwork(
        np.arange(3000.0).reshape(-1, 3), np.column_stack([np.arange(999), np.arange(1, 1000)])
    ),
    "no springs": lambda: SpringNetwork(np.zeros((40, 3)), []),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_entries_are_estimated_within_the_stated_factor(name):
    network = NETWORKS[name]()
    factor = splu(
        global_matrix(network, DT),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    cost = factor_cost(network)
    assert 1 / 2.5 < cost.entries / factor.L.nnz < 2.5
    # Both triangles with a double and an index an entry.
    assert 1 / 4 < cost.memory / (12 * factor.nnz) < 4
    assert cost.seconds > 0.0
    # It has both formulas' factors, and all else that is made once.
    assert cost.first_frame >= 2.0 * cost.seconds


def test_estimates_grow_as_sheets_and_solids_do():
    small, large = (factor_cost(grid(side, 1e3)).entries for side in (50, 100))
    assert 4.0 < large / small < 6.0
    small, large = (factor_cost(SpringNetwork.lattice((side,) * 3)).entries for side in (10, 20))
    # n^(4/3) of eight times the vertices.
    assert 10.0 < large / small < 20.0


def test_only_what_changes_the_matrix_factorises(taut_net):
    # A stiffness no other test has, so that nothing is kept of it.
    quantities = {"stiffness": 123.456}
    network = taut_net(**quantities)
    made = FACTORS.made
    simulation = Simulation(network, dt=DT, substeps=2)
    assert FACTORS.made == made + 1
    for frame in range(1, 6):
        simulation.step(network.points[network.pinned] + [0.01 * frame, 0.0, 0.0])
    assert FACTORS.made == made + 1
    for changed in ({"pins": np.eye(16)[3]}, {"stiffness": 124.0}, {"masses": 0.5}, {"damping": 0.25}):
        Simulation(taut_net(**{**quantities, **changed}), dt=DT, substeps=2)
    Simulation(network, dt=DT, substeps=3)
    assert FACTORS.made == made + 6
    # Back again: each of them is kept.
    again = Simulation(taut_net(**quantities), dt=DT, substeps=2)
    again.step()
    assert FACTORS.made == made + 6


def test_a_kept_factor_gives_the_same_bits(taut_net):
    network = taut_net(stiffness=77.125)
    ends = []
    for _ in range(2):
        simulation = Simulation(network, dt=DT)
        for _ in range(3):
            simulation.step()
        ends.append(simulation.state.x)
    assert_array_equal(*ends)


def matrices(count):
    """Diagonal matrices, all different."""
    return [sparse.diags(np.full(5, 1.0 + number)).tocsc() for number in range(count)]


def test_the_factors_used_last_are_kept_within_the_limit():
    cache = FactorCache(limit=300.0)
    first, second, third, fourth = matrices(4)
    for matrix in (first, second, third):
        cache.factor(matrix, "SUPERLU", lambda: 100.0)
    assert (cache.made, cache.memory) == (3, 300.0)
    kept = cache.factor(first, "SUPERLU", lambda: 100.0)
    # The second is the one not used for longest.
    cache.factor(fourth, "SUPERLU", lambda: 100.0)
    assert cache.factor(first, "SUPERLU", lambda: 100.0) is kept
    assert cache.made == 4
    cache.factor(second, "SUPERLU", lambda: 100.0)
    assert cache.made == 5
    # One that fills it alone is used all the same.
    cache.factor(sparse.eye(5).tocsc() * 9.0, "SUPERLU", lambda: 1e9)
    assert (cache.made, cache.memory) == (6, 1e9)


def test_factors_are_told_apart_by_values_pattern_and_backend():
    cache = FactorCache()
    one = sparse.csc_matrix(np.array([[2.0, 1.0, 0], [1, 2, 0], [0, 0, 2]]))
    other = sparse.csc_matrix(np.array([[2.0, 0, 1.0], [0, 2, 0], [1, 0, 2]]))
    for matrix, backend in ((one, "SUPERLU"), (other, "SUPERLU"), (one, "AUTO"), (2 * one, "SUPERLU")):
        cache.factor(matrix, backend, lambda: 1.0)
    assert cache.made == 4
