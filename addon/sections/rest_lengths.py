# SPDX-License-Identifier: GPL-3.0-or-later
"""Shape keys that change lengths while they are animated."""

import numpy as np

from .. import mesh_io
from ..bakes.curves import animated_paths

# Share of an edge's length that a shape key has to change: less is rounding, or a turn.
_CHANGED = 0.01


def keyed_lengths(obj, edges):
    """Animated shape keys of an object that change the length of any of some edges, a list."""
    keys = obj.data.shape_keys
    moved = _animated(keys) if keys is not None else []
    return [key for key in moved if _changes_lengths(key, edges)]


def key_moves(key, vertices):
    """Whether a shape key moves any of some vertices, a mask."""
    before, after = (mesh_io.read_shape_key(each)[vertices] for each in (key.relative_key, key))
    return bool((before != after).any())


def _animated(keys):
    """Shape keys with an animated value, a list; all keys if they are absolute."""
    paths = animated_paths(keys)
    if not keys.use_relative:
        return list(keys.key_blocks)[1:] if "eval_time" in paths else []
    return [key for key in keys.key_blocks if not key.mute and key.path_from_id("value") in paths]


def _changes_lengths(key, edges):
    before, after = (_lengths(mesh_io.read_shape_key(each), edges) for each in (key.relative_key, key))
    return bool((np.abs(after - before) > _CHANGED * before).any())


def _lengths(points, edges):
    return np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)
