# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames, the inputs they were made from, and the running simulation that makes the next one."""

from math import floor
from time import perf_counter
from typing import Any

import numpy as np

from ...core.cache import CacheError, DiskFrames, MemoryFrames
from .. import mesh_io
from .animation import fingerprint, same_until
from .continued_frames import Continued
from .frame_errors import Damaged, OtherSurroundings, Unresumable
from .frame_notes import begun, made, noted, read_begun, read_number
from .lazy_values import AROUND, ENTERING, MESH, SCENE, STEP, given
from .surroundings import Surroundings

# What people call those that are simulated as one with an object.
COMPANY = "what is simulated with it"


class Take:
    """One simulation of one object.

    build: function (inputs, snapshot or None for the first frame, surroundings) -> Simulation there.
    store: function (inputs, vertex_count, made_from) -> empty Frames; made_from: what JSON can hold of the inputs.
    memory: function () -> MemoryFrames, for frames that a cache on disk does not take.

    frames: positions in object space, float32, shape (vertex_count, 3) each; the first is of the start frame.
    start: Inputs of the start frame, or None while it is not known.
    simulation: Simulation, or None until a frame has to be simulated.
    simulated: number of frames simulated, not read; solve_seconds: time of the last one's solver, None at a kept one.
    failure: what ended the simulation, or None; memory_reason: why new frames are in memory and not on disk, or "".
    """

    def __init__(self, build, store, memory=MemoryFrames):
        self.build, self.store, self._memory = build, store, memory
        self.start: Any = None
        self.simulation: Any = None
        self._surroundings = Surroundings({})
        self.failure: Exception | None = None
        self.solve_seconds: float | None = None
        self.simulated, self.memory_reason = 0, ""
        # The keys that the frames may follow as they were read last, and how many frames from the first on are known
        # to follow from these, None for all.
        self.animation: dict = {}
        self.sure: int | None = None
        self.frames: Any = MemoryFrames()
        # Number of frames that the simulation has made: fewer may be left where files were damaged.
        self._made = 0
        # Checksums of the frames' inputs, by group.
        self._made_from: dict = {}

    def __len__(self):
        """Number of frames that were made, the first included."""
        return len(self.frames)

    def fits(self, inputs, thorough=False):
        """Whether there are frames, made from these inputs; thorough: see `changed`."""
        return len(self) > 0 and not self.changed(inputs, thorough)

    def changed(self, inputs, thorough=False):
        """What is other than at the frames, a list of words; thorough: of the mesh too, which takes long to read."""
        return changed_since(self._made_from, inputs, thorough)

    @property
    def runs(self):
        """Whether the simulation is where the last frame is."""
        return self.simulation is not None and self._made == len(self)

    def entered(self, index, inputs):
        """What enters a frame and is other than when it was made, a list of words."""
        return inputs.changed(ENTERING, noted(self.frames, index, "entering"))

    def stepped(self, index, inputs):
        """What the step to a frame was given and is other than when it was made, a list of words."""
        return inputs.changed(STEP, noted(self.frames, index, "step"))

    @property
    def begun(self):
        """The Begun of its first frame."""
        return read_begun(self.frames.notes[0] if len(self) else None)

    def strain(self, index):
        """Largest stretch of a frame, 0.01 for one percent; springs that are pressed together count as 0."""
        return self.noted(index, "strain", 0.0)

    def noted(self, index, name, otherwise):
        """A number that is noted of a frame, see `noted.made`; another one where there is none."""
        return read_number(self.frames, index, name, otherwise) if len(self) else otherwise

    def frame(self, index, inputs):
        """Positions of a frame, kept or, of the one after the last, simulated.

        Raises Damaged for a frame that cannot be read, OtherSurroundings, and errors of the step: SimulationDiverged
        and ValueError, which includes CacheError and Unresumable.
        """
        self.solve_seconds = None
        if index == len(self):
            self._step(inputs)
        return self.kept(index)

    def kept(self, index):
        """Positions of a frame that was made; raises Damaged."""
        try:
            return self.frames[index]
        except CacheError as error:
            raise Damaged(str(error)) from error

    def begin(self, inputs, moved):
        """Build the simulation anew and make its first frame; moved: whether it is not the pose that enters."""
        self.release()
        self._surroundings = Surroundings({name: self.start[name] for name in inputs.values(AROUND)})
        self.simulation = self.build(inputs, None, self._surroundings)
        matrix, pose = self.start["matrix"], self.start["pose"]
        self.animation = _animation(inputs)
        made_from = _made_from(inputs) | {"animation": fingerprint(self.animation)}
        count, stored = self.simulation.body.vertex_count, made_from | {"matrix": matrix.tolist()}
        self.frames, self.memory_reason = self.store(inputs, count, stored), ""
        # Without a pre-roll the pose itself: through world space and back it might differ in the last bit.
        first = mesh_io.to_object(matrix, self.simulation.vertices) if moved else pose
        self.append(first, _first_note(self))
        self._made_from = made_from

    def adopt(self, frames, inputs, index, moved):
        """Take up Frames from disk if they were made from these inputs; returns whether they were.

        index: of the frame that the inputs are of, None where what enters it is not known; moved: as in `begin`.
        Raises CacheError where they cannot be read.
        """
        made_from = frames.inputs
        if not len(frames) or changed_since(made_from, inputs, thorough=True):
            return False
        if index and index < len(frames) and inputs.changed(ENTERING, noted(frames, index, "entering")):
            return False
        start = self.start
        if start is None and not moved:
            start = given({"pose": frames[0], "matrix": _matrix(made_from.get("matrix"))})
            # The first frame is the start pose: where it is not, the files were tampered with.
            if start.changed(ENTERING, made_from.get("start")):
                return False
        self.release()
        self.frames, self.memory_reason = frames, ""
        self.start = inputs.start = start
        self._made_from = {group: made_from.get(group) for group in ("scene", "mesh", "start")}
        # Of other keys each frame is known to be true where it was compared alone.
        self.animation = _animation(inputs)
        self.sure = None if made_from.get("animation") == fingerprint(self.animation) else 0
        return True

    def release(self):
        """Let go of the frames; those on disk stay there."""
        self.frames.close()
        self.frames, self._made_from = MemoryFrames(), {}
        self.simulation = self.failure = self.sure = None

    def move_to(self, frames):
        """Go on with a copy of the frames."""
        self.frames.close()
        self.frames = frames

    def _step(self, inputs):
        if self.failure is not None:
            raise self.failure
        try:
            if self.simulation is None or self._made != len(self):
                self.simulation = self._resumed(inputs)
            self._head_for(inputs)
            began = perf_counter()
            self.simulation.step(inputs["pin_targets"])
            self.solve_seconds = perf_counter() - began
            self._surroundings.arrive()
            positions = mesh_io.to_object(inputs["matrix"], self.simulation.vertices)
            self.append(positions, {"step": inputs.checksums(STEP), "entering": inputs.checksums(ENTERING)})
        except Exception as error:
            self.failure = None if isinstance(error, OtherSurroundings) else error
            raise
        self.simulated += 1

    def _head_for(self, inputs):
        values, running = inputs.values(AROUND), self.simulation
        if found := self.otherwise(inputs, values):
            raise found
        self._surroundings.head_for(values, running.state.t, running.dt)

    def append(self, positions, note):
        note |= made(self.simulation)
        try:
            _keep(self, positions, note, self.simulation.snapshot() | self._surroundings.snapshot())
        except CacheError:
            # The simulation is a frame ahead of the kept frames and must not continue from there.
            self.simulation = None
            raise
        self._made = len(self)

    def _resumed(self, inputs):
        """The simulation at the last of the frames, which were taken from disk."""
        snapshot = self.frames.snapshot()
        if self.start is None or snapshot is None:
            lacking = "the start pose" if self.start is None else "the state to continue from"
            raise Unresumable(f"the cached frames end here and lack {lacking}")
        values = inputs.values(AROUND)
        try:
            self._surroundings = Surroundings.restored(values, snapshot)
        except ValueError as error:
            raise Unresumable(f"the cached state cannot be gone on from: {error}") from error
        if found := self.otherwise(inputs, values):
            raise found
        return self.build(inputs, snapshot, self._surroundings)

    def otherwise(self, inputs, values):
        """OtherSurroundings where a value around the object is of another kind than at the start, or None."""
        found = self._surroundings.misfit(values)
        if found is None:
            return None
        reader, misfit = found
        gone = misfit.gone[0] if misfit.gone and not misfit.come else ""
        return OtherSurroundings(misfit.sentence(inputs.said(reader)), misfit.remedy, misfit.short, gone)


def _keep(take, positions, note, snapshot):
    """Append a frame, in memory where the disk does not take it."""
    try:
        take.frames.append(positions, note, snapshot)
    except CacheError as error:
        if not isinstance(take.frames, DiskFrames):
            raise
        more = Continued(take.frames, take._memory())
        more.append(positions, note, snapshot)
        take.frames, take.memory_reason = more, str(error)


def follow_keys(take, inputs, first):
    """Have a Take's frames compared again from where keys were edited on; first: number of the start frame."""
    before, take.animation = take.animation, _animation(inputs)
    same = same_until(before, take.animation) - first + 1
    if same < (len(take) if take.sure is None else take.sure):
        take.sure = max(0, floor(same)) if same > 0 else 0


def changed_since(made_from, inputs, thorough=False):
    """What is other than frames were made from, a list of words; made_from: what was noted of that, which a file may
    have put there; thorough: see `Take.changed`.

    A start that is not known agrees with any.
    """
    noted_of = made_from if isinstance(made_from, dict) else {}
    groups = ((SCENE, "scene"), (MESH, "mesh")) if thorough else ((SCENE, "scene"),)
    known = noted_of.get("scene")
    if isinstance(known, dict) and known and inputs.names(SCENE).isdisjoint(known):
        # Alone an object's values have other names than in company.
        return [COMPANY]
    words = [word for group, name in groups for word in inputs.changed(group, noted_of.get(name))]
    if any(set(noted_of.get(name) or ()) - inputs.names(group) for group, name in groups):
        words.append(COMPANY)
    if inputs.start is not None:
        entered = inputs.start.changed(ENTERING, noted_of.get("start"))
        words += [inputs.said(name) if name in inputs else COMPANY for name in entered]
    return list(dict.fromkeys(words))


def _animation(inputs):
    # Without known keys, none are read.
    return inputs["animation"] if inputs.readers.get("animation") else {}


def _first_note(take):
    told = begun(take.simulation, take._surroundings.doubts)
    return {"begun": told, "step": {}, "entering": take.start.checksums(ENTERING)}


def _made_from(inputs):
    return {
        "scene": inputs.checksums(SCENE),
        "mesh": inputs.checksums(MESH),
        "start": inputs.start.checksums(ENTERING),
    }


def _matrix(rows):
    """A matrix from what JSON made of it, or None where it is none."""
    try:
        matrix = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return matrix if matrix.shape == (4, 4) else None
