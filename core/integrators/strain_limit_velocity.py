# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities under a limit of strain: they change no more than the released energy can pay for."""

from functools import cached_property

import numpy as np

from .. import forces
from ..solvers.part_sums import PartSums
from ..state import State


class StrainLimitVelocity:
    """Velocity and past of a substep in which a StrainLimit moved particles.

    Springs that carry little of their stiffness are stretched for little work, and shortened with all of it: as a part
    of smooth motion that would give back what nobody put in, and a flag would swing itself up. So only a share is one:
    so much that kinetic energy, seen from the nearest pin, gains no more by it than springs as they are carried, and
    forces, give. By the rest particles leap, and so does where they come from.

    system: System; network: SpringNetwork as it is carried.
    """

    def __init__(self, system, network):
        self._system, self._network = system, network
        self._leap: np.ndarray | None = None

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        self._network = network

    def ended(self, after, moved, a, force):
        """The State after a substep of a formula of a [s], see ProjectiveDynamics, with the velocity it may have.

        moved: by how much the limit moved every particle [m], shape (3, n), or None; force: all but springs [N].
        """
        self._leap = None
        if moved is None:
            return after
        moved = moved.T
        x, v = after.x - moved, after.v - moved / a
        gained = moved / a
        pins = self._system.hard_velocities()
        seen = v - pins[self._nearest] if len(pins) else v
        parts = self._parts
        if parts.several:
            both = (forces.energies_of_parts(self._network, each, parts) for each in (x, after.x))
            paid = np.subtract(*both) + parts.dot(force.T, moved.T)
            slope, square = (
                parts.dot((self._masses * seen).T, gained.T),
                parts.dot((self._masses * gained).T, gained.T),
            )
            share = np.array([*map(_most, slope, square, paid)])[parts.part, None]
        else:
            paid = forces.spring_energy(self._network, x) - forces.spring_energy(self._network, after.x)
            paid += float(np.sum(force * moved))
            slope, square = (
                float(np.sum(self._masses * seen * gained)),
                float(np.sum(self._masses * gained**2)),
            )
            share = _most(slope, square, paid)
        self._leap = (1.0 - share) * moved
        return State(after.x, v + share * gained, after.t)

    def past(self, previous):
        """The state one substep before, from where motion without the leap would come."""
        if self._leap is None:
            return previous
        return State(previous.x + self._leap, previous.v, previous.t)

    @cached_property
    def _parts(self):
        return PartSums(self._network, self._system.airs)

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


def _most(slope, square, paid):
    """Largest share s of a change, up to 1, whose gain, slope s + square s^2/2, is at most what is paid [J].

    Where none is, the one after which kinetic energy is least.
    """
    if slope + 0.5 * square <= paid:
        return 1.0
    beyond = slope * slope + 2.0 * square * paid
    return float(np.clip((np.sqrt(max(beyond, 0.0)) - slope) / square, 0.0, 1.0))
