# SPDX-License-Identifier: GPL-3.0-or-later
"""What a limit of strain does to velocities: no more than the energy it sets free can pay for."""

from functools import cached_property

import numpy as np

from .. import forces
from ..state import State


class Shortening:
    """Velocity and past of a substep in which a StrainLimit moved particles.

    Springs that carry little of their stiffness are stretched for little work, and shortened with all of it: as a part
    of smooth motion that would give back what nobody put in, and a flag would swing itself up. So it is an impulse, as
    that of a contact is. Of the velocity it leads to, what moved takes so much that its kinetic energy, seen from the
    pin beside it, gains no more than springs as they are carried, and forces, give.

    system: System; network: SpringNetwork as it is carried; dt: substep [s].
    """

    def __init__(self, system, network, dt):
        self._system, self._network, self._dt = system, network, dt
        self._impulse: tuple | None = None

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        self._network = network

    def ended(self, after, moved, a, force):
        """The State after a substep of a formula of a [s], see ProjectiveDynamics, with the velocity it may have.

        moved: by how much the limit moved every particle [m], shape (3, n), or None; force: all but springs [N].
        """
        self._impulse = None
        if moved is None:
            return after
        moved = moved.T
        x, v = after.x - moved, after.v - moved / a
        paid = forces.spring_energy(self._network, x) - forces.spring_energy(self._network, after.x)
        paid += float(np.sum(force * moved))
        struck = moved / self._dt
        pins = self._system.hard_velocities()
        seen = v - pins[self._nearest] if len(pins) else v
        struck *= _most(self._masses, seen, struck, paid)
        self._impulse = moved, struck
        return State(after.x, v + struck, after.t)

    def past(self, previous):
        """The state one substep before, moved to where the motion after the impulse would come from."""
        if self._impulse is None:
            return previous
        moved, struck = self._impulse
        return State(previous.x + moved - self._dt * struck, previous.v + struck, previous.t)

    @cached_property
    def _masses(self):
        """Of what may move [kg], shape (n, 1)."""
        masses = self._network.masses.copy()
        masses[self._network.hard_pins] = 0.0
        return masses[:, None]

    @cached_property
    def _nearest(self):
        """Number of the hard pin that is nearest to every particle where the network begins."""
        from scipy.spatial import cKDTree

        points = self._network.points
        return cKDTree(points[self._network.hard_pins]).query(points)[1]


def _most(masses, v, change, paid):
    """Largest share of a change of velocity, up to 1, whose gain in kinetic energy is at most so much [J].

    Where none is, the one after which kinetic energy is least.
    """
    slope, square = float(np.sum(masses * v * change)), float(np.sum(masses * change**2))
    if slope + 0.5 * square <= paid:
        return 1.0
    beyond = slope**2 + 2.0 * square * paid
    return float(np.clip((np.sqrt(max(beyond, 0.0)) - slope) / square, 0.0, 1.0))
