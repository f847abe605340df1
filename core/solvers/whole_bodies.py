# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies a held step moves as a whole before it asks for their strain, and how."""

import numpy as np

from ..directions import along, lengths
from ..topology import network_parts
from .attainable import solid_particles
from .held_bodies import HeldBodies
from .sliding_bodies import SlidingBodies
from .stiff_bodies import stiff_bodies

# Radians of its slowest vibration in a step from which on a body is taken for rigid first; and of one of few particles,
# where that takes few milliseconds.
_STIFF, _STIFF_OF_FEW, _FEW = 2.0, 0.5, 300


class WholeBodies:
    """The bodies of a network by how a step that contacts hold begins with them.

    problem: ImplicitStep; bounce: whether they do, see `Wholes`: soft ones are left to their springs then.
    solid: whether most of the particles are solids'; stiff: HeldBodies, or None without any; few: whether some of those
    are only as they have few particles; soft: SlidingBodies, or None without any; led: whether iterations may begin
    where velocities lead, of soft solids and of closed surfaces.
    """

    def __init__(self, problem, *, bounce):
        self._problem, network = problem, problem.network
        self.solid = bool(solid_particles(network).mean() > 0.5)
        few = 0 if bounce else _FEW
        stiff, soft = self._found(few, least=1.0), [] if bounce else self._found(few, most=1.0)
        self.few = len(stiff) > len(self._found(0, least=1.0))
        self.stiff = HeldBodies(problem, stiff) if stiff else None
        self.soft = SlidingBodies(problem, soft) if soft else None
        self.led = not (bounce or stiff) and (self.solid or network.surface.closed)

    def _found(self, few, least=-np.inf, most=np.inf):
        """Particles of every solid of so many times the stiffness of those that are taken for rigid, a list."""
        found = []
        for stiff, of_few in ((_STIFF, False), (_STIFF_OF_FEW, True)):
            stiff /= self._problem.dt
            bodies = stiff_bodies(self._problem.network, least * stiff, most * stiff, boxes=True)
            found += [body for body in bodies if (len(body) <= few) == of_few]
        return found


class Wholes:
    """The WholeBodies of what lies or slides, and of what falls onto surfaces or rebounds.

    Impacts take soft bodies many steps, and how high they rise is their springs' and GivenBack's.

    problem: ImplicitStep.
    """

    def __init__(self, problem):
        self._problem, network = problem, problem.network
        self._sliding = self._bouncing = WholeBodies(problem, bounce=False)
        self._differ = bool(self._sliding.few or self._sliding.soft or self._sliding.led)
        if self._differ:
            self._bouncing = WholeBodies(problem, bounce=True)
        self._part = network_parts(network)
        self._masses = np.bincount(self._part, network.masses)

    def of(self, contacts):
        """Those of a step that Seats hold."""
        return self._bouncing if self._differ and self._bounce(contacts) else self._sliding

    def _bounce(self, contacts):
        """Whether anything rebounds, or a body moves along a normal by more than forces add to its velocity."""
        if contacts.rebounds:
            return True
        network, before, (y, _) = self._problem.network, contacts.start, self._problem.aims
        borne = contacts.borne(y)
        if borne is None:
            return False
        # A body's own motion, not its springs' vibrations.
        particles, normals = borne[:2]
        means = [np.bincount(self._part, network.masses * v) / self._masses for v in before.v.T]
        speeds = np.abs(along(np.stack(means, axis=1)[self._part[particles]], normals))
        gained = lengths(y.T - before.x - contacts.dt * before.v).mean() / contacts.dt
        return bool(speeds.max(initial=0.0) > gained)
