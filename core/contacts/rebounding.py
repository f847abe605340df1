# SPDX-License-Identifier: GPL-3.0-or-later
"""What connected parts may have of energy after a substep at a surface that they rebound from."""

import numpy as np

from ..forces import pin_weights
from ..state import State

# Share of its kinetic energy that a part may gain before its step is solved more closely, and how often that is done.
_GAIN, _CLOSER = 1e-3, 4

# Velocities of a surface [m/s] that differ by no more are of one that does not turn.
_SAME = 1e-6

# Only to divide by.
_LEAST = 1e-300


class Rebounding:
    """Keeps every part at no more energy than it had, and forces did of work, while it is at a surface.

    All in the frame that moves with the surface, in which what it pushes with does no work. Parts at surfaces that
    turn, or move differently, have no such frame, and are left as they are.

    network: SpringNetwork with the stiffness that is carried; part: number of the connected part of every particle.
    """

    def __init__(self, network, part):
        self._network, self._part, self._count = network, part, int(part.max()) + 1
        self._of_spring = self._part[network.edges[:, 0]]
        self._of_stencil = self._part[network.stencils.vertices[:, 0]]
        self._of_volume = self._part[network.volumes.vertices[:, 0]]
        self._masses = network.masses.copy()
        self._masses[network.hard_pins] = 0.0

    def bounded(self, before, after, force, surfaces, targets, closer, *, pins_move):
        """The State after a substep, or one within the bound, and the change of velocity that took [m/s].

        before: State; force: but for springs [N]; surfaces: particles at them, and velocities of the surfaces there
        [m/s]; targets: of soft pins at both ends [m]; closer: () -> the same step solved more closely, or None;
        pins_move: whether pins do work.
        """
        particles, surface_v = surfaces
        drift, held = self._frames(particles, surface_v, pins_move)
        dt = after.t - before.t
        most = self._kinetic(before.v - drift) + self._potential(before.x, targets[0])
        for number in range(_CLOSER + 1):
            limit = most + self._sums(np.einsum("ij,ij->i", force, after.x - before.x - dt * drift))
            kinetic, potential = self._kinetic(after.v - drift), self._potential(after.x, targets[1])
            gain = np.where(held, kinetic + potential - limit, 0.0)
            if number == _CLOSER or not (gain > _GAIN * kinetic).any():
                break
            found = closer()
            if found is None:
                break
            after = found
        # What forces give in a substep is left: or strain that few iterations leave would keep motion from beginning.
        begun = self._kinetic(dt * force / self._network.masses[:, None])
        room = np.maximum(limit - potential, begun) / np.maximum(kinetic, _LEAST)
        share = np.where(gain > 0.0, np.sqrt(np.minimum(room, 1.0)), 1.0)[self._part, None]
        share = np.where(self._masses[:, None] > 0.0, share, 1.0)
        slower = (share - 1.0) * (after.v - drift)
        return State(after.x, after.v + slower, after.t), slower

    def _frames(self, particles, surface_v, pins_move):
        """Velocity of the surface at every particle's part [m/s], and of which parts it is one."""
        at = self._part[particles]
        number = np.maximum(np.bincount(at, minlength=self._count), 1)
        columns = [np.bincount(at, column, self._count) / number for column in surface_v.T]
        mean = np.column_stack(columns)
        held = np.zeros(self._count, dtype=bool)
        held[at] = True
        held[at[np.abs(surface_v - mean[at]).max(axis=1, initial=0.0) > _SAME]] = False
        pinned = self._part[self._network.pinned]
        held[pinned] &= (np.abs(mean[pinned]).max(axis=1, initial=0.0) <= _SAME) & (not pins_move)
        return mean[self._part], held

    def _kinetic(self, v):
        return 0.5 * self._sums(self._masses * np.einsum("ij,ij->i", v, v))

    def _potential(self, x, targets):
        network = self._network
        stretch = network.spring_lengths(x) - network.rest_lengths
        total = np.bincount(self._of_spring, 0.5 * network.stiffness * stretch**2, self._count)
        if len(network.stencils):
            total += np.bincount(self._of_stencil, network.stencils.energies(x), self._count)
        if network.volume_operators is not None:
            energies = network.volume_operators.energies(np.ascontiguousarray(x.T))
            total += np.bincount(self._of_volume, energies, self._count)
        if len(network.soft_pins):
            away = x[network.soft_pins] - targets
            energies = 0.5 * pin_weights(network) * np.einsum("ij,ij->i", away, away)
            total += np.bincount(self._part[network.soft_pins], energies, self._count)
        return total

    def _sums(self, of_particles):
        return np.bincount(self._part, of_particles, self._count)
