# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate whole frame ranges, one frame at a time, for whoever bakes."""

from . import session
from .mesh_io import MeshError


def frames(scene, objects):
    """Generator: simulate each object's frame range; yields the frame after each one.

    Raises MeshError with the reason if an object's simulation stops.
    """
    first = min(obj.hooke.frame_start for obj in objects)
    last = max(obj.hooke.frame_end for obj in objects)
    frame, began_anew = first, False
    while frame <= last:
        scene.frame_set(frame)
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
