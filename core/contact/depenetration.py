# SPDX-License-Identifier: GPL-3.0-or-later
"""How what begins inside colliders comes out of them."""

from typing import Any

import numpy as np

from ..listed import chosen
from ..solvers.conjugate_gradients import ENOUGH
from ..triangle_mesh.triangles import ROUNDING
from .carrying import HALFWAY, SLOWEST, Carried, Carrying
from .collider import of_particles

# Where springs are looked at for whether they are in a collider: by their middles alone, what ends beside a corner of
# one may be left around it.
_BETWEEN = (0.25, 0.5, 0.75)

_NOBODY = np.zeros(0, dtype=np.intp)

# Bits that a number of a history holds exactly; colliders that a history tells of, which is the place of the bit that
# says which particles are pinched.
_BITS = np.finfo(float).nmant
_TOLD = 3 * _BITS - 1


class Depenetration:
    """Leads particles that begin inside colliders out: each by its own way, or all of a part as a whole.

    Who is inside is found where a collider is met first; from then on nobody gets in whom colliders leave room, and
    who is out is out. While anybody is in, contacts with the collider's triangles, which keep all on their side, are
    none of his.

    network: SpringNetwork; colliders: ContactOf, with the numbers of their owners; single: by these numbers, whether
    single particles meet it by its distance; masses: infinite of what is held.
    enough: distances from a mesh at which particles are out of it, which they keep as long as they are led out [m].
    pinched: mask of the particles that did not begin inside, but were let in where colliders leave no room.
    inside: by the number of a collider's owner who began within what it keeps, and is there yet, indices among all,
    without those where nobody looked; carried: by the same a mask of who is carried out of it, where anybody is.
    found: Carried of the substep, or None as long as nobody asked who is inside.
    """

    def __init__(self, network, colliders, single, masses, enough):
        self._network, self._colliders, self._single = network, colliders, single
        self._free, self.enough = np.isfinite(masses), enough
        self.carrying = Carrying(network)
        self.forget()

    def forget(self):
        """Know nothing of a substep before."""
        self.inside: dict[int, np.ndarray] = {}
        self.carried: dict[int, np.ndarray] = {}
        self.pinched = np.zeros(len(self._free), dtype=bool)
        self._ended = np.nan
        self._restored: Any = None
        self.begin_substep()

    def begin_substep(self):
        """Nobody asked yet who is inside where a substep begins."""
        self.found: Any = None
        self._asked: tuple[Any, float] = (None, np.nan)

    @property
    def history(self):
        """Who is inside what, a bit each of numbers, shape (n, 3); -1 where nobody looked yet."""
        if self._restored is not None:
            return self._restored.astype(np.float64)
        if np.isnan(self._ended):
            return np.full((len(self._free), 3), -1.0)
        return _as_bits(self._colliders, self.inside, self.pinched)

    def restore(self, history):
        """Go on from a `history`; raises ValueError for numbers that are none of it."""
        nobody_looked = bool((history == -1.0).all())
        if not nobody_looked and not ((history >= 0.0) & (history < 2.0**_BITS)).all():
            raise ValueError(
                "who is inside colliders is told by numbers that are none of it: restore a history"
            )
        self.forget()
        if not nobody_looked:
            self._restored = history.astype(np.int64)

    def _begin_restored(self, t):
        """Take up what was restored, at the end of a substep t [s]: a collider that did not act then is met anew."""
        for place, (number, shape) in enumerate(self._colliders[:_TOLD]):
            if shape.contact.acts(t):
                self.inside[number] = np.flatnonzero(_bit(self._restored, place))
        self.pinched = _bit(self._restored, _TOLD)
        self._ended, self._restored = t, None

    def begin(self, x, t, dt, room):
        """Find who is inside where a substep of dt [s] begins that ends at t [s]: x, shape (n, 3) [m].

        room: added to the distance that shapes keep, see `ShapeRows` [m]: who begins within it is hardly inside.
        Carried out of what they are in, or None of none; asked twice in a substep it answers the same.
        """
        if self._asked[0] is x and self._asked[1] == t:
            return self.found
        if self._restored is not None:
            self._begin_restored(t - dt)
        elif not abs(t - dt - self._ended) < ROUNDING * dt:
            # What does not go on from the last substep may begin anywhere.
            self.forget()
        self._ended, self._asked, self.carried, found = t, (x, t), {}, []
        self._look(x, t, dt, room)
        for number, shape in self._colliders:
            if number not in self.inside:
                continue
            # Pins go where they are told to.
            inside = self.inside[number][self._free[self.inside[number]]]
            keeps_in = shape.contact.inside or not len(inside)
            carried = None if keeps_in else self._carried_of(shape, inside, x, t, dt)
            if carried is not None:
                found.append(carried)
                self.carried[number] = np.zeros(len(x), dtype=bool)
                self.carried[number][carried.particles] = True
        self.found = Carried(*map(np.concatenate, zip(*found, strict=True))) if found else None
        return self.found

    def _look(self, x, t, dt, room):
        """Find who is inside what. Who is in several is out of none of them before he is out of all."""
        before, self.inside = self.inside, {}
        for number, shape in self._colliders:
            if shape.contact.acts(t):
                of = shape, self._single[number], before.get(number)
                self.inside[number] = self._found(*of, x, t, dt, room)
        was, still = (_among(of.values(), len(x)) for of in (before, self.inside))
        self.pinched &= still > 0
        stays = (was > 1) & (still > 0)
        if stays.any():
            for number, inside in self.inside.items():
                earlier = before.get(number, inside)
                self.inside[number] = np.union1d(inside, earlier[stays[earlier]])

    def _found(self, shape, single, inside, x, t, dt, room):
        """Who is inside a collider, indices among all; see `begin`. inside: who was before, None where nobody looked.

        single: whether single particles meet it by its distance.
        """
        added = room * single
        if inside is None:
            own = ~shape.contact.held_particles & self._free[shape.particles]
            inside = shape.first + np.flatnonzero(own)
            low, high = _box(shape.contact, t - dt)
            inside = inside[((x[inside] >= low) & (x[inside] <= high)).all(axis=1)]
            share = float(single)
        else:
            # With half of what is added for what lies a sheet on a slope of 1.02 times the angle of friction would be
            # 0.97 times as fast as it should be, in place of 1.001.
            share, added = max(HALFWAY, float(single)), (1.0 - ENOUGH) * added
        if len(inside) == 0:
            return inside
        kept = share * of_particles(shape.contact.thickness, inside - shape.first) + added
        if not single:
            kept = np.minimum(kept, self.enough[inside])
        found = inside[shape.contact.look(x[inside], t - dt, dt)[0] < kept]
        if single:
            return found
        return _with_pierced(
            self._network.edges, lambda at: shape.contact.look(at, t - dt, dt)[0], found, inside, x
        )

    def _carried_of(self, shape, inside, x, t, dt):
        """Carried of the parts of what is inside that would be torn by everybody's own way out, or None."""
        collider, first, span = shape.contact, shape.first, shape.span

        def depths_at(particles, at):
            depths = np.full(len(particles), -np.inf)
            own = (particles >= first) & (particles < first + span)
            depths[own] = _kept(shape, particles[own], self.enough) - collider.look(at[own], t - dt, dt)[0]
            return depths

        distances, normals, velocities = collider.look(x[inside], t - dt, dt)
        kept = _kept(shape, inside, self.enough)
        depths = kept - distances
        deep = depths > SLOWEST * dt + (1.0 - HALFWAY) * kept
        if not deep.any():
            return None
        found = self.carrying.found(x, inside[deep], depths[deep], normals[deep], depths_at)
        if found is None:
            return None
        # What is in something that moves goes along with it.
        moves = velocities.mean(axis=0)
        return found._replace(velocities=found.velocities + moves)

    def let_in(self, particles, owners):
        """Let particles into what has these owners' numbers and an inside; whether any was not there before."""
        if len(particles) == 0:
            return False
        before = sum(map(len, self.inside.values()))
        for number, inside in self.inside.items():
            comes = np.setdiff1d(particles[owners == number], inside)
            self.inside[number] = np.union1d(inside, comes)
            self.pinched[comes] = True
        return sum(map(len, self.inside.values())) > before

    def led(self):
        """Of colliders that anybody is led out of: the number, the ContactOf, and who is by his own way, indices."""
        for number, shape in self._colliders:
            own = self.inside.get(number, _NOBODY)
            own = own[self._free[own]]
            if number in self.carried:
                own = own[~self.carried[number][own]]
            if len(own):
                yield number, shape, own

    def without(self, candidates):
        """Candidates, or None, without those of triangles with what is led out of them."""
        if candidates is None:
            return None
        kept = np.ones(len(candidates.kinds), dtype=bool)
        for number, inside in self.inside.items():
            if len(inside) == 0:
                continue
            # Obstacles' vertices are numbered after the particles.
            led = np.zeros(len(self._free) + 1, dtype=bool)
            led[:-1] = self.carried.get(number, False)
            led[inside] = True
            of_led = led[np.minimum(candidates.corners, len(self._free))].any(axis=1)
            kept &= ~(of_led & (candidates.owners == number))
        if kept.all():
            return candidates
        return chosen(candidates, kept) if kept.any() else None


def _as_bits(colliders, inside, pinched):
    """Who is inside which colliders, and pinched, a mask, as bits of numbers, shape (n, 3)."""
    found = np.zeros((len(pinched), 3))
    for place, (number, _) in enumerate(colliders[:_TOLD]):
        if number in inside:
            found[inside[number], place // _BITS] += 2.0 ** (place % _BITS)
    found[pinched, _TOLD // _BITS] += 2.0 ** (_TOLD % _BITS)
    return found


def _bit(told, place):
    """The bit at a place of such numbers, a mask."""
    return (told[:, place // _BITS] >> (place % _BITS) & 1).astype(bool)


def _kept(shape, particles, enough):
    """The distances at which particles, indices among all, are out of a collider [m]."""
    kept = of_particles(shape.contact.thickness, particles - shape.first)
    return np.minimum(kept, enough[particles]) if _is_mesh(shape.contact) else kept


def _is_mesh(collider):
    return collider.triangles is not None and not collider.inside


def _box(collider, t):
    """Corners of the box about a collider in the world at t [s], infinite where it has no end."""
    if not _is_mesh(collider):
        return -np.inf, np.inf
    corners = collider.corners(t)
    return corners.min(axis=0), corners.max(axis=0)


def _with_pierced(edges, distances_at, found, particles, x):
    """Of some particles, indices among all, those found, their neighbours, and ends of edges in a collider.

    What is between particles that are out is on the wrong side of the collider's triangles yet, and who is out beside
    one who is not would be led on by a side of it that the other is not at.
    """
    among, within = np.zeros((2, len(x)), dtype=bool)
    among[particles], within[found] = True, True
    edges = edges[among[edges].any(axis=1)]
    ends = x[edges]
    between = [(1.0 - share) * ends[:, 0] + share * ends[:, 1] for share in _BETWEEN]
    inside = (distances_at(np.concatenate(between)) < 0.0).reshape(len(_BETWEEN), -1).any(axis=0)
    within[edges[inside]] = True
    within[edges[within[edges].any(axis=1)]] = True
    return np.flatnonzero(within & among)


def _among(lists, count):
    """In how many lists of indices each of so many is."""
    found = np.zeros(count, dtype=int)
    for of in lists:
        found[of] += 1
    return found
