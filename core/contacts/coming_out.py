# SPDX-License-Identifier: GPL-3.0-or-later
"""How what begins a substep inside something comes out of it."""

from typing import Any

import numpy as np

from ..state import State
from .carrying import SLOWEST, Carrying, speeds
from .impact import entries

# Stretch of its springs with which what begins inside stays as deep as it is: ways out part from each other, and what
# they tear apart flies off. More than a garment begins too tight by.
_TORN = 0.5


class ComingOut:
    """Lets what begins a substep inside a Collider come out at `speeds`: all at once, a sheet within a ball flew away.

    Each particle by its own way, or all of a part as a whole, see Carrying. The State alone says how far they are.

    network: SpringNetwork, or None of particles without springs.
    let_in: how deep every particle may be at the end of the substep [m]; carried: Carried, or None.
    """

    def __init__(self, network):
        self._network = network
        self._carrying: Any = None if network is None else Carrying(network)
        self.begin()

    def begin(self):
        """Begin a substep."""
        self.let_in = np.zeros(0)
        self.carried: Any = None
        self._coming: Any = None

    def eased(self, collider, met, x, t, dt, *, anew=True):
        """A Meeting, of which what begins the substep inside need not be outside at its end.

        x: positions of all particles at its beginning [m]; anew: whether nothing was eased in this substep yet.
        """
        let_in, most = np.zeros(len(x)), SLOWEST * dt
        if anew:
            self.let_in = let_in
        rows = np.flatnonzero(met.heights < -most)
        if len(rows) == 0 or dt == 0.0:
            return met

        def depths_at(particles, at):
            return entries(collider.thickness, particles) - collider.look(at, t, dt, particles)[0]

        deep = met.particles[rows]
        _, n, _ = collider.look(met.home[rows], t, dt, deep)
        depths = depths_at(deep, met.home[rows])
        inside = np.flatnonzero(depths > most)
        deep, depths, n = deep[inside], depths[inside], n[inside]
        if anew and self._carrying is not None and len(deep):
            self.carried = self._carrying.found(x, deep, depths, n, depths_at)
        if self.carried is not None:
            own = ~np.isin(deep, self.carried.particles)
            deep, depths, n = deep[own], depths[own], n[own]
            met = met.chosen(~np.isin(met.particles, self.carried.particles))
        out = np.clip(1.0 - self._stretch_at(x)[deep] / _TORN, 0.0, 1.0) * speeds(depths)
        let_in[deep] = np.maximum(depths - out * dt, 0.0)
        if anew:
            self._coming = deep, out[:, None] * n
        return met._replace(heights=met.heights + let_in[met.particles])

    def carried_on(self, state, dt):
        """The State with what is carried farther on its way out after dt [s]."""
        if self.carried is None:
            return state
        x, v = self._carrying.carried(self.carried, state.v, state.x, dt)
        return State(x, v, state.t)

    def driving(self, particles, surface_v):
        """What a surface bears and its velocities there [m/s], with those of coming out, see `Contact.driven`."""
        if self._coming is not None and len(self._coming[0]):
            coming, velocities = self._coming
            row = np.full(max(coming.max(), particles.max(initial=0)) + 1, len(coming))
            row[coming] = np.arange(len(coming))
            surface_v = surface_v + np.concatenate([velocities, np.zeros((1, 3))])[row[particles]]
        if self.carried is not None:
            particles = np.concatenate([particles, self.carried.particles])
            surface_v = np.concatenate([surface_v, self.carried.velocities])
        return particles, surface_v

    def _stretch_at(self, x):
        """Largest strain of the springs at every particle, 0 where none is longer than at rest."""
        network, largest = self._network, np.zeros(len(x))
        if network is None:
            return largest
        edges, strains = network.edges[(network.rest_lengths > 0.0) & ~network.broken], network.strains(x)
        for ends in edges.T:
            np.maximum.at(largest, ends, strains)
        return largest
