# SPDX-License-Identifier: GPL-3.0-or-later
"""The 1-D oscillator: a static and a dynamic particle, joined by one spring of rest length 0.

The exact motion is x(t) = x0 cos(w t), w = sqrt(k/m), with the constant energy k x0^2 / 2.
"""

import numpy as np
from measuring.measure import largest, order

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State

# x0 [m], mass [kg] and period [s] are 1.
FREQUENCY = 2.0 * np.pi
# Steps a period, of the energies and of the measured order.
SHOWN_STEPS, ORDER_STEPS = 25, 2 ** np.arange(3, 11)
# A growth per step that a million steps leave below a tenth of a per mille.
NO_GROWTH = 1.0 + 1e-10
LOWEST, HIGHEST = 0.01, 1000.0


def oscillator(damping_rate=0.0):
    """The network; damping_rate: c [1/s], the share of the velocity that the damper takes in a unit of time."""
    return SpringNetwork(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        [[0, 1]],
        masses=1.0,
        stiffness=FREQUENCY**2,
        rest_lengths=0.0,
        damping=damping_rate,
        pins=[1.0, 0.0],
    )


def motion(integrator, dt, count):
    """Position [m] and velocity [m/s] of the dynamic particle at the start and after each of `count` steps."""
    simulation = Simulation(oscillator(), integrator, dt=dt, gravity=0)
    states = [simulation.state]
    for _ in range(count):
        simulation.step()
        states.append(simulation.state)
    return np.array([state.x[1, 0] for state in states]), np.array([state.v[1, 0] for state in states])


def energies(integrator, periods=8):
    """E/E0 after every step of T/25."""
    x, v = motion(integrator, 1.0 / SHOWN_STEPS, periods * SHOWN_STEPS)
    return x**2 + (v / FREQUENCY) ** 2


def measured_order(integrator):
    """Exponent of the largest error within a period over the step."""
    errors = []
    for count in ORDER_STEPS:
        exact = np.cos(FREQUENCY * np.arange(count + 1) / count)
        errors.append(np.abs(motion(integrator, 1.0 / count, count)[0] - exact).max())
    return order(1.0 / ORDER_STEPS, errors)


def amplification(integrator, w_dt, c_dt=0.0):
    """Largest |eigenvalue| of the map (x, v) -> (x', v') of one step of w dt, damped at the rate c.

    Above 1 the amplitude grows without bound. The map is linear for L = 0 on one side of the origin, and two states
    there determine it. Infinite where one step goes beyond what a simulation accepts.
    """
    dt = w_dt / FREQUENCY
    ends = []
    for v in (0.0, 1.0):
        simulation = Simulation(oscillator(c_dt / dt), integrator, dt=dt, gravity=0)
        simulation.state = State(simulation.state.x, np.array([[0.0, 0.0, 0.0], [v * FREQUENCY, 0.0, 0.0]]))
        try:
            simulation.step()
        except SimulationDiverged:
            return np.inf
        ends.append([simulation.state.x[1, 0], simulation.state.v[1, 0] / FREQUENCY])
    of_x = np.array(ends[0])
    return float(np.abs(np.linalg.eigvals(np.column_stack([of_x, ends[1] - of_x]))).max())


def measured_limit(integrator):
    """Largest w dt without growth; 0 where w dt = 0.01 grows, infinite where 1000 does not."""
    return largest(lambda w_dt: amplification(integrator, w_dt) <= NO_GROWTH, LOWEST, HIGHEST, precision=1e-5)


def measured_limits():
    """Limits of all methods by id."""
    return {id: measured_limit(id) for id in INTEGRATORS}


def largest_of_mode(integrator, frequency, rate, highest):
    """Largest step [s] at which a mode of an angular frequency [rad/s], damped at a rate [1/s], does not grow.

    0 where it grows at every step, infinite where it does not at the highest [s].
    """

    def bounded(dt):
        return amplification(integrator, frequency * dt, rate * dt) <= NO_GROWTH

    return largest(bounded, LOWEST / frequency, highest, precision=1e-5)
