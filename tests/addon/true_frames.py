# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of all simulated objects as a bake of the file would make them, simulated anew in memory."""

import bpy

from hooke.addon import cache_files, mesh_io
from hooke.addon.play import ranges, sessions


class TrueFrames:
    """What a bake of the file as it is would have; simulated when it is asked for, and kept until `forget`."""

    def __init__(self):
        self.forget()

    def forget(self):
        """The file was edited."""
        self._frames: dict | str | None = None
        self._whole = False

    def reaching(self, scene, counts):
        """Frames by object, a dict of lists, or why a bake has none.

        counts: how many of an object are asked for, by name; the range may have fewer.
        """
        if self._frames is None:
            self._frames = simulated(scene, counts)
        return (
            self._frames
            if not isinstance(self._frames, str) and _enough(self._frames, counts)
            else self.whole(scene)
        )

    def whole(self, scene):
        """The same of the whole range."""
        if not (self._whole or isinstance(self._frames, str)):
            self._frames, self._whole = simulated(scene, None), True
        return self._frames


def simulated(scene, counts):
    """Frames by object; counts: as for `TrueFrames.reaching`, None for the whole range."""
    objects, own = sessions.simulated_objects(scene), dict(sessions.by_object)
    if not objects:
        return {}
    shown, frame = {obj: _position(obj) for obj in objects}, scene.frame_current
    folder, cache_files.folder = cache_files.folder, lambda *_: None
    sessions.by_object.clear()
    try:
        with sessions.paused():
            for _ in ranges.frames(scene, objects):
                if counts is not None and _enough(_frames(objects), counts):
                    break
            return {name: list(frames) for name, frames in _frames(objects).items()}
    except mesh_io.MeshError as error:
        return str(error)
    finally:
        sessions.drop_all()
        sessions.by_object.update(own)
        cache_files.folder = folder
        with sessions.paused():
            # Where no passing copy of the scene is made it is the scene itself that goes through the range.
            if scene.frame_current != frame:
                scene.frame_set(frame)
            for obj, position in shown.items():
                _put_back(obj, position)
            bpy.context.view_layer.update()


def _frames(objects):
    return {obj.name: sessions.of(obj).frames for obj in objects}


def _enough(frames, counts):
    return all(len(frames[name]) >= count for name, count in counts.items())


def _position(obj):
    found = obj.data.attributes.get(mesh_io.POSITION)
    return None if found is None else mesh_io.read_vectors(found)


def _put_back(obj, position):
    if position is None:
        mesh_io.clear_positions(obj.data)
    else:
        mesh_io.write_positions(obj.data, position)
