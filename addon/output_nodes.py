# SPDX-License-Identifier: GPL-3.0-or-later
"""The geometry-nodes modifier that taps the incoming pose and shows the simulated one.

Three nodes in a row: store the vertex index, store the incoming position, set the position from the attribute
the frame handler writes, where it exists. Of what tears two more leave out the faces that another attribute names, and
the edges that only these have. The base mesh and the shape keys are never written.
"""

from itertools import pairwise
from typing import Any

import bpy
import numpy as np

from . import mesh_io
from .mesh_io import MeshError

NAME = "Hooke"
# Above every mean of several 0 and 1 but that of 1 alone.
_ALL = 0.999
_TAG = "hooke_output"

# Modifiers that keep every vertex. Hooke goes below them, so that pins follow them.
# fmt: off
_KEEP_VERTICES = frozenset({
    "ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DATA_TRANSFER", "DISPLACE", "HOOK",
    "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE", "MESH_CACHE", "MESH_DEFORM", "MESH_SEQUENCE_CACHE",
    "NORMAL_EDIT", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SURFACE_DEFORM", "UV_PROJECT", "UV_WARP",
    "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY", "VOLUME_DISPLACE", "WARP", "WAVE",
    "WEIGHTED_NORMAL",
})
# fmt: on


def find(obj):
    """Hooke's modifier on the object, the first if it was duplicated, or None."""
    return next(_own(obj), None)


def check(obj):
    """Raise MeshError unless the object has Hooke's modifier once."""
    names = [modifier.name for modifier in _own(obj)]
    if not names:
        raise MeshError(f"Hooke's modifier on '{obj.name}' is gone: remove and add Hooke")
    if len(names) > 1:
        listed = ", ".join(f"'{name}'" for name in names)
        raise MeshError(
            f"'{obj.name}' has Hooke's modifier {len(names)} times ({listed}), and one would take the other's result "
            "for the pose that enters: remove all but one"
        )


def _own(obj):
    for modifier in obj.modifiers:
        if modifier.type == "NODES" and modifier.node_group is not None and modifier.node_group.get(_TAG):
            yield modifier


def leading(obj):
    """How many modifiers of an object come before the first that does not keep every vertex."""
    place = 0
    while place < len(obj.modifiers) and obj.modifiers[place].type in _KEEP_VERTICES:
        place += 1
    return place


def add(obj):
    """Add Hooke's modifier below the leading modifiers that keep every vertex, and return it.

    Raises MeshError, and adds nothing, where Blender lets no modifier go that high.
    """
    place = leading(obj)
    modifier = obj.modifiers.new(NAME, "NODES")
    modifier.node_group = _node_group(obj.hooke.tearing)
    modifier.show_expanded = False
    try:
        obj.modifiers.move(len(obj.modifiers) - 1, place)
    except RuntimeError as error:
        remove(obj)
        hindrance = obj.modifiers[place].name
        raise MeshError(
            f"the modifier '{hindrance}' of '{obj.name}' changes the mesh and must stay first, so Hooke cannot go "
            "above it: apply or remove it"
        ) from error
    return obj.modifiers[place]


def remove(obj):
    """Remove Hooke's modifier, its node group with the last user, and its attributes on a mesh where it was applied."""
    for modifier in list(_own(obj)):
        group = modifier.node_group
        obj.modifiers.remove(modifier)
        if group.users == 0:
            bpy.data.node_groups.remove(group)
    mesh_io.remove_attributes(obj.data)


def follow_tearing(obj):
    """Let Hooke's modifier on an object hide torn faces if the object tears, and only then."""
    modifier, kind = find(obj), _kind(obj.hooke.tearing)
    if modifier is None or modifier.node_group[_TAG] == kind:
        return
    before = modifier.node_group
    modifier.node_group = _node_group(obj.hooke.tearing)
    if before.users == 0:
        bpy.data.node_groups.remove(before)


def _kind(tears):
    """The tag of a node group; 1 is in old files, 2 kept the edges of torn faces."""
    return 3 if tears else 1


def read_target(obj, depsgraph):
    """Pose that enters Hooke's modifier, evaluated, in object space, float32, shape (vertex_count, 3).

    Raises MeshError as `check`, and where the evaluated mesh does not hold it vertex by vertex: what rebuilds it below
    Hooke, as Skin does, is in the way of no other pose than the mesh's own.
    """
    check(obj)
    evaluated = obj.evaluated_get(depsgraph)
    attributes, count = evaluated.data.attributes, len(obj.data.vertices)
    if mesh_io.TARGET not in attributes or mesh_io.INDEX not in attributes:
        own = find(evaluated) if evaluated.is_evaluated else None
        if own is not None and _shown(own, depsgraph):
            return _unposed(obj, depsgraph)
        raise MeshError(
            f"'{obj.name}' is not evaluated through Hooke's modifier: show the object and its modifier "
            "Hooke, or remove and add Hooke"
        )
    if len(obj.modifiers) > 1:
        indices = mesh_io.read_numbers(attributes[mesh_io.INDEX])
        if indices.max(initial=-1) >= count:
            raise MeshError(
                f"a modifier above Hooke on '{obj.name}' adds vertices: move Hooke above it or turn it off"
            )
        if not np.array_equal(indices[:count], np.arange(count)):
            return _unposed(obj, depsgraph)
    return mesh_io.read_vectors(attributes[mesh_io.TARGET])[:count]


def _unposed(obj, depsgraph):
    """The mesh's own pose; raises MeshError where anything above Hooke, or a shape key, makes another of it."""
    above = [modifier.name for modifier in modifiers_above(obj) if _shown(modifier, depsgraph)]
    above += ["Shape Keys"] if obj.data.shape_keys is not None else []
    if not above:
        return mesh_io.read_positions(obj.data)
    below = list(obj.modifiers)[list(obj.modifiers).index(find(obj)) + 1 :]
    below = [modifier.name for modifier in below if _shown(modifier, depsgraph)]
    if not below:
        raise MeshError(
            f"a modifier above Hooke on '{obj.name}' rebuilds the mesh, so the pose of its {len(obj.data.vertices)} "
            "vertices cannot be read: move Hooke above it or turn it off"
        )
    names, reasons = (", ".join(f"'{name}'" for name in of) for of in (below, above))
    raise MeshError(
        f"a modifier below Hooke on '{obj.name}' ({names}) rebuilds the mesh, so the pose that {reasons} gives its "
        f"{len(obj.data.vertices)} vertices cannot be read: turn it off while it is simulated"
    )


def _shown(modifier, depsgraph):
    return modifier.show_render if depsgraph.mode == "RENDER" else modifier.show_viewport


def modifiers_above(obj):
    """The modifiers whose result Hooke taps."""
    own = find(obj)
    return list(obj.modifiers)[: list(obj.modifiers).index(own)] if own is not None else []


def _node_group(tears):
    for group in bpy.data.node_groups:
        if group.get(_TAG) == _kind(tears) and group.library is None:
            return group
    group = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    group[_TAG] = _kind(tears)
    group.is_modifier = True  # type: ignore[attr-defined]
    for in_out in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    nodes, links = group.nodes, group.links
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    index = _store(group, mesh_io.INDEX, "INT", nodes.new("GeometryNodeInputIndex"))
    target = _store(group, mesh_io.TARGET, "FLOAT_VECTOR", nodes.new("GeometryNodeInputPosition"))
    simulated: Any = nodes.new("GeometryNodeInputNamedAttribute")
    simulated.data_type = "FLOAT_VECTOR"
    simulated.inputs["Name"].default_value = mesh_io.POSITION
    show = nodes.new("GeometryNodeSetPosition")
    links.new(start.outputs[0], index.inputs["Geometry"])
    links.new(index.outputs[0], target.inputs["Geometry"])
    links.new(target.outputs[0], show.inputs["Geometry"])
    links.new(simulated.outputs["Attribute"], show.inputs["Position"])
    links.new(simulated.outputs["Exists"], show.inputs["Selection"])
    row = [start, index, target, show, *(_without_torn(group) if tears else []), end]
    for node, after in pairwise(row[3:]):
        links.new(node.outputs[0], after.inputs["Geometry"])
    for column, node in enumerate(row):
        node.location = (220 * column, 0)
    simulated.location = (440, -220)
    return group


def _without_torn(group):
    """Two nodes that leave out torn faces and the edges that have no others, and keep every vertex."""
    edges: Any = group.nodes.new("GeometryNodeDeleteGeometry")
    faces: Any = group.nodes.new("GeometryNodeDeleteGeometry")
    edges.domain, edges.mode = "EDGE", "EDGE_FACE"
    faces.domain, faces.mode = "FACE", "ONLY_FACE"
    torn: Any = group.nodes.new("GeometryNodeInputNamedAttribute")
    torn.data_type = "BOOLEAN"
    torn.inputs["Name"].default_value = mesh_io.TORN
    # An edge has the mean of its faces, as a number: true of all of them where that is 1, and 0 without any.
    share: Any = group.nodes.new("GeometryNodeFieldOnDomain")
    share.data_type, share.domain = "FLOAT", "FACE"
    whole: Any = group.nodes.new("FunctionNodeCompare")
    whole.data_type, whole.operation = "FLOAT", "GREATER_THAN"
    whole.inputs[1].default_value = _ALL
    for place, node in enumerate((torn, share, whole)):
        node.location = (440 + 220 * place, -440)
    group.links.new(torn.outputs["Attribute"], faces.inputs["Selection"])
    group.links.new(torn.outputs["Attribute"], share.inputs[0])
    group.links.new(share.outputs[0], whole.inputs[0])
    group.links.new(whole.outputs["Result"], edges.inputs["Selection"])
    return edges, faces


def _store(group, name, data_type, value):
    node = group.nodes.new("GeometryNodeStoreNamedAttribute")
    node.data_type, node.domain = data_type, "POINT"
    node.inputs["Name"].default_value = name
    group.links.new(value.outputs[0], node.inputs["Value"])
    return node
