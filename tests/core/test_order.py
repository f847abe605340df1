# SPDX-License-Identifier: GPL-3.0-or-later
"""Order of convergence: log-log slope of the error over the step, for every method that states an order.

The exact motion is the oscillator's closed form, or DOP853 at tight tolerances on forces that are written out
here with a dense incidence matrix. The error is taken in (x, v / w) of all vertices together: a single
coordinate can cross zero error and spoil a slope, the whole phase point can not.
"""

import functools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State

GRAVITY = np.array([0.0, 0.0, -9.81])
SPEED = np.array([0.3, -0.2, 0.1])  # of the pins' targets [m/s]
OMEGA = 12.0  # about the frequency of every scene [1/s]; weighs velocities against positions
DURATION = 0.3
STEPS = (40, 80)


def accurate_variants():
    """Every method with an order, with enough iterations where it iterates, and with Newton's method."""
    for id, cls in INTEGRATORS.items():
        if cls.order is not None:
            yield pytest.param(id, {"iterations": 15} if "iterations" in cls.options else {}, id=id)
            if "newton_iterations" in cls.options:
                yield pytest.param(id, {"newton_iterations": 20}, id=f"{id}-NEWTON")
            if "time_stepping" in cls.options:
                yield pytest.param(id, {"iterations": 15, "time_stepping": "BDF2"}, id=f"{id}-BDF2")
            if "acceleration" in cls.options:
                yield pytest.param(id, {"iterations": 15, "acceleration": "SECANT"}, id=f"{id}-SECANT")


def oscillator(damping):
    """A mass on a spring of zero rest length, swinging along one axis through the spring's other end."""
    return SpringNetwork(
        np.zeros((2, 3)),
        [[0, 1]],
        masses=0.25,
        stiffness=0.25 * OMEGA**2,
        rest_lengths=0.0,
        damping=damping,
        pins=[1.0, 0.0],
    )


def net(damping, pins):
    """Ten vertices of unequal masses in space, with springs taut and slack, each to its own strength."""
    rng = np.random.default_rng(11)
    edges = np.array([(i, (i + step) % 10) for step in (1, 3) for i in range(10)])
    # On a ring, so that no spring comes near zero length, where its direction would turn within a step.
    angles = 2 * np.pi * np.arange(10) / 10
    points = np.column_stack([np.cos(angles), np.sin(angles), rng.uniform(-0.3, 0.3, 10)])
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    return SpringNetwork(
        points,
        edges,
        masses=rng.uniform(0.1, 0.2, 10),
        stiffness=rng.uniform(2.0, 6.0, 20),
        rest_lengths=rng.uniform(0.7, 1.1, 20) * lengths,
        damping=damping * rng.uniform(0.5, 1.5, 20),
        pins=pins,
        pin_stiffness=8.0,
    )


SCENES = {
    "oscillator": (lambda: oscillator(0.0), False),
    "damped oscillator": (lambda: oscillator(1.0), False),
    "free net": (lambda: net(0.0, None), False),
    "damped net on moving pins": (lambda: net(0.1, [1, 0, 0, 0.5, 0, 0, 1, 0, 0.8, 0]), True),
}


def start(network):
    """Positions and velocities at the start; hard pins start on their targets."""
    if network.vertex_count == 2:
        return np.array([[0, 0, 0], [0.4, 0, 0]]), np.array([[0, 0, 0], [3.0, 0, 0]])
    return network.points, np.random.default_rng(3).normal(0.0, 1.0, (10, 3))


@functools.cache
def exact(scene):
    """Phase point (x, v / w) of the free vertices at the end, by closed form or DOP853."""
    build, moving = SCENES[scene]
    network = build()
    x, v = start(network)
    if network.vertex_count == 2:
        # x'' = -w^2 x - c x': a decaying rotation with frequency sqrt(w^2 - c^2 / 4).
        rate = network.damping[0] / network.masses[0] / 2
        frequency = np.sqrt(OMEGA**2 - rate**2)
        matrix = np.array([[0.0, 1.0], [-(OMEGA**2), -2 * rate]])
        spin = (matrix + rate * np.eye(2)) / frequency
        angle = frequency * DURATION
        turn = np.cos(angle) * np.eye(2) + np.sin(angle) * spin
        x_end, v_end = np.exp(-rate * DURATION) * turn @ [x[1, 0], v[1, 0]]
        return np.array([[x_end, 0, 0, v_end / OMEGA, 0, 0]])
    speed = SPEED if moving else np.zeros(3)
    hard = network.pins == 1.0
    m, w = network.masses[:, None], np.where(hard, 0.0, network.pins * network.pin_stiffness)[:, None]
    a = np.zeros((20, 10))
    a[np.arange(20), network.edges[:, 0]], a[np.arange(20), network.edges[:, 1]] = 1.0, -1.0

    def slopes(t, flat):
        x, v = flat.reshape(2, 10, 3)
        targets = network.points + speed * t
        x = np.where(hard[:, None], targets, x)
        v = np.where(hard[:, None], speed, v)
        u = a @ x
        lengths = np.sqrt(np.sum(u * u, axis=1))
        n = u / lengths[:, None]
        tension = network.stiffness * (lengths - network.rest_lengths)
        tension += network.damping * np.sum((a @ v) * n, axis=1)
        f = m * GRAVITY - a.T @ (tension[:, None] * n) - w * (x - targets)
        return np.concatenate([v.ravel(), np.where(hard[:, None], 0.0, f / m).ravel()])

    flat = np.concatenate([x.ravel(), v.ravel()])
    solution = solve_ivp(slopes, (0, DURATION), flat, method="DOP853", rtol=1e-13, atol=1e-14)
    x_end, v_end = solution.y[:, -1].reshape(2, 10, 3)
    return np.hstack([x_end, v_end / OMEGA])[~hard]


def error(scene, integrator, options, steps):
    """Distance of the phase point at the end from the exact one."""
    build, moving = SCENES[scene]
    network = build()
    gravity = GRAVITY if network.vertex_count > 2 else np.zeros(3)
    simulation = Simulation(network, integrator, dt=DURATION, substeps=steps, gravity=gravity, **options)
    simulation.state = State(*start(network), 0.0)
    simulation.step(network.points + SPEED * DURATION if moving else None)
    reached = np.hstack([simulation.state.x, simulation.state.v / OMEGA])[network.pins < 1.0]
    return np.linalg.norm(reached - exact(scene))


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("integrator", "options"), list(accurate_variants()))
def test_order_of_convergence(integrator, options, scene):
    # w dt = 0.09 and 0.045: asymptotic for order 1, where the next term is w dt / 2 of the error, and
    # above round-off for order 4.
    coarse, fine = (error(scene, integrator, options, steps) for steps in STEPS)
    order = Simulation(oscillator(0.0), integrator, dt=0.01, **options).integrator.order
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.1)
    # The slope belongs to the right limit: half of the phase point's size would be no convergence.
    assert 1e-12 < fine < 0.05
