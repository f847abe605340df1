# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation in Blender: it shows the scene's frame, and says what hinders it."""

from collections import deque
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ...core import SimulationDiverged
from ...core.cache import DiskFrames
from .. import mesh_io, sections
from ..mesh_io import MeshError
from .continued import Continued
from .object_cache import ANY, NONE
from .player import Player, Waits
from .take import Ahead, Damaged, Stale, Unresumable, told
from .tuned import Present, Tuned, can_go_on, present_of


class _Seen(NamedTuple):
    """A frame that was shown: the start frame it is counted from, its index, and the object's world matrix."""

    start: int
    index: int
    matrix: np.ndarray


class Session(Player):
    """A Player whose exceptions become `problem` and `hint`, for Blender's events and for the panel.

    tuned: the Tuned frames that are shown since an input changed while they played, or None while all is as it was.
    """

    def __init__(self):
        super().__init__()
        self.tuned: Tuned | None = None
        # Names of the object's vertex groups.
        self._group_names: list[str] = []
        # The two frames shown last, the newest at the end.
        self._seen: deque[_Seen] = deque(maxlen=2)

    def advance(self, obj, scene, depsgraph, begins=False):
        """See `Player.advance`: what is asked for here is the true frame."""
        self.tuned = None
        super().advance(obj, scene, depsgraph, begins)

    @property
    def frames(self):
        """Positions as shown, a sequence from frame_start: object space, float32, shape (vertex_count, 3) each."""
        return self.shown.frames

    @property
    def simulation(self):
        """The Simulation that runs, or None before the first simulated frame."""
        return self.take.simulation if self.tuned is None else self.tuned.simulation

    @property
    def network(self):
        """The SpringNetwork, or None before the first simulated frame."""
        return self.simulation.network if self.simulation is not None else None

    @property
    def newest(self):
        """Index of the newest frame."""
        return len(self.take) - 1 if self.tuned is None else self.tuned.index

    @property
    def strain(self):
        """Largest stretch of the newest frame, see `Take.strain`."""
        return self.take.strain(-1) if self.tuned is None else self.tuned.strain

    @property
    def cached(self):
        """Number of frames that can be shown, the start pose included."""
        return len(self.take)

    @property
    def cache_problem(self):
        """Why frames are not kept on disk though they should be, or ""."""
        return self.take.memory_reason or self.cache.problem

    def disk_frames(self):
        """The frames in use if any of them are on disk, else None."""
        return self.take.frames if isinstance(self.take.frames, (DiskFrames, Continued)) else None

    def close(self):
        """Let go of the files."""
        self.take.frames.close()

    def follow_groups(self, obj):
        """Notice vertex groups that were renamed."""
        self._group_names = sections.follow_renamed_groups(obj, self._group_names)

    def capture_start(self, obj, scene, depsgraph):
        """Remember what enters at the start frame, which is shown; the simulation is built from it."""
        self.tuned = None
        self._kept.clear()
        try:
            self._capture(self._inputs(obj, scene, depsgraph))
        except MeshError as error:
            self.problem = str(error)

    def show(self, obj, scene, depsgraph):
        """Show the current frame: from the cache, or simulated if it is the next one; says what hinders it."""
        try:
            inputs = self._inputs(obj, scene, depsgraph)
            self._show(inputs, scene.frame_current - obj.hooke.frame_start)
            self._note_seen(inputs)
        except Ahead as ahead:
            within = scene.frame_current <= obj.hooke.frame_end and not self.problem
            shown = obj.hooke.frame_start + len(self.take) - 1
            self.hint = f"Shows frame {shown}, the last one simulated: {ahead}" if within else ""
        except Stale as stale:
            self.forget(f"{stale}: waits for frame {obj.hooke.frame_start} to start again")
        except Unresumable as error:
            self.cache.taken_up_at = NONE
            self.forget(f"{error}: waits for frame {obj.hooke.frame_start} to start again")
        except Waits as waits:
            # What kept it from starting is worth more than that it did not start.
            self.hint = "" if self.problem else str(waits)
        except (ValueError, SimulationDiverged) as error:
            self.problem = f"{error}; simulation stopped before frame {scene.frame_current}"

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, forget what it made stale."""
        self._kept.clear()
        index = scene.frame_current - obj.hooke.frame_start
        if not len(self.take) or scene.frame_subframe:
            return
        inputs = self._inputs(obj, scene, depsgraph)
        waits = f"waits for frame {obj.hooke.frame_start} to start"
        if not self.take.fits(inputs, thorough=True):
            changed = self.take.differences(inputs)
            if not self._tune(inputs, index):
                reason = f"{told(changed)}: {waits}" if changed else f"W{waits[1:]}"
                self.forget(f"{reason} from" if index else "")
        elif 0 < index < len(self.take):
            try:
                changed = self.take.changed(index, inputs)
            except MeshError:
                # It is not evaluated just now; should it stay so, the next frame says why.
                return
            if changed:
                self.cache.taken_up_at = index
                if not self._tune(inputs, index):
                    self.forget(f"{told(changed)}: {waits} again")

    def begin_anew(self):
        """Let go of the frames, and take none from disk until the start frame was simulated."""
        self.tuned = None
        self.forget()
        self.cache.stale = 0
        self.cache.reject()

    def take_up(self):
        """Take frames from disk again that `begin_anew` left there."""
        self.cache.taken_up_at = ANY

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
        except Damaged:
            raise
        except Stale:
            if not self._tune(inputs, within):
                raise
            self._show_tuned(inputs, within)

    def _stays_tuned(self, inputs, index):
        """Whether the tuned frames go on: not from the start, not elsewhere, and not where the true ones are back."""
        if inputs.where.scene.frame_subframe:
            return True
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

    def _tune(self, inputs, index):
        """Go on from the frame that is shown, if this is it or the next one; returns whether that is possible."""
        obj, scene, _ = inputs.where
        seen = self._seen[-1] if self._seen else None
        self._kept.clear()
        if (
            seen is None
            or seen.start != obj.hooke.frame_start
            or not (0 < seen.index < len(self.take) and index - seen.index in (0, 1))
            or scene.frame_subframe
            or not can_go_on(self.take, inputs)
        ):
            return False
        self.tuned = Tuned(seen.index, self.take.start, self._present(inputs))
        self.forget()
        return True

    def _present(self, inputs):
        """What there is to go on from: the running simulation, or what kept frames tell of it; raises Damaged."""
        obj, scene, _ = inputs.where
        seen, before = self._seen[-1], self._seen[0]
        if self.take.runs and seen.index == len(self.take) - 1:
            return present_of(self.take.simulation)
        dt = sections.frame_time(obj.hooke, scene)
        x = mesh_io.to_world(seen.matrix, self.take.kept(seen.index))
        matrix = before.matrix if before.index == seen.index - 1 else seen.matrix
        v = (x - mesh_io.to_world(matrix, self.take.kept(seen.index - 1))) / dt
        return Present(x, v, seen.index * dt, x)

    def _show_tuned(self, inputs, index):
        """Show the next tuned frame; the newest one is shown already, and stays after the range's end."""
        obj, began = inputs.where.obj, perf_counter()
        if inputs.where.scene.frame_subframe or index == self.tuned.index:
            return
        positions = self.tuned.step(inputs)
        self.hint = self.problem = ""
        mesh_io.write_positions(obj.data, positions)
        self._note_time(began, self.tuned.solve_seconds)

    def _note_seen(self, inputs):
        obj, scene, _ = inputs.where
        index = scene.frame_current - obj.hooke.frame_start
        if not scene.frame_subframe and (not self._seen or self._seen[-1].index != index):
            self._seen.append(_Seen(obj.hooke.frame_start, index, inputs["matrix"]))
