# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins that let go and take hold while it is simulated."""

import numpy as np

from . import forces
from .bodies import Cloth


class ChangingPins:
    """A Simulation of a Cloth whose pin weights are a function of time: it goes on as another one where they change.

    What is let go falls on with the velocity that it has. What is taken hold of is held where it is then, and follows
    its target from there. Weights count for a frame as they are at its beginning: what is let go at a time is still in
    place there.

    make: Cloth -> Simulation; network: SpringNetwork, whose pinned vertices are all that targets are given for;
    weights: callable t [s] -> pin weights of its vertices, 0..1, shape (vertex_count,).
    simulation: the Simulation as it is now; all that is not here is the same as of it.
    """

    def __init__(self, make, network, weights):
        self._make, self._first, self._weights = make, network, weights
        self._asked = network.pinned
        self.simulation = make(Cloth(network))
        # Of all that are pinned at first, targets that were given last, and how far from them they are held [m].
        self._given = network.points[self._asked]
        self._away = np.zeros_like(self._given)

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
        """See `Simulation.step`; rows are all vertices that are pinned at first."""
        weights = self._weights(self.state.t)
        if not np.array_equal(weights, self.network.pins):
            self._go_on(weights)
        given = self._given if pin_targets is None else np.asarray(pin_targets, dtype=np.float64)
        self.simulation.step((given + self._away)[self._held()])
        self._given = given

    def snapshot(self):
        """See `Simulation.snapshot`; with the weights of now, what was given, and how far from it things are held."""
        of_pins = {"pins": self.network.pins, "given": self._given, "away": self._away}
        return self.simulation.snapshot() | {name: np.array(array) for name, array in of_pins.items()}

    def restore(self, snapshot):
        """See `Simulation.restore`."""
        own = {name: snapshot.get(name) for name in ("pins", "given", "away")}
        shapes = {"pins": self._first.pins.shape, "given": self._given.shape, "away": self._given.shape}
        for name, shape in shapes.items():
            if np.shape(own[name]) != shape or not np.isfinite(own[name]).all():
                raise ValueError(f"{name} of the pins are none: give what `snapshot` returns")
        simulation = self._made(own["pins"])
        simulation.restore(snapshot)
        self.simulation, self._given, self._away = simulation, own["given"], own["away"]

    def _made(self, weights):
        return self._make(Cloth(self._first.changed(pins=np.asarray(weights, dtype=np.float64))))

    def _held(self):
        """Which of the vertices that are pinned at first are pinned now, a mask."""
        return np.isin(self._asked, self.network.pinned)

    def _go_on(self, weights):
        """Go on with other weights."""
        before, network = self.simulation, self.network
        fresh = (network.pins[self._asked] == 0.0) & (weights[self._asked] > 0.0)
        # What is let go to a goal is to reach it.
        self._away[weights[self._asked] == 0.0] = 0.0
        self._away[fresh] = before.state.x[self._asked[fresh]] - self._given[fresh]
        after = self._made(weights)
        held = np.isin(self._asked, after.network.pinned)
        snapshot = before.snapshot() | {"targets": (self._given + self._away)[held]}
        # A step before other forces held it: of second order, that past would take half of the first one's gain.
        snapshot = {name: array for name, array in snapshot.items() if not name.startswith("history_")}
        x, v, t = before.state.x, before.state.v, before.state.t
        # What moves freely from now on may keep what it has.
        loose = np.where((network.pins == 1.0) & (weights < 1.0), 1.0, 0.0)[:, None]
        freed = forces.kinetic_energy(network, loose * v)
        after.restore(snapshot)
        gained = after.integrator.elastic_energy(x, t) - before.integrator.elastic_energy(x, t)
        after.restore(snapshot | {"ceiling": snapshot["ceiling"] + freed + max(gained, 0.0)})
        self.simulation = after


def weighed(network, strength):
    """Pin weights over time: those of a network times a strength, callable t [s] -> 0..1."""
    return lambda t: np.clip(strength(t), 0.0, 1.0) * network.pins
