# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, strips and drivers that an object may follow, and values without keys, as arrays."""

from functools import partial
from math import inf

import bpy
import numpy as np

from .. import sections
from ..bakes.curves import curves_of
from . import unkeyed_data, upstream
from .lazy_values import checksum
from .unkeyed_data import plain

_NUMBERS = {"co": 2, "handle_left": 2, "handle_right": 2, "amplitude": 1, "period": 1, "back": 1}
_CHOICES = ("easing", "interpolation")
_BEZIER = 2


def read(where):
    """What moves and bends an object, what acts on it, and all that these use: a dict of arrays, see `animation`.

    What has no frames of its own, as modifiers of a curve, drivers, and whatever is not keyed, is a row that differs as
    a whole.
    """
    found: dict = {}
    blocks = [where.obj, *sections.sources(where)]
    for block in upstream.reached(blocks, upstream.uses()):
        if isinstance(block, bpy.types.Action):
            continue
        found[type(block).__name__, block.session_uid, "unkeyed"] = _row(unkeyed_data.read(block, where.obj))
        animation = block.animation_data
        if animation is None:
            continue
        for curve in filter(partial(_leads, block), curves_of(animation)):
            name = type(block).__name__, block.session_uid, curve.data_path, curve.array_index
            found[name] = _keys(curve)
            found[*name, "how"] = _row(_how(curve))
        found[type(block).__name__, block.session_uid, "more"] = _row(
            [_strips(animation), _drivers(animation)]
        )
    return found


def _leads(block, curve):
    """Whether a curve leads to anything of a data-block: those of removed keys, and of others' keys, move nothing."""
    try:
        block.path_resolve(curve.data_path)
    except ValueError:
        return False
    return True


def _keys(curve):
    """A row a key; handles that no part of the curve uses are 0."""
    points, columns = curve.keyframe_points, []
    for name, width in _NUMBERS.items():
        values = np.empty(width * len(points), dtype=np.float32)
        points.foreach_get(name, values)
        columns.append(values.reshape(-1, width))
    for name in _CHOICES:
        chosen = np.empty(len(points), dtype=np.int32)
        points.foreach_get(name, chosen)
        columns.append(chosen.reshape(-1, 1).astype(np.float32))
    found = np.hstack(columns)
    after = found[:, -1] == _BEZIER
    found[1:, 2:4][~after[:-1]] = 0.0
    found[:, 4:6][~after] = 0.0
    return found


def _how(curve):
    """What acts on all of a curve."""
    return [curve.mute, curve.extrapolation, *(plain(each) for each in curve.modifiers)]


def _strips(animation):
    """All NLA strips of a data-block; the keys of each have their own time."""
    return [
        (
            track.mute,
            track.is_solo,
            plain(strip),
            [(_how(each), checksum(_keys(each))) for each in curves_of(strip)],
        )
        for track in animation.nla_tracks
        for strip in track.strips
    ]


def _drivers(animation):
    return [
        (curve.data_path, curve.array_index, _how(curve), checksum(_keys(curve)), _driver(curve.driver))
        for curve in animation.drivers
    ]


def _driver(driver):
    variables = [(each.name, each.type, *map(plain, each.targets)) for each in driver.variables]
    return driver.type, driver.expression, variables


def _row(said):
    """A row that differs as a whole."""
    return np.array([[-inf, checksum(repr(said))]])
