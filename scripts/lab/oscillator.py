# SPDX-License-Identifier: GPL-3.0-or-later
"""The 1-D oscillator: a static and a dynamic particle, joined by one spring of rest length 0.

The exact motion is x(t) = x0 cos(w t), w = sqrt(k/m), with the constant energy k x0^2 / 2.
"""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures
from measuring.measure import order
from measuring.page import significant

from hooke.core import INTEGRATORS, Simulation, SpringNetwork

X0 = 1.0
MASS = 1.0
PERIOD = 1.0
FREQUENCY = 2.0 * np.pi / PERIOD
STIFFNESS = MASS * FREQUENCY**2

# Steps a period, of the plots over time and of the measured order.
SHOWN_STEPS = 25
ORDER_STEPS = 2 ** np.arange(3, 11)


def oscillator(damping_rate=0.0):
    """The network: vertex 0 is pinned hard at the origin, vertex 1 starts at x0 = 1 m; T = 1 s.

    damping_rate: c [1/s], the share of the velocity that the damper takes in a unit of time.
    """
    return SpringNetwork(
        [[0.0, 0.0, 0.0], [X0, 0.0, 0.0]],
        [[0, 1]],
        masses=MASS,
        stiffness=STIFFNESS,
        rest_lengths=0.0,
        damping=MASS * damping_rate,
        pins=[1.0, 0.0],
    )


def exact(t):
    """x0 cos(w t) [m]."""
    return X0 * np.cos(FREQUENCY * t)


def motion(integrator, dt, count):
    """Position [m] and velocity [m/s] of the dynamic particle from the start to after `count` steps."""
    simulation = Simulation(oscillator(), integrator, dt=dt, gravity=(0.0, 0.0, 0.0))
    x, v = [X0], [0.0]
    for _ in range(count):
        simulation.step()
        x.append(simulation.state.x[1, 0])
        v.append(simulation.state.v[1, 0])
    return np.array(x), np.array(v)


def relative_energies(periods=8):
    """E/E0 after every step of T/25, by method; and the times [s]."""
    count, dt = periods * SHOWN_STEPS, PERIOD / SHOWN_STEPS
    energies = {}
    for id in INTEGRATORS:
        x, v = motion(id, dt, count)
        energies[id] = (STIFFNESS * x**2 + MASS * v**2) / (STIFFNESS * X0**2)
    return dt * np.arange(count + 1), energies


def largest_error(integrator, count):
    """Largest |x - x0 cos(w t)| [m] within one period of `count` steps."""
    x, _ = motion(integrator, PERIOD / count, count)
    return np.abs(x - exact(PERIOD / count * np.arange(count + 1))).max()


def errors_over_steps():
    """The steps dt [s], and the largest error within a period at each [m] by method."""
    return PERIOD / ORDER_STEPS, {
        id: np.array([largest_error(id, count) for count in ORDER_STEPS]) for id in INTEGRATORS
    }


def measured_orders(steps, errors):
    """Order of every method on the oscillator."""
    return {id: order(steps, errors[id]) for id in errors}


def draw_motions(periods=4):
    """x(t) of all methods, one panel each, upon the exact motion."""
    count, dt = periods * SHOWN_STEPS, PERIOD / SHOWN_STEPS
    t, fine = dt * np.arange(count + 1), np.linspace(0.0, periods * PERIOD, 400)
    columns = 3
    rows = -(-len(INTEGRATORS) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(8.4, 1.45 * rows + 0.4), sharex=True, sharey=True, squeeze=False
    )
    for panel in panels.flat[len(INTEGRATORS) :]:
        panel.set_visible(False)
    for panel, (id, method) in zip(panels.flat, INTEGRATORS.items(), strict=False):
        x, _ = motion(id, dt, count)
        panel.plot(fine, exact(fine), color=figures.EXACT, linewidth=3.0)
        panel.plot(t, x, color=figures.COLOURS[id])
        panel.set_title(method.label, color=figures.COLOURS[id], fontweight="bold", pad=3)
    panels[0, 0].set(xlim=(0, periods * PERIOD), ylim=(-2.2, 2.2), yticks=(-2, -1, 0, 1, 2))
    figure.supxlabel("time t [s]", fontsize=9, color="#333333")
    figure.supylabel("position x [m]", fontsize=9, color="#333333")
    figure.text(
        0.99,
        0.02,
        f"grey: x0 cos ωt   step T/{SHOWN_STEPS} (ω dt = {FREQUENCY * dt:.2f})",
        ha="right",
        fontsize=8,
        color="#777777",
    )
    figure.tight_layout(h_pad=0.8, w_pad=1.0, rect=(-0.01, -0.03, 1, 1))
    figures.save(figure, "lab-oscillator-motion.png")


def draw_energies(t, energies):
    """E/E0 over time: every method on a logarithmic scale, and those near 1 on a linear one."""
    figure, (far, near) = plt.subplots(1, 2, figsize=(8.4, 3.6), width_ratios=(1, 1))
    far.set(yscale="log", ylim=(1e-7, 1e7), yticks=10.0 ** np.arange(-6, 7, 3), title="all methods")
    near.set(ylim=(0.85, 1.25), title="those that stay near 1")
    for axes in (far, near):
        axes.set(xlim=(0, t[-1]), xlabel="time t [s]")
        groups = figures.coinciding(energies)
        shown = [g for g in groups if axes is far or np.all((energies[g[0]] > 0.7) & (energies[g[0]] < 1.4))]
        for group in shown:
            figures.plot_group(axes, t, energies, group, linewidth=1.6 if axes is far else 1.1)
        figures.label_groups(axes, shown, {id: curve[-1] for id, curve in energies.items()})
    far.set_ylabel("energy E/E0")
    figure.tight_layout(w_pad=1.0)
    figures.save(figure, "lab-oscillator-energy.png")


def draw_errors(steps, errors, orders):
    """Largest error within a period over the step, with the fitted order in the label of each line."""
    figure, axes = plt.subplots(figsize=(6.2, 4.2))
    axes.set(xscale="log", yscale="log", xlabel="step dt [s], finer to the right")
    axes.set_ylabel("largest error within a period [m]")
    axes.set(xlim=(steps.max(), steps.min()), ylim=(1e-11, 10))
    groups = figures.coinciding(errors)
    for group in groups:
        figures.plot_group(axes, steps, errors, group, marker="o", markersize=3)
    words = {id: f"{INTEGRATORS[id].label}, order {orders[id]:.2f}" for id in orders}
    figures.label_groups(axes, groups, {id: curve[-1] for id, curve in errors.items()}, words)
    figures.save(figure, "lab-oscillator-error.png")


def energy_range(energies):
    """Lowest and highest E/E0 in words."""
    return f"{significant(energies.min(), 3)} … {significant(energies.max(), 3)}"
