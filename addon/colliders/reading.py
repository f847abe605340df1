# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as arrays, in every frame: the same number of the same kinds, else it is another collider."""

import numpy as np

from .. import mesh_io, output_nodes
from ..bakes.curves import animated_paths
from ..mesh_io import MeshError
from . import following
from .finding import MOST_ON_A_GRID, is_simulated, is_switched, triangle_count
from .settings import SHAPES

# Number of arrays of a collider that keeps its shape, and of one that deforms; one more of either that is switched.
RIGID_ARRAYS, DEFORMING_ARRAYS = 4, 3

# Beyond this nothing can be told apart [m].
_FARTHEST = 1e6

# Larger faces may not be fans of triangles.
_QUAD = 4

# Modifiers that make the same of the same mesh in every frame, where they refer to no other object.
# fmt: off
_STEADY = frozenset({
    "ARRAY", "BEVEL", "COLLISION", "DECIMATE", "EDGE_SPLIT", "LAPLACIANSMOOTH", "MASK", "MIRROR", "MULTIRES",
    "NORMAL_EDIT", "REMESH", "SCREW", "SKIN", "SMOOTH", "SOLIDIFY", "SUBSURF", "TRIANGULATE", "UV_PROJECT", "UV_WARP",
    "WEIGHTED_NORMAL", "WELD", "WIREFRAME",
})
# fmt: on


def read(other, depsgraph):
    """Arrays of a collider by name, see `Section.surroundings`.

    Settings: number of the shape, thickness [m], friction and restitution, and whether it keeps things inside and is
    switched on and off. Then the faces, and of what keeps its shape its points in its own space and its matrix; of
    what deforms its points in the world, shape (point_count, 3) [m]; of what is switched 1 where it is on.
    """
    mesh = _mesh(other, depsgraph)
    shape = shape_of(other, mesh)
    name = f"of '{other.name_full}'"
    settings, own, switched = (
        other.evaluated_get(depsgraph).collision,
        other.hooke_collider,
        is_switched(other),
    )
    chosen = SHAPES[shape], settings.thickness_outer, settings.cloth_friction
    arrays = {
        f"settings {name}": np.array([*chosen, own.restitution, own.inside, switched], dtype=np.float32)
    }
    matrix = mesh_io.world_matrix(other, depsgraph)
    points = _points(other, mesh, depsgraph)
    if not (np.abs(points) < _FARTHEST).all():
        raise MeshError(
            f"'{other.name}' has vertices without coordinates, or more than {_FARTHEST:,.0f} m away, and cannot "
            "collide: delete or move them"
        )
    polygons = mesh_io.read_polygons(mesh)
    if shape == "DEFORMING":
        # Blender's own triangles are others where a face bends another way.
        arrays[f"faces {name}"] = polygons.triangles()
        arrays[f"shape {name}"] = mesh_io.to_world(matrix, points)
    else:
        quick = polygons.sizes.max(initial=0) <= _QUAD
        arrays[f"faces {name}"] = polygons.triangles() if quick else mesh_io.read_triangles(mesh)
        arrays[f"rigid shape {name}"] = points
        arrays[f"motion {name}"] = matrix
    if switched:
        arrays[f"Collision physics {name}"] = np.array([float(settings.use)])
    return arrays


def shown(other, depsgraph):
    """The mesh that an object shows, and its points in its own space, float32."""
    mesh = _mesh(other, depsgraph)
    return mesh, _points(other, mesh, depsgraph) if len(mesh.vertices) else np.empty((0, 3), dtype=np.float32)


def read_own(obj, depsgraph):
    """What an object is as a collider of those it collides with in both directions: thickness [m] and friction."""
    settings = obj.evaluated_get(depsgraph).collision
    return np.array([settings.thickness_outer, settings.cloth_friction], dtype=np.float32)


def shape_of(other, mesh):
    """The shape of a collider: what is chosen, but a deforming mesh for Automatic where something may bend it.

    mesh: that it collides with; one that is too large for a grid is searched in every frame too.
    """
    chosen = other.hooke_collider.shape
    bends = is_simulated(other) or (chosen == "AUTO" and not _keeps_its_shape(other))
    large = chosen in ("AUTO", "MESH") and triangle_count(mesh) > MOST_ON_A_GRID
    return "DEFORMING" if bends or large else chosen


def _mesh(other, depsgraph):
    return other.data if is_simulated(other) else other.evaluated_get(depsgraph).data


def _points(other, mesh, depsgraph):
    """Object space, float32; of what Hooke simulates, where it is shown, since it is evaluated only afterwards."""
    if not is_simulated(other):
        return mesh_io.read_positions(mesh)
    if mesh_io.POSITION in mesh.attributes:
        return mesh_io.read_vectors(mesh.attributes[mesh_io.POSITION])
    return output_nodes.read_target(other, depsgraph)


def _keeps_its_shape(other):
    mesh, shown = other.data, [modifier for modifier in other.modifiers if modifier.show_viewport]
    if mesh.shape_keys is not None or mesh.animation_data is not None or other.parent_type not in _PARENTS:
        return False
    if any(modifier.type not in _STEADY or _refers(modifier) for modifier in shown):
        return False
    movers = following.movers(other)
    if any(map(following.stretches, movers)):
        return False
    animated = [path for mover in movers for path in animated_paths(mover)]
    return not any("scale" in path or path.startswith("modifiers") for path in animated)


# Other kinds of parents deform.
_PARENTS = ("OBJECT", "BONE", "VERTEX", "VERTEX_3")


def _refers(modifier):
    """Whether a modifier depends on another object."""
    pointers = [prop.identifier for prop in modifier.bl_rna.properties if prop.type == "POINTER"]
    return any(getattr(getattr(modifier, name), "id_type", "") == "OBJECT" for name in pointers)
