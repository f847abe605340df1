# SPDX-License-Identifier: GPL-3.0-or-later
"""A floor below an object."""

from typing import Any

import bpy
import numpy as np

from .. import mesh_io
from .settings import add_collision

# A floor is drawn so many times wider than what falls onto it; it stops things beyond its edges too.
_WIDTH = 4.0


def add_floor(obj):
    """Put a collider below an object and return it: at height 0, or half the object's size below it where that is."""
    corners = mesh_io.to_world(obj.matrix_world, np.array(obj.bound_box))
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = float((high - low).max())
    floor: Any = bpy.data.objects.new("Floor", _square(_WIDTH * size))
    middle = (low + high) / 2
    floor.location = middle[0], middle[1], 0.0 if low[2] >= 0.0 else low[2] - size / 2
    # Among what the object collides with, should that be limited.
    (obj.hooke.collision_collection or obj.users_collection[0]).objects.link(floor)
    add_collision(floor)
    floor.hooke_collider.shape = "PLANE"
    return floor


def _square(side):
    half = side / 2
    mesh = bpy.data.meshes.new("Floor")
    corners = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    return mesh
