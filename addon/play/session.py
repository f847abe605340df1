# SPDX-License-Identifier: GPL-3.0-or-later
"""One object's simulation in Blender: it shows the scene's frame, and says what hinders it."""

import sys
import traceback
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from ...core import SimulationDiverged
from ...core.cache import DiskFrames
from .. import cache_files, mesh_io, output_nodes, sections
from . import attributes, build, frame_update
from . import inputs as frame_inputs
from .continued_frames import Continued
from .displayed_frames import DisplayedFrames
from .freshness import KEEP
from .last_shown import LastShown
from .object_cache import ANY, ObjectCache
from .take import Take, follow_keys
from .tuned_simulation import Tuned


class Session:
    """One object's simulation at the scene's frame, for Blender's events and the panel.

    take: its Take; cache: its ObjectCache; shown: its Shown; seen: its Seen.
    tuned: the Tuned frames that are shown since an input changed while they played, or None while all is as it was.
    problem: why it stopped, "" while it runs; hint: what the artist should know.
    milliseconds: whole cost of the last simulated frame; transfer_milliseconds: all of it but the solver.
    """

    def __init__(self):
        self.cache = ObjectCache()
        self.take = Take(build.simulation, self.cache.store, cache_files.memory)
        self.displayed, self.last_shown = DisplayedFrames(self.take), LastShown()
        self.tuned: Tuned | None = None
        self.problem = self.hint = ""
        self.milliseconds = self.transfer_milliseconds = 0.0
        # Those that act on the object from outside, by session_uid, and what of the scene itself does.
        self.around: tuple[int, ...] = ()
        self.of_scene: tuple = ()
        # What was read of the mesh, until it is edited.
        self.read_before: dict = {}
        # Checksums of the mesh while the start frame is the one that was shown last, else None.
        self.at_start: dict | None = None
        # Whether anything was edited since a frame was compared in full, and may have moved what enters.
        self.edited = self.moved = False
        # The object's own place when a frame was shown last.
        self.placed: Any = None
        # Names of the object's vertex groups.
        self._group_names: list[str] = []
        # Unforeseen exceptions that were printed already, as text.
        self._printed: set[str] = set()

    @property
    def frames(self):
        """Positions as shown, a sequence from frame_start: object space, float32, shape (vertex_count, 3) each."""
        return self.displayed.frames

    @property
    def playing(self):
        """The Take of the shown frame; while tuned live, that of the Tuned frames."""
        return self.take if self.tuned is None else self.tuned.take

    @property
    def simulation(self):
        """The Simulation that runs, or None before the first simulated frame."""
        return self.playing.simulation

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
        return self.playing.strain(-1)

    @property
    def cached(self):
        """Number of frames that hold, the start pose included; later ones are compared before they are shown."""
        return len(self.take) if self.take.sure is None else min(self.take.sure, len(self.take))

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

    def look_around(self, obj, scene, depsgraph):
        """Remember the scene's own part, and which objects act on this one from outside; returns these, a list."""
        around = sections.sources(frame_inputs.Where(obj, scene, depsgraph))
        self.of_scene = sections.of_scene(obj, scene)
        self.around = tuple(source.session_uid for source in around)
        return around

    def mesh_inputs(self, obj, scene, depsgraph):
        """Inputs of the object's own mesh, whatever it is simulated with."""
        return frame_inputs.of_mesh(obj, scene, depsgraph, self.read_before)

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
        said = (
            f"{error}"
            if foreseen
            else f"Hooke failed ({type(error).__name__}: {error}): report what the console says"
        )
        self.problem = f"{said}; simulation stopped before frame {scene.frame_current}" if stops else said
        if not foreseen and said not in self._printed:
            self._printed.add(said)
            traceback.print_exception(error, file=sys.stderr)

    def capture_start(self, obj, scene, depsgraph):
        """Remember what enters at the start frame, which is shown; the simulation is built from it."""
        self.tuned, self.placed = None, obj.matrix_basis.copy()
        with self.telling(scene, stops=False):
            frame_update.capture(self, self.inputs_of(obj, scene, depsgraph))

    def show(self, obj, scene, depsgraph, tunes=True):
        """Show the current frame: from the cache, or simulated if it is the next one; says what hinders it.

        tunes: where inputs changed, show one that goes on with them; never while others are baked or rendered.
        """
        with self.telling(scene):
            self.advance(obj, scene, depsgraph, tunes=tunes)

    def advance(self, obj, scene, depsgraph, begins=False, tunes=False):
        """Show the current frame, or what there is in its place; returns the Decision.

        begins: build the simulation at the start frame, not only with the one after it; tunes: as in `show`.
        Raises MeshError, and what ends a simulation: SimulationDiverged, ValueError, which CacheError is.
        """
        self.tuned = self.tuned if tunes else None
        self.placed = obj.matrix_basis.copy()
        if self.edited:
            self.read_before.clear()
        self.displayed.follow(obj.hooke)
        output_nodes.follow_tearing(obj)
        self.look_around(obj, scene, depsgraph)
        began, self.playing.solve_seconds = perf_counter(), None
        inputs = self.inputs_of(obj, scene, depsgraph)
        if self.edited and len(self.take):
            follow_keys(self.take, inputs, obj.hooke.frame_start)
        decision = frame_update.settle(self, inputs, begins=begins, live=tunes)
        if (solved := self.playing.solve_seconds) is not None:
            self.milliseconds = 1e3 * (perf_counter() - began)
            self.transfer_milliseconds = self.milliseconds - 1e3 * solved
        return decision

    def recheck(self, obj, scene, depsgraph):
        """After an edit in the middle of the simulation, drop stale frames, and show the present range."""
        self.read_before.clear()
        other_range = self.displayed.follow(obj.hooke)
        output_nodes.follow_tearing(obj)
        if len(self.take):
            self.edited, inputs = True, self.inputs_of(obj, scene, depsgraph)
            follow_keys(self.take, inputs, obj.hooke.frame_start)
            if frame_update.settle(self, inputs, edited=True).action is KEEP and other_range:
                self.show_kept(obj, scene)

    def show_kept(self, obj, scene):
        """Show the current frame as it was made, whatever the scene is now: in a render, which evaluates others."""
        settings = obj.hooke
        place = scene.frame_current - settings.frame_start + scene.frame_subframe
        self.displayed.follow(settings)
        if place < 0 or not len(self.take) or (place == 0 and not sections.starts_elsewhere(obj)):
            mesh_io.clear_positions(obj.data)
        else:
            torn = self.displayed.torn(place, len(obj.data.polygons))
            attributes.put(self, obj, self.displayed.at(place), torn)

    def forget(self, hint=""):
        """Let go of the frames; those on disk stay there."""
        self.hint, self.problem = hint, ""
        self.cache.stale = len(self.take) or self.cache.stale
        self.take.release()
        self.displayed.let_go()

    def begin_anew(self):
        """Let go of the frames, and take none from disk until the start frame was simulated."""
        self.tuned = None
        self.forget()
        self.cache.stale, self.cache.changed = 0, []
        self.cache.reject()

    def take_up(self):
        """Compare everything anew, and take frames from disk again that `begin_anew` left there."""
        self.cache.taken_up_at = ANY
        self.edited = self.moved = True

    def inputs_of(self, obj, scene, depsgraph):
        """Inputs of the scene's frame."""
        return frame_inputs.of_frame(obj, scene, depsgraph, self.take.start, self.read_before)
