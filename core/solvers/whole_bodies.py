# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies a held step moves as a whole before it asks for their strain, and how."""

import numpy as np

from ..directions import along, lengths
from ..topology import network_parts
from .attainable import solid_particles
from .held_bodies import HeldBodies
from .sliding_bodies import SlidingBodies
from .stiff_bodies import slowest_vibrations

# Radians of its slowest vibration in a step from which on a body is taken for rigid first; and of one of few particles,
# where that takes few milliseconds. Slopes, 0.9 to 1.5 of the angle: solids of 2 MPa, of 300 to 900 particles, slide
# within 0.1 % with it; a lattice of 1,000 of 100 N/m creeps by 10 mm in half a second with it, by 0.4 without.
_STIFF, _STIFF_OF_FEW, _FEW = 2.0, 0.5, 900


class WholeBodies:
    """The bodies of a network by how a step that contacts hold begins with them.

    problem: ImplicitStep; solids: see `slowest_vibrations`; solid: whether most of the particles are solids'; bounce:
    whether they do, see `Wholes`: soft ones are left to their springs then.
    stiff: HeldBodies, or None without any; few: whether some of those are only as they have few particles; soft:
    SlidingBodies, or None without any; led: whether iterations may begin where velocities lead, of soft solids and of
    closed surfaces.
    """

    def __init__(self, problem, solids, solid, *, bounce):
        least = {True: (_STIFF if bounce else _STIFF_OF_FEW) / problem.dt, False: _STIFF / problem.dt}
        stiff = [body for body, slowest in solids if slowest > least[len(body) <= _FEW]]
        soft = [body for body, slowest in solids if not bounce and slowest <= least[len(body) <= _FEW]]
        self.few = len(stiff) > sum(slowest > least[False] for _, slowest in solids)
        self.solid = solid
        self.stiff = HeldBodies(problem, stiff) if stiff else None
        self.soft = SlidingBodies(problem, soft) if soft else None
        self.led = not (bounce or stiff) and (solid or problem.network.surface.closed)


class Wholes:
    """The WholeBodies of what lies or slides, and of what falls onto surfaces or rebounds.

    Impacts take soft bodies many steps, and how high they rise is their springs' and GivenBack's.

    problem: ImplicitStep.
    """

    def __init__(self, problem):
        self._problem, network = problem, problem.network
        solid = bool(solid_particles(network).mean() > 0.5)
        of_network = slowest_vibrations(network, boxes=True), solid
        self._sliding = self._bouncing = WholeBodies(problem, *of_network, bounce=False)
        self._differ = bool(self._sliding.few or self._sliding.soft or self._sliding.led)
        if self._differ:
            self._bouncing = WholeBodies(problem, *of_network, bounce=True)
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
