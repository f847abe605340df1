# SPDX-License-Identifier: GPL-3.0-or-later
"""The largest stable step on the 1-D oscillator, from the matrix that one step of a method multiplies by."""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures
from measuring.measure import largest

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, State

from .oscillator import FREQUENCY, X0, oscillator

# A growth per step that a million steps leave below a tenth of a per mille.
NO_GROWTH = 1.0 + 1e-10

LOWEST, HIGHEST = 0.01, 1000.0


def amplification(integrator, w_dt, c_dt=0.0):
    """Largest |eigenvalue| of the map (x, v) -> (x', v') of one step of w dt, damped at the rate c.

    Above 1 the amplitude grows without bound. The map is linear for L = 0 on one side of the origin, and is
    found from what a step makes of two states there. Infinite where one step goes beyond what a simulation
    accepts.
    """
    dt = w_dt / FREQUENCY
    ends = []
    for v in (0.0, 1.0):
        simulation = Simulation(oscillator(c_dt / dt), integrator, dt=dt, gravity=(0.0, 0.0, 0.0))
        velocities = np.zeros((2, 3))
        velocities[1, 0] = v * X0 * FREQUENCY
        simulation.state = State(simulation.state.x, velocities)
        try:
            simulation.step()
        except SimulationDiverged:
            return np.inf
        ends.append([simulation.state.x[1, 0] / X0, simulation.state.v[1, 0] / (X0 * FREQUENCY)])
    of_x = np.array(ends[0])
    return float(np.abs(np.linalg.eigvals(np.column_stack([of_x, ends[1] - of_x]))).max())


def measured_limits():
    """Largest w dt without growth by method; 0 where w dt = 0.01 grows, infinite where 1000 does not."""
    return {
        id: largest(lambda w_dt, id=id: amplification(id, w_dt) <= NO_GROWTH, LOWEST, HIGHEST, precision=1e-5)
        for id in INTEGRATORS
    }


def largest_of_mode(integrator, frequency, rate, highest):
    """Largest step [s] at which a mode of an angular frequency [rad/s], damped at a rate [1/s], does not grow.

    0 where it grows at every step, infinite where it does not at the highest [s].
    """

    def bounded(dt):
        return amplification(integrator, frequency * dt, rate * dt) <= NO_GROWTH

    return largest(bounded, LOWEST / frequency, highest, precision=1e-5)


def limit_in_words(limit):
    """A limit of w dt as the table shows it."""
    if limit == 0.0:
        return "never"
    return "always" if np.isinf(limit) else f"{limit:.3f}"


def draw_amplification():
    """Amplification per step over w dt."""
    w_dt = np.unique(np.concatenate([np.linspace(0.02, 4.0, 200), [2.0, 8.0**0.5]]))
    curves = {id: np.array([amplification(id, value) for value in w_dt]) for id in INTEGRATORS}
    figure, axes = plt.subplots(figsize=(6.2, 3.8))
    axes.axhline(1.0, color=figures.EXACT, linewidth=3.0, zorder=1)
    axes.set(xlim=(0, 4), ylim=(0, 2), xlabel="ω dt", ylabel="amplification per step")
    axes.set(xticks=range(5), yticks=(0, 0.5, 1, 1.5, 2))
    groups = figures.coinciding(curves)
    for group in groups:
        figures.plot_group(axes, w_dt, curves, group)
    figures.label_exits(axes, w_dt, curves, groups)
    figures.save(figure, "lab-oscillator-stability.png")
