# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every integrator."""

from collections.abc import Mapping
from math import inf
from types import MappingProxyType

import numpy as np

from ..quantities import real_array, told

# Iterations of any kind that refine a step, where its tolerance does not end them before.
REFINING = 8


def whole_number(name, count):
    """Raise ValueError for an option of a name that is no whole number of at least 1."""
    if not (real_array(name, count).ndim == 0 and 1 <= count < inf and int(count) == count):
        raise ValueError(f"{name} is {count}: give a whole number of at least 1")


class Integrator:
    """A method that advances a system by one step.

    A new method is a subclass in a file of its own and one line in INTEGRATORS:
    1. `label`, `description` and `order` describe it to people; `order` is None where none is stated. `also` is
       another name of textbooks. `number` is stored in files: any whole number below 2^31 that no other method has,
       and the same for ever.
    2. `stability_limit` is the w dt below which an undamped spring stays bounded: 0 for never, infinite for
       always. `damping_limit` is the c dt below which a mode that is only damped, at rate c, does.
       `needs_scipy` says whether it needs SciPy. `energy_swing` is what an undamped spring's energy swings by, in
       parts of the least, where a method that is always stable lets it swing; `energy_told` whether
       `elastic_energy` has all that springs give back; `bends` whether the network's stencils and enclosures act.
       `minimises_contacts` says that contacts are in what a step minimises, see `PotentialStep`; else they have a step
       of their own behind it, see `SplitContacts`.
    3. `options` names its keyword options with their defaults; they become attributes. `choices` has the
       values of those that are one of a few words. `moves_air` says that its steps see the mass of the
       system's `airs`; else air has no inertia.
    4. `prepare` computes what is constant for a system and a step, once.
    5. `step` returns the state one dt later, in arrays of its own. It may rely on the hard pins' velocities
       being set in `state.v`, and the simulation puts the hard pins on their targets afterwards.
    6. A method that needs more of the past than `state` keeps it as arrays: `history` gives them,
       `restore_history` takes them back, `correct` is told of what contacts changed. With the state and the
       history a step gives the same bits in another process. State that only saves time is no history. `let_go` is told
       of pins that hold no more.
    7. `change` is told that the system's network has other springs between the same vertices.
    8. A method that carries springs softer than they are, because its steps are too long for them, says by `wave_ways`
       how far a step carries what happens; `follow` is asked to go on in its shorter steps, and back in its own.

    system: System; dt: step [s].
    Raises ValueError for an option the method does not have or a value out of its range.
    """

    label = ""
    also = ""
    number: int
    description = ""
    order: int | None = None
    stability_limit = inf
    damping_limit = 2.0
    needs_scipy = False
    moves_air = True
    minimises_contacts = False
    energy_swing = 0.0
    energy_told = True
    bends = True
    options: Mapping[str, object] = MappingProxyType({})
    choices: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def __init__(self, system, dt, **options):
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            known = ", ".join(self.options) or "none"
            raise ValueError(f"{self.label} has no option {unknown[0]!r}: its options are {known}")
        for name, default in self.options.items():
            setattr(self, name, options.get(name, default))
        for name, words in self.choices.items():
            given = getattr(self, name)
            if not isinstance(given, str) or given not in words:
                raise ValueError(f"{name} is {told(given)}: use {' or '.join(words)}")
        self.system = system
        self.dt = dt
        self.prepare()

    def prepare(self):
        """Compute what stays the same from step to step."""

    def step(self, state):
        """State after one dt."""
        raise TypeError(f"{type(self).__name__} defines no step: an integrator must")

    @property
    def history(self):
        """Arrays of shape (vertex_count, 3) a step needs besides the state; () where the state is enough."""
        return self.system.contacts.history

    def restore_history(self, arrays):
        """Continue from a `history`; from () as at the very start.

        Raises ValueError for arrays that are no history of this method.
        """
        if len(arrays) not in (0, len(self.system.contacts.history)):
            raise ValueError(
                f"{self.label} keeps no history of {len(arrays)} arrays: restore what a simulation with it gave"
            )
        self.system.contacts.restore(arrays)

    def let_go(self, particles, state):
        """Give particles that pins held until a State, and hold no more, the past of what moves freely."""

    def change(self):
        """Take up the system's network, whose stiffness, rest lengths or broken springs are others now."""
        self.prepare()

    def correct(self, returned, corrected):
        """Take note of the state that contacts and pins made of the one `step` returned."""

    @property
    def network(self):
        """The system's network with the stiffness that the method carries, at most that of the system."""
        return self.system.network

    def stiffness_share(self):
        """Share of its stiffness that every spring is carried with, 0 to 1, shape (spring_count,)."""
        given = self.system.network.stiffness
        return np.divide(self.network.stiffness, given, out=np.ones_like(given), where=given > 0.0)

    def wave_ways(self):
        """How far a step carries what happens, in every part of the network [m], None where it carries all springs."""
        return None

    def follow(self, other):
        """Begin where another of the same method and system is, which takes steps of another length."""
        self.restore_history(())

    def elastic_energy(self, x, t):
        """Energy of springs and soft pins [J], as far as the method gives them one."""
        return self.system.elastic_energy(x, t)

    def refined(self):
        """State after the last step with its equations solved more closely; None where that is not to be had."""
        return None

    def residual(self):
        """How far the last step is from solving its equations exactly, relative; 0 for explicit methods."""
        return 0.0

    def unsolved(self):
        """Whether the last step ended with a residual above the tolerance that its iterations were to reach."""
        tolerance = getattr(self, "tolerance", 0.0)
        return tolerance > 0.0 and not self.residual() <= tolerance
