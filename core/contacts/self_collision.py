# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision."""

from typing import Any

import numpy as np

from ..axes import put
from ..quantities import quantity
from ..state import State
from ..topology import connected_parts
from .bodies_apart import Bodies
from .coinciding import put_apart
from .contact import Contact
from .narrow import Narrow
from .parting import matched, parted
from .passage import Passage
from .proximity import Known, Proximity

QUALITIES = ("VERTICES", "FACES")

# Pairs are as stiff as so many times the inertia over a substep, and so much of the springs about them: softer ones
# give way, and stiffer ones take more iterations than there are.
_INERTIAS, _SPRINGS = 20.0, 0.1

# Thicknesses by which sides of pairs may stray from the ways that were looked at: what was looked at is farther apart.
_STRAY = 1.0

# Share of that by which they may stray from the ways of the pass before.
_NEARLY = 0.05

# How often what strayed is looked at and parted, at most: what parts two plies may press one of them into a third.
_PASSES = 4


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

    The sharpest fold has a radius of half the thickness t: what is nearer at rest than half a circle of it keeps less,
    see `Narrow`. What no impulse keeps from passing through something in a substep moves as one with it.
    What begins closer is pushed apart slowly, after parts that coincide were put beside each other. Pairs are part of
    what an implicit step minimises, see `PairEnergy`, or of what is minimised after any other step, with inertia alone.

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
        bodies = None if self.bodies is None else Bodies(self.bodies, self.meeting)
        self._proximity = Proximity(self.body, self._thickness, faces=self.quality == "FACES", bodies=bodies)
        self._narrow = Narrow(self.body, self._proximity, self._thickness, self._friction)
        thinnest = self._thickness.min(initial=np.inf)
        self._stray = _STRAY * thinnest
        self._triangles = np.asarray(self.body.triangles, dtype=np.intp)
        self._parts = connected_parts(network.edges, count)
        self._passage = Passage(self._triangles, self._proximity, thinnest, self._masses)
        self._start: State | None = None
        # Positions [m] that were left last.
        self._left: Any = None
        self._pairs: Any = None

    def begun(self, x):
        """See `Contact.begun`: what coincides is put apart, to be kept there."""
        found = self._proximity.candidates(x, x)
        apart = put_apart(x, found, self._proximity.rows, self._triangles, self._parts, self._thickness)
        return x if apart is x else np.where(np.isinf(self._masses)[:, None], x, apart)

    def find(self, start, x, t):
        """See `Contact.find`: pairs that may come close on the way."""
        self._start, self._dt, self._looked = start, t - start.t, np.ascontiguousarray(x.T)
        found = self._proximity.candidates(start.x, x.T)
        self._known = Known(self._proximity.leaves, [(x.copy(), self._stray)])
        self._pairs = self._narrow.pairs(found, np.ascontiguousarray(start.x.T), x, self._dt)
        return self._pairs is not None

    def part(self, x):
        """See `Contact.part`: pairs that inertia alone lets come too close."""
        x[:] = self._relaxed(self._pairs, x, self._dt)

    def stiffen(self, stiffness, dt):
        """See `Contact.stiffen`."""
        pairs = self._pairs
        inverse, stiffness = self._inverse_masses[pairs.among], stiffness[pairs.among]
        softness = inverse / (_INERTIAS / dt**2 + _SPRINGS * stiffness * inverse)
        pairs.stiffen(softness, self._masses[pairs.among], dt)

    def place(self, x):
        """See `Contact.place`: nothing is moved, only looked at."""
        self._pairs.place(x.take(self._pairs.among, axis=1))

    def energy(self):
        """See `Contact.energy`."""
        return self._pairs.energy()

    def filter_gradient(self, gradient):
        """Add the gradient [N]."""
        self._add(self._pairs.add_gradient, gradient)

    def add_product(self, p, out):
        """See `Contact.add_product`."""
        p = p.take(self._pairs.among, axis=1)
        self._add(lambda own: self._pairs.add_product(p, own), out)

    def _add(self, add, out):
        """Have pairs add to what is of their particles, and nothing to hard pins."""
        own = out.take(self._pairs.among, axis=1)
        add(own)
        put(out, self._pairs.among, own)
        out[:, self.body.network.hard_pins] = 0.0

    def add_blocks(self, blocks):
        """See `Contact.add_blocks`."""
        own = blocks.take(self._pairs.among, axis=1)
        self._pairs.add_blocks(own)
        put(blocks, self._pairs.among, own)

    def struts(self):
        """See `Contact.struts`."""
        particles, *rest = self._pairs.struts()
        return self._pairs.among[particles], *rest

    def resolve(self, before, after):
        """Part what is too close at the end of a step: of what sat inside, what springs left too close, or strayed."""
        self._dt = after.t - before.t
        first = x = np.ascontiguousarray(after.x.T)
        if self._start is before:
            x = self._parted(self._pairs, x)
            # What strayed from the way that was looked at may have come close to something else.
            x = self._passed_nowhere(before, x)
        else:
            found = self._proximity.candidates(before.x, after.x)
            x = self._parted(
                self._narrow.pairs(found, np.ascontiguousarray(before.x.T), x, self._dt), x, all_of_it=True
            )
        self._left = self._passage.kept_apart(before, x, self._known_from(before))
        return self._state(after, first, self._left)

    def _known_from(self, before):
        return self._known if self._start is before else None

    def keep_apart(self, before, after):
        """See `Contact.keep_apart`."""
        first = np.ascontiguousarray(after.x.T)
        if np.array_equal(first, self._left):
            return after
        # What was left of this substep passes through nothing.
        self._left = self._passage.kept_apart(before, first, self._known_from(before), self._left)
        return self._state(after, first, self._left)

    def _state(self, after, first, x):
        """A State with positions [m] x in place of the first ones, itself where those are the same array."""
        if x is first:
            return after
        moved = (x - first).T
        return State(after.x + moved, after.v + moved / self._dt, after.t)

    def recalled(self, previous, after):
        """See `Contact.recalled`: pairs that press came towards each other as fast as they move now."""
        pairs = self._pairs
        if pairs is None or not pairs.pressing.any():
            return previous
        x, v, before_x, before_v = (
            np.ascontiguousarray(of.T) for of in (after.x, after.v, previous.x, previous.v)
        )
        among = pairs.among
        pushed = pairs.pressed(self._inverse_masses[among])
        for field, other in ((before_x, x - self._dt * v), (before_v, v)):
            own = field.take(among, axis=1)
            put(field, among, own + matched(pushed, own, other.take(among, axis=1)))
        return State(before_x.T.copy(), before_v.T.copy(), previous.t)

    def _passed_nowhere(self, before, x):
        """Positions [m] where what strayed has parted."""
        start, since = np.ascontiguousarray(before.x.T), [(self._looked, self._stray)]
        for _ in range(_PASSES):
            found = self._proximity.candidates(before.x, x.T, since)
            leaves = self._proximity.joined(self._known.leaves, self._proximity.leaves)
            self._known = Known(leaves, [self._known.since[0], (x, _NEARLY * self._stray)])
            last, x = x, self._parted(self._narrow.pairs(found, start, x, self._dt), x)
            if x is last:
                break
            since = [*since[:1], (last.T, _NEARLY * self._stray)]
        return x

    def _parted(self, pairs, x, *, all_of_it=False):
        """Positions [m] after pairs have parted, x itself where of none too little is left of what it keeps."""
        if pairs is None:
            return x
        gaps = pairs.gaps(x.take(pairs.among, axis=1))
        if not (gaps < (pairs.least if all_of_it else pairs.left)).any():
            return x
        return self._relaxed(pairs, x, self._dt)

    def _relaxed(self, pairs, x, dt):
        """Positions [m] after pairs have parted particles without springs."""
        masses, inverse = self._masses[pairs.among], self._inverse_masses[pairs.among]
        pairs.stiffen(inverse * dt**2 / _INERTIAS, masses, dt)
        relaxed = x.copy()
        put(relaxed, pairs.among, parted(pairs, x.take(pairs.among, axis=1), masses / dt**2))
        return relaxed


def _of_particles(contact, name, count, above):
    return quantity(
        f"the self-collision's {name}",
        getattr(contact, name),
        "particle",
        count,
        "m" if name == "thickness" else "",
        above=above,
    )
