# SPDX-License-Identifier: GPL-3.0-or-later
"""A substep of an implicit method whose contacts are potentials."""

from functools import partial

import numpy as np

from ..contact.impact_zones import apart
from ..contact.impulses import impulses
from ..directions import LEAST, lengths
from ..state import State
from .impacts import TURNS, Impacts, along, is_near

# Conjugate gradients of a Newton step for every iteration of a free substep: where anything is struck, or presses on
# itself, and where nothing does.
SHARE, SHARE_AT_REST = 5.0 / 3.0, 1.0

# Depth, in parts of the one from which on contacts stiffen, that is left where Newton's method begins.
_LEFT = 0.1

# Pairs that meet on their paths become that many times firmer, and the step is solved once more: a box at 6 m/s
# stretches a curtain of 41^2 by 253 % without, by 24 % with this, 26 % where it is repeated up to four times, and
# by 29 % with 100 twice (medians of five starts); four times cost a suit on a running body half of its time more.
_FIRMER = 10.0

# Share of all normal forces from which on those of what touched nothing before are decided on in the same substep.
_BEGINS = 0.5

# Way in a substep, in parts of what contacts sink by, from which on what lay on something leaves it.
_LEAVES = 20.0

# Newton steps more at most where stencils are, as long as one moves anything far: a box at 6 m/s stretches a curtain of
# 41^2 by 87 % without any, 30 with two, 31 with four, in 232, 366 and 682 ms a frame.
_MORE = 2

# How often ways that something left are searched again: with two a box that strikes a curtain of 6,561 vertices
# stretches it by 28 % in place of 19, with four a heap takes a quarter more time.
_SEARCHES = 3


class PotentialStep(Impacts):
    """Contacts of PotentialContacts in the substeps of a method: before, within and after its minimisation."""

    def _strayed(self, x):
        """Whether x [m] is off the ways that were searched."""
        if (lengths(x.T - self._end) <= self._margins).all():
            return False
        way, off = self._end - self._state.x, x.T - self._state.x
        share = np.einsum("ij,ij->i", way, off) / np.maximum(np.einsum("ij,ij->i", way, way), LEAST)
        off = off - np.clip(share, 0.0, 1.0)[:, None] * way
        return bool((np.einsum("ij,ij->i", off, off) > self._margins**2).any())

    @property
    def _of_stencils(self):
        return self._touching is not None and self._touching.candidates is not None

    def _unseen(self, x):
        """Whether anything bears on the ways to x [m] that was not found on those that were searched."""
        state, dt = self._state, self._dt
        if not self._of_stencils:
            # Of shapes alone a search costs nothing, and the steps that follow it bring what lies there to rest.
            return True
        return self._contacts.unseen(state.x, np.ascontiguousarray(x.T), state.t + dt, dt)

    def _put_out(self, x):
        """Positions [m] where inertia alone leaves nothing deep in what it touches: Newton's method begins there."""
        rows = self._begun or self._touching.rows(x)
        if rows is None:
            return x
        if self._lies:
            x = _as_it_lay(self._contacts, self._state, rows, x, self._dt)
        # Nearly: what presses is known by it.
        left = _LEFT * rows.depths
        if self._lies:
            # As deep as it lay before: led out it would be pressed in anew, and never rest.
            start = np.ascontiguousarray(self._state.x.T)
            left = np.maximum(along(rows.normals, rows.carried) - rows.gaps(start), left)
        deep = -rows.gaps(x) - left
        if not (deep > 0.0).any():
            self._known = x, rows
            return x
        out = impulses(rows, self._contacts.inverse_masses, deep)
        self._known = x + out, rows if is_near(out, rows) else None
        return self._known[0]

    def settled(self, solver, x, iterations, tolerance=0.0):
        """Positions [m] at the end, to which nothing goes through anything.

        x: where to begin, shape (3, n) [m], or where the step ends if nothing touches; solver: LocalGlobal; tolerance:
        relative residual to end at, or 0 for a number of steps that `iterations` tell.
        """
        if not self._contacts.count:
            return x
        if tolerance and self.touches:
            minimise = partial(self._converged, solver.newton_pcg, tolerance, int(iterations))
        else:
            share = SHARE if self._begun is None or self._contacts.between else SHARE_AT_REST
            minimise = partial(self._few_steps, solver.newton_pcg, int(np.ceil(share * iterations)))
        for _ in range(_SEARCHES):
            x = self._kept_apart(minimise, x)
            if not (self._strayed(x) and self._unseen(x)):
                break
            self._search(x)
        self._solved = x
        if self._touching is not None:
            x = apart(self._touching, x, self._contacts.masses)
            if self._last is None or x is not self._solved:
                self._last = self._touching.contacts(x, self._before)
        return x

    def _kept_apart(self, minimise, x):
        """Positions [m] after Newton's steps, and more where something meets on its way there."""
        touching = self._touching
        if touching is None:
            return x
        x = minimise(self._put_out(x), again=self._minimised)
        self._minimised = True
        if touching.stiffen(x, _FIRMER):
            x = minimise(x, again=True)
        return x

    def _few_steps(self, newton, count, x, *, again):
        """Positions [m] after so many steps as are taken to no tolerance; again: on ways that were searched before."""
        # Again on the ways that it really went: once, for what was not seen before.
        steps = 1 if again else newton.steps_of(stopped=self.stopped)
        how = {"borne": self._lies, "more": _MORE if self._of_stencils else 0}
        x, self._last = newton.minimise(x, self._contacts_at, steps, count, **how)
        if not again and self._presses_otherwise(newton, x):
            self._before = self._held(self._before.bearing(self._last, x), x)
            x, self._last = newton.minimise(x, self._contacts_at, steps, count, **how)
        for _ in range(TURNS):
            if newton.wholes is None or not newton.wholes.on_parts(self._last):
                break
            # Load goes from corner to corner: what presses on each is known only now.
            self._before = self._before.bearing(self._last, x).passed_on(self._last, x, newton.wholes.part)
            self._last = self._contacts_at(x)
            x = newton.balanced(x, self._last)
        return x

    def _held(self, bearing, x):
        """A Before with the friction that would stop on its own what nothing rubbed before, at x [m]."""
        rows, n = self._last.rows, x.shape[1]
        friction, before = (of.reshape(3, -1, n) for of in (bearing.fields[1], self._before.fields[0]))
        particles, surface_v = self._contacts.held_by_obstacles(rows, self._last.forces(x)[0], self._dt)
        new = ~before[:, :, particles].any(axis=(0, 1))
        which = particles[new]
        slid = (x - self._before.start)[:, which] - self._a * surface_v[new].T
        friction[:, :, which] = (-self._masses[which, 0] / self._a**2 * slid)[:, None]
        return bearing

    def _presses_otherwise(self, newton, x):
        """Whether friction by what pressed in the substep before is wrong.

        It is of what vibrates, of what began to press, and of parts on parts, whose load goes from corner to corner.
        """
        contacts = self._last
        if contacts is None or not contacts.rows.friction.any():
            return False
        if newton.of_wholes(contacts):
            return True
        new = np.abs(contacts.pressure(contacts.forces(x)[0])).sum(axis=0)
        return bool(new[~self._before.fields[0].any(axis=0)].sum() > _BEGINS * new.sum())

    def _converged(self, newton, tolerance, most, x, *, again):
        """Positions [m] where nothing is left unsolved, nor of friction by what presses there."""
        for turn in range(1 if again else TURNS):
            x, self._last = newton.to_tolerance.minimise(x, self._contacts_at, tolerance, most)
            if self._last is None or not self._last.rows.friction.any():
                break
            if turn < TURNS - 1:
                self._before = self._before.bearing(self._last, x)
        return x

    def _contacts_at(self, x):
        at, rows = self._known
        serve = x is at and not self._touching.stiffened
        return self._touching.contacts(x, self._before, rows if serve else None)

    def add_gradient(self, x, out):
        """Add to `out` what contacts have of the gradient at the end of the last substep [N], shape (3, n)."""
        if self._last is not None:
            self._last.add_gradient(x, out)

    def ended(self, after, past):
        """State and past after the substep, without what a formula of two steps gives of a stop within it."""
        contacts, last = self._contacts, self._last
        if last is None:
            if contacts.count:
                contacts.bear_nothing(self._dt)
            return after, past
        x = self._solved if np.array_equal(self._solved.T, after.x) else np.ascontiguousarray(after.x.T)
        normal, rub = last.forces(x)
        contacts.bear(last, normal, rub, self._state, after)
        moved = (after.x - self._solved.T) / self._dt
        v = after.v + moved * (1.0 - self._dt / self._a)
        rows = last.rows
        speeds = along(rows.normals, rows.differences(np.ascontiguousarray(v.T)))
        given = along(rows.normals, rows.carried) / self._dt
        way = along(rows.normals, rows.differences(x - self.past.x.T)) / self._dt
        presses = normal > 0.0
        # Speeds of parting that its way does not show.
        excess = np.where(presses, speeds + given - np.maximum(way + given, 0.0), 0.0)
        if (excess > 0.0).any():
            v = v + impulses(rows.turned(), contacts.inverse_masses, excess).T
        gained = v - after.v
        # Particles that an impact pressed into a shape are put out, with their past: this is no motion.
        put_out = (self._touching.put_out(x, contacts.inverse_masses > 0.0) - x).T
        if past is not None:
            past = State(past.x - self._dt * gained + put_out, past.v + gained, past.t)
        after = State(after.x + put_out, v, after.t)
        return after, past


def _as_it_lay(contacts, before, rows, x, dt):
    """Positions [m] where what obstacles pressed on is as far from them as it was before, in a State.

    Where inertia leads it would leave some, and Newton's method, which then knows nothing of these, presses it too
    deep: so it goes on for ever, up and down by turns.
    """
    pressed = contacts.forces.pushed()
    particles, velocities = contacts.held_by_obstacles(rows, np.ones(len(rows.offsets)), dt)
    size = np.sqrt(np.einsum("ij,ij->j", pressed[:, particles], pressed[:, particles]))
    n = pressed[:, particles] / np.maximum(size, LEAST)
    # A body that leaves faster than it would sink is no longer resting.
    lay = (size > 0.0) & (dt * along(n, (before.v[particles] - velocities).T) < _LEAVES * contacts.sag)
    which, n = particles[lay], n[:, lay]
    away = before.x[which].T + dt * velocities[lay].T - x[:, which]
    x = x.copy()
    x[:, which] += along(n, away) * n
    return x
