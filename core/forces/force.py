# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every external force."""

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple


class Peaking(NamedTuple):
    """A quantity that changes with time, whose largest value is known beforehand.

    varying: callable t [s] -> value; peak: the value where it is largest in size, of all that it ever has.

    >>> from hooke.core.forces import Peaking, Wind
    >>> gust = Wind(Peaking(lambda t: 10.0 * min(t, 1.0), 10.0))
    >>> gust.speed(0.0), gust.at_peak().speed
    (0.0, 10.0)
    """

    varying: Callable
    peak: Any

    def __call__(self, t):
        """The value at t [s]."""
        return self.varying(t)


class Force:
    """A force from outside on a body.

    A new force is a subclass in a file of its own and one line in FORCES:
    1. `label` and `description` describe it to people. All arguments have defaults, and are checked when it is made.
    2. `prepare` computes what is constant for a body, once; the body is `self.body`.
    3. Calling it with x, v [shape (vertex_count, 3)] and t gives the force on every particle [N].
    4. A force with a potential has a method energy(x) -> J.
    5. `resists` says that it only takes energy from motion, or turns it. Such a force is not integrated with the
       others, which no step that is large for it would survive: `slowed` gives what it makes of the velocities in a
       time. `carries` says that what it resists is motion relative to what moves, as wind does: it may give energy.
       `flow` is the Flow of its air, where that has inertia.
    6. An argument that may be a callable t -> value is kept as it is given, as an attribute: where it is Peaking,
       `at_peak` needs no more to tell how hard the force ever pulls, which a method may ask before it begins.

    A simulation makes a copy for its body: one force may act in several simulations.
    """

    label = ""
    description = ""
    body: Any
    resists = False
    carries = False
    flow: Any = None

    def on(self, body):
        """A copy that acts on a body."""
        force = copy(self)
        force.body = body
        force.prepare()
        return force

    def prepare(self):
        """Compute what stays the same for a body."""

    def at_peak(self):
        """The force with all that is Peaking at its peak, itself where nothing is: what is not told counts as it is."""
        told = {name: value.peak for name, value in vars(self).items() if isinstance(value, Peaking)}
        if not told:
            return self
        force = copy(self)
        vars(force).update(told)
        return force

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        raise TypeError(f"{type(self).__name__} defines no force: a force must be callable")

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] that a force that resists leaves of v after dt [s] at the positions x; t: the end [s].

        begun: State where the substep began, of which v is made by all else so far; None if unknown.
        """
        raise TypeError(f"{type(self).__name__} defines nothing that is slowed: a force that resists must")
