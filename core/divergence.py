# SPDX-License-Identifier: GPL-3.0-or-later
"""Telling an explosion from a motion, and what to change about it."""

import numpy as np

from .diagnostics import enough_substeps, safe_dt

# A spring this many times longer than the whole network and its sag is an explosion, not an elongation.
_RUNAWAY_FACTOR = 1e3


class SimulationDiverged(ArithmeticError):
    """The numbers stopped being a simulation; the message says why and what to change."""


def runs_away(network, state, low, high, gravity):
    """Whether a state is not finite, or its springs are far longer than the box low … high [m], three numbers each.

    gravity [m/s^2]: what the network's weight may stretch its softest spring by is no explosion either, and far more
    than the size of a network of micrometres.
    """
    sag = network.masses.sum() * np.linalg.norm(gravity) / network.least_stiffness
    size = max(float((high - low).max()), network.longest_rest)
    # A network that starts as one point, without rest lengths, has no size to be compared with.
    limit = _RUNAWAY_FACTOR * (size + sag) if size > 0.0 else np.inf
    # Along rows: NumPy goes down the columns of a tall array fifty times as slowly.
    extent = np.ptp(np.ascontiguousarray(state.x.T), axis=1)
    # No spring is longer than the box about all vertices, which is quicker found than all lengths.
    if not np.linalg.norm(extent) <= limit and np.isfinite(extent).all():
        extent = network.spring_lengths(state.x)[~network.broken].max(initial=0.0)
    fastest = state.v.max(initial=0.0), state.v.min(initial=0.0)
    return not (np.isfinite(fastest).all() and np.isfinite(extent).all() and np.max(extent) <= limit)


def check(system, steps, state, box, targets):
    """Raise SimulationDiverged where a State runs away from a box, two corners [m], and from pin targets [m].

    system: System; steps: DividedSteps that led to it.
    """
    low, high = box
    low = np.minimum(low, targets.min(axis=0, initial=np.inf))
    high = np.maximum(high, targets.max(axis=0, initial=-np.inf))
    if runs_away(system.network, state, low, high, system.gravity):
        raise divergence(system.network, steps.method, steps.count, state.t)


def divergence(network, integrator, substeps, t):
    """The error that says why the step to t failed and what to change; substeps: of the integrator, in a step."""
    h = integrator.dt
    limit = safe_dt(network, integrator.stability_limit, integrator.damping_limit)
    enough = enough_substeps(network, integrator, substeps * h)
    if h < limit:
        remedy = "check masses, stiffness, forces and pin motion for extreme values"
    elif enough is None:
        remedy = (
            "it is stable at no step for undamped springs; use Verlet or Projective Dynamics, and if they "
            "diverge too, check forces and pin motion for extreme values"
        )
    else:
        remedy = (
            f"its step of {h:.3g} s is beyond {limit:.3g} s; use {enough} substeps or Projective Dynamics"
        )
    return SimulationDiverged(f"{integrator.label} diverged at {t:.4g} s: {remedy}")
