# SPDX-License-Identifier: GPL-3.0-or-later
"""Restitution of soft bodies whose impact takes many substeps."""

from dataclasses import replace

import numpy as np

from ..listed import chosen
from ..solvers.stiff_bodies import stiff_bodies
from ..state import State
from .body_impact import CLEAR, LEAVES, LIES, PRESSED, BodyEnergies, Impact, RigidMotion
from .restitution import RESTING, one_way

# Share of what a body lacks of its speed from which on it is given that while it is pushed yet; less only once its
# springs are done. Tilted blocks rise with half of it half as high, and what gives less at once shows a gain of energy.
_AT_ONCE = 0.95

# Radians of its slowest vibration in a substep up to which an impact is no moment for a body.
_SOFT = 20.0


class GivenBack:
    """Newton's law of restitution for bodies as a whole, which are pressed against a surface for many substeps.

    While a body is pressed together the surface lets nothing of it rebound, and its springs take up what they can. Once
    these are done, or at once where that is nearly enough, it is given a push that lets it leave with its restitution
    times the speed at which it came, and of what was lost since then, or vibrates as it leaves, no more than leaves the
    square of the restitution of the energy that the impact may have taken. What springs give back counts, and so does
    what went into vibrations: what rebounds higher by itself is given nothing. No body leaves with more energy than it
    came with. All in the frame of the surface, which does no work there.

    network: SpringNetwork with the stiffness that is carried; bodies: the particles of each, at least three, which no
    springs join to others; dt: substep [s].
    account: what is known of impacts that are not over, in the rows of the first particles of each body, shape
    (vertex_count, 3).
    """

    def __init__(self, network, bodies, dt):
        self._network, self._dt, self._bodies = network, dt, bodies
        self._number = np.full(network.vertex_count, -1)
        for number, body in enumerate(bodies):
            self._number[body] = number
        self._energies = BodyEnergies(network, bodies, self._number)
        self._rows = np.array([body[:3] for body in bodies], dtype=np.intp).reshape(-1, 3)
        self._given: list = []
        self.account = self.nothing

    @property
    def nothing(self):
        """The account of bodies that are clear of all."""
        return np.zeros((self._network.vertex_count, 3))

    @property
    def stored(self):
        """Energy that bodies under compression, or on leaving, may still be given [J]."""
        stored = 0.0
        for rows in self._rows:
            impact = Impact.of_rows(self.account[rows])
            if impact.doing in (PRESSED, LEAVES):
                stored += max(impact.lost - impact.kept, 0.0)
        return stored

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        self._network = network
        self._energies.change(network)

    def gained(self, before, after, force, pushes, pushed_before):
        """Changes of velocity after a substep [m/s], shape (vertex_count, 3), or None where nothing changes.

        before, after: States; force: but for springs [N]; pushes: Pushes, or None; pushed_before: forces of contacts on
        every particle at the end of the substep before, shape (3, vertex_count) [N].
        """
        self._pushed_before = pushed_before
        pushed = np.zeros(len(self._bodies), dtype=bool)
        if pushes is not None:
            number = self._number[pushes.particles]
            pushed[number[number >= 0]] = True
        going_on = self.account[self._rows[:, 0], 0] != CLEAR
        gained, account, self._given = np.zeros_like(after.v), self.account.copy(), []
        for index in np.flatnonzero(pushed | going_on):
            impact = Impact.of_rows(account[self._rows[index]])
            own = chosen(pushes, number == index) if pushed[index] else None
            change = self._changed(index, impact, before, after, force, own)
            if change is not None:
                gained[self._bodies[index]] = change
            account[self._rows[index]] = impact.rows
        self.account = account
        return gained if gained.any() else None

    def past(self, past, after, force):
        """The past of a State that has what the last substep gave, both of them States: as of no push before it.

        As rigid bodies, what was given something came as forces alone would have brought it [N]: a two-step formula
        goes on with a third of a push.
        """
        x, v = past.x.copy(), past.v.copy()
        for body, motion in self._given:
            steady = self._dt * (force[body] / self._network.masses[body, None])
            v[body] -= motion.of(v[body] - (after.v[body] - steady))
            x[body] -= motion.of(x[body] - (after.x[body] - self._dt * (after.v[body] - 0.5 * steady)))
        return State(x, v, past.t)

    def _changed(self, index, impact, before, after, force, pushes):
        """Change of a body's velocities [m/s], or None; brings its Impact up to date.

        pushes: on it, or None where nothing pushes it.
        """
        if pushes is None:
            # A body that was pressed flat bulges, and touches again after a substep.
            if impact.doing == LIES or impact.alone:
                impact.doing = CLEAR
            impact.alone = 1.0
            if impact.doing == CLEAR:
                return None
            impact.lost += self._energies.lost(index, before, after, force, impact.surface_v)
            return self._left(index, impact, after, force) if impact.doing == LEAVES else None
        way = one_way(pushes.push[:, None] * pushes.n)
        if impact.doing == LIES or way is None:
            impact.doing = LIES
            return None
        n, weights = way
        impact.surface_v = np.einsum("i,ij->j", weights, pushes.surface_v)
        body, masses = self._bodies[index], self._network.masses[self._bodies[index]]
        at = np.einsum("i,ij->j", weights, after.x[pushes.particles])
        motion = RigidMotion(after.x[body], masses, at, n)
        came, goes = (motion.speed(state.v[body] - impact.surface_v) for state in (before, after))
        # The part that forces make up for in a substep.
        slow = self._dt * abs(n @ force[body].sum(axis=0)) / masses.sum()
        impact.meet(came, slow, motion.inertia, float((weights * pushes.restitution).sum()))
        if impact.doing == LIES:
            return None
        impact.alone = 0.0
        impact.lost += self._energies.lost(index, before, after, force, impact.surface_v)
        if impact.doing == PRESSED and goes >= -slow:
            impact.doing = LEAVES
        if impact.doing == LEAVES and goes < -slow:
            impact.doing = LIES
        if impact.doing != LEAVES:
            return None
        more = impact.more(motion, goes, impact.speed)
        pushing = self._dt * pushes.push.sum() / motion.inertia
        if pushing > max(more, RESTING * slow) and more < _AT_ONCE * (impact.speed - goes):
            # Its springs see to it yet, by more than that.
            return None
        return self._pushed(body, impact, motion, goes, more)

    def _left(self, index, impact, after, force):
        """Change of the velocities of a body that was pushed in this substep and has left within it, or None."""
        body = self._bodies[index]
        way = one_way(self._pushed_before[:, body].T)
        if way is None:
            return None
        (n, weights), x, masses = way, after.x[body], self._network.masses[body]
        motion = RigidMotion(x, masses, weights @ x, n)
        # Since then forces have changed its speed.
        speed = impact.speed + self._dt * (n @ force[body].sum(axis=0)) / masses.sum()
        goes = motion.speed(after.v[body] - impact.surface_v)
        # The vibration then is lost to it.
        u = after.v[body]
        more = impact.more(motion, goes, speed, self._energies.kinetic(index, u - motion.of(u)))
        return self._pushed(body, impact, motion, goes, more)

    def _pushed(self, body, impact, motion, goes, more):
        """Change of the velocities of a body's particles that goes so fast and is to be faster by so much, or None."""
        if not more > 0.0:
            return None
        impact.lost -= motion.inertia * more * (goes + 0.5 * more)
        self._given.append((body, motion))
        return motion.pushed(more)


class SoftBodies(GivenBack):
    """GivenBack of the free solids of an implicit method, to which an impact is no moment.

    network: SpringNetwork with the stiffness that is carried; contacts: PotentialContacts, which are told to let
    nothing of these bodies rebound; dt: substep [s].
    """

    def __init__(self, network, contacts, dt):
        self._contacts = contacts
        super().__init__(
            network, stiff_bodies(network, 0.0, _SOFT / dt) if contacts.restitution.any else [], dt
        )
        contacts.restitution.give_back(self._number >= 0)

    def given(self, before, after, past, force):
        """The state after contacts with what is given back, and the past, or None, from which that would come.

        before, after: States at both ends of a substep; past: State one substep before, or None; force: but for springs
        [N].
        """
        contacts = self._contacts
        gained = self.gained(before, after, force, contacts.pushes, contacts.forces.pushed_before)
        if gained is None:
            return after, past
        dt = after.t - before.t
        after = replace(after, v=after.v + gained)
        if past is not None:
            past = self.past(State(past.x - dt * gained, past.v + gained, before.t), after, force)
        return after, past

    @property
    def history(self):
        """The state of impacts that are not over: the account, or nothing without bodies."""
        return (self.account,) if self._bodies else ()

    def restore(self, arrays):
        """Go on from a `history`, or from () as where no impact had begun: of a simulation without rebound."""
        self.account = arrays[0] if len(arrays) else self.nothing
        # Of several methods of one system, that which goes on sees to them.
        self._contacts.restitution.give_back(self._number >= 0)
