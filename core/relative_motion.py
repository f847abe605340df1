# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of the parts of a network relative to their centres of mass, or to their pins and surfaces."""

import numpy as np

from .external_work import means

# Rounding of sums, in parts of their terms.
ROUNDING = 1e-11


class OwnMotion:
    """Motion of parts as wholes, and their deformation, which alone may be taken from them.

    A held part is seen from its pins and surfaces: its centre of mass may be slowed relative to them, which does no
    work in that frame. A free part keeps its centre of mass, so momentum is conserved.

    work: Work, which knows parts and what holds them.
    masses: of vertices that are free [kg], 0 of others.
    """

    def __init__(self, work, network):
        self._work = work
        self.masses = work.free * network.masses

    def kinetic(self, v):
        """Kinetic energy of velocities [m/s] of the free vertices [J]."""
        return 0.5 * float(np.einsum("i,ij,ij->", self.masses, v, v))

    def of_wholes(self, v, *, joined=False):
        """Velocities of the centre of mass of every vertex's part, and of what holds that, if anything does [m/s].

        Both of shape (vertex_count, 3), or (1, 3) where there is one part. joined: whether parts that may touch each
        other are one: with their own ways they may go through each other.
        """
        part, count = self._work.joined_parts() if joined else (self._work.part, self._work.part_count)
        held, held_v = self._work.held()
        drift = means(part, self.masses, v, count)
        of_held = part[held]
        kept, borne = drift.copy(), np.unique(of_held)
        kept[borne] = means(of_held, np.ones(len(held)), held_v, count)[borne]
        return (drift, kept) if count == 1 else (drift[part], kept[part])

    def beside(self, v):
        """Kinetic energy of parts relative to their pins and surfaces, or to their centres of mass [J]."""
        return (1.0 + ROUNDING) * self.kinetic(v - self.of_wholes(v)[1])

    def slowed(self, v, excess):
        """Velocities [m/s] with so much less energy [J], or as much less as parts have beside what they keep; and the
        rest of it, above 0 where that is less.

        First what moves within each part is slowed, then what of its centre of mass moves against what holds it. Parts
        that touch others are slowed together, all alike: a light one that alone were stopped would be drawn along by
        what goes on in the next substep, and press on it.
        """
        drift, kept = self.of_wholes(v, joined=True)
        touch = self._work.touch_others()
        for rest in (np.where(touch[:, None], kept, drift) if touch.any() else drift, kept):
            own = v - rest
            kinetic = self.kinetic(own)
            if kinetic > 0.0:
                paid = min(excess, kinetic)
                share, excess = np.sqrt(1.0 - paid / kinetic), excess - paid
                own *= (self.masses > 0.0)[:, None] * (share - 1.0)
                v = v + own
            if not excess > 0.0:
                break
        return v, excess

    def meets(self, x):
        """See `Work.meets`."""
        return self._work.meets(x)

    def without(self, x, before, dt, *, joined):
        """Positions [m] without any own motion since those before, dt [s] ago; joined: see `of_wholes`.

        What is on surfaces stays where these let it be.
        """
        _, kept = self.of_wholes((x - before) / dt, joined=joined)
        positions, still = before + dt * kept, self.masses == 0.0
        still[self._work.borne()] = True
        positions[still] = x[still]
        return positions
