# SPDX-License-Identifier: GPL-3.0-or-later
"""The substeps of a frame: the integrator's step, and what resistance, contacts and pins make of it."""

from dataclasses import replace

import numpy as np

from .contact.lifting import paid
from .divergence import SimulationDiverged, divergence
from .external_work import Substep
from .state import State


def frame(system, steps, budget, state, targets, at, time, *, bounded, last):
    """State and pin targets at the end of a frame, and how many of its substeps ended above their tolerance.

    The state is None where it is beyond the budget of energy, or substeps are to be divided into more parts.

    steps: DividedSteps; at, time: number of a substep -> pin targets [m] and t [s] at its end; bounded: whether to keep
    every substep within the budget; last: in parts as they are; others as in `substep`.
    """
    unsolved, method, begun = 0, steps.method, state
    budget.begin()
    steps.begin()
    for number in range(1, steps.count + 1):
        before, start, targets, t = state, targets, at(number), time(number)
        try:
            state = substep(system, method, budget, before, start, targets, t, bounded=bounded)
        except SimulationDiverged:
            raise
        except (np.linalg.LinAlgError, ArithmeticError) as error:
            # A matrix of positions that are no longer finite, or a number whose square is none.
            raise divergence(system.network, method, steps.count, t) from error
        unsolved += method.unsolved()
        if not (steps.note(before, state) or last):
            return None, targets, unsolved
    if not last and steps.stretches(begun, state):
        return None, targets, unsolved
    return state if bounded or budget.holds(state) else None, targets, unsolved


def substep(system, integrator, budget, state, targets, next_targets, t, *, bounded):
    """State at t [s], from `state`, while the pinned vertices go from targets to next_targets [m].

    budget: EnergyBudget, which bounds what the integrator gains where `bounded`, and is told of all work done.
    """
    hard = system.network.hard_pins
    system.contacts.begin()
    system.move_pins(targets, next_targets, state.t, t - state.t)
    v = state.v.copy()
    v[hard] = system.hard_velocities()
    before = replace(state, v=v)
    system.begin(before, t - state.t)
    returned = integrator.step(before)
    if bounded:
        returned = budget.refined(before, returned)
    resisted = system.resisted(returned, t - state.t)
    after = system.contacts.after(before, resisted, integrator.dt)
    struck = after is not resisted
    thrown = system.contacts.thrown() if struck else None
    if thrown is not None:
        after = paid(system.network, system.gravity, resisted, after, thrown)
    x, v = after.x, after.v
    if len(system.contacts):
        # Copies, because a contact may hand back arrays of the state before, which must stay as it is.
        x, v = x.copy(), v.copy()
    x[hard] = system.hard_targets()
    v[hard] = system.hard_velocities()
    after = State(x, v, t, system.normals())
    if len(system.contacts) or system.resists:
        integrator.correct(returned, after)
    if bounded:
        after = budget.bounded(Substep(before, returned, resisted, after))
    budget.add_work(Substep(before, returned, resisted, after))
    return after
