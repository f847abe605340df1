# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the iterations of an implicit step begin."""

import numpy as np

from ..solvers.attainable import solid_particles
from ..topology import network_parts


class Beginning:
    """Of some places the one of the lowest objective.

    y, where inertia and forces lead, is exact in free flight. What rests, or hangs, is where springs balance the forces
    that y gives way to: there a particle moves on by as much of its forces' acceleration as it had in the step before.
    Solids, to which S does justice in all directions, go with their inertia. Where a wind gave velocities in one go,
    springs may balance that; and what is enclosed balances any way that would change its volume.

    system: System; network: SpringNetwork as it is carried.

    Chen, Liu, Yang and Yuksel 2024, "Vertex Block Descent", adaptive initialization.
    """

    def __init__(self, system, network):
        self._system, self._solid = system, solid_particles(network)
        self._part = network_parts(network)
        self._drifting = np.ones(self._part.max(initial=-1) + 1, dtype=bool)
        self._drifting[self._part[network.pinned]] = False

    def of(self, solver, state, previous, y, start, force, dt):
        """The place [m], shape (3, vertex_count).

        solver: LocalGlobal; state, previous: State at the start of the step and one of dt [s] before, or None; y and
        start: as in `LocalGlobal.minimise`; force: all but springs [N].
        """
        targets, hard = self._system.soft_targets(state.t + solver.dt), self._system.network.hard_pins
        others = []
        if previous is not None:
            pulled = force / self._system.network.masses[:, None]
            gained = (state.v - previous.v) / dt
            followed = np.einsum("ij,ij->i", gained, pulled)
            square = np.maximum(np.einsum("ij,ij->i", pulled, pulled), np.finfo(float).tiny)
            balanced = np.where(self._solid, 0.0, 1.0 - np.clip(followed / square, 0.0, 1.0))
            others.append(y - solver.dt**2 * self._without_drift(balanced[:, None] * pulled).T)
        if self._system.carried or len(self._system.network.enclosures):
            others.append(np.ascontiguousarray(state.x.T))
        begin = y
        for other in others:
            other[:, hard] = y[:, hard]
            begin = solver.better(begin, other, y, start, targets)
        return begin.copy()

    def _without_drift(self, way):
        """A way, shape (n, 3), less the mean of every part that no pin holds: few iterations keep its momentum so."""
        if not self._drifting.any():
            return way
        part, masses = self._part, self._system.network.masses
        weight = np.bincount(part, masses)
        drift = np.column_stack([np.bincount(part, masses * axis) / weight for axis in way.T])
        return way - np.where(self._drifting[:, None], drift, 0.0)[part]
