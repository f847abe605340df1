# SPDX-License-Identifier: GPL-3.0-or-later
"""One simulation for the takes of several objects: each asks for the next frame, and the first of them has it made.

A take depends on no other: where there is no simulation to share, or it is elsewhere, its own snapshot is gone on from.
"""

from typing import Any
from weakref import WeakSet

import numpy as np

from ...core import State

# Groups that a take may join.
_groups: WeakSet["Group"] = WeakSet()


class Group:
    """A running Together in Surroundings of its own, which takes share that were made from the same.

    made_from: checksums of that; doubts: of each object, see `Surroundings`; rest: positions of all vertices there [m].
    start: snapshot of the first frame with the positions at rest, see `Simulation.snapshot`; None where it began later.
    """

    def __init__(self, simulation, surroundings, made_from, doubts, rest):
        self.simulation, self._surroundings, self._made_from = simulation, surroundings, made_from
        self.doubts, self._rest, self.start = doubts, rest, None
        self._first = surroundings.copy()
        # Snapshots of the last two frames, and the requests in between.
        self._before: Any = None
        self._now: Any = None
        self._asked: Any = None
        _groups.add(self)

    def begin(self):
        """Take note of the first frame."""
        self.start = self._now = self._snapshot()

    def go_to(self, snapshot):
        """Go on from a snapshot, unless it is at hand; raises ValueError where it is of another simulation."""
        if not any(_same(snapshot, known) for known in (self._now, self._before)):
            self.simulation.restore(snapshot)
            self._now, self._before = snapshot, None

    def after(self, snapshot, targets, surroundings):
        """Snapshot of the frame after another; targets [m]: of all pins; surroundings: headed for that frame.

        Raises what `Simulation.step` does.
        """
        asked = [targets, *surroundings.heading()]
        if not (_same(snapshot, self._before) and _same_arrays(asked, self._asked)):
            if not _same(snapshot, self._now):
                self.simulation.restore(snapshot)
                self._now, self._before = snapshot, None
            self._surroundings.follow(surroundings)
            self.simulation.step(targets)
            self._before, self._asked, self._now = snapshot, asked, self._snapshot()
        return self._now

    def fits(self, made_from, rest, surroundings):
        """Whether a simulation of these would be the same one; rest: positions of all vertices [m]."""
        return (
            self._made_from == made_from
            and np.array_equal(self._rest, rest)
            and self._first.begins_as(surroundings)
        )

    def _snapshot(self):
        return self.simulation.snapshot() | {"rest": self._rest}


class Share:
    """What a take sees of a Group's simulation, as if it were its object's own.

    body, network: the object's own; springs: slice of them among the group's; state: State of its particles;
    snapshot: of the whole group.
    system, integrator and diagnostics are the group's.
    """

    def __init__(self, group, number, snapshot, surroundings):
        self.group, self.now, self._surroundings = group, snapshot, surroundings
        whole = group.simulation
        bodies = whole.body.bodies
        self.body, self._place = bodies[number], whole.places[number]
        self.network = self.body.network
        start = sum(before.network.spring_count for before in bodies[:number])
        self.springs = slice(start, start + self.network.spring_count)
        self.dt, self.substeps = whole.dt, whole.substeps
        self.system = whole.system

    @property
    def integrator(self):
        """That of the group's last step."""
        return self.group.simulation.integrator

    @property
    def state(self):
        """State of the object's particles."""
        x, v = (self.now[name][self._place] for name in ("x", "v"))
        return State(x, v, float(self.now["t"]))

    @property
    def vertices(self):
        """Positions of the object's vertices [m]."""
        return self.body.embed(self.state.x)

    def step(self, targets):
        """Advance by a frame; targets [m]: of all pins of the group."""
        self.now = self.group.after(self.now, targets, self._surroundings)

    def snapshot(self):
        """Snapshot of the whole group, see `Simulation.snapshot`."""
        return self.now

    def diagnostics(self):
        """See `Simulation.diagnostics`: of the whole group."""
        return self.group.simulation.diagnostics()

    def squeezed(self):
        """See `Simulation.squeezed`: of the object's particles, where the group is."""
        of_group = self.group.simulation
        if of_group.state.t != self.now["t"]:
            return None
        return self.system.contacts.room.most(self._place)


def stiffness_share(simulation):
    """Share of its stiffness that every spring of an object is carried with; simulation: Simulation or Share."""
    shares = simulation.integrator.stiffness_share()
    return shares[simulation.springs] if isinstance(simulation, Share) else shares


def running(made_from, rest, surroundings, *, begun):
    """The Group that runs already and would be the same, or None; begun: whether its first frame is asked for."""
    fitting = (group for group in _groups if group.start is not None or not begun)
    return next((group for group in fitting if group.fits(made_from, rest, surroundings)), None)


def _same(one, other):
    if one is other or other is None:
        return one is other
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def _same_arrays(one, other):
    return len(one) == len(other) and all(map(np.array_equal, one, other))
