# SPDX-License-Identifier: GPL-3.0-or-later
"""Truncated Newton steps: their Hessian, their limit, what they conserve, and how true the motion is."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork, State, forces
from hooke.core.assembly import BlockAssembly
from hooke.core.solvers.global_matrix import global_matrix
from hooke.core.solvers.local_global import LocalGlobal
from hooke.core.solvers.lumping import lumped
from hooke.core.solvers.tensions import Tensions
from hooke.core.topology import connected_parts

from .hanging_sheet import sheet

DT = 0.02
NEWTON = {"acceleration": "NEWTON"}


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_the_product_is_the_derivative_of_the_gradient(random_net, damping):
    # Taut springs only, at rest: there the Hessian is exact, and damping's tension is zero.
    network = random_net(rest_lengths=0.01, damping=damping)
    tensions = Tensions(network, DT)
    x = np.ascontiguousarray(network.points.T)
    p = np.random.default_rng(5).normal(size=x.shape)
    tensions.start_from(x)
    tensions.gradient(x, np.empty_like(x), linearise=True)
    product = tensions.product(p, np.empty_like(x))
    d = 1e-5
    ahead, behind = (tensions.gradient(x + side * d * p, np.empty_like(x)) for side in (1, -1))
    # Central differences: error of order d^2 over round-off eps/d, of forces of some hundred N.
    assert_allclose(product, (ahead - behind) / (2 * d), rtol=0, atol=1e-6 * np.abs(product).max())


def test_the_product_leaves_out_what_compression_takes(random_net):
    network = random_net(rest_lengths=3.0, damping=0.0)
    tensions = Tensions(network, DT)
    x = np.ascontiguousarray(network.points.T)
    tensions.gradient(x, np.empty_like(x), linearise=True)
    for p in np.random.default_rng(5).normal(size=(20, *x.shape)):
        product = tensions.product(p, np.empty_like(x))
        along = np.einsum(
            "ij,ij->i",
            network.incidence.differences(p.T),
            forces.spring_directions(network, network.points)[0],
        )
        # Directions of springs are kept in single precision.
        assert np.sum(p * product) == pytest.approx(np.sum(network.stiffness * along**2), rel=1e-6)


@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_to_a_tolerance_it_is_newtons_solution(taut_net, kicked, time_stepping, damping):
    network = taut_net(damping=damping)
    ends = []
    for acceleration in ("NEWTON", "LBFGS"):
        simulation = Simulation(
            network,
            dt=DT,
            iterations=400,
            acceleration=acceleration,
            tolerance=1e-11,
            time_stepping=time_stepping,
        )
        simulation.state = State(network.points, kicked(network))
        for _ in range(4):
            simulation.step()
        ends.append(simulation.state.x)
    assert_allclose(*ends, rtol=0, atol=1e-9)


def test_one_step_with_all_directions_solves_the_quadratic_model(taut_net, kicked):
    # As many conjugate gradients as unknowns: dense algebra gives the same step, to the single precision of directions.
    network = taut_net()
    y = network.points + DT * kicked(network) + DT**2 * np.array([0.0, 0.0, -9.81])
    y[network.hard_pins] = network.points[network.hard_pins]
    soft, free = network.soft_pins, network.free
    end = LocalGlobal(network, DT, lump=True).minimise(
        np.ascontiguousarray(y.T),
        np.ascontiguousarray(network.points.T),
        network.points[soft],
        iterations=3 * network.vertex_count,
        acceleration="NEWTON",
    )
    gradient = -forces.spring_forces(network, y) - forces.pin_forces(network, y, network.points[soft])
    blocks = forces.spring_blocks(network, y, compressed=0.0)
    diagonal = network.masses / DT**2
    diagonal[soft] += forces.pin_weights(network)
    hessian = BlockAssembly(network).matrix(blocks, diagonal).toarray()
    unknown = (3 * free[:, None] + np.arange(3)).ravel()
    step = np.linalg.solve(hessian[np.ix_(unknown, unknown)], -gradient.ravel()[unknown])
    assert_allclose(end.T[free].ravel(), y[free].ravel() + step, rtol=0, atol=1e-6 * np.abs(step).max())


@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_momentum_is_conserved(random_net, kicked, iterations, time_stepping):
    network = random_net()
    simulation = Simulation(
        network, dt=0.04, gravity=(0, 0, 0), iterations=iterations, time_stepping=time_stepping, **NEWTON
    )
    simulation.state = State(network.points, kicked(network))
    momentum = network.masses @ simulation.state.v
    for _ in range(30):
        simulation.step()
        assert_allclose(network.masses @ simulation.state.v, momentum, rtol=0, atol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize(("time_stepping", "order"), [("BACKWARD_EULER", 1), ("BDF2", 2)])
def test_order(taut_net, time_stepping, order):
    # Differences of three sizes of step, the largest 0.2 of the fastest period over 2 pi.
    network = taut_net(damping=0.0)
    ends = []
    for steps in (64, 128, 256):
        simulation = Simulation(
            network,
            dt=0.1 / steps,
            iterations=8,
            time_stepping=time_stepping,
            gravity=(0, 0, -0.5),
            **NEWTON,
        )
        for _ in range(steps):
            simulation.step()
        ends.append(simulation.state.x)
    first, second = (np.abs(a - b).max() for a, b in pairwise(ends))
    assert np.log2(first / second) == pytest.approx(order, abs=0.35)


def test_a_snapshot_continues_bit_for_bit(taut_net, kicked):
    network = taut_net()
    options = {"dt": DT, "iterations": 2, "time_stepping": "BDF2", **NEWTON}
    simulation = Simulation(network, **options)
    simulation.state = State(network.points, kicked(network))
    for _ in range(3):
        simulation.step()
    other = Simulation(network, **options)
    other.restore(simulation.snapshot())
    for _ in range(3):
        simulation.step()
        other.step()
    np.testing.assert_array_equal(simulation.state.x, other.state.x)


@pytest.mark.parametrize("side", [9, 25])
def test_the_lumped_matrix_is_above_half_and_equal_for_uniform_strain(side):
    network = sheet(side, pins="none")
    full, lumped = (global_matrix(network, DT, lump=lump) for lump in (False, True))
    assert lumped.nnz < 0.5 * full.nnz
    eigenvalues = np.linalg.eigvalsh((2.0 * lumped - full).toarray()) if side < 20 else np.zeros(1)
    assert eigenvalues.min() > -1e-9 * full.diagonal().max()
    inside = np.abs(network.points[:, :2] - 1.0).max(axis=1) < 0.5
    # Rows of the sums over a field that is linear in x and y: the springs' part is zero inside in both.
    assert_allclose(
        ((lumped - full) @ network.points)[inside], 0.0, rtol=0, atol=1e-9 * full.diagonal().max()
    )


def test_conjugate_gradients_see_a_well_conditioned_hessian():
    # S lumped against S: what a conjugate gradient leaves of an error goes with the ratio of the eigenvalues.
    network = sheet(9)
    full, lumped = (global_matrix(network, DT, lump=lump).toarray() for lump in (False, True))
    values = np.linalg.eigvals(np.linalg.solve(lumped, full)).real
    assert 0.3 < values.min() < values.max() < 2.0


def test_lumping_keeps_what_is_joined_and_ends_for_any_lengths():
    # Random networks, whose rest lengths are of no triangle; parts are the same before and after.
    rng = np.random.default_rng(4)
    edges = np.unique(np.sort(rng.integers(0, 60, (400, 2)), axis=1), axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    for lengths in (rng.uniform(0.0, 1.0, len(edges)), np.zeros(len(edges)), np.ones(len(edges))):
        weights = lumped(edges, rng.uniform(0.5, 1.0, len(edges)), lengths, 60)
        assert np.isfinite(weights).all() and (weights >= 0.0).all()
        kept = edges[weights > 0.0]
        np.testing.assert_array_equal(connected_parts(kept, 60), connected_parts(edges, 60))


def largest_energy(network, **options):
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), **options)
    simulation.state = State(network.points, np.random.default_rng(3).normal(size=network.points.shape))
    energies = [simulation.diagnostics()["total"]]
    for _ in range(100):
        simulation.step()
        energies.append(simulation.diagnostics()["total"])
    return max(energies) / energies[0]


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
@pytest.mark.parametrize(
    "network",
    [sheet(9), sheet(9, pins="none"), SpringNetwork.lattice((4, 4, 4), 0.2, masses=0.05, stiffness=1e4)],
)
def test_free_motion_gains_no_energy(network, time_stepping):
    options = {"substeps": 4, "iterations": 2, "carried_stiffness": "ATTAINABLE", **NEWTON}
    assert largest_energy(network, time_stepping=time_stepping, **options) < 1.001


def test_it_is_an_iteration_of_the_kept_factor():
    solver = LocalGlobal(sheet(5), DT)
    y = np.ascontiguousarray(solver.network.points.T) + 0.01
    y[:, solver.network.hard_pins] -= 0.01
    start, soft = y.copy(), np.empty((0, 3))
    plain = solver.minimise(y, start, soft, iterations=1)
    # One direction is the plain one, at the length that is best.
    newton = solver.minimise(y, start, soft, iterations=1, acceleration="NEWTON")
    steps = (newton - y).ravel(), (plain - y).ravel()
    assert steps[0] @ steps[1] == pytest.approx(np.linalg.norm(steps[0]) * np.linalg.norm(steps[1]), rel=1e-9)


@pytest.mark.parametrize(
    "network",
    [
        sheet(9),
        sheet(9, pins="none"),
        SpringNetwork.lattice((4, 4, 4), 0.2, reach="CORNER", masses=0.05, stiffness=1e4),
    ],
)
@pytest.mark.parametrize("iterations", [3, 4, 7])
def test_the_direction_without_a_product_does_not_raise_the_model(network, iterations):
    # g s + s H s / 2 after the directions that were measured, and after one more of length 1, at random positions.
    solver = LocalGlobal(network, DT, lump=True)
    problem, gradients = solver._problem, solver._gradients
    rng = np.random.default_rng(6)
    y = np.ascontiguousarray(network.points.T)
    product = np.empty_like(y)

    def model(g, step):
        return np.sum(g * step) + 0.5 * np.sum(step * problem.product(step, product))

    for size in (0.003, 0.03, 0.3):
        x = y + size * rng.normal(size=y.shape)
        x[:, network.hard_pins] = y[:, network.hard_pins]
        problem.begin(y, y, np.empty((3, 0)))
        g = problem.gradient(x, linearise=True).copy()
        # A share of the residual that is never reached has every direction measured.
        measured, _ = gradients.direction(g, problem.product, iterations - 1, forcing=1e-300)
        before = model(g, measured.copy())
        step, used = gradients.direction(g, problem.product, iterations)
        assert used == iterations
        assert model(g, step.copy()) <= before + 1e-12 * abs(before)
