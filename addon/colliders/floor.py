# SPDX-License-Identifier: GPL-3.0-or-later
"""A floor below an object."""

from typing import Any

import bpy
import numpy as np

from .. import mesh_io
from .finding import enabled, may_be_seen
from .settings import add_collision

# A floor is drawn so many times wider than what falls onto it; it stops things beyond its edges too.
_WIDTH = 4.0


def add_floor(obj, view_layer):
    """Put a collider below an object and return it: at height 0 where that is below, else half the object's size below.

    It is seen in the view layer. Raises MeshError where nothing can join what the object collides with.
    """
    # In the object's collection of colliders, if one is chosen.
    chosen = obj.hooke.collision_collection
    if chosen is not None and not _is_open(chosen):
        raise mesh_io.MeshError(
            f"'{obj.name}' collides with the collection '{chosen.name}' alone, which is linked and takes no floor: "
            "choose another as its Collection, or none"
        )
    corners = mesh_io.to_world(obj.matrix_world, np.array(obj.bound_box))
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = float((high - low).max())
    floor: Any = bpy.data.objects.new("Floor", _square(_WIDTH * size))
    middle = (low + high) / 2
    floor.location = middle[0], middle[1], 0.0 if low[2] >= 0.0 < high[2] else low[2] - size / 2
    if chosen is not None:
        chosen.objects.link(floor)
    if not may_be_seen(floor, view_layer):
        _seen_with(obj, view_layer).objects.link(floor)
    add_collision(floor)
    floor.hooke_collider.shape = "PLANE"
    return floor


def _seen_with(obj, view_layer):
    """A collection in which an object is seen, or else what is seen wherever it is: the scene's own."""
    seen = [layer.collection for layer in enabled(view_layer) if layer.is_visible]
    shown = [collection for collection in seen if _is_open(collection)]
    own = [collection for collection in shown if obj.name in collection.objects]
    return (own or [view_layer.layer_collection.collection])[0]


def _is_open(collection):
    """Whether objects can join a collection."""
    return collection.library is None and collection.override_library is None


def _square(side):
    half = side / 2
    mesh = bpy.data.meshes.new("Floor")
    corners = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    return mesh
