# SPDX-License-Identifier: GPL-3.0-or-later
"""Stability limits of every method from both sides, on oscillators and on random damped networks.

The methods are linear on a network along a line whose springs keep their sign: two runs of one step per
free vertex give the matrix of the step, and its spectral radius decides.
"""

import numpy as np
import pytest

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.diagnostics import enough_substeps, stable_dt

LIMITED = [id for id, cls in INTEGRATORS.items() if 0 < cls.stability_limit < np.inf]
NEVER = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == 0]
ALWAYS = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf]
# A method without an order moves positions as it likes: it has no matrix.
LINEAR = [id for id, cls in INTEGRATORS.items() if cls.order is not None]

# Springs a thousand times longer than what moves their ends never turn round.
FAR = 1e3


def step_matrix(network, integrator, dt):
    """Matrix of one step on (x, dt v) along the line, of the free vertices."""
    free = np.flatnonzero(network.pins < 1.0)
    columns = []
    for moved in np.eye(2 * len(free)):
        x, v = network.points.copy(), np.zeros_like(network.points)
        x[free, 0] += moved[: len(free)]
        v[free, 0] = moved[len(free) :] / dt
        simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0))
        simulation.state = State(x, v, 0.0)
        simulation.step()
        x, v = simulation.state.x - network.points, simulation.state.v
        columns.append(np.concatenate([x[free, 0], dt * v[free, 0]]))
    return np.column_stack(columns)


def spectral_radius(network, integrator, dt):
    return np.abs(np.linalg.eigvals(step_matrix(network, integrator, dt))).max()


def oscillator(frequency, rate=0.0):
    """One mass of 1 kg on a long spring: x'' = -frequency^2 x - rate x' about its rest."""
    return SpringNetwork(
        [[0, 0, 0], [FAR, 0, 0]],
        [[0, 1]],
        stiffness=frequency**2,
        damping=rate,
        pins=[1.0, 0.0],
    )


def swinging(integrator, frequency, dt):
    """A mass of 1 kg swinging in all directions about a hard pin on a spring of zero rest length."""
    network = SpringNetwork(
        np.zeros((2, 3)), [[0, 1]], stiffness=frequency**2, rest_lengths=0, pins=[1.0, 0.0]
    )
    simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0))
    x, v = np.array([[0, 0, 0], [1.0, -0.5, 0.25]]), np.array([[0, 0, 0], [0.5, 1.0, -1.0]])
    simulation.state = State(x, frequency * v, 0.0)
    return simulation


def size(simulation, frequency):
    return np.hypot(np.linalg.norm(simulation.state.x), np.linalg.norm(simulation.state.v) / frequency)


def test_every_method_is_in_one_class():
    assert sorted(LIMITED + NEVER + ALWAYS) == sorted(INTEGRATORS)


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize("integrator", LIMITED)
def test_bounded_one_percent_below_the_limit(integrator):
    dt = 0.99 * INTEGRATORS[integrator].stability_limit / 3.0
    simulation = swinging(integrator, 3.0, dt)
    start = size(simulation, 3.0)
    for _ in range(1500):
        simulation.step()
        # The conserved quadratic form of symplectic Euler has the condition number (1 + 0.99) / (1 - 0.99)
        # there: amplitudes stay below its root, 14.1, times the start's, however long it runs.
        assert size(simulation, 3.0) < 14.2 * start


@pytest.mark.parametrize("integrator", LIMITED)
def test_unbounded_one_percent_above_the_limit(integrator):
    dt = 1.01 * INTEGRATORS[integrator].stability_limit / 3.0
    simulation = swinging(integrator, 3.0, dt)
    # By 1.33 a step for roots that leave through -1, by 1.07 for RK4.
    with pytest.raises(SimulationDiverged):
        for _ in range(200):
            simulation.step()


@pytest.mark.parametrize("integrator", LIMITED)
def test_limit_of_pure_damping_from_both_sides(integrator):
    limit = INTEGRATORS[integrator].damping_limit
    assert spectral_radius(oscillator(1e-4, 0.99 * limit), integrator, 1.0) <= 1.0
    assert spectral_radius(oscillator(1e-4, 1.01 * limit), integrator, 1.0) > 1.0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("integrator", LIMITED)
@pytest.mark.parametrize("damped", np.linspace(0.0, 1.0, 21))
def test_stable_step_of_a_damped_oscillator_is_stable(integrator, damped):
    # The whole curve from no damping to nothing but damping, and inside of it.
    cls = INTEGRATORS[integrator]
    for share in (0.05, 0.5, 0.9, 0.999):
        frequency = cls.stability_limit * np.sqrt(max(1.0 - damped, 1e-9))
        network = oscillator(frequency, cls.damping_limit * damped)
        dt = share * stable_dt(network, cls.stability_limit, cls.damping_limit)
        assert dt <= 1.0 + 1e-6
        assert spectral_radius(network, integrator, dt) <= 1.0 + 1e-12


@pytest.mark.sampled(6)
@pytest.mark.parametrize("integrator", LIMITED)
@pytest.mark.parametrize("seed", range(25))
def test_stable_step_of_a_random_damped_network_is_stable(integrator, seed):
    # Stiffness, damping and masses that have nothing to do with each other: no common modes.
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 7))
    points = np.zeros((count, 3))
    points[:, 0] = FAR * np.arange(count)
    edges = [(i, j) for i in range(count) for j in range(i) if i == j + 1 or rng.random() < 0.5]
    network = SpringNetwork(
        points,
        edges,
        masses=10 ** rng.uniform(-1.5, 1.5, count),
        stiffness=10 ** rng.uniform(-2, 2, len(edges)),
        damping=10 ** rng.uniform(-3, 2, len(edges)),
        pins=np.r_[1.0, rng.choice([0.0, 0.0, 0.5], count - 1)],
        pin_stiffness=1.0,
    )
    stable = Simulation(network, integrator, dt=1.0).diagnostics()["method_stable_dt"]
    assert 0 < stable < np.inf
    assert spectral_radius(network, integrator, 0.999 * stable) <= 1.0 + 1e-12


# Amplitude growth a step of an undamped oscillator, the modulus of the step's eigenvalues, with W = w dt.
GROWTH = {
    "EXPLICIT_EULER": lambda W: np.sqrt(1 + W**2),
    "MODIFIED_EULER": lambda W: np.sqrt(1 + W**2 / 2),
    "MIDPOINT": lambda W: np.sqrt(1 + W**4 / 4),
    "SYMPLECTIC_EULER": lambda W: 1.0,
    "VERLET": lambda W: 1.0,
    "RK4": lambda W: np.sqrt(1 - W**6 / 72 + W**8 / 576),
    "IMPLICIT_EULER": lambda W: 1 / np.sqrt(1 + W**2),
    "PROJECTIVE_DYNAMICS": lambda W: 1 / np.sqrt(1 + W**2),
}


@pytest.mark.parametrize("integrator", GROWTH)
@pytest.mark.parametrize("w_dt", [0.1, 0.5, 1.0, 1.9])
def test_growth_of_the_amplitude_is_that_of_the_theory(integrator, w_dt):
    moduli = np.abs(np.linalg.eigvals(step_matrix(oscillator(w_dt), integrator, 1.0)))
    # Positions of 1000 m rounded: 1e-13 in every entry.
    assert moduli == pytest.approx(GROWTH[integrator](w_dt), rel=1e-11)


@pytest.mark.parametrize("integrator", NEVER)
@pytest.mark.parametrize("w_dt", [0.05, 0.3, 1.0, 3.0])
def test_never_stable_means_growth_at_any_step(integrator, w_dt):
    assert spectral_radius(oscillator(w_dt), integrator, 1.0) > 1.0 + 1e-7
    assert stable_dt(oscillator(w_dt), INTEGRATORS[integrator].stability_limit) == 0.0


@pytest.mark.newest
@pytest.mark.parametrize("integrator", ALWAYS)
def test_unconditionally_stable_oscillator(integrator):
    simulation = swinging(integrator, 3.0, 1e3 / 3.0)
    start = size(simulation, 3.0)
    for _ in range(200):
        simulation.step()
        assert size(simulation, 3.0) <= start
    assert stable_dt(simulation.network, INTEGRATORS[integrator].stability_limit) == np.inf


@pytest.mark.parametrize("integrator", [id for id in ALWAYS if id in LINEAR])
@pytest.mark.parametrize("w_dt", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("c_dt", [1e-3, 1.0, 1e3])
def test_unconditionally_stable_at_any_damping(integrator, w_dt, c_dt):
    assert spectral_radius(oscillator(w_dt, c_dt), integrator, 1.0) <= 1.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_without_springs_any_step_is_stable(integrator):
    cls = INTEGRATORS[integrator]
    network = SpringNetwork([[0, 0, 2]], [])
    assert stable_dt(network, cls.stability_limit, cls.damping_limit) == np.inf
    assert enough_substeps(network, cls, 1e6) == 1


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_enough_substeps_are_the_fewest_with_a_tenth_to_spare(integrator):
    cls = INTEGRATORS[integrator]
    network = oscillator(5.0, 0.7)
    enough = enough_substeps(network, cls, 3.0)
    stable = stable_dt(network, cls.stability_limit, cls.damping_limit)
    if stable == 0.0:
        assert enough is None
    elif stable == np.inf:
        assert enough == 1
    else:
        assert 3.0 / enough <= 0.9 * stable < 3.0 / (enough - 1)
