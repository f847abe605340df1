# SPDX-License-Identifier: GPL-3.0-or-later
"""The object that pins are stuck to."""

import numpy as np

from ...core import Attachment
from .. import colliders, mesh_io
from ..mesh_io import MeshError

_SURFACE, _TRIANGLES = "surface of ", "triangles of "


def hindrance(where):
    """Why the object that pins are to be stuck to does not hold them in the evaluated frame, a sentence, or ""."""
    obj, other = where.obj, where.obj.hooke.attach_object
    if other is None:
        return ""
    said = f"'{other.name}' does not hold the pins of '{obj.name}': "
    if other == obj or other in colliders.dependent(obj):
        return f"{said}it follows from the mesh of '{obj.name}' itself; choose another object"
    if other.type != "MESH":
        return f"{said}it is no mesh; choose one in Attach To"
    if not colliders.is_seen(other, where.depsgraph):
        return f"{said}it is hidden; show it in the viewport"
    return ""


def holder(where):
    """The object that pins are stuck to in the evaluated frame, or None."""
    return None if hindrance(where) else where.obj.hooke.attach_object


def read(where):
    """Its surface in the world, arrays as of `Section.surroundings`; {} without one.

    Raises MeshError for a mesh without faces.
    """
    other = holder(where)
    if other is None:
        return {}
    surface = colliders.shown(other, where.depsgraph)
    if not len(surface.triangles):
        raise MeshError(
            f"'{other.name}' has no faces to hold the pins of '{where.obj.name}': choose another object"
        )
    matrix, of = mesh_io.world_matrix(other, where.depsgraph), f"'{other.name_full}'"
    return {
        f"{_SURFACE}{of}": mesh_io.to_world(matrix, surface.points),
        f"{_TRIANGLES}{of}": surface.polygons.triangles(),
    }


def goals(points, stuck, around):
    """The share of targets that counts, a callable t and targets -> targets, see `ChangingPins`, or None without any.

    points: of all that targets are for [m]; stuck: which of them are held, a mask; around: what `read` gives, with
    Tracks. Raises ValueError for a surface without area.
    """
    surface = next((value for name, value in around.items() if name.startswith(_SURFACE)), None)
    triangles = next((value for name, value in around.items() if name.startswith(_TRIANGLES)), None)
    if surface is None:
        return None
    attached = Attachment(points[stuck], surface.first, np.asarray(triangles))

    def goals_at(t, given):
        targets = given.copy()
        targets[stuck] = attached(surface(t))
        return targets

    return goals_at
