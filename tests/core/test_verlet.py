# SPDX-License-Identifier: GPL-3.0-or-later
"""Verlet: the printed recursion, its cost, its damping rate and what that does to the stability limit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SimulationDiverged, SpringNetwork, State, forces
from hooke.core.integrators import verlet

G = np.array([0.0, 0.0, -9.81])
DT = 0.01
PINS = [1, 0, 0, 0.5, 0, 0, 1, 0]
SPEED = np.array([0.3, -0.2, 0.1])


def accelerations(network, x, t):
    """Of springs, gravity and soft pins whose targets move with SPEED; zero at hard pins."""
    soft = network.soft_pins
    f = forces.spring_forces(network, x) + network.masses[:, None] * G
    f += forces.pin_forces(network, x, network.points[soft] + SPEED * t)
    return np.where(network.pins[:, None] == 1.0, 0.0, f / network.masses[:, None])


@pytest.mark.parametrize("rate", [0.0, 0.7, 30.0])
def test_positions_obey_the_recursion(random_net, kicked, rate):
    # x(t+dt) = (2 - l) x(t) - (1 - l) x(t-dt) + a dt^2 with l = 1 - exp(-c dt), at every free vertex, while
    # hard pins drag their neighbours along and soft ones pull.
    network = random_net(damping=0.0, pins=PINS, pin_stiffness=30.0)
    free = network.pins < 1.0
    simulation = Simulation(network, "VERLET", dt=DT, damping_rate=rate)
    simulation.state = State(network.points, kicked(network), 0.0)
    lost = 1.0 - np.exp(-rate * DT)
    x, a = network.points, accelerations(network, network.points, 0.0)
    before = x - DT * (kicked(network) - DT / 2 * a)
    for count in range(100):
        simulation.step(network.points + SPEED * DT * (count + 1))
        expected = (2 - lost) * x - (1 - lost) * before + DT**2 * accelerations(network, x, count * DT)
        assert_allclose(simulation.state.x[free], expected[free], rtol=0, atol=2e-15 * 3)
        before, x = x, simulation.state.x
    assert np.abs(x - network.points).max() > 0.1


def test_velocity_is_the_mean_of_both_sides(random_net, kicked):
    # Without a rate (x(t+dt) - x(t-dt)) / (2 dt): right to dt^2, unlike the backward difference.
    network = random_net(damping=0.0)
    simulation = Simulation(network, "VERLET", dt=DT)
    simulation.state = State(network.points, kicked(network), 0.0)
    states = [simulation.state]
    for _ in range(20):
        simulation.step()
        states.append(simulation.state)
    for before, state, after in zip(states, states[1:], states[2:], strict=False):
        # Differences of 1 m over 0.02 s.
        assert_allclose(state.v, (after.x - before.x) / (2 * DT), rtol=0, atol=1e-13)


@pytest.mark.parametrize("rate", [0.0, 0.7])
@pytest.mark.parametrize("damping", [0.0, 0.2])
def test_one_evaluation_of_the_springs_a_step(random_net, monkeypatch, rate, damping):
    calls = []
    spring_forces = forces.spring_forces

    def counted(network, x):
        calls.append(x)
        return spring_forces(network, x)

    monkeypatch.setattr(forces, "spring_forces", counted)
    monkeypatch.setattr(verlet, "spring_forces", counted)
    network = random_net(pins=PINS, damping=damping)
    simulation = Simulation(network, "VERLET", dt=4 * DT, substeps=4, damping_rate=rate)
    simulation.step(network.points + 0.01)
    assert len(calls) == 1 + 4  # the first step has no step before it
    calls.clear()
    for count in range(10):
        simulation.step(network.points + 0.01 * count)
    assert len(calls) == 40


def test_free_particle_loses_its_velocity_at_the_rate():
    simulation = Simulation(
        SpringNetwork([[0, 0, 0]], []), "VERLET", dt=0.1, damping_rate=2.0, gravity=[0] * 3
    )
    simulation.state = State([[0, 0, 0]], [[3.0, 0, -4.0]], 0.0)
    for _ in range(10):
        simulation.step()
    assert_allclose(simulation.state.v, np.exp(-2.0) * np.array([[3.0, 0, -4.0]]), rtol=1e-13)


@pytest.mark.newest
def test_falling_particle_reaches_the_terminal_velocity_of_the_recursion():
    # A constant step s = (1 - l) s + g dt^2: s = g dt^2 / l, close to g dt / c for small steps.
    simulation = Simulation(SpringNetwork([[0, 0, 0]], []), "VERLET", dt=0.01, damping_rate=5.0)
    for _ in range(1000):
        before = simulation.state.x[0, 2]
        simulation.step()
    fallen = before - simulation.state.x[0, 2]
    assert fallen == pytest.approx(9.81 * 0.01**2 / (1 - np.exp(-0.05)), rel=1e-10)
    assert fallen / 0.01 == pytest.approx(9.81 / 5.0, rel=0.03)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("rate", [0.0, 1.0, 10.0, 1e4])
def test_limit_with_a_rate_from_both_sides(rate):
    # Roots of z^2 - (1 + kept - (w dt)^2) z + kept leave the circle at (w dt)^2 = 2 (1 + kept).
    omega, dt = 30.0, 0.06
    for _ in range(100):  # the limit depends on the step through kept
        dt = np.sqrt(2 * (1 + np.exp(-rate * dt))) / omega

    def run(dt, count):
        network = SpringNetwork(
            np.zeros((2, 3)), [[0, 1]], stiffness=omega**2, rest_lengths=0, pins=[1.0, 0.0]
        )
        simulation = Simulation(network, "VERLET", dt=dt, gravity=(0, 0, 0), damping_rate=rate)
        simulation.state = State([[0, 0, 0], [1, 0, 0]], np.zeros((2, 3)), 0.0)
        for _ in range(count):
            simulation.step()
        return simulation

    below = run(0.99 * dt, 1000)
    assert np.abs(below.state.x).max() < 15.0
    with pytest.raises(SimulationDiverged, match="substeps"):
        run(1.01 * dt, 3000)
    # At the simulation's own step, whose limit depends on it through kept.
    stable = below.diagnostics()["method_stable_dt"]
    kept = np.exp(-rate * 0.99 * dt)
    assert stable == pytest.approx(np.sqrt(2 * (1 + kept)) / omega, rel=1e-12)


@pytest.mark.newest
def test_energy_oscillates_without_drift(random_net, kicked):
    # Backward error analysis: within O(dt^2) of the start, for ever.
    network = random_net(damping=0.0)
    simulation = Simulation(network, "VERLET", dt=0.002, gravity=(0, 0, 0))
    simulation.state = State(network.points, kicked(network), 0.0)
    start = simulation.diagnostics()["total"]
    energies = []
    for _ in range(2000):
        simulation.step()
        energies.append(simulation.diagnostics()["total"])
    assert_allclose(energies, start, rtol=0.01)
    assert np.mean(energies[-500:]) == pytest.approx(np.mean(energies[:500]), rel=0.001)


@pytest.mark.parametrize("rate", [-1.0, np.nan, np.inf])
def test_rate_out_of_range_is_named(random_net, rate):
    with pytest.raises(ValueError, match=f"damping rate is {rate} per s: it must be finite and at least 0"):
        Simulation(random_net(), "VERLET", dt=DT, damping_rate=rate)
