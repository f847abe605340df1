# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every external force."""

from copy import copy
from typing import Any


class Force:
    """A force from outside on a body.

    Whoever adds a force writes a subclass in a file of its own and one line in FORCES:
    1. `label` and `description` describe it to people. All arguments have defaults, and are checked when it is made.
    2. `prepare` computes what is constant for a body, once; the body is `self.body`.
    3. Calling it with x, v [shape (vertex_count, 3)] and t gives the force on every particle [N].
    4. A force with a potential has a method energy(x) -> J.
    5. `resists` says that it only takes energy from motion, or turns it. Such a force is not integrated with the
       others, which no step that is large for it would survive: `slowed` gives what it makes of the velocities in a
       time. `carries` says that what it resists is motion relative to what moves, as wind does: it may give energy.

    A simulation makes a copy for its body: one force may act in several simulations.
    """

    label = ""
    description = ""
    body: Any
    resists = False
    carries = False

    def on(self, body):
        """A copy that acts on a body."""
        force = copy(self)
        force.body = body
        force.prepare()
        return force

    def prepare(self):
        """Compute what stays the same for a body."""

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        raise TypeError(f"{type(self).__name__} defines no force: a force must be callable")

    def slowed(self, x, v, t, dt):
        """Velocities [m/s] that a force that resists leaves of v after dt [s] at the positions x; t: the end [s]."""
        raise TypeError(f"{type(self).__name__} defines nothing that is slowed: a force that resists must")
