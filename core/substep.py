# SPDX-License-Identifier: GPL-3.0-or-later
"""One substep: the integrator's step, and what resistance, contacts and pins make of it."""

from dataclasses import replace

from .contacts.lifting import paid
from .state import State


def substep(system, integrator, budget, state, targets, next_targets, t, *, bounded):
    """State at t [s], from `state`, while the pinned vertices go from targets to next_targets [m].

    budget: EnergyBudget, which bounds what the integrator gains where `bounded`, and is told of all work done.
    """
    hard = system.network.hard_pins
    system.move_pins(targets, next_targets, state.t, t - state.t)
    v = state.v.copy()
    v[hard] = system.hard_velocities()
    before = replace(state, v=v)
    returned = integrator.step(before)
    if bounded:
        returned = budget.bounded(before, returned)
    resisted = system.resisted(returned, t - state.t)
    after = system.contacts.after(before, resisted)
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
    after = State(x, v, t)
    if len(system.contacts) or system.resisting:
        integrator.correct(returned, after)
        after = integrator.given_back(before, after)
    budget.add_work(before, after, struck)
    return after
