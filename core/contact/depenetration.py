# SPDX-License-Identifier: GPL-3.0-or-later
"""How what begins inside colliders comes out of them."""

from typing import Any

import numpy as np

from .carrying import SLOWEST, Carried, Carrying

# Share of the distance that is kept from which on who began inside is out: between those who are out by less the
# collider's corners would be through the cloth. And of what is added to that for what lies: with half of it a sheet on
# a slope of 1.02 times the angle of friction is 0.97 times as fast as it should be, with this 1.001.
_OUT, _RISEN = 0.5, 0.99

# Where springs are looked at for whether they are in a collider.
_BETWEEN = (0.25, 0.5, 0.75)

# Bits that a number of a history holds exactly.
_BITS = 50

# Share of a substep by which times may be rounded.
_SAME = 1e-3


class Depenetration:
    """Leads particles that begin inside colliders out: each by its own way, or all of a part as a whole.

    Who is inside is found where a collider is met first; from then on nobody gets in, and who is out is out.
    While anybody is, contacts with the collider's triangles, which keep everybody on his side, are none of theirs.

    network: SpringNetwork; colliders: ContactOf, with the numbers of their owners; single: by these numbers, whether
    single particles meet it by its distance; masses: infinite of what is held.
    found: Carried of the substep, or None as long as nobody asked who is inside.
    """

    def __init__(self, network, colliders, single, masses):
        self._network, self._colliders, self._single = network, colliders, single
        self._free = np.isfinite(masses)
        self._carrying = Carrying(network)
        self.forget()

    def forget(self):
        """Know nothing of a substep before."""
        # Of each collider who is inside it, None where nobody looked yet; and who is carried out of it, a mask.
        self._inside: list[Any] = [None] * len(self._colliders)
        self._carried: list[Any] = [None] * len(self._colliders)
        self._ended = np.nan
        self._restored: Any = None
        self.begin_substep()

    def begin_substep(self):
        """Nobody asked yet who is inside where a substep begins."""
        self.found: Any = None
        self._asked: tuple[Any, float] = (None, np.nan)

    @property
    def inside(self):
        """Who is inside what, as numbers that `restore` reads, shape (n, 3): of each collider a bit.

        Where nobody looked yet all are -1.
        """
        if self._restored is not None:
            return self._restored.astype(np.float64)
        if np.isnan(self._ended):
            return np.full((len(self._free), 3), -1.0)
        found = np.zeros((len(self._free), 3))
        for number, inside in enumerate(self._inside[: 3 * _BITS]):
            if inside is not None:
                found[inside, number // _BITS] += 2.0 ** (number % _BITS)
        return found

    def restore(self, inside):
        """Go on from who was `inside`; raises ValueError for numbers that are none of it."""
        nobody_looked = bool((inside == -1.0).all())
        if not nobody_looked and not ((inside >= 0.0) & (inside < 2.0**_BITS)).all():
            raise ValueError(
                "who is inside colliders is told by numbers that are none of it: restore a history"
            )
        self.forget()
        if not nobody_looked:
            self._restored = inside.astype(np.int64)

    def _begin_restored(self, t):
        """Take up what was restored, at the end of a substep t [s]: a collider that did not act then is met anew."""
        for number, (_, shape) in enumerate(self._colliders[: 3 * _BITS]):
            if shape.contact.acts(t):
                bits = self._restored[:, number // _BITS] >> (number % _BITS)
                self._inside[number] = np.flatnonzero(bits & 1)
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
        elif not abs(t - dt - self._ended) < _SAME * dt:
            # What does not go on from the last substep may begin anywhere.
            self.forget()
        self._ended, self._asked, found = t, (x, t), []
        self._look(x, t, dt, room)
        for number, (_, shape) in enumerate(self._colliders):
            self._carried[number], inside = None, self._inside[number]
            if inside is None:
                continue
            keeps_in = shape.contact.inside or not len(inside)
            carried = None if keeps_in else self._carried_of(shape, inside, x, t, dt)
            if carried is not None:
                found.append(carried)
                self._carried[number] = np.zeros(len(x), dtype=bool)
                self._carried[number][carried.particles] = True
        self.found = Carried(*map(np.concatenate, zip(*found, strict=True))) if found else None
        return self.found

    def _look(self, x, t, dt, room):
        """Find who is inside what. Who is in several is out of none of them before he is out of all."""
        before, among = self._inside, np.zeros((2, len(x)), dtype=int)
        self._inside = [
            self._found(number, x, t, dt, room) if shape.contact.acts(t) else None
            for number, (_, shape) in enumerate(self._colliders)
        ]
        for counts, lists in zip(among, (before, self._inside), strict=True):
            for inside in lists:
                if inside is not None:
                    counts[inside] += 1
        stays = (among[0] > 1) & (among[1] > 0)
        if stays.any():
            for number, (was, inside) in enumerate(zip(before, self._inside, strict=True)):
                if was is not None and inside is not None:
                    self._inside[number] = np.union1d(inside, was[stays[was]])

    def _found(self, number, x, t, dt, room):
        """Who is inside a collider, indices among all; see `begin`."""
        owner, shape = self._colliders[number]
        inside, added = self._inside[number], room * self._single[owner]
        if inside is None:
            own = ~shape.contact.held_particles & self._free[shape.particles]
            inside = shape.first + np.flatnonzero(own)
            low, high = _box(shape.contact, t - dt)
            inside = inside[((x[inside] >= low) & (x[inside] <= high)).all(axis=1)]
            share = float(self._single[owner])
        else:
            share, added = max(_OUT, float(self._single[owner])), _RISEN * added
        if len(inside) == 0:
            return inside
        kept = share * np.broadcast_to(shape.contact.thickness, shape.span)[inside - shape.first] + added
        found = inside[shape.contact.look(x[inside], t - dt, dt)[0] < kept]
        return found if self._single[owner] else self._with_pierced(shape, found, inside, x, t, dt)

    def _with_pierced(self, shape, found, particles, x, t, dt):
        """Of some particles, indices among all, those found, their neighbours, and ends of springs in a collider.

        What is between particles that are out is on the wrong side of the collider's triangles yet, and who is out
        beside one who is not would be led on by a side of it that the other is not at.
        """
        among, within = np.zeros((2, len(x)), dtype=bool)
        among[particles], within[found] = True, True
        edges = self._network.edges
        edges = edges[among[edges].any(axis=1)]
        ends = x[edges]
        for share in _BETWEEN:
            between = (1.0 - share) * ends[:, 0] + share * ends[:, 1]
            within[edges[shape.contact.look(between, t - dt, dt)[0] < 0.0]] = True
        within[edges[within[edges].any(axis=1)]] = True
        return np.flatnonzero(within & among)

    def _carried_of(self, shape, inside, x, t, dt):
        """Carried of the parts of what is inside that would be torn by everybody's own way out, or None."""
        collider, first, span = shape.contact, shape.first, shape.span

        def depths_at(particles, at):
            depths = np.full(len(particles), -np.inf)
            own = (particles >= first) & (particles < first + span)
            kept = np.broadcast_to(collider.thickness, span)[particles[own] - first]
            depths[own] = kept - collider.look(at[own], t - dt, dt)[0]
            return depths

        distances, normals, velocities = collider.look(x[inside], t - dt, dt)
        kept = np.broadcast_to(collider.thickness, span)[inside - first]
        depths = kept - distances
        deep = depths > SLOWEST * dt + (1.0 - _OUT) * kept
        if not deep.any():
            return None
        found = self._carrying.found(x, inside[deep], depths[deep], normals[deep], depths_at)
        if found is None:
            return None
        # What is in something that moves goes along with it.
        moves = velocities.mean(axis=0)
        return found._replace(velocities=found.velocities + moves)

    def let_in(self, particles, owners):
        """Let particles into what has these owners' numbers and an inside; whether any was not there before."""
        found = False
        for place, (number, _) in enumerate(self._colliders):
            particles_of, inside = particles[owners == number], self._inside[place]
            if inside is not None and len(particles_of):
                self._inside[place] = np.union1d(inside, particles_of)
                found = found or len(self._inside[place]) > len(inside)
        return found

    def led(self):
        """Of colliders that anybody is led out of: the number, the ContactOf, and who is by his own way, indices."""
        for (number, shape), inside, carried in zip(
            self._colliders, self._inside, self._carried, strict=True
        ):
            if inside is not None and len(inside):
                own = inside if carried is None else inside[~carried[inside]]
                if len(own):
                    yield number, shape, own

    def began_in(self, owner):
        """Who began within what the collider of an owner's number keeps, and is there yet, indices among all."""
        for (number, _), inside in zip(self._colliders, self._inside, strict=True):
            if number == owner:
                return inside
        return None

    def carried(self, owner):
        """Mask of all particles of who is carried out of the collider of an owner's number, or None of none."""
        for (number, _), carried in zip(self._colliders, self._carried, strict=True):
            if number == owner:
                return carried
        return None

    def without(self, candidates):
        """Candidates, or None, without those of triangles with what is led out of them."""
        if candidates is None:
            return None
        kept = np.ones(len(candidates.kinds), dtype=bool)
        for (number, _), inside, carried in zip(self._colliders, self._inside, self._carried, strict=True):
            if inside is None or len(inside) == 0:
                continue
            led = np.zeros(len(self._free) + 1, dtype=bool) if carried is None else np.append(carried, False)
            led[inside] = True
            # Obstacles' vertices are numbered after the particles.
            of_led = led[np.minimum(candidates.corners, len(self._free))].any(axis=1)
            kept &= ~(of_led & (candidates.owners == number))
        if kept.all():
            return candidates
        return type(candidates)(*(of[kept] for of in candidates)) if kept.any() else None

    def stopped(self, carried, v):
        """See `Carrying.stopped`."""
        return self._carrying.stopped(carried, v)


def _box(collider, t):
    """Corners of the box about a collider in the world at t [s], infinite where it has no end."""
    if collider.triangles is None or collider.inside:
        return -np.inf, np.inf
    corners = collider.corners(t)
    return corners.min(axis=0), corners.max(axis=0)
