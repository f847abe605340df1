# SPDX-License-Identifier: GPL-3.0-or-later
"""Another shape at rest than that of the start frame."""

import numpy as np

from .. import mesh_io
from ..mesh_io import MeshError
from .solid_objects import is_filled


def rest_shape(obj):
    """Where an object's vertices are at rest, by its settings: object space, float32; None for where they start.

    Raises MeshError for a shape key that is not there, and for a mesh of another topology.
    """
    settings = obj.hooke
    if is_filled(settings):
        return None
    if settings.rest_key:
        return _of_key(obj, settings.rest_key)
    if settings.rest_object is not None:
        return _of_object(obj, settings.rest_object)
    return None


def _of_key(obj, name):
    keys = obj.data.shape_keys
    if keys is None or name not in keys.key_blocks:
        raise MeshError(
            f"'{obj.name}' has no shape key '{name}' to rest in: choose another Rest Shape Key, or none"
        )
    return mesh_io.read_shape_key(keys.key_blocks[name])


def _of_object(obj, other):
    if other.type != "MESH" or not _alike(obj.data, other.data):
        raise MeshError(
            f"'{other.name}' has other vertices and faces than '{obj.name}', so that this cannot rest in its shape: "
            "choose a Rest Object that was made from it"
        )
    return mesh_io.read_positions(other.data)


def _alike(mesh, other):
    if (len(mesh.vertices), len(mesh.edges)) != (len(other.vertices), len(other.edges)):
        return False
    one, two = (mesh_io.read_polygons(each) for each in (mesh, other))
    return np.array_equal(one.sizes, two.sizes) and np.array_equal(one.corners, two.corners)
