# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the iterations of an implicit step begin."""

import numpy as np

from ..forces import spring_forces
from ..kernels import Indices
from ..kernels.motion import balanced_acceleration, balanced_shares
from ..solvers.attainable import solid_particles
from ..solvers.drift import Drift

# Forces that are left where springs balance them, in parts of the largest: what a solve leaves is far less.
_BALANCED = 1e-3


class InitialGuess:
    """Of some places the one of the lowest objective.

    y, where inertia and forces lead, is exact in free flight. What rests, or hangs, is where springs balance the forces
    that y gives way to: there a particle moves on by as much of its forces' acceleration as it, and what it is joined
    to, had in the step before. By its own share alone what vibrates at a pin begins elsewhere in every step, and never
    rests: a sheet of 41^2 that hangs at two corners goes by 5 mm a frame there, and by 0.2 with the mean.
    Solids, to which S does justice in all directions, go with their inertia. Where a wind gave velocities in one go,
    springs may balance that; and what is enclosed balances any way that would change its volume: it goes along as a
    whole. What begins balanced stays there.

    system: System; network: SpringNetwork as it is carried.

    Chen, Liu, Yang and Yuksel 2024, "Vertex Block Descent", adaptive initialization.
    """

    def __init__(self, system, network):
        self._system, self._network = system, network
        self._solid = solid_particles(network).view(np.uint8)
        # What hangs begins where springs balance forces, but for impacts: what is looked at first needs no second look.
        # Not what was best before: a simulation that goes on from a snapshot knows nothing of that.
        self._drift, self._usual = Drift.of_parts(network), int(len(network.pinned) > 0)
        self._joined, self._shares = _joined(network, self._solid), np.empty(network.vertex_count)

    def of(self, solver, state, previous, y, start, force, dt, touching=None):
        """The place [m], shape (3, vertex_count), an array of its own.

        solver: LocalGlobal; state, previous: State at the start of the step and one of dt [s] before, or None; y and
        start: as in `LocalGlobal.minimise`; force: all but springs [N]; touching: energy [J] of contacts at a place.
        """
        hard, places = self._system.network.hard_pins, [y.copy()]
        if previous is not None:
            held = np.empty_like(y)
            masses, force = self._system.network.masses, np.ascontiguousarray(force)
            motion = state.v, np.ascontiguousarray(previous.v), force
            balanced_shares(*motion, masses, self._solid, dt, self._shares)
            balanced_acceleration(force, masses, *self._joined, self._shares, held)
            held = self._system.shared_with_air(held.T).T
            if touching is not None:
                # A part without pins may rest on the surfaces that it touches.
                places.append(y - solver.dt**2 * held)
            other = self._drift.remove(held)
            other *= -(solver.dt**2)
            other += y
            places.append(other)
        elif self._rests(state, force):
            places.append(state.x.T.copy())
        if self._system.carried or len(self._system.network.enclosures):
            # As it was, but gone along as a whole: a jet moves what is enclosed further in a step than it is wide.
            places.append(y - self._drift.remove(y - state.x.T))
        for place in places[1:]:
            place[:, hard] = y[:, hard]
        targets = self._system.soft_targets(state.t + solver.dt)
        return solver.best(places, min(self._usual, len(places) - 1), y, start, targets, touching)

    def _rests(self, state, force):
        """Whether springs balance all other forces [N] at a State without motion, as where it starts at rest."""
        free = self._network.free
        if state.v[free].any():
            return False
        left = force[free] + spring_forces(self._network, state.x)[free]
        return bool(np.abs(left).max(initial=0.0) <= _BALANCED * np.abs(force[free]).max(initial=0.0))


def _joined(network, solid):
    """Starts and indices of what springs along edges join each particle to, and itself; nothing of solids."""
    # Where stiffness is keyed a method is made in every frame, of what hangs together alike.
    key = "joined", network.broken.tobytes(), solid.tobytes()
    if key not in network.found:
        network.remember(key, _found_joined(network, solid))
    return network.found[key]


def _found_joined(network, solid):
    count, everybody = network.vertex_count, np.flatnonzero(solid == 0)
    heads, tails = network.edges[~network.broken].T
    rows, columns = (np.concatenate(of) for of in ((heads, tails, everybody), (tails, heads, everybody)))
    rows, columns = rows[solid[rows] == 0], columns[solid[rows] == 0]
    order = np.lexsort((columns, rows))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
    return Indices(starts, len(rows) + 1), Indices(columns[order], count)
