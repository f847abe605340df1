# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate whole frame ranges, one frame at a time, for whoever bakes."""

from contextlib import contextmanager

import bpy

from . import session
from .mesh_io import MeshError

# What they simulate depends on objects of the whole scene: colliders and force fields.
_PHYSICS = frozenset({"CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "PARTICLE_SYSTEM", "SOFT_BODY"})


def frames(scene, objects):
    """Generator: simulate each object's frame range; yields the frame after each one.

    Only what the objects depend on is evaluated, and the scene's own frame stays. Close the generator to stop early.
    Raises MeshError with the reason if an object's simulation stops.
    """
    first = min(obj.hooke.frame_start for obj in objects)
    last = max(obj.hooke.frame_end for obj in objects)
    frame, began_anew = first, False
    with _stage(scene) as stage, session.only(stage):
        while frame <= last:
            stage.frame_set(frame)
            missing = [obj for obj in objects if not _is_simulated(obj, frame)]
            if not missing:
                yield frame
                frame += 1
            elif began_anew:
                raise MeshError(f"'{missing[0].name}' is not simulated: show it in the view layer")
            else:
                # Frames from before a change of the pins' motion turned out to be stale on the way.
                for obj in objects:
                    session.discard(obj)
                frame, began_anew = first, True


def _is_simulated(obj, frame):
    """Whether the object has the frame, or all its own; raises MeshError with the reason if it stopped."""
    running = session.find(obj)
    if running is not None and running.problem:
        raise MeshError(running.problem)
    wanted = min(frame, obj.hooke.frame_end) - obj.hooke.frame_start + 1
    return running is not None and len(running.frames) >= wanted


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
        for obj in session.simulated_objects(scene):
            stage.collection.objects.link(obj)
        yield stage
    finally:
        # Blender up to 4.3 crashes in scenes.remove where there is no window, as in `blender --command`.
        bpy.data.batch_remove([stage])
