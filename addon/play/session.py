# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation in Blender: it shows the scene's frame, and says what hinders it."""

import sys
import traceback
from contextlib import contextmanager

from ...core import SimulationDiverged
from ...core.cache import DiskFrames
from .. import sections
from ..mesh_io import MeshError
from .continued import Continued
from .object_cache import ANY, NONE
from .player import Waits
from .reading import told
from .take import Ahead, Otherwise, Stale, Unresumable, differences
from .tuning_player import TuningPlayer


class Session(TuningPlayer):
    """A player whose exceptions become `problem` and `hint`, for Blender's events and for the panel."""

    def __init__(self):
        super().__init__()
        # Names of the object's vertex groups.
        self._group_names: list[str] = []
        # What nobody has foreseen and was printed already, in words.
        self._printed: set[str] = set()

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

    @contextmanager
    def telling(self, scene, stops=True):
        """Turn whatever is raised meanwhile into `problem`: what is shown stays; what nobody has foreseen is printed.

        stops: whether that ends a frame of the simulation.
        """
        try:
            yield
        except Exception as error:
            self.fail(error, scene, stops)

    def fail(self, error, scene, stops=True):
        """Say why the scene's frame cannot be shown."""
        foreseen = isinstance(error, (ValueError, SimulationDiverged))
        said = f"{error}" if foreseen else f"Hooke failed ({type(error).__name__}: {error}), see the console"
        self.problem = f"{said}; simulation stopped before frame {scene.frame_current}" if stops else said
        if not foreseen and said not in self._printed:
            self._printed.add(said)
            traceback.print_exception(error, file=sys.stderr)

    def capture_start(self, obj, scene, depsgraph):
        """Remember what enters at the start frame, which is shown; the simulation is built from it."""
        self.tuned = None
        self._kept.clear()
        with self.telling(scene, stops=False):
            self._capture(self._inputs(obj, scene, depsgraph))

    def show(self, obj, scene, depsgraph, tunes=True):
        """Show the current frame: from the cache, or simulated if it is the next one; says what hinders it.

        tunes: where inputs changed, show one that goes on with them; never while others are baked or rendered.
        """
        with self.telling(scene):
            self._show_or_wait(obj, scene, depsgraph, tunes)

    def _show_or_wait(self, obj, scene, depsgraph, tunes):
        try:
            (self.play if tunes else self.advance)(obj, scene, depsgraph)
        except Ahead as ahead:
            within = scene.frame_current <= obj.hooke.frame_end and not self.problem
            shown = obj.hooke.frame_start + len(self.take) - 1
            self.hint = f"Shows frame {shown}, the last one simulated: {ahead}" if within else ""
        except Otherwise as other:
            self.forget()
            self.problem = f"{other}: {other.remedy}"
        except Stale as stale:
            self.forget(f"{stale}: waits for frame {obj.hooke.frame_start} to start again")
        except Unresumable as error:
            self.cache.taken_up_at = NONE
            self.forget(f"{error}: waits for frame {obj.hooke.frame_start} to start again")
        except Waits as waits:
            # What kept it from starting is worth more than that it did not start.
            self.hint = "" if self.problem else str(waits)

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, forget what it made stale."""
        self._kept.clear()
        index = scene.frame_current - obj.hooke.frame_start
        if not len(self.take) or scene.frame_subframe:
            return
        inputs = self._inputs(obj, scene, depsgraph)
        waits = f"waits for frame {obj.hooke.frame_start} to start"
        if not self.take.fits(inputs, thorough=True):
            changed = differences(self.take, inputs)
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
