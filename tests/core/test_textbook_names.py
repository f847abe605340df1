# SPDX-License-Identifier: GPL-3.0-or-later
"""What a student of the textbooks looks for is there under its name: classes, aliases, lambda, and A, Q, b and L."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State
from hooke.core.integrators import ALIASES
from hooke.core.integrators.runge_kutta import RungeKutta

DT = 0.02
STIFFNESS, MASS = 300.0, 0.1


class Ralston(RungeKutta):
    """A method that nobody entered in the catalogue."""

    label = "Ralston"
    order = 2
    stability_limit = 0.0
    a = ((2.0 / 3.0,),)
    b = (0.25, 0.75)


def sheet():
    """A sheet pinned at two corners."""
    return SpringNetwork.grid((5, 5), 0.1, mass=25 * MASS, stiffness=STIFFNESS, pins=[0, 4])


def test_a_class_of_your_own_simulates():
    simulation = Simulation(SpringNetwork([[0, 0, 0]], []), Ralston, dt=0.1)
    simulation.step()
    assert simulation.integrator_id == "Ralston"
    assert simulation.state.x[0, 2] == pytest.approx(-0.5 * 9.81 * 0.1**2)


@pytest.mark.parametrize("name", ["RK2", INTEGRATORS["MIDPOINT"], "MIDPOINT"])
def test_runge_kutta_2_is_midpoint_by_any_of_its_names(name):
    simulation = Simulation(sheet(), name, dt=0.001)
    assert simulation.integrator_id == "MIDPOINT"
    assert type(simulation.integrator) is INTEGRATORS["MIDPOINT"]


@pytest.mark.parametrize("wrong", ["RK5", int, None, 3])
def test_what_is_no_method_is_refused_with_those_there_are(wrong):
    with pytest.raises(ValueError, match=r"use one of PROJECTIVE_DYNAMICS, .*RK2.*subclass of Integrator"):
        Simulation(sheet(), wrong, dt=0.1)


def test_gravity_0_is_none_and_another_number_is_refused():
    simulation = Simulation(sheet(), dt=DT, gravity=0)
    simulation.step()
    assert_allclose(simulation.state.x, simulation.network.points, atol=1e-12)
    with pytest.raises(ValueError, match=r"gravity is 9\.81: give three finite numbers in m/s\^2, or 0"):
        Simulation(sheet(), dt=DT, gravity=9.81)


@pytest.mark.parametrize("factor", [0.0, 0.1, 1.0])
def test_the_lambda_of_damped_verlet_is_itself(factor):
    # One free particle without forces: x(t+dt) - x(t) = (1 - lambda) (x(t) - x(t-dt)).
    simulation = Simulation(SpringNetwork([[0, 0, 0]], []), "VERLET", dt=DT, gravity=0, damping_factor=factor)
    simulation.state = State(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]]), 0.0)
    x = [0.0, *(x[0, 0] for x in simulation.frames(4))]
    moves = np.diff(x)
    assert_allclose(moves[1:], (1.0 - factor) * moves[:-1], atol=1e-15)


def test_lambda_out_of_range_and_two_dampings_are_refused():
    with pytest.raises(ValueError, match=r"damping factor is 1\.5: it must be between 0 and 1"):
        Simulation(sheet(), "VERLET", dt=DT, damping_factor=1.5)
    with pytest.raises(ValueError, match="give one of them"):
        Simulation(sheet(), "VERLET", dt=DT, damping_factor=0.5, damping_rate=1.0)


def test_matrix_right_side_and_factor_are_those_of_liu_2013():
    # S = M/dt^2 + A^T K A and b = M y/dt^2 + A^T K d, written out, with pins' rows and columns the identity's.
    network = sheet()
    simulation = Simulation(network, dt=DT, iterations=1)
    method, state = simulation.integrator, simulation.state
    a = network.incidence.matrix().toarray()
    k = network.springs.stiffness
    mass = np.diag(network.masses) / DT**2
    whole = mass + a.T @ np.diag(k) @ a
    free = np.setdiff1d(np.arange(25), network.hard_pins)
    assert_allclose(method.matrix.toarray()[np.ix_(free, free)], whole[np.ix_(free, free)], rtol=1e-12)

    y = state.x + DT * state.v + DT**2 * np.array([0.0, 0.0, -9.81])
    y[network.hard_pins] = network.points[network.hard_pins]
    u = a @ y
    d = network.springs.rest_lengths[:, None] * u / np.linalg.norm(u, axis=1, keepdims=True)
    b = mass @ y + a.T @ (k[:, None] * d)
    b[free] -= whole[np.ix_(free, network.hard_pins)] @ y[network.hard_pins]
    b[network.hard_pins] = y[network.hard_pins]
    assert_allclose(method.right_side(state), b, rtol=1e-9, atol=1e-9)

    at = y
    for _ in range(3000):
        at = method.factor.solve(method.right_side(state, at))
    many = Simulation(network, dt=DT, iterations=3000)
    many.step()
    assert_allclose(at, many.state.x, atol=1e-9)
    assert_array_equal(at[network.hard_pins], network.points[network.hard_pins])


@pytest.mark.parametrize("iterations", [2, 20])
def test_position_based_says_by_how_much_its_sweeps_leave_the_limit(iterations):
    network = SpringNetwork.grid((6, 6), 0.2, mass=1.0, stiffness=10.0, bending=0, pins=[0, 5])
    simulation = Simulation(network, "POSITION_BASED", dt=1 / 240, iterations=iterations, max_stretch=0.1)
    for _ in range(100):
        simulation.step()
    beyond = network.strains(simulation.state.x).max() - 0.1
    assert simulation.diagnostics()["residual"] == pytest.approx(max(beyond, 0.0), abs=1e-12)
    assert beyond > 0.0


def test_every_alias_is_the_other_name_of_its_method():
    for alias, name in ALIASES.items():
        assert alias in (
            INTEGRATORS[name].also.upper().replace(" ", "_").replace("-", "_"),
            "".join(word[0] for word in INTEGRATORS[name].also.replace("-", " ").split()),
        )
