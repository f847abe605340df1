# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of every method on a damped net in three dimensions, against an independent integrator."""

import numpy as np
from measuring.measure import order
from scipy.integrate import solve_ivp

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State

DURATION = 0.2
STEP_COUNTS = (100, 200, 400)


def swinging_cube():
    """A 3 x 3 x 3 lattice of unequal masses and springs, damped, hung at one corner, that starts to swing."""
    rng = np.random.default_rng(1)
    plain = SpringNetwork.lattice((3, 3, 3), 0.2)
    pins = np.zeros(plain.vertex_count)
    pins[0] = 1.0
    network = SpringNetwork(
        plain.points,
        plain.edges,
        masses=rng.uniform(0.1, 0.4, plain.vertex_count),
        stiffness=rng.uniform(10.0, 40.0, plain.spring_count),
        rest_lengths=plain.rest_lengths,
        damping=rng.uniform(0.0, 0.2, plain.spring_count),
        pins=pins,
    )
    v = rng.normal(0.0, 0.3, network.points.shape)
    v[0] = 0.0
    return network, v


def final_positions(integrator, network, v, count):
    """Positions after DURATION in `count` steps [m], shape (vertex_count, 3)."""
    simulation = Simulation(network, integrator, dt=DURATION, substeps=count)
    simulation.state = State(network.points, v, 0.0)
    simulation.step()
    return simulation.state.x


def reference_positions(network, v):
    """The same by SciPy's DOP853 to a relative tolerance of 1e-12."""
    system = Simulation(network, "SYMPLECTIC_EULER", dt=DURATION).system

    def rates(t, flat):
        x, v = flat.reshape(2, -1, 3)
        return np.concatenate([v.ravel(), system.accelerations(x, v, t).ravel()])

    start = np.concatenate([network.points.ravel(), v.ravel()])
    solution = solve_ivp(rates, (0.0, DURATION), start, method="DOP853", rtol=1e-12, atol=1e-13)
    return solution.y[: v.size, -1].reshape(-1, 3)


def measured_orders():
    """Order of every method on the swinging cube."""
    network, v = swinging_cube()
    reference = reference_positions(network, v)
    return {
        id: order(
            [DURATION / count for count in STEP_COUNTS],
            [np.abs(final_positions(id, network, v, count) - reference).max() for count in STEP_COUNTS],
        )
        for id in INTEGRATORS
    }
