# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate whole frame ranges, one frame at a time, for bakes."""

from collections import Counter, deque

from ...core import SimulationDiverged
from .. import sections
from ..mesh_io import MeshError
from . import frame_update, passing_scene, sessions
from .frame_errors import Damaged
from .freshness import WAIT

# How often a render reads frames that another Blender is writing, before it gives up.
_TRIES = 3


def frames(scene, objects):
    """Generator: have every frame of each object's range, kept or simulated; yields the frame after each one.

    Where earlier frames turn out on the way to be of something else, it begins anew, and yields from the first on.
    Only what the objects depend on is evaluated. Where a passing copy of the scene would not do, its own frame changes:
    whoever asks goes back to it, see `passing_scene`. Close the generator to stop early.
    Raises MeshError with the reason if an object's simulation stops.
    """
    first = min(obj.hooke.frame_start for obj in objects)
    last = max(obj.hooke.frame_end for obj in objects)
    # Their colliders may have to start before them.
    everything = sessions.in_turn(objects, scene, sessions.seen_layer(scene).depsgraph)
    begin = min(obj.hooke.frame_start for obj in everything)
    for frame in _visited(scene, everything, range(begin, last + 1)):
        if frame >= first:
            yield frame


def complete(scene):
    """Have what a render of the scene's current frame shows of every object, simulating what is missing.

    Kept frames are compared with what the viewport evaluates, as in playback; a render may evaluate other modifiers.
    Raises MeshError with the reason where a frame cannot be had.
    """
    damaged = None
    for _ in range(_TRIES):
        _complete(scene)
        try:
            for obj in sessions.simulated_objects(scene):
                running = sessions.of(obj)
                running.displayed.follow(obj.hooke)
                running.displayed.hold(scene.frame_current - obj.hooke.frame_start)
            return
        except Damaged as error:
            # Another Blender may have begun to write the cache anew.
            damaged = error
    raise MeshError(f"{damaged}; another Blender writes these frames: render when it is done")


def _complete(scene):
    objects = [obj for obj in sessions.simulated_objects(scene) if _is_due(obj, scene)]
    if not objects:
        return
    objects = sessions.in_turn(objects, scene, sessions.seen_layer(scene).depsgraph)
    ahead = int(scene.render.use_motion_blur or scene.frame_subframe > 0.0)
    frames = {
        max(obj.hooke.frame_start, min(scene.frame_current + step, obj.hooke.frame_end))
        for obj in objects
        for step in range(ahead + 1)
    }
    before = scene.frame_current, scene.frame_subframe
    for _ in _visited(scene, objects, sorted(frames)):
        pass
    if (scene.frame_current, scene.frame_subframe) != before:
        with sessions.paused():
            scene.frame_set(before[0], subframe=before[1])


def _is_due(obj, scene):
    """Whether a render needs a frame of the object that only an evaluation can make."""
    if obj.hide_render or scene.frame_current < obj.hooke.frame_start:
        return False
    return not (obj.hide_viewport and _holds(sessions.of(obj), obj, scene))


def _holds(running, obj, scene):
    """Whether the current frame was made from these settings and this mesh, or the last one before it.

    What moves the pins is not asked for: of an object that is not evaluated.
    """
    inputs = running.inputs_of(obj, scene, None)
    last = obj.hooke.frame_end - obj.hooke.frame_start
    if not running.take.fits(inputs):
        frame_update.take_up(running, inputs, None)
    return running.cached > min(scene.frame_current - obj.hooke.frame_start, last)


def _visited(scene, objects, numbers):
    """Generator: go through frames, back to earlier ones where those are missing; yields each that all objects have."""
    ahead = deque(numbers)
    went_back: Counter[str] = Counter()
    with passing_scene.of(scene) as stage, sessions.paused():
        while ahead:
            frame = ahead.popleft()
            stage.frame_set(frame)
            with sections.looked_at_once():
                waited_for = [_advance(obj, stage, went_back) for obj in _moving(stage, objects)]
            if missing := [number for number in waited_for if number is not None]:
                ahead.extendleft(reversed(range(min(missing), frame + 1)))
            else:
                # As after a change of frame in the window, objects that follow the simulated ones are evaluated again.
                stage.view_layers[0].update()
                yield frame


def _moving(stage, objects):
    """The objects in the order in which they are shown, and the other ones between them: these may follow those."""
    for obj in sessions.in_turn(sessions.simulated_objects(stage), stage, stage.view_layers[0].depsgraph):
        if obj in objects:
            yield obj
        elif not obj.data.is_editmode:
            sessions.of(obj).show(obj, stage, stage.view_layers[0].depsgraph, tunes=False)


def _advance(obj, stage, went_back):
    """Have the object's frame; returns None, or an earlier one's number that is needed; raises MeshError if it stopped.

    went_back: how often that was so, by the object's name.
    """
    start = obj.hooke.frame_start
    if stage.frame_current > obj.hooke.frame_end:
        return None
    if obj.data.is_editmode:
        raise MeshError(f"'{obj.name}' is in Edit Mode: leave it first")
    running = sessions.of(obj)
    try:
        decision = running.advance(obj, stage, stage.view_layers[0].depsgraph, begins=True)
    except MeshError:
        raise
    except (ValueError, SimulationDiverged) as error:
        raise MeshError(f"{error}; simulation stopped before frame {stage.frame_current}") from error
    if decision.action is not WAIT:
        return None
    went_back[obj.name] += 1
    # Once to where the kept frames end, once to the start.
    if went_back[obj.name] > 2:
        raise MeshError(_unsteady(obj, stage, decision))
    if decision.place and went_back[obj.name] == 1:
        return start + decision.place
    running.begin_anew()
    return start


def _unsteady(obj, stage, decision):
    """Sentence on an object whose frames become stale whenever they are made."""
    settings = obj.hooke
    if not decision.ends:
        return (
            f"'{obj.name}' changes while it is simulated ({decision.why}): if a script or a driver changes its "
            "settings or its mesh from frame to frame, turn that off"
        )
    return (
        f"'{obj.name}' cannot be simulated beyond frame {stage.frame_current - 1}: {decision.why}. Colliders and "
        "fields must stay the same ones, with the same faces and settings, from frame "
        f"{settings.frame_start} to {settings.frame_end}: {decision.remedy}"
    )
