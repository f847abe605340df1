# SPDX-License-Identifier: GPL-3.0-or-later
"""What soft bodies are given back of an impact that takes them many substeps."""

from dataclasses import astuple

import numpy as np

from ..directions import LEAST
from ..listed import chosen
from ..state import State
from .body_impact import CLEAR, LEAVES, LIES, ONE_WAY, PRESSED, BodyEnergies, Impact
from .impact import RESTING
from .rigid_motion import RigidMotion

# So many substeps nothing may push it before it is gone: what was pressed flat bulges, and touches again.
_GONE = 4

# Share of what a body lacks of its speed from which on it is given that while it is pushed yet; less only once its
# springs are done. Tilted blocks rise with half of it half as high, and what gives less at once shows a gain of energy.
_AT_ONCE = 0.95

# Particles of a body in whose rows of the account its numbers are.
_ROWS = 3


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
        # Against a way along one direction, of springs in all of them, and of inertia.
        springs = network.springs
        weights = springs.stiffness[:, None] * springs.weights**2
        held = np.bincount(springs.vertices.ravel(), weights.ravel(), network.vertex_count) / 3.0
        self._firm = held + network.masses / dt**2
        self._rows = np.array([body[:_ROWS] for body in bodies], dtype=np.intp).reshape(-1, _ROWS)
        self._given: list = []
        self.account = self.nothing

    @property
    def within(self):
        """Mask of the particles that are in bodies."""
        return self._number >= 0

    @property
    def nothing(self):
        """The account of bodies that are clear of all."""
        return np.zeros((self._network.vertex_count, 3))

    @property
    def stored(self):
        """What bodies that are pressed, or leave, may yet be given of what they lost [J]."""
        stored = 0.0
        for rows in self._rows:
            impact = Impact(*self.account[rows].ravel())
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
            impact = Impact(*account[self._rows[index]].ravel())
            own = chosen(pushes, number == index) if pushed[index] else None
            change = self._changed(index, impact, before, after, force, own)
            if change is not None:
                gained[self._bodies[index]] = change
            account[self._rows[index]] = np.reshape(astuple(impact), (_ROWS, 3))
        self.account = account
        return gained if gained.any() else None

    def past(self, past, after, force):
        """The past of a State that has what the last substep gave, both of them States: as of no push before it.

        As rigid bodies, what was given something came as forces alone would have brought it [N], so far as the push
        was gone then: a two-step formula goes on with a third of it.
        """
        x, v = past.x.copy(), past.v.copy()
        for body, motion, gone in self._given:
            steady = self._dt * (force[body] / self._network.masses[body, None])
            v[body] -= gone * motion.of(v[body] - (after.v[body] - steady))
            x[body] -= gone * motion.of(x[body] - (after.x[body] - self._dt * (after.v[body] - 0.5 * steady)))
        return State(x, v, past.t)

    def _changed(self, index, impact, before, after, force, pushes):
        """Change of a body's velocities [m/s], or None; brings its Impact up to date.

        pushes: on it, or None where nothing pushes it.
        """
        if pushes is None:
            impact.alone += 1.0
            if impact.doing == LIES or impact.alone > _GONE:
                impact.doing = CLEAR
            if impact.doing == CLEAR:
                return None
            impact.lost += self._energies.lost(index, before, after, force, impact.surface_v)
            if impact.doing == LEAVES and impact.alone == 1.0:
                return self._left(index, impact, after, force)
            return self._bounded(index, impact, after)
        way = pushes.one_way()
        if impact.doing == LIES or way is None:
            impact.doing = LIES
            return None
        n, weights = way
        impact.x, impact.y, impact.z = np.einsum("i,ij->j", weights, pushes.surface_v)
        body, masses = self._bodies[index], self._network.masses[self._bodies[index]]
        at = np.einsum("i,ij->j", weights, after.x[pushes.particles])
        motion = RigidMotion(after.x[body], masses, at, n)
        came, goes = (motion.speed(state.v[body] - impact.surface_v) for state in (before, after))
        # What forces make up for in a substep.
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
        if not more > 0.0:
            return self._bounded(index, impact, after)
        impact.give(motion, goes, more)
        self._given.append((body, motion, self._gone(pushes, more)))
        return motion.pushed(more)

    def _left(self, index, impact, after, force):
        """Change of the velocities of a body that was pushed in this substep and has left within it, or None."""
        body = self._bodies[index]
        forces = self._pushed_before[:, body].T
        sizes = np.linalg.norm(forces, axis=1)
        whole = forces.sum(axis=0)
        size = np.linalg.norm(whole)
        if not size > ONE_WAY * sizes.sum():
            return self._bounded(index, impact, after)
        x, masses = after.x[body], self._network.masses[body]
        motion = RigidMotion(x, masses, sizes @ x / sizes.sum(), whole / size)
        # Since then forces have changed its speed.
        speed = impact.speed + self._dt * (whole @ force[body].sum(axis=0)) / (size * masses.sum())
        goes = motion.speed(after.v[body] - impact.surface_v)
        # What vibrates then is lost to it.
        u = after.v[body]
        more = impact.more(motion, goes, speed, self._energies.kinetic(index, u - motion.of(u)))
        if more > 0.0:
            impact.give(motion, goes, more)
        calmer = self._bounded(index, impact, after)
        if not more > 0.0:
            return calmer
        self._given.append((body, motion, 1.0))
        return motion.pushed(more) + (0.0 if calmer is None else calmer)

    def _bounded(self, index, impact, after):
        """Change of velocities that takes what a body has more than it came with, or was left with; or None.

        Of its vibrations: how it moves as a whole nothing but a push changes.
        """
        more = (impact.kept if impact.given else 0.0) - impact.lost
        if impact.doing != LEAVES or not more > 0.0:
            return None
        body = self._bodies[index]
        x, v = after.x[body], after.v[body]
        u = v - RigidMotion(x, self._network.masses[body], x[0], np.zeros(3)).of(v)
        kinetic = self._energies.kinetic(index, u)
        share = np.sqrt(max(1.0 - more / max(kinetic, LEAST), 0.0))
        impact.lost += (1.0 - share**2) * kinetic
        return (share - 1.0) * u

    def _gone(self, pushes, speed):
        """Share of pushes that is gone after a substep in which their body moves off with so much more speed [m/s].

        What a surface holds while the rest of it moves off presses less by its springs.
        """
        less = speed * self._dt * self._firm[pushes.particles]
        return float(np.minimum(pushes.push, less).sum() / pushes.push.sum())
