# SPDX-License-Identifier: GPL-3.0-or-later
"""A passing copy of a scene, in which frames are evaluated while the scene itself stays where it is."""

from contextlib import contextmanager

import bpy

from .. import sections
from . import sessions, upstream
from .inputs import Where

# Colliders and force fields may be anywhere in the scene.
_PHYSICS = frozenset({"CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "PARTICLE_SYSTEM", "SOFT_BODY"})
_ADDON = __package__.rpartition(".")[0]


@contextmanager
def of(scene):
    """The copy, with the simulated objects and what acts on them alone: Blender evaluates these and what moves them.

    The scene itself where a copy would not do, see `_only_itself`.
    """
    objects = sessions.simulated_objects(scene)
    seen = sessions.seen_layer(scene).depsgraph
    with sections.looked_at_once():
        wanted = {
            *objects,
            *sections.may_come(scene, seen),
            *(source for obj in objects for source in sections.sources(Where(obj, scene, seen))),
        }
    if _only_itself(scene, wanted):
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
        # In the scene's order, which that of colliders and force fields follows.
        linked = [obj for obj in scene.objects if obj in wanted]
        for obj in linked:
            stage.collection.objects.link(obj)
        # Force fields act though their eyes are shut; what collides does not.
        for obj in linked:
            if obj not in objects and sections.has_shut_eye(obj, seen.view_layer):
                obj.hide_set(True, view_layer=stage.view_layers[0])
        yield stage
    finally:
        # Blender up to 4.3 crashes in scenes.remove where there is no window, as in `blender --command`.
        bpy.data.batch_remove([stage])


def _only_itself(scene, wanted):
    """Whether a copy of the scene would show other frames than the scene, or harm it; wanted: objects in the copy.

    Rigid bodies and other physics are of one scene; Python in drivers and in others' handlers may ask the window's
    scene for its frame, and a driver that reads a scene reads that one. In Blender 4.2 `Scene.copy` counts each user of
    the scene's own collection twice: what was in it could never be deleted again.
    """
    return (
        bpy.app.version < (4, 3)
        or scene.rigidbody_world is not None
        or any(modifier.type in _PHYSICS for obj in scene.objects for modifier in obj.modifiers)
        or _have_others_handlers()
        or any(map(_asks_a_scene, (scene, *upstream.reached(wanted, upstream.uses()))))
    )


def _have_others_handlers():
    """Whether another add-on or a script does something in every frame."""
    handlers = (*bpy.app.handlers.frame_change_pre, *bpy.app.handlers.frame_change_post)
    return any(not str(getattr(each, "__module__", "")).startswith(_ADDON) for each in handlers)


def _asks_a_scene(block):
    """Whether a driver of a data-block reads a scene by name, or is Python, which may."""
    animation = getattr(block, "animation_data", None)
    return animation is not None and any(
        (curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression)
        or any(
            isinstance(target.id, bpy.types.Scene)
            for variable in curve.driver.variables
            if variable.type != "CONTEXT_PROP"
            for target in variable.targets
        )
        for curve in animation.drivers
    )
