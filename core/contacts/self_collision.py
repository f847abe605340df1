# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision."""

import numpy as np

from ..quantities import quantity
from ..state import State
from .contact import Contact
from .impact import along, entries
from .pair_impulses import PairImpulses
from .proximity import REACH, Candidates, Proximity, meeting_points

QUALITIES = ("VERTICES", "FACES")

# Time in which what is too close is pushed most of the way apart [s].
_RECOVERY = 0.1

# Most that positions alone are moved in a substep, over the thickness: more would strain the springs.
_MOST_MOVED = 0.2

# Iterations for pushes before and after the springs, for velocities, and for friction.
_PUSHES, _PARTINGS, _RUBS = 40, 30, 6

# Way of one particle past another in a substep, over the thickness, up to which triangles leave it to the pair.
_SLOW = 0.5

_LEAST = 1e-150


class SelfCollision(Contact):
    """Keeps a body, or several in one network, out of itself: no rebound, Coulomb's friction, momentum conserved.

    thickness: distance that is kept [m], above 0; of two particles with different ones the mean.
    friction: coefficient >= 0, of two particles with different ones the mean.
    thickness and friction: one number, or one for every particle.
    quality: "VERTICES" keeps particles apart, and lets sheets through whose meshes are not far finer than the
        thickness; "FACES" also keeps them out of triangles, on the side on which they began the substep.

    The sharpest fold has a radius of half the thickness t: a pair at distance D at rest keeps t sin(min(D/t, pi/2)).
    What begins closer is pushed apart slowly. Impulses are found where particles would go without springs, which then
    answer them; what the springs do to the pairs is resolved after them.

    Raises ValueError for what is out of its range.
    """

    label = "Self-Collision"
    description = "Keeps a cloth or solid, or several, out of itself and each other"
    yields = True

    def __init__(self, thickness=0.005, friction=0.3, quality="FACES"):
        if quality not in QUALITIES:
            raise ValueError(
                f"the self-collision's quality is {quality!r}: use {' or '.join(map(repr, QUALITIES))}"
            )
        self.quality = quality
        self.thickness, self.friction = np.asarray(thickness, float), np.asarray(friction, float)
        for name, above in (("thickness", 0.0), ("friction", None)):
            self._of_particles(name, max(getattr(self, name).size, 1), above)

    def prepare(self):
        """Measure the body at rest."""
        network = self.body.network
        count = network.vertex_count
        self._thickness = self._of_particles("thickness", count, 0.0)
        self._friction = self._of_particles("friction", count, None)
        self._inverse_masses = 1.0 / network.masses
        self._inverse_masses[network.hard_pins] = 0.0
        self._rest = network.points
        self._proximity = Proximity(self.body, self._thickness, faces=self.quality == "FACES")
        self._found: tuple[State, Candidates] | None = None

    def push(self, start, x, t):
        """See `Contact.push`: pushes and friction of what would come too close, or rests on each other."""
        found = self._proximity.candidates(start.x, x)
        self._found = start, found
        pairs, own, apart, _ = self._pairs(found, start, x, t, recovers=False)
        if own == 0:
            return None
        pushes = pairs.pushes(x, apart, _PUSHES)
        pushing = np.flatnonzero(pushes[:own] > 0.0)
        if len(pushing) == 0:
            return None
        pairs, pushes = pairs.chosen(pushing), pushes[pushing]
        moved = pairs.moved(pushes)
        return moved + pairs.rubbed(x + moved - start.x, self._rubbing(pairs) * pushes, _RUBS)

    def resolve(self, before, after):
        """Part what is too close and what approaches there, by impulses between the particles."""
        start, found = self._found or (None, None)
        self._found, pushed = None, start is before
        if not pushed:
            found = self._proximity.candidates(before.x, after.x)
        pairs, own, apart, speeds = self._pairs(found, before, after.x, after.t, recovers=True)
        if own == 0:
            return after
        x, v, dt = after.x, after.v, after.t - before.t
        # Without springs' answer to a push before them, there is only this to catch what is fast.
        most = _MOST_MOVED * self._thickness.max() if pushed else np.inf
        pushes = pairs.pushes(x, np.minimum(apart, pairs.parting(x) + most), _PUSHES)
        pushing = np.flatnonzero(pushes > 0.0)
        if not (pushing < own).any():
            return after
        x = x + pairs.moved(np.where(np.arange(len(pairs)) < own, pushes, 0.0))
        pairs, between = pairs.chosen(pushing), pushing < own
        partings = pairs.pushes(v, speeds[pushing], _PARTINGS) * between
        v = v + pairs.moved(partings)
        most = self._rubbing(pairs) * partings
        if not pushed:
            x = x + pairs.rubbed(x - before.x, dt * most, _RUBS)
        return State(x, v + pairs.rubbed(v, most, _RUBS), after.t)

    def _pairs(self, found, start, end, t, *, recovers):
        """PairImpulses at the ends of ways, those with colliders last, and the count of the others.

        Then how far each is to part [m], and how fast [m/s].
        """
        particles, weights, n = (
            np.concatenate(both)
            for both in zip(
                _vertices(found.pairs, start.x, end, self._thickness, swept=self.quality == "VERTICES"),
                _faces(found.particles, found.triangles, start.x, end),
                strict=True,
            )
        )
        apart = np.einsum("ij,ijk->ik", weights, self._rest[particles])
        apart = np.sqrt(along(apart, apart))
        thick = 0.5 * np.einsum("ij,ij->i", np.abs(weights), self._thickness[particles])
        least = thick * np.sin(np.minimum(apart / thick, 0.5 * np.pi))
        least = np.where(apart < thick, thick, least)
        began, ends = (
            np.einsum("ij,ij->i", n, np.einsum("ij,ijk->ik", weights, x[particles])) for x in (start.x, end)
        )
        began = np.maximum(began, 0.0)
        share = -np.expm1((start.t - t) / _RECOVERY) if recovers else 0.0
        least = np.where(began < least, began + share * (least - began), least)
        kept = np.flatnonzero(ends - least < (REACH - 1.0) * thick)
        rows = [particles[kept], weights[kept], n[kept]]
        return self._with_colliders(rows, least[kept], end, t, t - start.t)

    def _with_colliders(self, rows, least, end, t, dt):
        """Rows of particles that rest on something, after those of pairs: it bears what pushes them."""
        own, speeds = len(least), np.zeros(len(least))
        at = np.unique(rows[0]) if own else np.zeros(0, dtype=np.intp)
        at = at[self._inverse_masses[at] > 0.0]
        for collider in self.others if len(at) else ():
            distances, n, surface_v = collider.near(end[at], t, dt)
            heights = (-distances if collider.inside else distances) - entries(collider.thickness, at)
            n = np.broadcast_to(-n if collider.inside else n, (len(at), 3))
            surface_v = np.broadcast_to(surface_v, (len(at), 3))
            near = np.flatnonzero(heights < (REACH - 1.0) * self._thickness[at])
            particles = np.repeat(at[near][:, None], 4, axis=1)
            alone = np.tile([1.0, 0.0, 0.0, 0.0], (len(near), 1))
            rows = [np.concatenate(both) for both in zip(rows, (particles, alone, n[near]), strict=True)]
            least = np.concatenate([least, along(end[at[near]], n[near]) - heights[near]])
            speeds = np.concatenate([speeds, along(surface_v[near], n[near])])
        particles, weights, normals = rows
        return PairImpulses(particles, weights, normals, self._inverse_masses), own, least, speeds

    def _rubbing(self, pairs):
        """Coefficients of friction of pairs."""
        return 0.5 * np.einsum("ij,ij->i", np.abs(pairs.weights), self._friction[pairs.particles])

    def _of_particles(self, name, count, above):
        return quantity(
            f"the self-collision's {name}",
            getattr(self, name),
            "particle",
            count,
            "m" if name == "thickness" else "",
            above=above,
        )


def _vertices(pairs, x, end, thickness, *, swept):
    """Four particles, weights and normals of pairs of particles: where they meet, or are closest.

    swept: whether it is for them alone to catch what is fast; else those that slide past each other are left out.
    """
    if not swept:
        u = x[pairs[:, 0]] - x[pairs[:, 1]]
        w = end[pairs[:, 0]] - end[pairs[:, 1]] - u
        pairs = pairs[along(w, w) < (_SLOW * thickness[pairs].mean(axis=1)) ** 2]
    i, j = pairs.T
    u = x[i] - x[j]
    w = end[i] - end[j] - u
    if swept:
        squared, approach, apart = np.maximum(along(w, w), _LEAST), along(u, w), along(u, u)
        share = np.clip(-approach / squared, 0.0, 1.0)
        closest = apart + share * (2.0 * approach + share * squared)
        radius = np.minimum((0.5 * (thickness[i] + thickness[j])) ** 2, apart)
        reached = -approach - np.sqrt(np.maximum(approach**2 - squared * (apart - radius), 0.0))
        w *= np.clip(np.where(closest < radius, reached / squared, share), 0.0, 1.0)[:, None]
    n = u + w
    n /= np.maximum(np.sqrt(along(n, n)), _LEAST)[:, None]
    return np.column_stack([i, j, i, j]), np.tile([1.0, -1.0, 0.0, 0.0], (len(i), 1)), n


def _faces(particles, triangles, x, end):
    """The same of particles over triangles."""
    weights, n, _ = meeting_points(x, end, particles, triangles)
    inside = np.flatnonzero(weights.min(axis=1, initial=np.inf) > -0.01)
    weights = np.maximum(weights[inside], 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    four = np.column_stack([particles[inside], triangles[inside]])
    return four, np.column_stack([np.ones(len(inside)), -weights]), n[inside]
