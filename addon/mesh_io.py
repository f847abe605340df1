# SPDX-License-Identifier: GPL-3.0-or-later
"""The only file that moves arrays between NumPy and Blender's meshes.

Positions inside Blender are float32 in object space; the simulation wants float64 in world space.
"""

import zlib

import numpy as np

from ..core.topology import Polygons

# Types of the values that nodes may store as weights, and of the arrays that they are read into.
_NUMBERS = {"FLOAT": np.float32, "BOOLEAN": np.bool_, "INT": np.int32}

TARGET = "hooke_target"
INDEX = "hooke_index"
POSITION = "hooke_position"
SAVED_POSE = "hooke_saved_pose"
TORN = "hooke_torn"
STRAIN = "hooke_strain"
BEND = "hooke_bend"
KIND = "hooke_kind"


class MeshError(ValueError):
    """A mesh that cannot be simulated; the message names the fault and the remedy."""


def read_positions(mesh):
    """Positions of the original mesh in object space, float32, shape (vertex_count, 3).

    In Edit Mode, here and below, those with which it began: a mesh that is edited has no such attributes.
    """
    attribute = mesh.attributes.get("position")
    if attribute is not None:
        return read_vectors(attribute)
    positions = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def read_edges(mesh):
    """Vertex indices of the edges, shape (edge_count, 2)."""
    edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.edges.foreach_get("vertices", edges)
    return edges.reshape(-1, 2)


def read_polygons(mesh):
    """Faces as Polygons."""
    corners = _of_loops(mesh, ".corner_vert", "vertex_index")
    sizes = np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.polygons.foreach_get("loop_total", sizes)
    return Polygons(corners.astype(np.intp), sizes.astype(np.intp))


def has_strands(mesh):
    """Whether any edge borders no face."""
    bordering = np.zeros(len(mesh.edges), dtype=bool)
    bordering[_of_loops(mesh, ".corner_edge", "edge_index")] = True
    return not bordering.all()


def _of_loops(mesh, attribute, name):
    """A value of every loop, by an attribute or by its own name: a mesh without faces has no loops."""
    # A hundred times as quick as to ask every loop.
    if len(mesh.loops) and mesh.attributes.get(attribute) is not None:
        return read_numbers(mesh.attributes[attribute])
    found = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get(name, found)
    return found


def read_triangles(mesh):
    """Vertex indices of the triangles that Blender makes of the faces, shape (triangle_count, 3)."""
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return triangles.reshape(-1, 3)


def select(mesh, vertices):
    """Select some vertices and nothing else; vertices: their numbers."""
    chosen = np.zeros(len(mesh.vertices), dtype=bool)
    chosen[vertices] = True
    mesh.vertices.foreach_set("select", chosen)
    for parts in (mesh.edges, mesh.polygons):
        parts.foreach_set("select", np.zeros(len(parts), dtype=bool))


def weight_names(obj):
    """Names of what has a weight of every vertex: vertex groups, and attributes of numbers on vertices, a list."""
    return [group.name for group in obj.vertex_groups] + [
        attribute.name for attribute in obj.data.attributes if _is_weight(attribute)
    ]


def has_weights(obj, name):
    """Whether a vertex group of the object has a name, or an attribute of numbers on its vertices."""
    return name in obj.vertex_groups or _is_weight(obj.data.attributes.get(name))


def read_weights(obj, name, mesh=None):
    """Weights of a vertex group, or of an attribute where there is none, 0 to 1, float64, shape (vertex_count,).

    They are 0 outside the group, and without any. mesh: that they are read of in place of the object's own, whose
    vertices are its first.
    """
    return np.clip(np.nan_to_num(read_values(obj, name, mesh), nan=0.0), 0.0, 1.0)


def read_values(obj, name, mesh=None):
    """What weights are made of, as for `read_weights`: attributes hold any numbers."""
    values = np.zeros(len(obj.data.vertices))
    mesh = obj.data if mesh is None else mesh
    group, attribute = obj.vertex_groups.get(name), mesh.attributes.get(name)
    if group is not None:
        for number, vertex in zip(range(len(values)), mesh.vertices, strict=False):
            for element in vertex.groups:
                if element.group == group.index:
                    values[number] = element.weight
    elif _is_weight(attribute) or (mesh is not obj.data and _is_number(attribute)):
        found = read_numbers(attribute, _NUMBERS[attribute.data_type])
        values[: len(found)] = found[: len(values)]
    return values


def _is_weight(attribute):
    return attribute is not None and (attribute.domain, attribute.data_type) == ("POINT", "FLOAT")


def _is_number(attribute):
    """Whether an attribute is one that nodes may store as a weight of every vertex."""
    return attribute is not None and attribute.domain == "POINT" and attribute.data_type in _NUMBERS


def read_vectors(attribute):
    """Values of a vector attribute, float32, shape (value_count, 3)."""
    vectors = np.empty(3 * len(attribute.data), dtype=np.float32)
    attribute.data.foreach_get("vector", vectors)
    return vectors.reshape(-1, 3)


def read_numbers(attribute, dtype=np.int32):
    """Values of an attribute of numbers, shape (value_count,); dtype: that of its own."""
    numbers = np.empty(len(attribute.data), dtype=dtype)
    attribute.data.foreach_get("value", numbers)
    return numbers


def write_positions(mesh, positions):
    """Show positions in object space, float32, shape (vertex_count, 3), through Hooke's modifier."""
    attribute = mesh.attributes.get(POSITION)
    if attribute is not None and (attribute.domain != "POINT" or attribute.data_type != "FLOAT_VECTOR"):
        mesh.attributes.remove(attribute)
        attribute = None
    if attribute is None:
        attribute = mesh.attributes.new(POSITION, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", positions.ravel())
    mesh.update()


def write_torn(mesh, torn):
    """Let Hooke's modifier leave out torn faces, a mask of all, or None for none."""
    attribute = mesh.attributes.get(TORN)
    if attribute is None and torn is None:
        return
    if attribute is not None and (attribute.domain != "FACE" or attribute.data_type != "BOOLEAN"):
        mesh.attributes.remove(attribute)
        attribute = None
    if attribute is None:
        attribute = mesh.attributes.new(TORN, "BOOLEAN", "FACE")
    attribute.data.foreach_set("value", np.zeros(len(mesh.polygons), dtype=bool) if torn is None else torn)
    mesh.update()


def write_edge_values(mesh, values):
    """Store arrays by name as attributes of the edges: float32, or int32 of whole numbers; shape (edge_count,)."""
    for name, array in values.items():
        kind = "INT" if np.issubdtype(array.dtype, np.integer) else "FLOAT"
        attribute = mesh.attributes.get(name)
        if attribute is not None and (attribute.domain, attribute.data_type) != ("EDGE", kind):
            mesh.attributes.remove(attribute)
            attribute = None
        # Looked up again: a new attribute moves the others in memory.
        if attribute is None:
            attribute = mesh.attributes.new(name, kind, "EDGE")
        attribute.data.foreach_set("value", array.astype(np.int32 if kind == "INT" else np.float32))


def clear_positions(mesh):
    """Let the pose that enters Hooke's modifier pass through it, whole."""
    own = [mesh.attributes[name].name for name in (POSITION, TORN) if name in mesh.attributes]
    for name in own:
        mesh.attributes.remove(mesh.attributes[name])
    if own:
        mesh.update()


def remove_attributes(mesh):
    """Remove what Hooke's modifier reads and stores; a saved pose is the user's and stays."""
    names = (TARGET, INDEX, POSITION, TORN, STRAIN, BEND, KIND)
    own = [mesh.attributes[name] for name in names if name in mesh.attributes]
    for name in [attribute.name for attribute in own]:
        mesh.attributes.remove(mesh.attributes[name])
    if own:
        mesh.update()


def read_saved_pose(mesh):
    """Pose to start from that was saved with the mesh, object space, float32, shape (vertex_count, 3)."""
    return read_vectors(mesh.attributes[SAVED_POSE])


def save_pose(mesh, positions):
    """Save a pose to start from with the mesh: object space, float32, shape (vertex_count, 3)."""
    attribute = mesh.attributes.get(SAVED_POSE) or mesh.attributes.new(SAVED_POSE, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", positions.ravel())


def has_saved_pose(mesh):
    """Whether a pose to start from was saved with the mesh."""
    attribute = mesh.attributes.get(SAVED_POSE)
    return attribute is not None and (attribute.domain, attribute.data_type) == ("POINT", "FLOAT_VECTOR")


def forget_pose(mesh):
    """Remove the saved pose."""
    mesh.attributes.remove(mesh.attributes[SAVED_POSE])


def read_shape_key(key_block):
    """A shape key's points in object space, float32, shape (vertex_count, 3)."""
    return read_control_points(key_block.data, "co", 3)


def read_control_points(points, name, width):
    """Numbers of the points of a shape key, a curve or a lattice, float32, shape (count, width)."""
    found = np.empty(width * len(points), dtype=np.float32)
    points.foreach_get(name, found)
    return found.reshape(-1, width)


def add_shape_key(obj, name, positions):
    """Add a shape key that shows nothing: object space, float32, shape (vertex_count, 3); returns its whole name."""
    active = obj.active_shape_key_index
    if obj.data.shape_keys is None:
        obj.shape_key_add(name="Basis", from_mix=False)
    key = obj.shape_key_add(name=name, from_mix=False)
    key.value = 0.0
    write_shape_key(key, positions)
    # It is the active one now.
    obj.active_shape_key_index = active
    return key.name


def write_shape_key(key_block, positions):
    """Set a shape key's points to positions in object space, float32, shape (vertex_count, 3)."""
    key_block.data.foreach_set("co", positions.ravel())


def world_matrix(obj, depsgraph):
    """The object's evaluated world matrix, float64, shape (4, 4)."""
    return np.array(obj.evaluated_get(depsgraph).matrix_world, dtype=np.float64)


def to_world(matrix, positions):
    """Object space to world space, float64; matrix is a 4x4 world matrix."""
    matrix = np.array(matrix, dtype=np.float64)
    return positions.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def to_object(matrix, positions):
    """World space to object space, float32; the matrix must be invertible."""
    matrix = np.array(matrix, dtype=np.float64)
    inverse = np.linalg.inv(matrix[:3, :3])
    # OpenBLAS takes ten times as long for so narrow a product.
    return np.einsum("ij,kj->ik", positions - matrix[:3, 3], inverse).astype(np.float32)


def check_scale(obj, matrix, frame):
    """Raise MeshError if the object's world matrix in a frame flattens it."""
    linear = np.array(matrix, dtype=np.float64)[:3, :3]
    if not np.isfinite(linear).all() or np.linalg.matrix_rank(linear) < 3:
        scale = ", ".join(f"{s:g}" for s in obj.scale)
        raise MeshError(
            f"'{obj.name}' has the scale {scale} in frame {frame}: give every axis a scale other than 0, in every frame"
        )


def fingerprint(array):
    """Checksum of an array's bytes."""
    return zlib.crc32(np.ascontiguousarray(array).view(np.uint8).data)
