# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when the numbers stop being a simulation."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.diagnostics import safe_dt

UNCONDITIONAL = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf]


def diverge(simulation, limit=1000):
    """Step until the simulation says that it diverged: its message and the states up to there."""
    states = [simulation.state]
    with pytest.raises(SimulationDiverged) as raised:
        for _ in range(limit):
            simulation.step()
            states.append(simulation.state)
    return str(raised.value), states


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("damping", [0.0, 0.2, 20.0])
@pytest.mark.parametrize("substeps", [1, 3])
def test_too_large_a_step_names_enough_substeps(taut_net, kicked, damping, substeps):
    factor = 4.0 * substeps
    network = taut_net(damping=damping)
    dt = factor * safe_dt(network)

    def simulation(substeps):
        made = Simulation(network, "SYMPLECTIC_EULER", dt=dt, substeps=substeps)
        made.state = State(network.points, kicked(network), 0.0)
        return made

    message, states = diverge(simulation(substeps))
    assert message.startswith(f"Symplectic Euler diverged at {len(states) * dt:.4g} s: ")
    named = re.search(r"its step of (\S+) s is beyond (\S+) s; use (\d+) substeps or Projective Dyn", message)
    assert float(named[1]) == pytest.approx(dt / substeps, rel=0.01)
    assert float(named[2]) == pytest.approx(safe_dt(network), rel=0.01)
    enough = int(named[3])
    # Enough, and not many more than needed.
    assert factor < enough <= factor / 0.9 + 1
    cured = simulation(enough)
    for _ in range(200):
        cured.step()
    assert np.abs(cured.state.x - network.points).max() < 10.0


def test_last_good_state_stays(integrator, random_net):
    network = random_net(pins=[1.0] + 7 * [0.0])

    strength = 0.0

    def burst(x, v, t):
        return np.full_like(x, strength)

    simulation = Simulation(network, integrator, dt=0.01, forces=[burst])
    good = Simulation(network, integrator, dt=0.01)
    targets = network.points[:1] + 0.01 * np.arange(1, 6)[:, None, None]
    for target in targets[:4]:
        simulation.step(target)
        good.step(target)
    strength = np.nan
    with pytest.raises(SimulationDiverged, match=r"diverged at 0\.05 s: .*forces"):
        simulation.step(targets[4])
    assert simulation.state.t == 0.04
    assert_array_equal(simulation.state.x, good.state.x)
    assert_array_equal(simulation.state.v, good.state.v)
    # The pins' last target stays too: without forces it goes on as if nothing had been tried.
    simulation.system.external = simulation.system.external[:1]
    simulation.step()
    good.step()
    assert_array_equal(simulation.state.x, good.state.x)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308])
def test_forces_that_are_not_finite_or_absurd(integrator, random_net, value):
    simulation = Simulation(random_net(), integrator, dt=1.0, forces=[lambda x, v, t: np.full_like(x, value)])
    message, states = diverge(simulation, 3)
    assert message.startswith(INTEGRATORS[integrator].label)
    assert np.isfinite(states[-1].x).all()


@pytest.mark.parametrize("integrator", UNCONDITIONAL)
def test_unconditional_methods_are_not_told_to_take_smaller_steps(integrator, random_net):
    simulation = Simulation(random_net(), integrator, dt=10.0, forces=[lambda x, v, t: x * np.nan])
    message, _ = diverge(simulation)
    assert "substeps" not in message
    assert "check masses, stiffness, forces and pin motion" in message


def test_step_that_is_small_enough_is_not_blamed(random_net):
    simulation = Simulation(random_net(), "SYMPLECTIC_EULER", dt=1e-4, forces=[lambda x, v, t: x * np.nan])
    message, _ = diverge(simulation)
    assert "check masses, stiffness, forces and pin motion" in message


def test_runaway_is_found_long_before_the_numbers_overflow():
    # Two masses of 1 kg on 100 N/m, dt = 2: the stretch grows 400-fold a step, the limit is a factor 1000.
    network = SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]], stiffness=100.0, rest_lengths=0.9)
    simulation = Simulation(network, "SYMPLECTIC_EULER", dt=2.0)
    _, states = diverge(simulation)
    assert len(states) < 4
    assert network.spring_lengths(states[-1].x)[0] <= 1000.0


@pytest.mark.combined
@pytest.mark.parametrize("distance", [1e-9, 1.0, 1e6])
def test_size_of_the_network_does_not_matter(integrator, distance):
    network = SpringNetwork(
        distance * np.array([[0, 0, 0], [1.0, 0, 0], [1.0, 1.0, 0]]),
        [[0, 1], [1, 2]],
        damping=1.0,
        pins=[1.0, 0.0, 0.0],
    )
    simulation = Simulation(network, integrator, dt=0.01, gravity=(0, 0, -9.81 * distance))
    for _ in range(100):
        simulation.step()
    assert 0 < np.abs(simulation.state.x - network.points).max() < 3 * distance


@pytest.mark.sampled(9)
@pytest.mark.newest
def test_a_network_that_starts_as_one_point_may_stretch(integrator):
    # Hanging on a spring without rest length: m g / k below, however small the start.
    network = SpringNetwork(
        np.zeros((2, 3)), [[0, 1]], masses=0.5, stiffness=20.0, damping=4.0, rest_lengths=0.0, pins=[1.0, 0.0]
    )
    simulation = Simulation(network, integrator, dt=0.02)
    for _ in range(400):
        simulation.step()
    if simulation.integrator.order is not None:
        assert_allclose(simulation.state.x[1], [0, 0, -0.5 * 9.81 / 20.0], atol=1e-10)


@pytest.mark.sampled(12)
def test_falling_for_long_is_no_runaway(integrator, random_net):
    simulation = Simulation(
        random_net(rest_lengths=None), integrator, dt=0.01, substeps=2, gravity=(0, 0, -1e6)
    )
    for _ in range(100):
        simulation.step()
    assert simulation.state.x[:, 2].max() < -4e5
