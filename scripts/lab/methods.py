# SPDX-License-Identifier: GPL-3.0-or-later
"""All methods side by side: order, stability, energy and cost, one row for each integrator in the catalogue."""

from measuring import machine
from measuring.page import significant, table, write_block

from hooke.core import INTEGRATORS

from . import convergence, cost, oscillator, stability

HEADER = [
    "Method",
    "Order: stated",
    "oscillator",
    "damped net",
    "Largest ω dt: theory",
    "measured",
    "E/E0 in 8 periods",
    "Work of a step",
    "Time of a step",
    "Steps a frame",
    "Time of a frame",
]


def run():
    """Measure, draw the oscillator's pictures, and write the table."""
    oscillator.draw_motions()
    t, energies = oscillator.relative_energies()
    oscillator.draw_energies(t, energies)
    steps, errors = oscillator.errors_over_steps()
    orders = oscillator.measured_orders(steps, errors)
    oscillator.draw_errors(steps, errors, orders)
    stability.draw_amplification()
    limits = stability.measured_limits()
    network = cost.hanging_cloth()
    costs = cost.step_costs(network)
    net_orders = convergence.measured_orders()
    rows = []
    for id, method in INTEGRATORS.items():
        work, seconds = costs[id]
        substeps = cost.substeps_of(method, network)
        rows.append(
            [
                method.label,
                method.order or "–",
                f"{orders[id]:.2f}",
                f"{net_orders[id]:.2f}",
                stability.limit_in_words(method.stability_limit),
                stability.limit_in_words(limits[id]),
                oscillator.energy_range(energies[id]),
                cost.work_in_words(work),
                f"{significant(seconds * 1e3)} ms",
                substeps or "–",
                f"{significant(substeps * seconds * 1e3)} ms" if substeps else "–",
            ]
        )
    note = (
        f"Median processor times of one thread, {machine.description()}; cloth of {network.vertex_count} vertices and "
        f"{network.spring_count} springs, steps a frame of 1/24 s as `enough_substeps` says. Energies at ω dt = "
        f"{oscillator.FREQUENCY * oscillator.PERIOD / oscillator.SHOWN_STEPS:.2f}."
    )
    write_block("methods", table(HEADER, rows) + "\n\n" + note)
    uses = [[method.label, method.description] for method in INTEGRATORS.values()]
    write_block("uses", table(["Method", "In the sidebar's words"], uses, right=False))
