# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision."""

from typing import Any

import numpy as np

from ..quantities import quantity
from ..state import State
from ..topology import connected_parts
from .bodies_apart import Bodies
from .contact import Contact
from .pair_energy import PairEnergy
from .pair_kinds import Faces, Strands, met
from .parting import parted
from .proximity import REACH, Proximity
from .regions import Regions
from .zones import moved_as_one

QUALITIES = ("VERTICES", "FACES")

# Pairs are as stiff as so many times the inertia over a substep, and so much of the springs about them: softer ones
# give way, and stiffer ones take more iterations than there are.
_INERTIAS, _SPRINGS = 20.0, 0.1

# Speed at which what is too close parts, over the thickness [1/s].
_PARTING = 10.0

# Thicknesses by which sides of pairs may stray from the ways that were looked at: what was looked at is farther apart.
_STRAY = 1.0

# What is left of the distance where the springs' iterations did not keep it, and it is put right without them.
_LEFT = 0.8

# How often what strayed is looked at and parted, at most: what parts two plies may press one of them into a third.
_PASSES = 4

# How often what still would pass through is held together, with what it then would pass through.
_ZONES = 8


class SelfCollision(Contact):
    """Keeps a body, or several in one network, out of itself: no rebound, Coulomb's friction, momentum conserved.

    thickness: distance that is kept [m], above 0; of two particles with different ones the mean.
    friction: coefficient >= 0, of two particles with different ones the mean.
    thickness and friction: one number, or one for every particle.
    quality: "FACES" keeps particles out of triangles, on the side on which they began the substep, and strands, borders
        and folds out of each other; "VERTICES" keeps particles apart, and lets sheets through whose meshes are not far
        finer than the thickness.

    bodies: None for all against all; else the number from 0 of the body of every particle, shape (particle_count,):
        what is of one body is left alone. meeting: which bodies collide, a symmetric mask, None for all of them.

    The sharpest fold has a radius of half the thickness t: a pair at distance D at rest keeps t sin(min(D/t, pi/2)).
    What begins closer is pushed apart slowly. Pairs are part of what an implicit step minimises, see `PairEnergy`, or
    of what is minimised after any other step, with inertia alone.

    Raises ValueError for what is out of its range.
    """

    label = "Self-Collision"
    description = "Keeps a cloth or solid, or several, out of itself and each other"
    between = True

    def __init__(self, thickness=0.005, friction=0.3, quality="FACES", bodies=None, meeting=None):
        if quality not in QUALITIES:
            raise ValueError(
                f"the self-collision's quality is {quality!r}: use {' or '.join(map(repr, QUALITIES))}"
            )
        self.quality, self.bodies, self.meeting = quality, bodies, meeting
        self.thickness, self.friction = np.asarray(thickness, float), np.asarray(friction, float)
        for name, above in (("thickness", 0.0), ("friction", None)):
            _of_particles(self, name, max(getattr(self, name).size, 1), above)

    def prepare(self):
        """Measure the body at rest."""
        network = self.body.network
        count = network.vertex_count
        self._thickness = _of_particles(self, "thickness", count, 0.0)
        self._friction = _of_particles(self, "friction", count, None)
        self._masses = network.masses.copy()
        self._masses[network.hard_pins] = np.inf
        self._inverse_masses = 1.0 / self._masses
        self._rest = np.ascontiguousarray(network.points.T)
        bodies = None if self.bodies is None else Bodies(self.bodies, self.meeting)
        self._proximity = Proximity(self.body, self._thickness, faces=self.quality == "FACES", bodies=bodies)
        self._regions = Regions(np.asarray(self.body.triangles, dtype=np.intp), count)
        self._joined = connected_parts(network.edges, count)
        self._stray = _STRAY * self._thickness.min(initial=np.inf)
        self._start: State | None = None
        self._pairs: Any = None

    def find(self, start, x, t):
        """See `Contact.find`: pairs that may come close on the way."""
        self._start, self._dt, self._looked = start, t - start.t, np.ascontiguousarray(x.T)
        self._pairs = self._met(start, self._looked)
        return self._pairs is not None

    def part(self, x):
        """See `Contact.part`: pairs that inertia alone lets come too close."""
        x[:] = self._relaxed(self._pairs, x, self._dt)

    def stiffen(self, stiffness, dt):
        """See `Contact.stiffen`."""
        inverse = self._inverse_masses
        self._pairs.stiffen(inverse / (_INERTIAS / dt**2 + _SPRINGS * stiffness * inverse), self._masses, dt)

    def place(self, x):
        """See `Contact.place`: nothing is moved, only looked at."""
        self._pairs.place(x)

    def energy(self):
        """See `Contact.energy`."""
        return self._pairs.energy()

    def filter_gradient(self, gradient):
        """Add the gradient [N]."""
        self._pairs.add_gradient(gradient)
        gradient[:, self.body.network.hard_pins] = 0.0

    def add_product(self, p, out):
        """See `Contact.add_product`."""
        self._pairs.add_product(p, out)
        out[:, self.body.network.hard_pins] = 0.0

    def add_blocks(self, blocks):
        """See `Contact.add_blocks`."""
        self._pairs.add_blocks(blocks)

    def resolve(self, before, after):
        """Part what is too close at the end of a step: of what sat inside, what springs left too close, or strayed."""
        self._dt = dt = after.t - before.t
        first = x = np.ascontiguousarray(after.x.T)
        if self._start is before:
            x = self._parted(self._pairs, x, _LEFT)
            # What strayed from the way that was looked at may have come close to something else.
            x = self._passed_nowhere(before, x)
        else:
            x = self._parted(self._met(before, after.x), x, 1.0)
        if x is first:
            return after
        moved = (x - first).T
        return State(after.x + moved, after.v + moved / dt, after.t)

    def recalled(self, previous, after):
        """See `Contact.recalled`: pairs that press came towards each other as fast as they move now."""
        pairs = self._pairs
        if pairs is None or not pairs.pressing.any():
            return previous
        x, v, before_x, before_v = (
            np.ascontiguousarray(of.T) for of in (after.x, after.v, previous.x, previous.v)
        )
        inverse = self._inverse_masses
        before_x += pairs.matched(before_x, x - self._dt * v, inverse)
        before_v += pairs.matched(before_v, v, inverse)
        return State(before_x.T.copy(), before_v.T.copy(), previous.t)

    def _passed_nowhere(self, before, x):
        """Positions [m] where what strayed has parted, or else goes with what it would have passed."""
        start = np.ascontiguousarray(before.x.T)
        together = np.zeros((4, 0), dtype=np.intp)
        for turn in range(_PASSES + _ZONES):
            pairs = self._met(before, x.T, self._looked)
            if turn < _PASSES:
                last, x = x, self._parted(pairs, x, _LEFT)
                if x is last:
                    break
                continue
            through = np.zeros(0, dtype=bool) if pairs is None else pairs.crossing & (pairs.gaps(x) < 0.0)
            if not through.any():
                break
            together = np.concatenate([together, pairs.particles[:, through]], axis=1)
            x = moved_as_one(start, x, together, self._masses)
        return x

    def _parted(self, pairs, x, left):
        """Positions [m] after pairs have parted, x itself where none is closer than a share of what it keeps."""
        if pairs is None or not (pairs.gaps(x) < left * pairs.least).any():
            return x
        return self._relaxed(pairs, x, self._dt)

    def _relaxed(self, pairs, x, dt):
        """Positions [m] after pairs have parted particles without springs."""
        pairs.stiffen(self._inverse_masses * dt**2 / _INERTIAS, self._masses, dt)
        return parted(pairs, x, self._masses / dt**2)

    def _met(self, start, end, instead_of=None):
        """PairEnergy of what may come close on straight ways from a State's positions to others [m], or None.

        instead_of: where ways end that were looked at before; what that tells of is left out.
        """
        found = []
        columns = np.ascontiguousarray(start.x.T), np.ascontiguousarray(end.T)
        for kind, candidates in self._proximity.candidates(start.x, end, instead_of, self._stray).items():
            firsts, numbers = candidates
            if len(firsts) == 0:
                continue
            rows = self._proximity.rows(kind, candidates)
            pairs = met(kind, *(at[:, rows.T] for at in columns))
            thick = 0.5 * (np.abs(pairs.weights) * self._thickness[rows.T]).sum(axis=0)
            close = np.flatnonzero(pairs.distances < REACH * thick)
            if kind is Strands:
                # What meets the end of a border is a corner of a triangle.
                inside = (pairs.weights != 0.0).all(axis=0)
                of_strands = np.minimum(firsts, numbers) < self._proximity.strand_count
                close = close[(inside | of_strands)[close]]
                of_folds = (
                    firsts[close] - self._proximity.inner_start,
                    numbers[close] - self._proximity.inner_start,
                )
                met_there = pairs.normals[:, close], pairs.shares[close]
                close = close[self._proximity.folds.own(*of_folds, *met_there, *columns)]
            if kind is Faces:
                corners, weights = rows.T[1:, close], -pairs.weights[1:, close]
                offsets = pairs.normals[:, close]
                shares = pairs.shares[close]
                close = close[self._regions.own(numbers[close], corners, weights, offsets, shares, *columns)]
            if len(close):
                width = 4 - rows.shape[1]
                found.append(
                    (
                        np.pad(rows.T[:, close], ((0, width), (0, 0)), mode="edge"),
                        np.pad(pairs.weights[:, close], ((0, width), (0, 0))),
                        pairs.normals[:, close],
                        thick[close],
                        pairs.distances[close] == 0.0,
                    )
                )
        if not found:
            return None
        particles, weights, normals, thick, crossing = (
            np.concatenate(of, axis=-1) for of in zip(*found, strict=True)
        )
        friction = 0.5 * (np.abs(weights) * self._friction[particles]).sum(axis=0)
        pairs = PairEnergy(particles, weights, normals, thick, friction, columns[0])
        pairs.least, pairs.crossing = _kept(pairs, thick, self._rest, self._joined, self._dt), crossing
        return pairs


def _kept(pairs, thick, rest, joined, dt):
    """Distances [m] that pairs keep in a substep of dt [s]."""
    apart = pairs.apart(rest)
    apart = np.sqrt((apart**2).sum(axis=1))
    one, other = joined[pairs.particles[0]], joined[pairs.particles[-1]]
    folds = (one == other) & (apart >= thick)
    least = np.where(folds, thick * np.sin(np.minimum(apart / thick, 0.5 * np.pi)), thick)
    return np.minimum(least, np.maximum(pairs.gaps_at_start, 0.0) + _PARTING * dt * thick)


def _of_particles(contact, name, count, above):
    return quantity(
        f"the self-collision's {name}",
        getattr(contact, name),
        "particle",
        count,
        "m" if name == "thickness" else "",
        above=above,
    )
