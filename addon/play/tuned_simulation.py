# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation that goes on from a shown frame with other inputs than the frames before it were made from.

Its frames are shown while they play and kept nowhere: they follow from no inputs alone.
"""

from typing import Any, NamedTuple

from ...core import ChangingPins, State
from ...core.frames import MemoryFrames
from . import build
from .frame_errors import OtherSurroundings
from .frame_notes import read_torn
from .lazy_values import ENTERING
from .take import Take


class Present(NamedTuple):
    """What there is to go on from.

    vertices [m] and velocities [m/s] of the mesh, shape (vertex_count, 3), at t [s]; x, v: of the particles, and held
    [m]: where each belongs if it is pinned; broken: springs that are, a mask; None where they are not known.
    """

    vertices: Any
    velocities: Any
    t: float
    x: Any = None
    v: Any = None
    held: Any = None
    broken: Any = None

    def of(self, body):
        """x, v and held of a Body: those known where they are of as many particles, else as its vertices are."""
        count = body.network.vertex_count
        if self.x is not None and len(self.x) == count:
            return self.x, self.v, self.held
        if body.vertex_count == count:
            return self.vertices, self.velocities, self.vertices
        x, then = (body.particle_targets(at) for at in (self.vertices, self.vertices + self.velocities))
        return x, then - x, x


def present_of(simulation):
    """The Present of a running Simulation."""
    x, v, t = simulation.state.x, simulation.state.v, simulation.state.t
    held = x.copy()
    held[simulation.network.pinned] = simulation.snapshot()["targets"]
    broken = simulation.network.broken
    return Present(simulation.vertices, simulation.body.embed(v), t, x, v, held, broken)


class _Newest(MemoryFrames):
    """Frames of which only the newest is there."""

    def append(self, positions, note=None, snapshot=None):
        super().append(positions, note)
        if len(self) > 1:
            self._frames[-2] = None


class Tuned:
    """Frames from a Present on.

    since: index of the frame that tuning began at; why: the OtherSurroundings that ended the true motion there, None
    after an edit; edited: objects that joined or left by that edit, in few words, or ""; index: of the newest frame;
    rest: Inputs of the start frame, which has the shape at rest; take: the Take that makes the frames.
    """

    def __init__(self, since, why, edited, rest, present):
        self.since = self.index = since
        self.why, self.edited = why, edited
        self._rest, self._present, self._first = rest, present, since
        self.take = Take(self._built, lambda *_: _Newest())

    def fits(self, inputs):
        """Whether the newest frame was made from these inputs."""
        inputs.start = self.take.start
        return self.take.fits(inputs, thorough=True)

    def step(self, inputs):
        """Positions of the next frame, object space, float32; raises what `Take.frame` does."""
        if not self.fits(inputs):
            self._begin(inputs)
        try:
            positions = self.take.frame(self.index + 1 - self._first, inputs)
        except OtherSurroundings:
            # An object joined or left its surroundings.
            self._begin(inputs)
            positions = self.take.frame(1, inputs)
        self.index += 1
        return positions

    def torn(self, count):
        """Mask of the faces, so many, that are torn in the newest frame, or None for none."""
        return read_torn(self.take.frames, self.index - self._first, count)

    def _begin(self, inputs):
        """Build a simulation with these inputs where the last one was."""
        if self.take.simulation is not None:
            self._present = present_of(self.take.simulation)
        self._first = self.index
        # To a Take, what enters now is what enters at its start.
        self.take.start = inputs.start = inputs.only(ENTERING)
        self.take.begin(inputs, moved=True)

    def _built(self, inputs, _snapshot, surroundings):
        simulation = build.at_rest(inputs, self._rest, surroundings)
        x, v, held = self._present.of(simulation.body)
        simulation.state = State(x, v, self._present.t)
        # From there pins move to their targets; newly pinned vertices start at their present place.
        moved = {"targets": held[simulation.network.pinned]}
        if isinstance(simulation, ChangingPins):
            moved |= simulation.held_at(held)
        simulation.restore(simulation.snapshot() | moved)
        broken, network = self._present.broken, simulation.network
        if network.tearing is not None and broken is not None and len(broken) == network.spring_count:
            # Tears stay.
            simulation.change(broken=broken)
        return simulation
