# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as arrays, in every frame: the same number of the same kinds, else it is another collider."""

import numpy as np

from .. import mesh_io, output_nodes
from ..bakes.curves import animated_paths
from ..mesh_io import MeshError
from . import at_collision, following
from .finding import MOST_ON_A_GRID, is_simulated, is_switched
from .settings import SHAPES

# Number of arrays of a collider that keeps its shape, and of one that deforms; one more of either that is switched.
RIGID_ARRAYS, DEFORMING_ARRAYS = 4, 3

# Beyond this nothing can be told apart [m].
_FARTHEST = 1e6

# Modifiers with the same result in every frame if they refer to no other object.
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
    surface = _surface(other, depsgraph)
    shape = _shape(other, surface)
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
    points = surface.points
    if not (np.abs(points) < _FARTHEST).all():
        raise MeshError(
            f"'{other.name}' has vertices without coordinates, or more than {_FARTHEST:,.0f} m away, and cannot "
            "collide: delete or move them"
        )
    if shape == "DEFORMING":
        # Blender's own triangles are others where a face bends another way.
        arrays[f"faces {name}"] = surface.polygons.triangles()
        arrays[f"shape {name}"] = mesh_io.to_world(matrix, points)
    else:
        arrays[f"faces {name}"] = surface.triangles
        arrays[f"rigid shape {name}"] = points
        arrays[f"motion {name}"] = matrix
    if switched:
        arrays[f"Collision physics {name}"] = np.array([float(settings.use)])
    return arrays


def shown(other, depsgraph):
    """The Surface of the mesh that an object shows."""
    if is_simulated(other):
        return _surface(other, depsgraph)
    return at_collision.of_mesh(other.evaluated_get(depsgraph).data)


def read_own(obj, depsgraph):
    """An object as a collider of its partners in both directions: thickness [m] and friction."""
    settings = obj.evaluated_get(depsgraph).collision
    return np.array([settings.thickness_outer, settings.cloth_friction], dtype=np.float32)


def _shape(other, surface):
    """The shape of a collider: what is chosen, but a deforming mesh for Automatic where something may bend it.

    surface: that it collides with; one that is too large for a grid is searched in every frame too.
    """
    chosen = other.hooke_collider.shape
    bends = is_simulated(other) or (chosen == "AUTO" and not _keeps_its_shape(other))
    large = chosen in ("AUTO", "MESH") and len(surface.triangles) > MOST_ON_A_GRID
    return "DEFORMING" if bends or large else chosen


def _surface(other, depsgraph):
    """The geometry that collides; of simulated objects the displayed one, since evaluation comes only afterwards."""
    if not is_simulated(other):
        return at_collision.surface(other, depsgraph, _keeps_its_shape(other))
    attribute = other.data.attributes.get(mesh_io.POSITION)
    points = (
        output_nodes.read_target(other, depsgraph) if attribute is None else mesh_io.read_vectors(attribute)
    )
    return at_collision.of_mesh(other.data)._replace(points=points)


def _keeps_its_shape(other):
    mesh, off = other.data, at_collision.below(other)
    shown = [modifier for modifier in other.modifiers if modifier.show_viewport and modifier not in off]
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
