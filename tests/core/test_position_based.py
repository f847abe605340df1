# SPDX-License-Identifier: GPL-3.0-or-later
"""Position-based dynamics: what its projections, damping and pins do, in closed form where there is one."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.material import Material

G = 9.81


def chain(count, **quantities):
    """A hard pin at the origin and `count` vertices below it, 0.1 m apart."""
    points = np.column_stack([np.zeros((count + 1, 2)), -0.1 * np.arange(count + 1.0)])
    edges = np.column_stack([np.arange(count), np.arange(1, count + 1)])
    return SpringNetwork(points, edges, pins=[1.0] + count * [0.0], **quantities)


def pair(**quantities):
    """Two unlike masses 1 m apart along x."""
    return SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=[0.5, 2.0], **quantities)


def swinging(network, dt, v, **settings):
    simulation = Simulation(network, "POSITION_BASED", dt=dt, gravity=(0, 0, 0), **settings)
    simulation.state = State(network.points, v, 0.0)
    return simulation


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("max_stretch", [0.0, 0.05, 1.5])
def test_strain_limit_of_gentle_springs(max_stretch):
    # Four masses of 50 g on 5 N/m: the upper links would stretch to five times their length and stop at the
    # limit; the last one would double its length and does so where the limit is that wide.
    network = chain(4, masses=0.05, stiffness=5.0, damping=0.5)
    simulation = Simulation(network, "POSITION_BASED", dt=0.02, iterations=120, max_stretch=max_stretch)
    for _ in range(80):
        simulation.step()
        assert network.strains(simulation.state.x).max() < max_stretch + 1e-6
    strains = network.strains(simulation.state.x)
    unlimited = 0.05 * G * np.array([4, 3, 2, 1]) / 5.0 / 0.1
    assert_allclose(strains, np.minimum(unlimited, max_stretch), atol=1e-5)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("stiffness", [1e4, 1e9])
def test_stiff_springs_end_at_their_rest_length(stiffness, kicked):
    network = chain(6, masses=0.05, stiffness=stiffness)
    simulation = Simulation(network, "POSITION_BASED", dt=0.02, iterations=400)
    simulation.state = State(network.points, kicked(network), 0.0)
    aside = 0.0
    for _ in range(15):
        simulation.step()
        assert_allclose(network.spring_lengths(simulation.state.x), 0.1, rtol=0, atol=1e-6)
        aside = max(aside, np.abs(simulation.state.x[:, :2]).max())
    assert aside > 0.03


def test_iterations_bring_the_lengths_closer(kicked):
    errors = []
    for iterations in (1, 5, 25, 125):
        network = chain(6, masses=0.05, stiffness=1e6)
        simulation = Simulation(network, "POSITION_BASED", dt=0.02, iterations=iterations)
        simulation.state = State(network.points, kicked(network), 0.0)
        simulation.step()
        errors.append(np.abs(network.strains(simulation.state.x)).max())
    assert all(b < 0.7 * a for a, b in pairwise(errors))


@pytest.mark.newest
def test_rigid_pendulum_converges_to_the_closed_form():
    # One stiff spring to a hard pin is projected exactly: a pendulum of small amplitude, at first order.
    network = SpringNetwork([[0, 0, 0], [0, 0, -0.5]], [[0, 1]], masses=0.1, stiffness=1e8, pins=[1.0, 0.0])
    omega, amplitude = np.sqrt(G / 0.5), 0.01
    start = np.array([[0, 0, 0], 0.5 * np.array([np.sin(amplitude), 0, -np.cos(amplitude)])])
    errors = []
    for steps in (200, 400):
        simulation = Simulation(network, "POSITION_BASED", dt=1.0 / steps)
        simulation.state = State(start, np.zeros((2, 3)), 0.0)
        for _ in range(steps):
            simulation.step()
            assert np.linalg.norm(simulation.state.x[1]) == pytest.approx(0.5, rel=1e-14)
        reached = np.arcsin(simulation.state.x[1, 0] / 0.5)
        errors.append(abs(reached - amplitude * np.cos(omega)))
    assert errors[1] < 0.02 * amplitude
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.1)


def test_gentle_springs_within_their_limit_are_symplectic_euler(random_net, kicked):
    network = random_net(damping=0.0)
    ends = []
    for integrator, options in (("POSITION_BASED", {"max_stretch": 1e6}), ("SYMPLECTIC_EULER", {})):
        simulation = Simulation(network, integrator, dt=0.004, **options)
        simulation.state = State(network.points, kicked(network), 0.0)
        for _ in range(50):
            simulation.step()
        ends.append(simulation.state.x)
    assert_allclose(*ends, rtol=0, atol=1e-11)


@pytest.mark.nightly
@pytest.mark.parametrize("damping", [0.0, 1e3])
def test_unconditionally_stable(taut_net, kicked, damping):
    # k dt^2 / m = 1e8 and more.
    network = taut_net(stiffness=1e10, masses=0.1, damping=damping)
    simulation = Simulation(network, "POSITION_BASED", dt=1 / 30)
    simulation.state = State(network.points, kicked(network), 0.0)
    energies = []
    for _ in range(100):
        simulation.step()
        energies.append(simulation.diagnostics()["kinetic"])
        assert np.abs(simulation.state.x - network.points).max() < 3.0
    assert energies[-1] < 0.1 * max(energies)


@pytest.mark.newest
def test_mixed_stiffness_in_one_net(kicked):
    # Ten orders of magnitude between neighbours: what the forward step can not take is projected.
    network = chain(6, masses=0.05, stiffness=np.geomspace(1e-1, 1e9, 6))
    simulation = Simulation(network, "POSITION_BASED", dt=0.02, iterations=200)
    simulation.state = State(network.points, kicked(network), 0.0)
    for _ in range(30):
        simulation.step()
        strains = network.strains(simulation.state.x)
        assert_allclose(strains[3:], 0.0, atol=1e-6)
        assert strains.max() < 0.1 + 1e-6


def test_damping_is_the_exact_decay_of_one_spring():
    # v_rel' = -mu (1/m_1 + 1/m_2) v_rel along the spring: exp(-mu dt (1/m_1 + 1/m_2)) a step; nothing across.
    mu, dt = 0.3, 0.05
    network = pair(stiffness=1e-6, damping=mu)
    v = np.array([[1.0, 2.0, 0.5], [-1.0, -1.0, 0.5]])
    simulation = swinging(network, dt, v, max_stretch=1e6)
    simulation.step()
    n = np.diff(simulation.state.x, axis=0)[0] / np.linalg.norm(np.diff(simulation.state.x, axis=0))
    before, after = v[1] - v[0], simulation.state.v[1] - simulation.state.v[0]
    kept = np.exp(-mu * dt * (1 / 0.5 + 1 / 2.0))
    assert after @ n == pytest.approx(kept * (before @ n), rel=1e-5)
    assert_allclose(after - (after @ n) * n, before - (before @ n) * n, rtol=1e-5)


@pytest.mark.parametrize("damping", [0.01, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(5))
def test_damping_never_adds_energy(random_net, damping, seed):
    kinetic, places = [], []
    for mu in (0.0, damping):
        network = random_net(seed=seed, damping=mu, masses=np.geomspace(0.01, 10.0, 8))
        v = np.random.default_rng(seed).normal(size=(8, 3))
        simulation = swinging(network, 0.02, v)
        # Of the method itself: beyond the budget both would have what it lets them.
        simulation.budget.holds = lambda state: True
        simulation.step()
        kinetic.append(simulation.diagnostics()["kinetic"])
        places.append(simulation.state.x)
    assert kinetic[1] < kinetic[0]
    # Damping acts on velocities alone: where the step ends is up to the next one.
    assert_array_equal(*places)


@pytest.mark.parametrize("weight", [0.01, 0.5, 0.999])
def test_soft_pin_is_backward_euler(weight):
    # (m / dt^2 + w) x' = m / dt^2 (x + dt v + dt^2 g) + w target, for a vertex without springs.
    m, dt, pin_stiffness = 0.3, 0.1, 500.0
    network = SpringNetwork([[1, 2, 3]], [], masses=m, pins=[weight], pin_stiffness=pin_stiffness)
    simulation = Simulation(network, "POSITION_BASED", dt=dt)
    x, v, target = np.array([1.2, 2, 3]), np.array([3.0, 0, -1.0]), np.array([0.0, 2.5, 3])
    simulation.state = State(x[None], v[None], 0.0)
    simulation.step(target[None])
    w, y = weight * pin_stiffness, x + dt * v - dt**2 * np.array([0, 0, G])
    expected = (m / dt**2 * y + w * target) / (m / dt**2 + w)
    assert_allclose(simulation.state.x[0], expected, rtol=1e-13)
    assert_allclose(simulation.state.v[0], (expected - x) / dt, rtol=1e-12)


@pytest.mark.parametrize("stiffness", [1.0, 1e8])
def test_springs_without_rest_length(stiffness):
    # Stiff ends meet at their common centre of mass; a gentle spring just pulls, with no limit to exceed.
    network = pair(stiffness=stiffness, rest_lengths=0.0)
    simulation = swinging(network, 0.02, np.zeros((2, 3)))
    simulation.step()
    if stiffness > 1.0:
        assert_allclose(simulation.state.x, [[0.8, 0, 0], [0.8, 0, 0]], rtol=1e-14)
        simulation.step()
        assert np.isfinite(simulation.state.x).all()
    else:
        assert_allclose(simulation.state.x, [[0.02**2 / 0.5, 0, 0], [1 - 0.02**2 / 2, 0, 0]], rtol=1e-12)


@pytest.mark.parametrize("stiffness", [1.0, 1e8])
@pytest.mark.parametrize("rest_length", [0.0, 1.0])
def test_ends_that_meet_stay_together_without_a_direction(stiffness, rest_length):
    network = SpringNetwork(
        np.zeros((3, 3)), [[0, 1], [1, 2]], stiffness=stiffness, rest_lengths=rest_length, damping=5.0
    )
    simulation = Simulation(network, "POSITION_BASED", dt=0.04, gravity=(1.0, 0, -2.0))
    simulation.step()
    assert_allclose(simulation.state.x, np.tile([0.0016, 0, -0.0032], (3, 1)), rtol=1e-14)


def test_shares_of_a_correction_are_those_of_the_masses():
    # A spring of 1 m pulled to 1.5 m: the light end of 0.5 kg makes four fifths of the way.
    network = pair(stiffness=1e8)
    simulation = swinging(network, 0.02, np.zeros((2, 3)))
    simulation.state = State([[0, 0, 0], [1.5, 0, 0]], np.zeros((2, 3)), 0.0)
    simulation.step()
    assert_allclose(simulation.state.x, [[0.4, 0, 0], [1.4, 0, 0]], rtol=1e-13)


def test_spring_between_hard_pins_is_left_alone():
    network = SpringNetwork(
        [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        [[0, 1], [1, 2]],
        stiffness=1e8,
        rest_lengths=[0.5, 1.0],
        damping=1.0,
        pins=[1.0, 1.0, 0.0],
    )
    simulation = Simulation(network, "POSITION_BASED", dt=0.02)
    for _ in range(20):
        simulation.step()
    assert_array_equal(simulation.state.x[:2], network.points[:2])
    assert np.linalg.norm(simulation.state.x[2] - simulation.state.x[1]) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("iterations", [0, -1, 2.5, np.inf, np.nan])
def test_iterations_out_of_range_are_named(iterations):
    with pytest.raises(ValueError, match=f"iterations is {iterations}: give a whole number of at least 1"):
        Simulation(pair(), "POSITION_BASED", dt=0.02, iterations=iterations)


@pytest.mark.parametrize("max_stretch", [-0.1, np.inf, np.nan])
def test_max_stretch_out_of_range_is_named(max_stretch):
    with pytest.raises(ValueError, match=f"max_stretch is {max_stretch}: it must be finite and at least 0"):
        Simulation(pair(), "POSITION_BASED", dt=0.02, max_stretch=max_stretch)


def test_it_says_that_nothing_bends_and_so_it_is():
    x, y = np.meshgrid(np.arange(4.0), np.arange(3.0), indexing="ij")
    points, i = np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()]), np.arange(12).reshape(4, 3)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], axis=-1).reshape(-1, 4)
    ends = []
    for bending in (0.0, 10.0):
        network = SpringNetwork.from_mesh(
            points, faces=quads, material=Material(bending=bending), pins=[0, 1, 2]
        )
        simulation = Simulation(network, "POSITION_BASED", dt=0.02)
        simulation.step()
        ends.append(simulation.state.x)
    assert not simulation.integrator.bends
    assert_array_equal(*ends)
