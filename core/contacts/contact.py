# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every contact."""

from copy import copy
from typing import Any

import numpy as np


class Contact:
    """What keeps particles out of something, from three seats in a substep; none of them changes a matrix.

    Whoever adds a contact writes a subclass in a file of its own and one line in CONTACTS; a rigid shape has less
    to say, see `Collider`.
    1. `label` and `description` describe it to people. All arguments have defaults, and are checked when it is made.
    2. `prepare` computes what is constant for a body, once; the body is `self.body`.
    3. Before the iterations of an implicit substep, `find` looks for what touches, and says whether there is any:
       only then the contact sits inside them too.
       What rebounds of it, it says in `rebound`; then the whole body is struck, and `find` asked again, with the
       velocities after the impacts, and told by `rebounded` who was struck.
    4. Inside, every gradient is evaluated where `place` has moved the iterate to; `filter_gradient` takes out of it
       what contacts bear, `filter_increment`, a projection, of increments what they hold, and `add_product` is what
       bearing changes along them. What they learn of the forces may serve the next seat.
    5. After the integrator's step, `resolve` is given both ends of the substep, and returns the state that remains;
       a method of two steps then asks `recalled` for the past that its motion goes on from.

    Implicit methods have all seats, the other integrators only `resolve`. Nothing may be remembered from one substep
    to the next but what makes the same result quicker: the state says everything. Inside, arrays have shape
    (3, particle_count) and are changed in place.

    A contact `between` particles is a part of the objective: `place` looks at positions where the others have moved
    them, `energy` says what it has there, and `filter_gradient` adds its gradient before the others bear theirs. It
    resolves between two turns of the others, and by `keep_apart` has the last word on what would pass through.

    A contact that `divides` holds every particle on its own, and says by `among` what holds some of them.

    A simulation makes a copy for its body: one contact may serve several simulations.

    ways: Ways that `find` is about to be asked for, which all contacts share, or None.
    name: what people call what it keeps particles out of, "" where nobody asks.
    """

    label = ""
    description = ""
    name = ""
    body: Any
    ways: Any = None
    between = False
    divides = False

    def on(self, body):
        """A copy for a body."""
        contact = copy(self)
        contact.body = body
        contact.prepare()
        return contact

    def prepare(self):
        """Compute what stays the same for a body."""

    def fall(self, gravity):
        """Learn of the acceleration that all particles share whatever their springs do [m/s^2]."""

    def begun(self, x):
        """Positions [m], shape (particle_count, 3), that a simulation begins at in place of x: itself, or others."""
        return x

    def find(self, start, x, t):
        """Whether particles on the way from the State `start` to x [m] at t [s], without internal forces, touch."""
        return False

    def rebound(self):
        """The Rebound of what `find` found at a surface that things rebound from, or None."""
        return None

    def rebounded(self, struck):
        """Learn after another `find` which particles were struck, a mask, with the velocities they have now."""

    @property
    def rebounds(self):
        """Whether anything rebounds from it."""
        return False

    def give_back(self, which):
        """Let the method see to the rebound of particles, a mask, from what `pushes` says."""

    def pushes(self):
        """The Pushes on particles that rebound from it as a whole, at the end of the substep, or None."""
        return None

    def thrown(self):
        """The Rebound of what `resolve` let rebound from a surface at the end of the last step, or None."""
        return None

    def part(self, x):
        """Move positions [m] to where the iterations had best start."""

    def stiffen(self, stiffness, dt):
        """Learn of the formula: its time dt [s] and the diagonal of its matrix [N/m], shape (particle_count,)."""

    def among(self, numbers):
        """What of it holds some particles alone within the iterations, or None where it holds none of them.

        numbers: theirs from 0 on, -1 of all others, shape (particle_count,). Of what `divides`.
        """
        raise TypeError(f"{type(self).__name__} defines no among: a contact that divides must")

    def energy(self):
        """Energy [J] at the positions placed last, with friction as the gradient filtered last decided it."""
        return 0.0

    def place(self, x):
        """Move positions [m] onto what they touch."""

    def borne(self, x):
        """What it holds particles above, or None where it does not hold them one by one.

        Particles, normals (count, 3), depths below it at x [m], negative above, ways along it so far (count, 3) [m] and
        coefficients of friction.
        """
        return None

    def filter_gradient(self, gradient):
        """Take out of a gradient [N] what contacts bear: pushes, and no pulls."""

    def filter_increment(self, increment):
        """Take out of an increment [m] what would move particles into what they touch."""

    def let_go(self):
        """Hold nothing above what it touches from now on, in this substep: for iterations that come to an end.

        Few iterations are steadier where what presses once is held.
        """

    def stick(self):
        """Let all that rests stay where it is from now on, in this substep, whatever pulls at it."""

    def hold(self, increment):
        """Let `filter_increment` hold also what an increment [m] would move into what it touches, if there is any."""
        return False

    def grips(self):
        """The Grips on what it holds as the gradient filtered last has it, one by one; None without any."""
        return None

    def expect(self, gradient, gained):
        """Let friction be that of pushes that change by so much [N], of `grips`, in the gradient filtered last too."""

    def add_product(self, p, out):
        """Add to `out` [N] what contacts bear more where particles move by p [m]: symmetric, and never negative."""

    def struts(self):
        """What presses particles on each other where `place` looked last, or None.

        Particles and weights of sum 0, both (4, count), directions (3, count), and stiffness along them [N/m].
        """
        return None

    def add_blocks(self, blocks):
        """Add to `blocks` [N/m] what `add_product` has at each particle itself: xx, yy, zz, xy, yz and zx."""

    def struck(self):
        """Particles that meet it with an impact in this substep."""
        return np.zeros(0, dtype=np.intp)

    def pressed(self):
        """Particles that it bears within the iterations."""
        return np.zeros(0, dtype=np.intp)

    def driven(self):
        """Particles that a surface bears since the last `find` or `resolve`, and its velocities there [m/s]."""
        return np.zeros(0, dtype=np.intp), np.zeros((0, 3))

    def above(self, before, x, t, particles):
        """Heights of particles over where it keeps them, and the distances that it keeps [m], where a substep ends.

        before: State that it began with; x: positions of all at its end t [s], shape (particle_count, 3) [m]. What
        passed through is below.
        """
        raise TypeError(f"{type(self).__name__} defines no above: a contact with a name must")

    def move_as_a_whole(self, which):
        """Leave the velocities of particles, a mask, as the method has them: those of a body that was struck."""

    def recalled(self, previous, after):
        """State at the start of a substep that was resolved to `after`, as smooth motion would have come from.

        What was held within the iterations stopped there for once: no acceleration that goes on.
        """
        return previous

    def keep_apart(self, before, after):
        """State in which nothing passed through on the way, whatever others moved since `resolve`."""
        return after

    def resolve(self, before, after):
        """State at the end of a substep from one State to the other, in arrays of its own where it differs."""
        return after
