# SPDX-License-Identifier: GPL-3.0-or-later
"""Diagnostics against the formulae written out, and the stable step against exact eigenvalues."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.diagnostics import safe_dt, stable_dt
from hooke.core.spectrum import gershgorin_bound

KEYS = {
    *("kinetic", "elastic", "potential", "total"),
    *("largest_strain", "mean_strain", "stable_dt", "method_stable_dt", "dt"),
    *("residual", "unsolved_substeps", "stiffness_share", "least_stiffness_share"),
}


def laplacian(network, weights):
    """A^T diag(weights) A, dense."""
    a = np.zeros((network.spring_count, network.vertex_count))
    rows = np.arange(network.spring_count)
    a[rows, network.edges[:, 0]], a[rows, network.edges[:, 1]] = 1.0, -1.0
    return a.T @ (weights[:, None] * a)


def largest_eigenvalue(network, matrix):
    """Of M^-1 matrix without the hard pins' rows and columns."""
    free = network.pins < 1.0
    scale = 1.0 / np.sqrt(network.masses[free])
    return np.linalg.eigvalsh(scale[:, None] * matrix[np.ix_(free, free)] * scale)[-1]


def test_keys_are_those_of_the_documentation(integrator, random_net):
    simulation = Simulation(random_net(), integrator, dt=0.01)
    for _ in range(2):
        diagnostics = simulation.diagnostics()
        assert set(diagnostics) == KEYS
        assert all(type(value) is float for value in diagnostics.values())
        simulation.step()


def test_energies_and_strains_by_hand(integrator):
    # A hard pin, a mass 0.5 m beyond the rest length of 2 m, a soft pin of w = 8 N/m 1 m off its target.
    network = SpringNetwork(
        [[0, 0, 0], [2, 0, 0], [2, 0, 1]],
        [[0, 1], [1, 2]],
        masses=[1.0, 2.0, 4.0],
        stiffness=[16.0, 4.0],
        rest_lengths=[2.0, 0.0],
        pins=[1.0, 0.0, 0.25],
        pin_stiffness=32.0,
    )
    simulation = Simulation(network, integrator, dt=0.5, substeps=50, gravity=(0, 0, -10))
    x = np.array([[0, 0, 0], [0, 2.5, 0], [0, 2.5, 1]])
    v = np.array([[0, 0, 0], [3, 0, 4], [0, 1, 0]])
    simulation.state = State(x, v, 0.0)
    found = simulation.diagnostics()
    spring_energy = 16 / 2 * 0.5**2 + 4 / 2 * 1.0**2
    pin_energy = 8 / 2 * (2.0**2 + 2.5**2)
    assert found["kinetic"] == 2 / 2 * 25 + 4 / 2
    assert found["elastic"] == spring_energy + pin_energy
    assert found["potential"] == spring_energy + pin_energy + 4 * 10 * 1
    assert found["total"] == found["kinetic"] + found["potential"]
    assert found["largest_strain"] == found["mean_strain"] == 0.25
    assert found["dt"] == 0.01


def test_strains_count_compression_as_well():
    network = SpringNetwork([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1], [1, 2]], rest_lengths=[0.8, 4.0])
    found = Simulation(network, dt=0.01).diagnostics()
    assert found["largest_strain"] == 0.75
    assert found["mean_strain"] == 0.5


def test_network_without_springs(integrator):
    found = Simulation(SpringNetwork([[0, 0, 2]], [], masses=3.0), integrator, dt=0.01).diagnostics()
    assert found["largest_strain"] == found["mean_strain"] == found["elastic"] == 0.0
    assert found["potential"] == pytest.approx(3 * 9.81 * 2, rel=1e-15)
    assert found["stable_dt"] == np.inf


def test_many_particles_without_springs_have_no_largest_step():
    dust = SpringNetwork(np.random.default_rng(0).normal(size=(300, 3)), [])
    assert Simulation(dust, dt=0.01).diagnostics()["stable_dt"] == np.inf


def test_residual_of_an_explicit_method_is_zero(random_net):
    for id in (id for id, cls in INTEGRATORS.items() if np.isfinite(cls.stability_limit)):
        simulation = Simulation(random_net(), id, dt=0.01)
        simulation.step()
        assert simulation.diagnostics()["residual"] == 0.0


def test_residual_of_projective_dynamics_by_hand(taut_net, kicked):
    # |inertia + forces| / (|inertia| + |forces|) over the free vertices, at the end of the step.
    network = taut_net(damping=0.7)
    dt = 0.04
    simulation = Simulation(network, dt=dt, iterations=3)
    simulation.state = State(network.points, kicked(network), 0.0)
    simulation.step()
    x, m, free = simulation.state.x, network.masses[:, None], network.pins < 1.0
    inertia = m * (x - network.points - dt * kicked(network) - dt**2 * np.array([0, 0, -9.81])) / dt**2
    internal = np.where(free, network.pins, 0.0)[:, None] * 200.0 * (x - network.points)
    for e, (i, j) in enumerate(network.edges):
        u, length = x[i] - x[j], np.linalg.norm(x[i] - x[j])
        rate = (simulation.state.v[i] - simulation.state.v[j]) @ u / length
        pull = network.stiffness[e] * (length - network.rest_lengths[e]) + 0.7 * rate
        internal[i] += pull * u / length
        internal[j] -= pull * u / length
    inertia, internal = inertia[free], internal[free]
    expected = np.linalg.norm(inertia + internal) / (np.linalg.norm(inertia) + np.linalg.norm(internal))
    assert expected > 1e-4
    # Velocities of the hard pins on the right are exact here, since the pins rest.
    assert simulation.diagnostics()["residual"] == pytest.approx(expected, rel=1e-9)


def wild(seed, damping):
    """A random net of masses over six orders of magnitude and springs over eight, some vertices pinned."""
    rng = np.random.default_rng(seed)
    vertex_count = int(rng.integers(2, 15))
    pairs = rng.integers(0, vertex_count, (30, 2))
    edges = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    return SpringNetwork(
        rng.normal(size=(vertex_count, 3)),
        edges,
        masses=10 ** rng.uniform(-3, 3, vertex_count),
        stiffness=10 ** rng.uniform(-2, 6, len(edges)),
        damping=damping * 10 ** rng.uniform(-2, 4, len(edges)),
        pins=rng.choice([0.0, 0.0, 0.0, 0.5, 1.0], vertex_count) * (np.arange(vertex_count) > 0),
        pin_stiffness=10 ** rng.uniform(-2, 6),
    )


def about_the_points(network, per_spring):
    """-dF/d(position or velocity) about the points at free vertices over their masses, symmetric, by hand."""
    matrix = np.zeros((3 * network.vertex_count, 3 * network.vertex_count))
    for (i, j), quantity in zip(network.edges, per_spring, strict=True):
        n = network.points[i] - network.points[j]
        block = quantity * np.outer(n, n) / (n @ n)
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            matrix[3 * row : 3 * row + 3, 3 * column : 3 * column + 3] += sign * block
    soft = np.where(network.pins < 1.0, network.pins, 0.0) * network.pin_stiffness
    matrix += np.diag(np.repeat(soft, 3))
    scale = np.repeat(np.where(network.pins < 1.0, network.masses**-0.5, 0.0), 3)
    return scale[:, None] * matrix * scale


@pytest.mark.parametrize("seed", range(60))
def test_stable_step_is_two_over_the_highest_frequency(seed):
    network = wild(seed, damping=0.0)
    exact = 2.0 / np.sqrt(np.linalg.eigvalsh(about_the_points(network, network.stiffness))[-1])
    assert stable_dt(network) == pytest.approx(exact, rel=1e-9)


@pytest.mark.newest
@pytest.mark.parametrize("shape", [(21, 21), (9, 40)])
def test_stable_step_of_a_sheet_is_within_one_percent_and_on_the_safe_side(shape):
    network = SpringNetwork.grid(shape, 0.05, pins=[0, shape[1] - 1])
    exact = 2.0 / np.sqrt(np.linalg.eigvalsh(about_the_points(network, network.stiffness))[-1])
    assert 0.99 * exact <= stable_dt(network) <= exact
    # In any directions springs can add up, which they do not along a flat sheet.
    any_directions = laplacian(network, network.stiffness)
    assert 0.99 <= safe_dt(network) * np.sqrt(largest_eigenvalue(network, any_directions)) / 2.0 <= 1.0
    assert safe_dt(network) < 0.9 * exact


def test_stable_step_is_the_same_bits_whenever_it_is_computed():
    again = [stable_dt(SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])) for _ in range(3)]
    assert again[0] == again[1] == again[2]


def test_vibrations_of_a_sheet_stay_small_below_the_stable_step_and_explode_above():
    network = SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])
    push = 1e-6 * np.random.default_rng(0).normal(size=network.points.shape)

    def stepped(share):
        dt = share * stable_dt(network)
        simulation = Simulation(network, "SYMPLECTIC_EULER", dt=dt, gravity=(0, 0, 0))
        simulation.state = State(network.points + push, np.zeros_like(push), 0.0)
        for _ in range(60):
            simulation.step()
        return np.abs(simulation.state.x - network.points)[:, :2].max()

    assert stepped(0.999) < 30.0 * np.abs(push).max()
    # 2 % beyond the limit multiply the fastest vibration by 1.49 a step.
    with pytest.raises(SimulationDiverged):
        stepped(1.02)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(60))
def test_safe_step_is_never_above_the_limit_of_any_directions(seed):
    network = wild(seed, damping=0.0)
    soft = np.where(network.pins < 1.0, network.pins, 0.0) * network.pin_stiffness
    exact = np.sqrt(largest_eigenvalue(network, laplacian(network, network.stiffness) + np.diag(soft)))
    assert safe_dt(network) == pytest.approx(2.0 / exact, rel=1e-9)
    assert safe_dt(network) <= stable_dt(network) * (1 + 1e-9)
    # Gershgorin is at most twice the largest diagonal entry, and that is at most the eigenvalue.
    assert 1 - 1e-12 <= gershgorin_bound(network).frequency / exact <= np.sqrt(2.0) * (1 + 1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("largest_dt", [safe_dt, stable_dt])
def test_stable_step_counts_damping(seed, largest_dt):
    network = wild(seed, damping=1.0)
    k, d = (about_the_points(network, quantity) for quantity in (network.stiffness, network.damping))
    soft = np.where(network.pins < 1.0, network.pins, 0.0) * network.pin_stiffness
    d -= np.diag(np.repeat(soft * (network.pins < 1.0) / network.masses, 3))
    rate = np.linalg.eigvalsh(d)[-1]
    assert network.spectrum.rate == pytest.approx(rate, rel=1e-9)
    assert rate * (1 - 1e-9) <= network.spectrum_bound.rate <= gershgorin_bound(network).rate * (1 + 1e-9)
    # The exact limit of the damped net: the largest dt for which every root z of
    # det((z - 1)^2 + dt D (z - 1) + dt^2 K z) has |z| <= 1, from the matrix of one step.
    dt = 0.999 * largest_dt(network)
    one = np.eye(len(k))
    kick = np.block([[one - dt * d, -dt * k], [dt * (one - dt * d), one - dt * dt * k]])
    # Free nets have a multiple eigenvalue at 1, whose computed split is about sqrt(eps) times the condition.
    assert np.abs(np.linalg.eigvals(kick)).max() < 1 + 1e-3


@pytest.mark.parametrize(("k", "mu", "m"), [(100.0, 0.0, 1.0), (40.0, 3.0, 0.2), (0.0001, 50.0, 7.0)])
def test_stable_step_is_exact_for_two_equal_masses(k, mu, m):
    # w^2 = 2 k / m, c = 2 mu / m, and dt^2 w^2 + 2 dt c = 4 at the limit.
    network = SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=m, stiffness=k, damping=mu)
    assert network.spectrum.frequency == pytest.approx(np.sqrt(2 * k / m), rel=1e-14)
    assert network.spectrum.rate == pytest.approx(2 * mu / m, rel=1e-14)
    dt = stable_dt(network)
    assert dt**2 * 2 * k / m + 2 * dt * 2 * mu / m == pytest.approx(4.0, rel=1e-12)


def test_soft_pin_alone_limits_the_step():
    # w^2 = w_pin / m = 0.5 * 80 / 0.1.
    network = SpringNetwork([[0, 0, 0]], [], masses=0.1, pins=[0.5], pin_stiffness=80.0)
    assert stable_dt(network) == pytest.approx(2.0 / 20.0, rel=1e-14)


def test_hard_pins_do_not_limit_the_step():
    # A light vertex that is pinned moves by no force, however stiff its springs: 2 / w = 2 sqrt(m / k).
    network = SpringNetwork(
        [[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=[1e-9, 1.0], stiffness=50.0, pins=[1.0, 0.0]
    )
    assert_allclose(stable_dt(network), 2.0 / np.sqrt(50.0), rtol=1e-14)
