# SPDX-License-Identifier: GPL-3.0-or-later
"""What is simulated in the open file: objects, ranges, caches, bakes, and what of them is stale."""

from typing import Any

import bpy

from ...core.cache import CacheError
from ...core.kernels import CHOSEN
from .. import cache_files
from ..bakes import played_file
from ..mesh_io import MeshError
from ..version import VERSION
from . import current_frame, sessions
from . import inputs as frame_inputs
from .lazy_values import ENTERING, STEP
from .take import changed_since


def inventory():
    """The file and its simulated objects, as something JSON can hold."""
    found: list[Any] = [(scene, obj) for scene in bpy.data.scenes for obj in scene.objects]
    return {
        "file": bpy.data.filepath,
        "hooke": VERSION,
        "kernels": CHOSEN.name,
        "objects": [
            _of_object(scene, obj) for scene, obj in found if obj.type == "MESH" and obj.hooke.enabled
        ],
    }


def sentences(told):
    """An `inventory` for people, a list of lines."""
    lines = [_sentence(entry) for entry in told["objects"]]
    lines = lines or [f"Hooke simulates nothing in {told['file'] or 'the open file'}"]
    return [f"Hooke calculates with {told['kernels']}{f': {CHOSEN.reason}' if CHOSEN.reason else ''}", *lines]


def _of_object(scene, obj: Any):
    settings, record = obj.hooke, obj.hooke.bake
    baked = {"mode": record.mode, "frame_start": record.frame_start, "frame_end": record.frame_end}
    return {
        "object": obj.name,
        "scene": scene.name,
        "vertices": len(obj.data.vertices),
        "frame_start": settings.frame_start,
        "frame_end": settings.frame_end,
        "pin_group": settings.pin_group,
        "integrator": settings.integrator,
        "effort": settings.effort,
        "bake": baked | {"cache_file": record.cache_file or None, "problem": played_file.problem(obj) or None}
        if record.exists
        else None,
        "cache": _cache(scene, obj),
    }


def _cache(scene, obj):
    """The object's frames on disk, or None: where, how many, and from which frame on something else made them."""
    if cache_files.made_from(obj) is None:
        return None
    path = cache_files.path_of(obj)
    told = {"path": str(path), "frames": 0, "stale": [], "stale_from": None, "problem": None}
    try:
        frames = cache_files.open_frames(obj)
    except CacheError as error:
        return told | {"problem": str(error)}
    try:
        stale, since = _stale(scene, obj, frames)
    except MeshError as error:
        return told | {"frames": len(frames), "problem": str(error)}
    finally:
        frames.close()
    return told | {"frames": len(frames), "stale": stale, "stale_from": since}


def _stale(scene, obj, frames):
    """What changed since an object's frames were made, a list of words, and the first frame it is seen in, or None."""
    start = obj.hooke.frame_start
    kept: dict = {}

    def inputs_of(index):
        scene.frame_set(start + index)
        return frame_inputs.of_frame(obj, scene, scene.view_layers[0].depsgraph, None, kept)

    with sessions.paused(), current_frame.kept(scene):
        first = inputs_of(0)
        first.start = first.only(ENTERING)
        if stale := changed_since(frames.inputs, first, thorough=True):
            return stale, start
        for index in range(1, len(frames)):
            note = frames.notes[index]
            if stale := inputs_of(index).changed(STEP, note.get("step") if isinstance(note, dict) else None):
                return stale, start + index
        return [], None


def _sentence(entry):
    effort = entry["effort"].title() if entry["integrator"] == "PROJECTIVE_DYNAMICS" else entry["integrator"]
    where = f"frames {entry['frame_start']} to {entry['frame_end']} of scene '{entry['scene']}'"
    return f"'{entry['object']}': {entry['vertices']:,} vertices, {where}, {effort}; " + "; ".join(
        (_of_cache(entry["cache"]), _of_bake(entry["bake"]))
    )


def _of_cache(told):
    if told is None:
        return "nothing cached"
    if told["problem"]:
        return f"cache: {told['problem']}"
    cached = f"{told['frames']} frames cached in {told['path']}"
    if not told["stale"]:
        return cached
    return f"{cached}, stale from frame {told['stale_from']} on ({', '.join(told['stale'])} changed)"


def _of_bake(told):
    if told is None:
        return "not baked"
    made = f"baked: frames {told['frame_start']} to {told['frame_end']} as {told['mode']}"
    return f"{made}, but {told['problem']}" if told["problem"] else made
