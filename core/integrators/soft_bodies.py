# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft bodies that rebound from surfaces: an impact takes them longer than a substep, and is seen to as a whole."""

from dataclasses import replace

import numpy as np

from ..contact.given_back import GivenBack
from ..solvers.stiff_bodies import stiff_bodies
from ..state import State

# Radians of its slowest vibration in a substep up to which an impact is no moment for a body.
_SOFT = 20.0


class SoftBodies:
    """What free solids are given back of impacts, see GivenBack, in an implicit method.

    network: SpringNetwork with the stiffness that is carried; contacts: PotentialContacts, which are told
    to let nothing of these bodies rebound; dt: substep [s].
    """

    def __init__(self, network, contacts, dt):
        self._contacts = contacts
        bodies = stiff_bodies(network, 0.0, _SOFT / dt) if contacts.restitution.any else []
        self._giving = GivenBack(network, bodies, dt) if bodies else None
        self._within = (
            np.zeros(network.vertex_count, dtype=bool) if self._giving is None else self._giving.within
        )
        contacts.restitution.give_back(self._within)

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        if self._giving is not None:
            self._giving.change(network)

    def given(self, before, after, past, force):
        """The state after contacts with what is given back, and the past, or None, from which that would come.

        before, after: States at both ends of a substep; past: State one substep before, or None; force: but for springs
        [N].
        """
        if self._giving is None:
            return after, past
        gained = self._giving.gained(
            before, after, force, self._contacts.pushes, self._contacts.forces.pushed_before
        )
        if gained is None:
            return after, past
        dt = after.t - before.t
        after = replace(after, v=after.v + gained)
        if past is not None:
            past = State(past.x - dt * gained, past.v + gained, before.t)
            past = self._giving.past(past, after, force)
        return after, past

    @property
    def stored(self):
        """What bodies may yet be given of impacts that are not over [J]."""
        return 0.0 if self._giving is None else self._giving.stored

    @property
    def history(self):
        """What must be known of impacts that are not over: the account of GivenBack, or nothing where there is none."""
        return () if self._giving is None else (self._giving.account,)

    def restore(self, arrays):
        """Go on from a `history`, or from () as where no impact had begun: of a simulation without rebound."""
        if self._giving is not None:
            self._giving.account = arrays[0] if len(arrays) else self._giving.nothing
        # Of several methods of one system, that which goes on sees to them.
        self._contacts.restitution.give_back(self._within)
