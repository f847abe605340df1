# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects below a falling one that stop nothing, since they have no Collision physics."""

import numpy as np

from .. import mesh_io
from .finding import is_seen, is_simulated
from .settings import is_collider

# How much thicker than wide something may be that counts as a floor.
_FLAT = 0.05
# How far a support may be above an object's lowest point, in parts of the object's width.
_WITHIN = 0.01


def below(obj, depsgraph, down):
    """The first object without Collision physics that one which falls comes to, or None.

    down: the way it falls, three numbers; a fall without a way comes to nothing.
    """
    frame = _frame(down)
    if frame is None:
        return None
    begins = _extent(_points(obj), frame)
    others = [(_extent(_corners(other, depsgraph), frame), other) for other in _harmless(obj, depsgraph)]
    reached = [(low[0], other) for (low, high), other in others if _comes_to(begins, low, high)]
    return min(reached, key=lambda pair: pair[0])[1] if reached else None


def passed(obj, depsgraph, down):
    """The first floor without Collision physics that an object began above and is seen below, or None."""
    frame, floor = _frame(down), below(obj, depsgraph, down)
    if floor is None:
        return None
    low, high = _extent(_corners(floor, depsgraph), frame)
    shown = _extent(_corners(obj, depsgraph), frame)
    flat = high[0] - low[0] <= _FLAT * (high - low)[1:].min()
    return floor if flat and shown[1][0] > high[0] and _beside(shown, low, high) else None


def _harmless(obj, depsgraph):
    """Objects in sight with faces that could be colliders of an object, and are none."""
    among = obj.hooke.collision_collection
    candidates = depsgraph.scene.objects if among is None else among.all_objects
    return [
        other
        for other in candidates
        if other != obj
        and other.type == "MESH"
        and other.display_type not in {"WIRE", "BOUNDS"}
        and len(other.data.polygons)
        and not is_simulated(other)
        and not is_collider(other)
        and is_seen(other, depsgraph)
    ]


def _frame(down):
    """Rows of a matrix: the way down, and two ways across it; None without a way."""
    down = np.asarray(down, dtype=np.float64)
    size = np.linalg.norm(down)
    if not size > 0.0:
        return None
    down = down / size
    across = np.cross(down, np.eye(3)[np.argmin(np.abs(down))])
    across /= np.linalg.norm(across)
    return np.array([down, across, np.cross(down, across)])


def _points(obj):
    return mesh_io.to_world(obj.matrix_world, mesh_io.read_positions(obj.data))


def _corners(obj, depsgraph):
    evaluated = obj.evaluated_get(depsgraph)
    return mesh_io.to_world(evaluated.matrix_world, np.array(evaluated.bound_box))


def _extent(points, frame):
    """Least and largest of points along the rows of a frame."""
    along = points @ frame.T
    return along.min(axis=0), along.max(axis=0)


def _comes_to(begins, low, high):
    """Whether something of an extent falls onto another one."""
    size = (begins[1] - begins[0]).max()
    return low[0] >= begins[1][0] - _WITHIN * size and _beside(begins, low, high)


def _beside(extent, low, high):
    """Whether extents overlap across the fall."""
    return bool((extent[0] <= high)[1:].all() and (extent[1] >= low)[1:].all())
