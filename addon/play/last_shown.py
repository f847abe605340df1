# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames that were shown last, which a simulation can go on from."""

from collections import deque
from typing import Any, NamedTuple

from .. import mesh_io, sections
from .frame_errors import Damaged, Unresumable
from .inputs import THE_MESH
from .joint_inputs import Joined
from .take import COMPANY
from .tuned_simulation import Present, present_of


class _Frame(NamedTuple):
    """A frame that was shown: the start frame it is counted from, its place from there, the object's matrix, and its
    positions as they were made."""

    first: int
    place: int
    matrix: Any
    positions: Any


class LastShown:
    """The two frames that were shown last."""

    def __init__(self):
        self._frames: deque[_Frame] = deque(maxlen=2)

    @property
    def place(self):
        """Of the newest, counted from the start frame."""
        return self._frames[-1].place

    def note(self, inputs, place, positions):
        """A frame is shown; positions: as it was made."""
        if not self._frames or self.place != place:
            self._frames.append(
                _Frame(inputs.where.obj.hooke.frame_start, place, inputs["matrix"], positions)
            )

    def goes_on(self, inputs, index, take, lost):
        """Whether the newest is a frame or the one before it, and of the same particles, with the same shape at rest.

        lost: why the Take may hold it no more, see Facts. What is simulated together with others waits for the start:
        the others would have to go on from there as well.
        """
        gone = isinstance(lost, (Damaged, Unresumable))
        return (
            bool(self._frames)
            and self._frames[-1].first == inputs.where.obj.hooke.frame_start
            and self.place > 0
            and (gone or self.place < len(take))
            and index - self.place in (0, 1)
            and not isinstance(inputs, Joined)
            and take.start is not None
            and {THE_MESH, COMPANY}.isdisjoint(take.changed(inputs, thorough=True))
        )

    def present(self, inputs, take):
        """The Present of a running simulation, or from its frames; raises Damaged."""
        obj, scene, _ = inputs.where
        if take.runs and self.place == len(take) - 1:
            return present_of(take.simulation)
        newest, before = self._frames[-1], self._frames[0]
        dt = sections.frame_time(obj.hooke, scene)
        x, of_before = mesh_io.to_world(newest.matrix, newest.positions), (before.matrix, before.positions)
        if before.place != self.place - 1:
            of_before = newest.matrix, take.kept(self.place - 1)
        x_before = mesh_io.to_world(*of_before)
        return Present(x, (x - x_before) / dt, self.place * dt)
