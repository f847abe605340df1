# SPDX-License-Identifier: GPL-3.0-or-later
"""Division of substeps: shorter ones where pins or surfaces move fast against the particles that they hold."""

import numpy as np

from .directions import LEAST, lengths
from .topology import network_parts

# Motion of held particles against the rest in a step, over the distance that waves go in it, above which the step is
# divided: springs are strained by about as much.
_FAST = 0.1

# Mean strain of springs, by energy, below which half as many parts suffice.
_SLACK = 0.04

# Strain of a single spring at the end of a frame from which on it is far too long.
_FAR_TOO_LONG = 0.1

# Parts of a substep at most.
MOST_PARTS = 8


class DividedSteps:
    """The same method in substeps of a simulation and in parts of them, one of which is in use.

    Springs that few iterations of a long step cannot resolve get a lower effective stiffness, see `attainable`, so
    waves in them are slower. An impact strains springs by its speed over the speed of their waves: a fast one by many
    times the strain with the full stiffness. In a part of the substep springs are stiffer by the square of the number
    of parts. An impact or a pin can stretch single springs by an amount that is known only after the step. So a frame
    in which pins or surfaces held particles, and which leaves a spring far too long, is computed again.

    system: System; substeps: of a frame; method: callable number of steps in a frame -> Integrator.
    method: the Integrator in use; parts: of its substeps; next_parts: of those of the next frame, or if there are more,
    of this frame when it is computed again; holds: whether a surface held something in the frame.
    """

    def __init__(self, system, substeps, method):
        self._system, self._substeps, self._make = system, substeps, method
        self._made = {1: method(substeps)}
        self.parts = self.next_parts = 1
        self.holds = False
        self._prepare()

    @property
    def method(self):
        """The Integrator in use."""
        return self._made[self.parts]

    @property
    def count(self):
        """Steps in a frame."""
        return self._substeps * self.parts

    @property
    def memory(self):
        """`parts`, `next_parts` and the history of the method, from which `recall` continues."""
        return (self.parts, self.next_parts), self.method.history

    def recall(self, parts, history):
        """Continue from a `memory`; raises ValueError, and changes nothing, for the history of another method."""
        self._of(parts[0]).restore_history(history)
        self.parts, self.next_parts = parts

    def change(self):
        """Take up the system's network, see `Integrator.change`."""
        for method in self._made.values():
            method.change()
        self._prepare()

    def divide(self, parts):
        """Use the method with so many parts."""
        self._of(parts).follow(self.method)
        self.parts = parts

    def begin(self):
        """Begin a frame."""
        self.next_parts, self.holds = 1, False

    def note(self, before, after):
        """Note a substep from one State to another; whether it was short enough."""
        if self._most > 1:
            way = self._way(before, after)
            if way > _FAST:
                parts = 2 ** (int(np.ceil(min(way / _FAST, self._most))) - 1).bit_length()
                # Particles that are led out of a mesh move against the rest in shorter steps too. The second frame of
                # a suit that begins crossed and inside takes 5, 14 and 60 s with 1, 2 and 8 parts; its springs are
                # stretched by 87, 58 and 82 %, and by 128, 71 and 39 % in the fourth.
                most = min(self._most, 2) if self._system.contacts.starts.leads else self._most
                self.next_parts = max(self.next_parts, min(parts, most))
        return self.next_parts <= self.parts

    def stretches(self, before, after):
        """Whether a frame from one State to another makes springs far too long, and so needs twice as many parts.

        A spring that was too long before, or grew little, does not count. Shorter steps do not help free parts. More
        parts
        than the full stiffness needs leave a smaller residual: a box at 6 m/s stretches a curtain of 41^2 by 10 % in
        place of 11, the mean of 14 starts.
        """
        if (
            self._most == 1
            or self.parts >= MOST_PARTS
            or not self.holds
            or self._system.contacts.starts.leads
        ):
            return False
        begun, ended = self._longest(before.x), self._longest(after.x)
        if not ended > _FAR_TOO_LONG or begun > _FAR_TOO_LONG or not ended - begun > 0.5 * _FAR_TOO_LONG:
            return False
        self.next_parts = min(2 * self.parts, MOST_PARTS)
        return True

    def end(self, state):
        """End a frame in a State: without fast motion the number of parts falls by half, unless springs are taut.

        It also stays if a single spring of a held part would be far too long: with half as many parts the longest
        springs of a curtain grow to twice their strain, and the frame would be computed again.
        """
        if self.next_parts < self.parts:
            half = -(-self.parts // 2)
            slack = self._strain(state) * (self.parts / half) ** 2 < _SLACK
            slack = slack and not (self.holds and self._longest(state.x) * self.parts / half > _FAR_TOO_LONG)
            self.next_parts = max(self.next_parts, half if slack else self.parts)

    def _of(self, parts):
        if parts not in self._made:
            self._made[parts] = self._make(self._substeps * parts)
        return self._made[parts]

    def _prepare(self):
        network, usual, self._most = self._system.network, self._made[1], 1
        ways = usual.wave_ways()
        if ways is not None:
            self._part, share = network_parts(network), usual.stiffness_share()
            self._most = min(MOST_PARTS, int(np.ceil(1.0 / np.sqrt(np.median(share[share < 1.0])))))
            self._masses = network.masses
            self._total = np.bincount(self._part, self._masses)
            self._fastest = ways / usual.dt
            self._softer = np.flatnonzero((share < 1.0) & (network.rest_lengths > 0.0) & ~network.broken)

    def _way(self, before, after):
        """Largest motion of held particles against the rest in a usual substep, over the distance that it resolves."""
        (held, _), pins = self._system.contacts.bearing.borne(), self._system.network.pinned
        self.holds = self.holds or len(held) > 0
        if not (before.v[pins].any() or after.v[pins].any()):
            pins = pins[:0]
        if len(held) == 0 and len(pins) == 0:
            return 0.0
        drift, particles = self._mean(after.v), np.concatenate([held, pins])
        part = self._part[particles]
        against = after.v.take(particles, axis=0) - drift.take(part, axis=0)
        speeds = lengths(against)
        if len(pins):
            # Pins pull a part that they move away from; a swing or a merry-go-round they only turn.
            out = after.x[pins] - self._mean(after.x)[self._part[pins]]
            leaving = np.einsum("ij,ij->i", against[len(held) :], out) / np.maximum(lengths(out), LEAST)
            speeds[len(held) :] = np.maximum(leaving, lengths(after.v[pins] - before.v[pins]))
        fastest = self._fastest[part]
        # A part that is torn off to a point holds nothing.
        return float(np.divide(speeds, fastest, out=np.zeros_like(speeds), where=fastest > 0.0).max())

    def _longest(self, x):
        """The largest strain of a spring that usual substeps carry softer."""
        network = self._system.network
        strains = network.spring_lengths(x)[self._softer] / network.rest_lengths[self._softer]
        return float(strains.max(initial=0.0)) - 1.0

    def _mean(self, rows):
        """Mean of every part by masses, shape (parts, 3)."""
        if len(self._total) == 1:
            return np.einsum("i,ij->j", self._masses, rows)[None] / self._total
        sums = [np.bincount(self._part, self._masses * column, len(self._total)) for column in rows.T]
        return np.column_stack(sums) / self._total[:, None]

    def _strain(self, state):
        """Root of the mean square of what springs are stretched by, of all of them by energy."""
        network = self.method.network
        weights = network.stiffness * network.rest_lengths**2
        stretch = np.maximum(network.spring_lengths(state.x) - network.rest_lengths, 0.0)
        return float(np.sqrt(np.sum(network.stiffness * stretch**2) / np.sum(weights)))
