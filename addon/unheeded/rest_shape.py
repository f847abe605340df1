# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths that are animated or chosen by shape keys: lengths at rest are those of the pose at the start frame."""

import numpy as np

from .. import mesh_io
from ..bakes.curves import animated_paths
from ..complaint import Complaint

# Share of an edge's length that a shape key has to change: less is rounding, or a turn.
_CHANGED = 0.01


def keyed(inputs):
    """Complaints about animated shape keys that change lengths between vertices which nothing pins."""
    obj = inputs.where.obj
    keys = obj.data.shape_keys
    if keys is None or obj.hooke.bake.exists:
        return []
    moved = _animated(keys)
    if not moved:
        return []
    free = inputs["maps"]["pin_group"] == 0.0
    edges = inputs["edges"][free[inputs["edges"]].all(axis=1)]
    key = next((key for key in moved if _changes_lengths(key, edges)), None)
    if key is None:
        return []
    text = (
        f"Shape key '{key.name}' changes lengths, which does not act: lengths at rest are those of frame "
        f"{obj.hooke.frame_start}, and shape keys move pinned vertices alone"
    )
    return [Complaint(text, (), "INFO")]


def of_cloth(inputs):
    """Complaints about a rest shape that Blender's own cloth on the same object has."""
    obj = inputs.where.obj
    cloths = [each for each in obj.modifiers if each.type == "CLOTH"]
    named = [cloth.settings.rest_shape_key for cloth in cloths if cloth.settings.rest_shape_key is not None]
    return [
        Complaint(
            f"Cloth's Rest Shape Key '{key.name}' does not act on Hooke: lengths at rest are those of frame "
            f"{obj.hooke.frame_start}",
            (),
            "INFO",
        )
        for key in named[:1]
    ]


def _animated(keys):
    """Shape keys whose value is animated, a list; all where they follow each other in time."""
    paths = animated_paths(keys)
    if not keys.use_relative:
        return list(keys.key_blocks)[1:] if "eval_time" in paths else []
    return [key for key in keys.key_blocks if not key.mute and key.path_from_id("value") in paths]


def _changes_lengths(key, edges):
    before, after = (_lengths(mesh_io.read_shape_key(each), edges) for each in (key.relative_key, key))
    return bool((np.abs(after - before) > _CHANGED * before).any())


def _lengths(points, edges):
    return np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)
