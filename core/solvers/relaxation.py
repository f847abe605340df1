# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbourhoods in which steps of the whole left particles pulled, balanced on their own."""

import numpy as np

from .block_jacobi import BlockJacobi
from .held_descent import HeldDescent
from .implicit_step import ImplicitStep

# Way that a particle would give alone, in mean lengths of its springs, from which it counts as pulled.
_PULLED = 0.01

# Springs from what is pulled to what stays where it is.
_RINGS = 5

# Of more of the particles than this, only those that are pulled most are balanced: the rest is for steps of the whole.
_MOST = 0.1

_STEPS = 32


class Relaxation:
    """Lowers the objective of an ImplicitStep about particles that are pulled, while all others stay.

    A spring of a fine sheet that is far too long holds next to nothing of the objective, so that steps of the whole
    end before it is as long as its neighbours; but that spring is what is seen.

    problem: ImplicitStep; lengths: mean rest lengths of the springs at every vertex [m]; firm: of `diagonal_blocks`.
    """

    def __init__(self, problem, lengths, firm):
        self._problem, self._firm = problem, firm
        network = problem.network
        ends, springs = network.edges.ravel(), np.repeat(network.stiffness, 2)
        stiffness = problem.inertia + np.bincount(ends, springs, minlength=network.vertex_count)
        # Where springs have no length, no way is short beside it.
        self._most = _PULLED * np.where(lengths > 0.0, lengths, np.inf) * stiffness

    def relaxed(self, x, contacts):
        """Positions [m] of a lower objective than x, where the gradient was filtered last; None if nothing is pulled.

        contacts: Seats.
        """
        pulled = self._pulled()
        if not pulled.any():
            return None
        network = self._problem.network
        for _ in range(_RINGS):
            pulled[network.edges[pulled[network.edges].any(axis=1)]] = True
        springs = np.flatnonzero(pulled[network.edges].any(axis=1) & ~network.broken)
        among = np.zeros(network.vertex_count, dtype=bool)
        among[network.edges[springs]] = True
        particles = np.flatnonzero(among)
        held = contacts.among(particles, network.vertex_count)
        if held is None or len(springs) == 0:
            # Nobody knows what holds them, or nothing joins them.
            return None
        part = self._part(x, particles, pulled[particles], springs)
        x = x.copy()
        x[:, particles] = self._lowered(part, np.ascontiguousarray(x[:, particles]), held)
        return x

    def _pulled(self):
        """Which particles are pulled, a mask: of many those that are pulled most."""
        forces = np.sqrt(np.einsum("ij,ij->j", self._problem.g, self._problem.g))
        pulled, most = forces > self._most, int(_MOST * len(forces)) + 1
        if np.count_nonzero(pulled) > most:
            pulls = forces / self._most
            pulled = pulls >= np.partition(pulls, -most)[-most]
        return pulled

    def _part(self, x, particles, free, springs):
        """The ImplicitStep of some particles and springs, where those that are not free are hard pins at x."""
        problem, network = self._problem, self._problem.network
        pins = np.where(free, network.pins[particles], 1.0)
        part = ImplicitStep(network.part(particles, springs, pins), problem.dt)
        y, soft_targets = problem.aims
        soft = np.isin(network.soft_pins, particles[part.network.soft_pins])
        y = np.where(pins < 1.0, y[:, particles], x[:, particles])
        part.begin(y, np.ascontiguousarray(problem.start[:, particles]), soft_targets[soft])
        return part

    def _lowered(self, part, x, contacts):
        """Positions after quasi-Newton steps that begin with every particle alone: what is far has been balanced."""
        contacts.place(x)
        value, step = part.objective(x, linearise=True)[0], np.zeros_like(x)
        alone, descent = BlockJacobi(part.diagonal_blocks(self._firm), part.inertia), HeldDescent(part)
        for _ in range(_STEPS):
            contacts.filter_gradient(part.g)
            direction, slope = descent.direction(step, alone.solve(part.g), contacts)
            found = descent.searched(x, direction, slope, value, contacts)
            if found is None:
                break
            step, (x, value) = found[0] - x, found
        return x
