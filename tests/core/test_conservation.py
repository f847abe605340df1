# SPDX-License-Identifier: GPL-3.0-or-later
"""What motion without outside forces keeps: momentum, angular momentum, rigid motion, the symplectic form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State

WITH_ORDER = [id for id, cls in INTEGRATORS.items() if cls.order is not None]


def variants():
    """Every method as it comes, and with Newton's method or a secant where it has it."""
    for id, cls in INTEGRATORS.items():
        yield pytest.param(id, {}, id=id)
        if "newton_iterations" in cls.options:
            yield pytest.param(id, {"newton_iterations": 8}, id=f"{id}-NEWTON")
        if "acceleration" in cls.options:
            yield pytest.param(id, {"acceleration": "SECANT"}, id=f"{id}-SECANT")


VARIANTS = list(variants())


def simulation(network, integrator, dt, v, **settings):
    """Without gravity, from the network's points with velocities v."""
    made = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0), **settings)
    made.state = State(network.points, v, 0.0)
    return made


def angular_momentum(network, state):
    return network.masses @ np.cross(state.x, state.v)


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.parametrize(("integrator", "options"), VARIANTS)
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_momentum_is_conserved_to_round_off(random_net, kicked, integrator, options, damping):
    # Masses over four orders of magnitude, springs taut and slack: every pair of forces is opposite.
    masses = np.geomspace(0.05, 500.0, 8)
    network = random_net(masses=masses, damping=damping)
    steps = [0.001, 0.005] + [0.1] * (INTEGRATORS[integrator].stability_limit == np.inf)
    for dt in steps:
        made = simulation(network, integrator, dt, kicked(network), **options)
        start = masses @ made.state.v
        # Implicit methods take velocities from differences of positions of 1 m: eps / dt at each vertex.
        rounding = 2e-16 * (masses @ np.linalg.norm(made.state.v, axis=1) + masses.sum() / dt)
        for count in range(1, 26):
            made.step()
            assert_allclose(masses @ made.state.v, start, rtol=0, atol=count * rounding)
        assert np.abs(made.state.v - kicked(network)).max() > 0.1


def angular_drift(random_net, kicked, integrator, steps):
    """Change of the angular momentum in 0.1 s, as a share of the sum of the vertices' own."""
    network = random_net(rest_lengths=None)
    made = simulation(network, integrator, 0.1, kicked(network), substeps=steps)
    start = angular_momentum(network, made.state)
    size = network.masses @ np.linalg.norm(np.cross(made.state.x, made.state.v), axis=1)
    made.step()
    return np.abs(angular_momentum(network, made.state) - start).max() / size


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("integrator", WITH_ORDER)
def test_angular_momentum_drifts_no_faster_than_the_order(random_net, kicked, integrator):
    # Central forces have no torque: all change comes from the step, and goes with it. Methods that conserve
    # angular momentum exactly drift by round-off at any step.
    coarse, fine = (angular_drift(random_net, kicked, integrator, steps) for steps in (100, 200))
    assert fine < 1e-13 or np.log2(coarse / fine) > INTEGRATORS[integrator].order - 0.1
    assert fine < 0.02


@pytest.mark.parametrize("integrator", ["SYMPLECTIC_EULER", "VERLET"])
@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_symplectic_methods_conserve_angular_momentum_to_round_off(random_net, kicked, integrator, damping):
    network = random_net(damping=damping)
    made = simulation(network, integrator, 0.01, kicked(network))
    start = angular_momentum(network, made.state)
    assert np.abs(start).max() > 0.01
    for _ in range(200):
        made.step()
    assert_allclose(angular_momentum(network, made.state), start, rtol=0, atol=1e-13)


def test_newton_forces_have_no_torque(random_net, kicked):
    # Backward Euler: m (x - y) / dt^2 is the sum of central forces at x, so it has no torque about any point.
    dt, network = 0.04, random_net(damping=0.0)
    made = simulation(network, "IMPLICIT_EULER", dt, kicked(network), newton_iterations=50, tolerance=1e-13)
    made.step()
    y = network.points + dt * kicked(network)
    internal = network.masses[:, None] * (made.state.x - y) / dt**2
    assert np.abs(internal).max() > 1.0
    assert_allclose(np.cross(made.state.x, internal).sum(axis=0), 0.0, atol=1e-9)


def rotating_ring(damping):
    """Twelve masses on a ring of springs, and the velocities with which it turns for ever as it is.

    Turning at w, the mass at radius r needs m w^2 r towards the centre, which both its springs give:
    2 T sin(pi / 12) = m w^2 r. Nothing changes its length, so that damping along springs has no work to do.
    """
    count, m, k, r, w = 12, 0.1, 200.0, 0.7, 3.0
    angles = 2 * np.pi * np.arange(count) / count
    points = np.column_stack([r * np.cos(angles), r * np.sin(angles), np.zeros(count)])
    tension = m * w**2 * r / (2 * np.sin(np.pi / count))
    edges = np.column_stack([np.arange(count), np.roll(np.arange(count), -1)])
    network = SpringNetwork(
        points,
        edges,
        masses=m,
        stiffness=k,
        rest_lengths=2 * r * np.sin(np.pi / count) - tension / k,
        damping=damping,
    )
    return network, np.cross([0, 0, w], points)


def turned(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


@pytest.mark.sampled(6)
@pytest.mark.combined
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("damping", [0.0, 2.0])
def test_rotation_is_not_damped(integrator, damping):
    # Every method, those without an order included, converges to a rotation that never slows down. At
    # 2 N s/m each mode of the ring decays within 0.1 s; drag against space as strong, at 2 N s/m / 0.1 kg,
    # would leave exp(-20) of the motion.
    network, v = rotating_ring(damping)
    errors = []
    for steps in (125, 250):
        made = simulation(network, integrator, 1.0, v, substeps=steps)
        made.step()
        errors.append(np.abs(made.state.x - turned(network.points, 3.0)).max())
    assert errors[1] < 0.05
    assert errors[1] < 0.6 * errors[0] or errors[1] < 1e-12


@pytest.mark.parametrize(("integrator", "options"), VARIANTS)
def test_translation_is_not_damped(random_net, integrator, options):
    # A net at rest in itself goes on in a straight line, to round-off, however strong its damping.
    network = random_net(rest_lengths=None, damping=3.0)
    v = np.tile([1.0, -2.0, 0.5], (8, 1))
    made = simulation(network, integrator, 0.005, v, **options)
    for _ in range(20):
        made.step()
    assert_allclose(made.state.x, network.points + 0.1 * v, rtol=0, atol=1e-12)
    assert_allclose(made.state.v, v, rtol=0, atol=1e-11)


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize(
    ("integrator", "form"),
    [
        # The quadratic forms that these methods keep on x'' = -w^2 x, in (x, v / w) with W = w dt.
        ("SYMPLECTIC_EULER", lambda x, v, W: np.sum(v**2 + x**2 - W * v * x)),
        ("VERLET", lambda x, v, W: np.sum(v**2 + (1 - W**2 / 4) * x**2)),
    ],
)
@pytest.mark.parametrize("w_dt", [0.05, 0.5, 1.5, 1.95])
def test_invariant_of_symplectic_methods(integrator, form, w_dt):
    omega = np.sqrt(40.0 / 0.3)
    network = SpringNetwork(
        np.zeros((2, 3)), [[0, 1]], masses=0.3, stiffness=40.0, rest_lengths=0.0, pins=[1.0, 0.0]
    )
    made = Simulation(network, integrator, dt=w_dt / omega, gravity=(0, 0, 0))
    made.state = State([[0, 0, 0], [1.0, -0.5, 0.25]], [[0, 0, 0], [5.0, 20.0, -10.0]], 0.0)
    values = []
    for _ in range(1000):
        values.append(form(made.state.x[1], made.state.v[1] / omega, w_dt))
        made.step()
    assert_allclose(values, values[0], rtol=1e-12)


@pytest.mark.parametrize("integrator", ["SYMPLECTIC_EULER", "VERLET"])
def test_symplectic_form_of_a_nonlinear_net(random_net, kicked, integrator):
    # J^T S J = S with S the form dx ^ dp, J the derivative of one step by central differences: 1e-8.
    network = random_net(damping=0.0)
    n, h = network.points.size, 1e-6
    m = np.repeat(network.masses, 3)

    def step(z):
        made = Simulation(network, integrator, dt=0.02, gravity=(0, 0, -9.81))
        made.state = State(z[:n].reshape(-1, 3), (z[n:] / m).reshape(-1, 3), 0.0)
        made.step()
        return np.concatenate([made.state.x.ravel(), m * made.state.v.ravel()])

    z = np.concatenate([network.points.ravel(), m * kicked(network).ravel()])
    j = np.column_stack([(step(z + d) - step(z - d)) / (2 * h) for d in h * np.eye(2 * n)])
    s = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    assert_allclose(j.T @ s @ j, s, atol=1e-7)
    assert np.abs(j - np.eye(2 * n)).max() > 0.1
