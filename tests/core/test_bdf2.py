# SPDX-License-Identifier: GPL-3.0-or-later
"""BDF2 in projective dynamics: its own decay, its start, and what contacts do to its past."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.contact.plane import Plane

OPTIONS = {"time_stepping": "BDF2", "iterations": 1}


def oscillator(mass, omega, damping=0.0):
    """A mass on a spring of zero rest length, for which one iteration is exact."""
    return SpringNetwork(
        np.zeros((2, 3)),
        [[0, 1]],
        masses=mass,
        stiffness=mass * omega**2,
        rest_lengths=0.0,
        damping=damping,
        pins=[1.0, 0.0],
    )


def amplification(z):
    """Root of (3/2 - z) r^2 - 2 r + 1/2 = 0 near exp(z): BDF2 on y' = lambda y, with z = lambda dt."""
    return (2.0 + np.sqrt(1.0 + 2.0 * z)) / (3.0 - 2.0 * z)


@pytest.mark.parametrize("w_dt", [0.05, 0.3, 1.0, 3.0])
def test_oscillator_decays_by_the_amplification_root(w_dt):
    # (x, v) = Re (1, i w) c r^n solves both difference equations, since x' = v and v' = -w^2 x share lambda = i w.
    dt, omega = 0.01, w_dt / 0.01
    r = amplification(1j * w_dt)
    assert np.abs(r) < 1.0
    simulation = Simulation(oscillator(0.3, omega), dt=dt, gravity=(0, 0, 0), **OPTIONS)

    def eigenmotion(n):
        c = 0.2 * r**n * np.array([1.0, np.exp(0.5j), np.exp(2.0j)])
        return np.array([np.zeros(3), c.real]), np.array([np.zeros(3), (1j * omega * c).real])

    simulation.state = State(*eigenmotion(1))
    before = dict(zip(("history_0", "history_1"), eigenmotion(0), strict=True))
    simulation.restore({**simulation.snapshot(), **before})
    for n in range(2, 30):
        simulation.step()
        x, v = eigenmotion(n)
        assert_allclose(simulation.state.x, x, atol=1e-13)
        assert_allclose(simulation.state.v, v, atol=1e-13 * omega)


def test_far_less_decay_than_backward_euler():
    # |r| = 1 - (w dt)^4 / 4 + ... against 1 / sqrt(1 + (w dt)^2).
    energies = {}
    for stepping in ("BACKWARD_EULER", "BDF2"):
        simulation = Simulation(
            oscillator(1.0, 10.0), dt=0.01, gravity=(0, 0, 0), iterations=1, time_stepping=stepping
        )
        simulation.state = State(np.array([[0, 0, 0], [1.0, 0, 0]]), np.zeros((2, 3)))
        for _ in range(200):
            simulation.step()
        energies[stepping] = simulation.diagnostics()["total"] / 50.0
    assert energies["BACKWARD_EULER"] == pytest.approx(1.01**-200, rel=0.02)
    assert energies["BDF2"] == pytest.approx(np.abs(amplification(0.1j)) ** 400, rel=0.02)


def test_first_step_is_backward_euler(taut_net, kicked):
    network = taut_net(damping=0.5)
    ends = []
    for stepping in ("BACKWARD_EULER", "BDF2"):
        simulation = Simulation(network, dt=0.02, iterations=5, time_stepping=stepping)
        simulation.state = State(network.points, kicked(network))
        simulation.step(network.points[network.pinned] + 0.1)
        ends.append(simulation.state.x)
    assert_array_equal(*ends)


def test_another_state_starts_anew(taut_net, kicked):
    network = taut_net()
    simulation = Simulation(network, dt=0.02, **OPTIONS)
    ends = []
    for _ in range(2):
        simulation.state = State(network.points, kicked(network))
        for _ in range(4):
            simulation.step()
        ends.append(simulation.state.x)
    assert_array_equal(*ends)


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_momentum_is_conserved(random_net, kicked, damping):
    network = random_net(damping=damping)
    simulation = Simulation(network, dt=0.04, gravity=(0, 0, 0), **OPTIONS)
    simulation.state = State(network.points, kicked(network), 0.0)
    momentum = network.masses @ simulation.state.v
    for _ in range(20):
        simulation.step()
        assert_allclose(network.masses @ simulation.state.v, momentum, rtol=0, atol=1e-12)


def test_time_dependent_forces_have_order_two():
    # A free particle under f = m sin(w t) g: x'' is integrated twice.
    network = SpringNetwork(np.zeros((1, 3)), [], masses=2.0)
    w, end = 3.0, 1.0

    def force(x, v, t):
        return np.full((1, 3), 2.0 * np.sin(w * t))

    errors = []
    for steps in (50, 100):
        simulation = Simulation(network, dt=end / steps, gravity=(0, 0, 0), forces=[force], **OPTIONS)
        for _ in range(steps):
            simulation.step()
        errors.append(np.abs(simulation.state.x - (end / w - np.sin(w * end) / w**2)).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_a_struck_vertex_does_not_rebound():
    network = SpringNetwork([[0, 0, 0.5]], [], masses=1.0)
    simulation = Simulation(network, dt=0.01, contacts=[Plane(friction=0.0)], **OPTIONS)
    heights = np.array([x[0, 2] for x in simulation.frames(100)])
    # It lies as high as contacts bear it, a fifth of g h^2.
    touch = 0.21 * 9.81 * 0.01**2
    struck = np.flatnonzero(heights < touch)[0]
    # Free fall from 0.5 m takes 0.32 s, and then it lies.
    assert struck == pytest.approx(32, abs=1)
    assert_allclose(heights[struck:], 0.0, atol=touch)


@pytest.mark.nightly
def test_sliding_along_a_slope_has_the_right_acceleration():
    # Coulomb friction: a = g (sin - mu cos), from rest, with the plane turned instead of the particle.
    angle, mu, g, dt = 0.5, 0.2, 9.81, 0.002
    gravity = (g * np.sin(angle), 0.0, -g * np.cos(angle))
    network = SpringNetwork([[0, 0, 0]], [], masses=1.0)
    simulation = Simulation(network, dt=dt, gravity=gravity, contacts=[Plane(friction=mu)], **OPTIONS)
    for _ in range(250):
        simulation.step()
    expected = g * (np.sin(angle) - mu * np.cos(angle)) * 0.5
    # A step's worth of the start, which is backward Euler's.
    assert simulation.state.v[0, 0] == pytest.approx(expected, rel=0.01)


def test_history_of_another_formula_is_refused(taut_net):
    simulation = Simulation(taut_net(), dt=0.01, **OPTIONS)
    before = simulation.snapshot()
    with pytest.raises(ValueError, match="BDF2 keeps no history of 1 arrays"):
        simulation.restore({**before, "history_0": before["x"]})


@pytest.mark.parametrize("name", ["time_stepping", "acceleration"])
def test_unknown_word_is_named(taut_net, name):
    with pytest.raises(ValueError, match=f"{name} is 'FAST': use "):
        Simulation(taut_net(), dt=0.01, **{name: "FAST"})
