# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins that let go and take hold while it is simulated."""

import numpy as np

from . import forces
from .bodies import Cloth
from .grips import Grips, finite


class ChangingPins:
    """A Simulation of a Cloth with pin weights that are a function of time: where they change, a new one continues.

    A released vertex keeps its velocity. A newly pinned vertex, or a soft pin that becomes a hard one, is held at its
    present place, see Grips, and follows its target from there. The weights at the start of a frame hold for the frame:
    a vertex released at a time is still in place at that time.

    make: Cloth -> Simulation; network: SpringNetwork, with the pins of the start.
    weights: callable t [s] -> pin weights of its vertices, 0..1, shape (vertex_count,).
    asked: vertices with targets, ascending, all that are ever pinned; None for those pinned at the start.
    time: in which a newly pinned vertex comes to rest [s].
    goals: callable t [s] and the targets of a step [m] -> those that count, None where all of them do.
    simulation: the present Simulation, which has all attributes that are not here.
    """

    def __init__(self, make, network, weights, *, asked=None, time=0.0, goals=None):
        self._make, self._first, self._weights, self._goals = make, network, weights, goals
        self._asked = network.pinned if asked is None else np.asarray(asked)
        # As what is restored: of one pattern for all pins, so that both go on with the same bits.
        self.simulation = self._made(network.pins)
        # Of all that may be pinned, targets that were given last.
        self._given = network.points[self._asked]
        self._grips = Grips(len(self._asked), time)

    def __getattr__(self, name):
        return getattr(self.__dict__["simulation"], name)

    @property
    def state(self):
        """See Simulation."""
        return self.simulation.state

    @state.setter
    def state(self, state):
        self.simulation.state = state

    def step(self, pin_targets=None):
        """See `Simulation.step`; rows are all vertices that targets are given for."""
        t = self.state.t
        given = self._targets(t + self.dt, pin_targets)
        weights = self._weights(t)
        if not np.array_equal(weights, self.network.pins):
            self._go_on(weights, (given - self._given) / self.dt)
        self.simulation.step((given + self._grips.at(t + self.dt))[self._held()])
        self._given = given

    def _targets(self, t, pin_targets):
        """Targets at a time, of those that a step is given."""
        given = self._given if pin_targets is None else np.asarray(pin_targets, dtype=np.float64)
        return given if self._goals is None else self._goals(t, given)

    def held_at(self, places):
        """Arrays of a snapshot in which what has goals is held at places [m], shape (vertex_count, 3), and goes along
        with its goals from there; of others none."""
        if self._goals is None:
            return {}
        given = self._goals(self.state.t, places[self._asked])
        return {"given": given, "away": places[self._asked] - given}

    def snapshot(self):
        """See `Simulation.snapshot`; with the present weights, the given targets, and the offsets from them."""
        of_pins = {"pins": self.network.pins, "given": self._given, **self._grips.arrays()}
        return self.simulation.snapshot() | {name: np.array(array) for name, array in of_pins.items()}

    def restore(self, snapshot):
        """See `Simulation.restore`."""
        pins = finite("pins", snapshot.get("pins"), self._first.pins.shape)
        given = finite("given", snapshot.get("given"), self._given.shape)
        grips = self._grips.restored(snapshot)
        simulation = self._made(pins)
        simulation.restore(snapshot)
        self.simulation, self._given, self._grips = simulation, given, grips

    def _made(self, weights):
        return self._make(Cloth(self._first.changed(pins=np.asarray(weights, dtype=np.float64))))

    def _held(self):
        """Which of the vertices that targets are given for are pinned now, a mask."""
        return np.isin(self._asked, self.network.pinned)

    def _go_on(self, weights, velocity):
        """Continue with other weights; velocity: of the targets in the next frame [m/s]."""
        before, network = self.simulation, self.network
        x, v, t = before.state.x, before.state.v, before.state.t
        old, new = network.pins[self._asked], weights[self._asked]
        fresh = ((old == 0.0) & (new > 0.0)) | ((old < 1.0) & (new == 1.0))
        self._grips.take_hold(fresh, x[self._asked] - self._given, v[self._asked] - velocity, t)
        # A pin that is released to a goal is to reach it.
        self._grips.let_go(new == 0.0)
        after = self._made(weights)
        held = np.isin(self._asked, after.network.pinned)
        snapshot = before.snapshot() | {"targets": (self._given + self._grips.at(t))[held]}
        # Particles that move freely from now on may keep their energy.
        loose = (network.pins == 1.0) & (weights < 1.0)
        freed = forces.kinetic_energy(network, np.where(loose[:, None], v, 0.0))
        after.restore(snapshot)
        gained = after.integrator.elastic_energy(x, t) - before.integrator.elastic_energy(x, t)
        after.restore(snapshot | {"ceiling": snapshot["ceiling"] + freed + max(gained, 0.0)})
        after.integrator.let_go(np.flatnonzero(loose), after.state)
        self.simulation = after


def weighed(weights, strength):
    """Pin weights over time: some times a strength, each a callable t [s] -> 0..1, or weights that stay the same."""
    weights_at = weights if callable(weights) else lambda t: weights
    return lambda t: np.clip(strength(t), 0.0, 1.0) * weights_at(t)
