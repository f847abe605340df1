# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate whole frame ranges, one frame at a time, for whoever bakes."""

from contextlib import contextmanager

import bpy

from ...core import SimulationDiverged
from ..mesh_io import MeshError
from . import sessions
from .session import Waits
from .take import Ahead, Stale, Unresumable

# What they simulate depends on objects of the whole scene: colliders and force fields.
_PHYSICS = frozenset({"CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "PARTICLE_SYSTEM", "SOFT_BODY"})


def frames(scene, objects):
    """Generator: have every frame of each object's range, kept or simulated; yields the frame after each one.

    Where earlier frames turn out on the way to be of something else, it begins anew, and yields from the first on.
    Only what the objects depend on is evaluated, and the scene's own frame stays. Close the generator to stop early.
    Raises MeshError with the reason if an object's simulation stops.
    """
    first = min(obj.hooke.frame_start for obj in objects)
    last = max(obj.hooke.frame_end for obj in objects)
    frame, begun_anew = first, set[str]()
    with _stage(scene) as stage, sessions.paused():
        while frame <= last:
            stage.frame_set(frame)
            stale = [obj for obj in _moving(stage, objects) if not _advance(obj, stage)]
            if begun_anew & {obj.name for obj in stale}:
                raise MeshError(f"'{stale[0].name}' changes while it is simulated: turn off what changes it")
            if stale:
                for obj in stale:
                    sessions.of(obj).begin_anew()
                begun_anew |= {obj.name for obj in stale}
                frame = first
            else:
                # As after a change of frame in the window: what follows the objects follows what they show now.
                stage.view_layers[0].update()
                yield frame
                frame += 1


def _moving(stage, objects):
    """The objects in the order in which they are shown, and the other ones between them: these may follow those."""
    for obj in sessions.simulated_objects(stage):
        if obj in objects:
            yield obj
        elif not obj.data.is_editmode:
            sessions.of(obj).show(obj, stage, stage.view_layers[0].depsgraph)


def _advance(obj, stage):
    """Have the object's frame; returns False where its frames are of something else, raises MeshError if it stopped."""
    if stage.frame_current > obj.hooke.frame_end:
        return True
    if obj.data.is_editmode:
        raise MeshError(f"'{obj.name}' is in Edit Mode: leave it first")
    try:
        sessions.of(obj).advance(obj, stage, stage.view_layers[0].depsgraph, begins=True)
    except (Stale, Ahead, Waits, Unresumable):
        return False
    except MeshError:
        raise
    except (ValueError, SimulationDiverged) as error:
        raise MeshError(f"{error}; simulation stopped before frame {stage.frame_current}") from error
    return True


@contextmanager
def _stage(scene):
    """A passing copy of the scene with the simulated objects alone: Blender evaluates them and what moves them.

    The scene itself where others of its objects may act on them, with rigid bodies or other physics in it; and in
    Blender 4.2, where `Scene.copy` counts each user of the scene's own collection twice: what was in it could never
    be deleted again.
    """
    physics = any(modifier.type in _PHYSICS for obj in scene.objects for modifier in obj.modifiers)
    if physics or scene.rigidbody_world is not None or bpy.app.version < (4, 3):
        yield scene
        return
    stage = scene.copy()
    try:
        stage.name = "Hooke Bake"
        for layer in stage.view_layers[1:]:
            stage.view_layers.remove(layer)
        for child in list(stage.collection.children):
            stage.collection.children.unlink(child)
        for obj in list(stage.collection.objects):
            stage.collection.objects.unlink(obj)
        for obj in sessions.simulated_objects(scene):
            stage.collection.objects.link(obj)
        yield stage
    finally:
        # Blender up to 4.3 crashes in scenes.remove where there is no window, as in `blender --command`.
        bpy.data.batch_remove([stage])
