# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays on from the shown frame where inputs change meanwhile."""

from collections import deque
from time import perf_counter
from typing import NamedTuple

import numpy as np

from .. import mesh_io, sections
from .joined import Joined
from .object_cache import ANY
from .player import Player
from .reading import AROUND
from .take import Damaged, Otherwise, Stale, Unresumable
from .tuned import Present, Tuned, can_go_on, present_of


class _Seen(NamedTuple):
    """A frame that was shown: the start frame it is counted from, its place from there, the object's matrix, and the
    frame as it was made."""

    start: int
    place: int
    matrix: np.ndarray
    positions: np.ndarray


class TuningPlayer(Player):
    """A Player that goes on with changed inputs, frame by frame, until the start frame begins the true simulation.

    tuned: the Tuned frames that are shown since an input changed while they played, or None while all is as it was.
    """

    def __init__(self):
        super().__init__()
        self.tuned: Tuned | None = None
        # The two frames shown last, the newest at the end.
        self._seen: deque[_Seen] = deque(maxlen=2)

    def advance(self, obj, scene, depsgraph, begins=False):
        """See `Player.advance`: what is asked for here is the true frame."""
        self.tuned = None
        super().advance(obj, scene, depsgraph, begins)

    def play(self, obj, scene, depsgraph):
        """Show the current frame as `Player.advance` does, or a tuned one; raises what that raises."""
        inputs = self._inputs(obj, scene, depsgraph)
        self._show(inputs, scene.frame_current - obj.hooke.frame_start)
        self._note_seen(inputs)

    def _show(self, inputs, index):
        """Show a frame: the true one, or where inputs changed while it plays, one that goes on with them."""
        settings = inputs.where.obj.hooke
        within = min(index, settings.frame_end - settings.frame_start)
        if self.tuned is None and len(self.take) and index > 1 and not self.take.fits(inputs):
            self._tune(inputs, within)
        if self.tuned is not None:
            if self._stays_tuned(inputs, within):
                self._show_tuned(inputs, within)
                return
            self.tuned = None
        try:
            self._advance(inputs)
        except (Damaged, Unresumable) as lost:
            self._go_on_without(inputs, within, lost)
        except Stale as stale:
            if not self._tune(inputs, within, stale if isinstance(stale, Otherwise) else None):
                raise
            self._show_tuned(inputs, within)

    def _go_on_without(self, inputs, index, lost):
        """Show a frame that the cache has no more, as another Blender may be writing it anew; raises what was lost."""
        if index <= 1 and self.take.start is not None:
            # From the start on there is nothing to wait for.
            self.forget()
            self._advance(inputs)
        elif not self._is_there_again(inputs, index):
            # The next pass makes frames of its own.
            self.cache.reject()
            if not self._tune(inputs, index, edited="The cached frames are gone", lost=True):
                raise lost
            self._show_tuned(inputs, index)

    def _is_there_again(self, inputs, index):
        """Show a frame that the cache may have got meanwhile; returns whether it has."""
        self.cache.taken_up_at = ANY
        if not self._adopt(inputs, index) or len(self.take) <= index:
            return False
        try:
            self._advance(inputs)
        except (Damaged, Unresumable):
            return False
        return True

    def _stays_tuned(self, inputs, index):
        """Whether the tuned frames go on: not from the start, not elsewhere, and not where the true ones are back."""
        if inputs.where.scene.frame_subframe:
            return True
        if isinstance(inputs, Joined):
            return False
        if index <= 1 or len(self.take) or index - self.tuned.index not in (0, 1):
            return False
        if self.tuned.fits(inputs):
            return True
        # What was read of the mesh may be of vertex groups that other settings named.
        self._kept.clear()
        return not self._is_true_again(inputs, index)

    def _is_true_again(self, inputs, index):
        """Whether the frames on disk are of these inputs, and reach to the frame before this one."""
        inputs.start = self.take.start
        if not self._adopt(inputs, index):
            return False
        if index > len(self.take):
            self.forget()
        return bool(len(self.take))

    def _tune(self, inputs, index, why=None, edited="", lost=False):
        """Go on from the frame that is shown, if this is it or the next one; returns whether that is possible.

        why: the Otherwise that keeps the true motion from going on, if one does; edited: see Tuned, by default what
        joined or left; lost: whether the frames shown may be kept no more.
        """
        obj, scene, _ = inputs.where
        seen = self._seen[-1] if self._seen else None
        self._kept.clear()
        if (
            seen is None
            or seen.start != obj.hooke.frame_start
            or not (seen.place > 0 and (lost or seen.place < len(self.take)))
            or index - seen.place not in (0, 1)
            or scene.frame_subframe
            or not can_go_on(self.take, inputs)
        ):
            return False
        if why is None and not lost and (edit := self.take.otherwise(inputs, inputs.values(AROUND))):
            edited = edit.short
        self.tuned = Tuned(seen.place, why, edited, self.take.start, self._present(inputs))
        self.forget()
        return True

    def _present(self, inputs):
        """What there is to go on from: the running simulation, or what shown frames tell of it; raises Damaged."""
        obj, scene, _ = inputs.where
        seen, before = self._seen[-1], self._seen[0]
        if self.take.runs and seen.place == len(self.take) - 1:
            return present_of(self.take.simulation)
        dt = sections.frame_time(obj.hooke, scene)
        x = mesh_io.to_world(seen.matrix, seen.positions)
        if before.place == seen.place - 1:
            x_before = mesh_io.to_world(before.matrix, before.positions)
        else:
            x_before = mesh_io.to_world(seen.matrix, self.take.kept(seen.place - 1))
        v = (x - x_before) / dt
        return Present(x, v, seen.place * dt)

    def _show_tuned(self, inputs, index):
        """Show the next tuned frame; the newest one is shown already, and stays after the range's end."""
        obj, began = inputs.where.obj, perf_counter()
        if inputs.where.scene.frame_subframe or index == self.tuned.index:
            return
        positions = self.tuned.step(inputs)
        self.hint = self.problem = ""
        self._made = positions
        mesh_io.write_positions(obj.data, positions)
        self._note_time(began, self.tuned.solve_seconds)

    def _note_seen(self, inputs):
        obj, scene, _ = inputs.where
        index = scene.frame_current - obj.hooke.frame_start
        if not scene.frame_subframe and (not self._seen or self._seen[-1].place != index):
            self._seen.append(_Seen(obj.hooke.frame_start, index, inputs["matrix"], self._made))
