# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a substep may go if strain and height would take more energy than there is."""

from dataclasses import replace

# How often a displacement is halved at most.
_HALVINGS = 30


class WayBack:
    """Ends of substeps moved back on their ways until their potential energy is in a room [J].

    Each part goes on as a whole. Where that leads one through another, those that may touch each other go on as one:
    what they meet on their ways is then as far on these.

    own: OwnMotion, since parts go on as wholes; potential: State -> energy of springs, gravity and forces [J].
    """

    def __init__(self, own, potential):
        self._own, self._potential = own, potential

    def shortened(self, before, returned, room):
        """The state that a method returned with so little of its displacement, but for its parts' own, that it fits."""
        dt = returned.t - before.t

        def kept(joined):
            fixed = self._own.without(returned.x, before.x, dt, joined=joined)
            # A step that began beyond it may go on to less.
            return self._halved(fixed, returned, max(room, self._potential(replace(returned, x=fixed))))

        return self._apart(kept)

    def put_back(self, before, after, room):
        """The state after surfaces that rest, which put out of them what a step ended below, or lift it within.

        That may strain it by more than velocities can pay for. Both ends of the way are outside of them, and wholes go
        where their velocities lead.
        """
        dt, v = after.t - before.t, 0.5 * (before.v + after.v)

        def kept(joined):
            return self._halved(before.x + dt * self._own.of_wholes(v, joined=joined)[1], after, room)

        return self._apart(kept)

    def _apart(self, kept):
        """The kept share of a step, with parts that may touch moving as one if they have to."""
        state = kept(False)
        return kept(True) if self._own.meets(state.x) else state

    def _halved(self, fixed, state, room):
        shorter, share = state, 1.0
        for _ in range(_HALVINGS):
            if not self._potential(shorter) > room:
                break
            share *= 0.5
            shorter = replace(state, x=fixed + share * (state.x - fixed))
        return shorter
