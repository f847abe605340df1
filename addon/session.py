# SPDX-License-Identifier: GPL-3.0-or-later
"""Running simulations, one session an object.

A frame is simulated only from the one before it, and only here: playback, scrubbing, rendering, baking and the
command line all change the scene's frame and read what the session shows.
"""

from contextlib import contextmanager

import bpy

from . import cache_files, mesh_io
from .object_session import Session

_sessions: dict[int, Session] = {}

# While a bake runs through the frames of one scene, the others' frames and edits are not followed.
_only_scene: int | None = None


@contextmanager
def only(scene):
    """Follow this scene and no other."""
    global _only_scene
    _only_scene = scene.session_uid
    try:
        yield
    finally:
        _only_scene = None


def _follows(scene):
    return _only_scene in (None, scene.session_uid)


def find(obj):
    """The object's session, or None."""
    return _sessions.get(obj.session_uid)


def drop(obj):
    """Forget the object's simulation and show the pose that enters Hooke; frames on disk stay there."""
    running = _sessions.pop(obj.session_uid, None)
    if running is not None:
        running.close()
    mesh_io.clear_positions(obj.data)


def discard(obj):
    """Forget the object's simulation and remove its frames from disk too."""
    drop(obj)
    cache_files.remove(obj)


def drop_all():
    """Forget every simulation; frames on disk stay there."""
    for running in _sessions.values():
        running.close()
    _sessions.clear()


def open_paths():
    """PC2 files that sessions have open."""
    stored = (running.disk_frames() for running in _sessions.values())
    return {frames.path for frames in stored if frames is not None}


def simulated_objects(scene):
    """Objects of the scene that Hooke simulates, a bake aside."""
    return [
        obj for obj in scene.objects if obj.type == "MESH" and obj.hooke.enabled and not obj.hooke.bake.items
    ]


def update_scene(scene, depsgraph, rendering=False):
    """Show the scene's current frame on every simulated object; forget those that are gone."""
    if not _follows(scene):
        return
    objects = simulated_objects(scene)
    alive = {obj.session_uid for obj in bpy.data.objects}
    for uid in [uid for uid in _sessions if uid not in alive]:
        _sessions.pop(uid).close()
    for obj in objects:
        # A mesh in Edit Mode, be it through another object, is Blender's working copy, which is not ours to write.
        if not obj.data.is_editmode:
            _sessions.setdefault(obj.session_uid, Session(obj)).show(obj, scene, depsgraph, rendering)


def capture_starts(scene, depsgraph):
    """Take the start pose of every object whose start frame is shown."""
    if not _follows(scene):
        return
    for obj in simulated_objects(scene):
        if (
            not obj.data.is_editmode
            and scene.frame_current == obj.hooke.frame_start
            and not scene.frame_subframe
        ):
            _sessions.setdefault(obj.session_uid, Session(obj)).capture_start(obj, depsgraph)


def follow_edits(scene, depsgraph):
    """After an edit: at the start frame take the new start pose, elsewhere forget what became stale."""
    if not _follows(scene):
        return
    objects = simulated_objects(scene)
    cache_files.part_copies(objects, _sessions)
    capture_starts(scene, depsgraph)
    edited = {update.id.original for update in depsgraph.updates}
    for obj in objects:
        running = find(obj)
        if running is not None and not obj.data.is_editmode and edited & {obj, obj.data, obj.data.shape_keys}:
            running.recheck(obj, scene, depsgraph)


def follow_saved_file(before):
    """After saving under another name, take the caches along; before: their folder before saving."""
    for scene in bpy.data.scenes:
        cache_files.follow_saved_file(simulated_objects(scene), _sessions, before)
