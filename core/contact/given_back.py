# SPDX-License-Identifier: GPL-3.0-or-later
"""What soft bodies are given back of an impact that takes them many substeps."""

from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..listed import chosen
from ..state import State
from ..stencils import VolumeOperators
from .rigid_motion import RigidMotion

# What a body does: it is clear of all surfaces, lies on one, is pressed together there, or leaves it.
_CLEAR, _LIES, _PRESSED, _LEAVES = range(4)

# So many substeps nothing may push it before it is gone: what was pressed flat bulges, and touches again.
_GONE = 4

# Approaches that forces make up for within so many substeps are no impacts.
_RESTING = 2.0

# Share of all pushes on a body that their sum must be for it to be pushed one way.
_ONE_WAY = 0.5

# Share of what a body lacks of its speed from which on it is given that while it is pushed yet; less only once its
# springs are done. Tilted blocks rise with half of it half as high, and what gives less at once shows a gain of energy.
_AT_ONCE = 0.95

# Particles of a body in whose rows of the account its numbers are.
_ROWS = 3

# Only to divide by.
_LEAST = 1e-300


class Pushes(NamedTuple):
    """What surfaces push with at the end of a substep.

    particles: indices, shape (count,); n: normals; push [N]; surface_v: velocities of the surfaces there [m/s];
    restitution: coefficients.
    """

    particles: np.ndarray
    n: np.ndarray
    push: np.ndarray
    surface_v: np.ndarray
    restitution: np.ndarray

    def one_way(self):
        """Direction of their sum and the share of each in it, or None where they are against each other."""
        total, whole = self.push.sum(), np.einsum("i,ij->j", self.push, self.n)
        size = np.linalg.norm(whole)
        return (whole / size, self.push / total) if size > _ONE_WAY * total else None


@dataclass
class _Impact:
    """An impact on a body so far: what the body does, for how many substeps nothing has pushed it, the speed that it
    may leave with [m/s], what it lost of its energy since it came, and what of that it does not get back [J], whether
    it was given something, and the velocity of the surface [m/s]."""

    doing: float
    alone: float
    speed: float
    lost: float
    kept: float
    given: float
    x: float
    y: float
    z: float

    @property
    def surface_v(self):
        return np.array([self.x, self.y, self.z])


class GivenBack:
    """Newton's law of restitution for bodies as a whole, which are pressed against a surface for many substeps.

    While a body is pressed together the surface lets nothing of it rebound, and its springs take up what they can. From
    where it would move off as a rigid body, it is given a push there that lets it leave with its restitution times the
    speed at which it came, and of what was lost since then no more than leaves the square of the restitution of the
    energy that the impact may have taken. What springs give back counts, and so does what went into vibrations: what
    rebounds higher by itself is given nothing. No body leaves with more energy than it came with. All in the frame of
    the surface, which does no work there.

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
        of_spring = self._number[network.edges[:, 0]]
        order = np.argsort(of_spring, kind="stable")
        ends = np.searchsorted(of_spring[order], np.arange(len(bodies) + 1))
        self._springs = [order[begin:end] for begin, end in pairwise(ends)]
        of_volume = self._number[network.volumes.vertices[:, 0]]
        of_stencil = self._number[network.stencils.vertices[:, 0]]
        self._stencils = [network.stencils.chosen(of_stencil == number) for number in range(len(bodies))]
        self._volumes = [
            VolumeOperators(network.volumes.chosen(of_volume == number), network.vertex_count)
            for number in range(len(bodies))
        ]
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
            impact = _Impact(*self.account[rows].ravel())
            if impact.doing in (_PRESSED, _LEAVES):
                stored += max(impact.lost - impact.kept, 0.0)
        return stored

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        self._network = network

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
        going_on = self.account[self._rows[:, 0], 0] != _CLEAR
        gained, account, self._given = np.zeros_like(after.v), self.account.copy(), []
        for index in np.flatnonzero(pushed | going_on):
            impact = _Impact(*account[self._rows[index]].ravel())
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
        """Change of a body's velocities [m/s], or None; brings its _Impact up to date.

        pushes: on it, or None where nothing pushes it.
        """
        if pushes is None:
            impact.alone += 1.0
            if impact.doing == _LIES or impact.alone > _GONE:
                impact.doing = _CLEAR
            if impact.doing == _CLEAR:
                return None
            impact.lost += self._lost(index, before, after, force, impact.surface_v)
            if impact.doing == _LEAVES and impact.alone == 1.0:
                return self._left(index, impact, after, force)
            return self._bounded(index, impact, after)
        way = pushes.one_way()
        if impact.doing == _LIES or way is None:
            impact.doing = _LIES
            return None
        n, weights = way
        impact.x, impact.y, impact.z = np.einsum("i,ij->j", weights, pushes.surface_v)
        body, masses = self._bodies[index], self._network.masses[self._bodies[index]]
        at = np.einsum("i,ij->j", weights, after.x[pushes.particles])
        motion = RigidMotion(after.x[body], masses, at, n)
        came, goes = (motion.speed(state.v[body] - impact.surface_v) for state in (before, after))
        # What forces make up for in a substep.
        slow = self._dt * abs(n @ force[body].sum(axis=0)) / masses.sum()
        self._meet(impact, came, slow, motion.inertia, float((weights * pushes.restitution).sum()))
        if impact.doing == _LIES:
            return None
        impact.alone = 0.0
        impact.lost += self._lost(index, before, after, force, impact.surface_v)
        if impact.doing == _PRESSED and goes >= -slow:
            impact.doing = _LEAVES
        if impact.doing == _LEAVES and goes < -slow:
            impact.doing = _LIES
        if impact.doing != _LEAVES:
            return None
        more = self._more(impact, motion, goes, impact.speed)
        pushing = self._dt * pushes.push.sum() / motion.inertia
        if pushing > max(more, _RESTING * slow) and more < _AT_ONCE * (impact.speed - goes):
            # Its springs see to it yet, by more than that.
            return None
        if not more > 0.0:
            return self._bounded(index, impact, after)
        self._give(impact, motion, goes, more)
        self._given.append((body, motion, self._gone(pushes, more)))
        return motion.pushed(more)

    def _more(self, impact, motion, goes, speed, internal=0.0):
        """How much faster than it goes [m/s] a body is to leave with a speed, 0 where no room is left.

        internal: energy that may become motion as a whole, beside what was lost [J].
        """
        room = impact.lost - impact.kept + internal
        more = min(speed - goes, np.sqrt(goes**2 + 2.0 * max(room, 0.0) / motion.inertia) - goes)
        if not (more > 0.0 and room > 0.0):
            return 0.0
        return more

    def _give(self, impact, motion, goes, more):
        """Take note of a push by which a body that goes so fast goes faster by so much [m/s]."""
        impact.lost -= motion.inertia * more * (goes + 0.5 * more)
        impact.given = 1.0

    def _left(self, index, impact, after, force):
        """Change of the velocities of a body that was pushed in this substep and has left within it, or None."""
        body = self._bodies[index]
        forces = self._pushed_before[:, body].T
        sizes = np.linalg.norm(forces, axis=1)
        whole = forces.sum(axis=0)
        size = np.linalg.norm(whole)
        if not size > _ONE_WAY * sizes.sum():
            return self._bounded(index, impact, after)
        x, masses = after.x[body], self._network.masses[body]
        motion = RigidMotion(x, masses, sizes @ x / sizes.sum(), whole / size)
        # Since then forces have changed its speed.
        speed = impact.speed + self._dt * (whole @ force[body].sum(axis=0)) / (size * masses.sum())
        goes = motion.speed(after.v[body] - impact.surface_v)
        # What vibrates then is lost to it.
        u = after.v[body]
        more = self._more(impact, motion, goes, speed, self._kinetic(index, u - motion.of(u)))
        if more > 0.0:
            self._give(impact, motion, goes, more)
        calmer = self._bounded(index, impact, after)
        if not more > 0.0:
            return calmer
        self._given.append((body, motion, 1.0))
        return motion.pushed(more) + (0.0 if calmer is None else calmer)

    def _meet(self, impact, came, slow, inertia, restitution):
        """Begin an impact where one does: of what comes to a surface from nowhere, or from one that it had left."""
        fast = came < -_RESTING * slow
        # What bulges as it leaves touches again, and goes away meanwhile.
        comes = impact.doing == _CLEAR or (impact.doing == _LEAVES and impact.alone and came < 0.0)
        if comes and not fast:
            impact.doing = _LIES
        elif comes:
            impact.doing, impact.speed, impact.lost = _PRESSED, -restitution * came, 0.0
            impact.kept, impact.given = 0.5 * (1.0 - restitution**2) * inertia * came**2, 0.0

    def _bounded(self, index, impact, after):
        """Change of velocities that takes what a body has more than it came with, or was left with; or None.

        Of its vibrations: how it moves as a whole nothing but a push changes.
        """
        more = (impact.kept if impact.given else 0.0) - impact.lost
        if impact.doing != _LEAVES or not more > 0.0:
            return None
        body = self._bodies[index]
        x, v = after.x[body], after.v[body]
        u = v - RigidMotion(x, self._network.masses[body], x[0], np.zeros(3)).of(v)
        kinetic = self._kinetic(index, u)
        share = np.sqrt(max(1.0 - more / max(kinetic, _LEAST), 0.0))
        impact.lost += (1.0 - share**2) * kinetic
        return (share - 1.0) * u

    def _lost(self, index, before, after, force, surface_v):
        """What a body lost of its energy in a substep, but by forces, seen from a surface [J]."""
        body = self._bodies[index]
        way = after.x[body] - before.x[body] - (after.t - before.t) * surface_v
        had, has = (
            self._kinetic(index, state.v[body] - surface_v) + self._strained(index, state.x)
            for state in (before, after)
        )
        return had - has + float(np.einsum("ij,ij->", force[body], way))

    def _gone(self, pushes, speed):
        """Share of pushes that is gone after a substep in which their body moves off with so much more speed [m/s].

        What a surface holds while the rest of it moves off presses less by its springs.
        """
        less = speed * self._dt * self._firm[pushes.particles]
        return float(np.minimum(pushes.push, less).sum() / pushes.push.sum())

    def _kinetic(self, index, u):
        return 0.5 * float(np.einsum("i,ij,ij->", self._network.masses[self._bodies[index]], u, u))

    def _strained(self, index, x):
        springs = self._springs[index]
        i, j = self._network.edges[springs].T
        u = x[i] - x[j]
        stretch = np.sqrt(np.einsum("ij,ij->i", u, u)) - self._network.rest_lengths[springs]
        energy = 0.5 * float(np.einsum("i,i,i->", self._network.stiffness[springs], stretch, stretch))
        if len(self._network.stencils):
            energy += float(self._stencils[index].energies(x).sum())
        if len(self._network.volumes):
            energy += self._volumes[index].energy(np.ascontiguousarray(x.T))
        return energy
