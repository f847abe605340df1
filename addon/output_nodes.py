# SPDX-License-Identifier: GPL-3.0-or-later
"""The geometry-nodes modifier that taps the incoming pose and shows the simulated one.

Three nodes in a row: store the vertex index, store the incoming position, set the position from the attribute
the frame handler writes, where it exists. The base mesh and the shape keys are never written.
"""

import bpy

from . import mesh_io

NAME = "Hooke"
_TAG = "hooke_output"

# Modifiers that keep every vertex: Hooke goes below them, so that pins follow what they do.
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
    """Hooke's modifier on the object, or None."""
    for modifier in obj.modifiers:
        if modifier.type == "NODES" and modifier.node_group is not None and _TAG in modifier.node_group:
            return modifier
    return None


def add(obj):
    """Add Hooke's modifier below the leading modifiers that keep every vertex, and return it."""
    place = 0
    while place < len(obj.modifiers) and obj.modifiers[place].type in _KEEP_VERTICES:
        place += 1
    modifier = obj.modifiers.new(NAME, "NODES")
    modifier.node_group = _node_group()
    modifier.show_expanded = False
    obj.modifiers.move(len(obj.modifiers) - 1, place)
    return obj.modifiers[place]


def remove(obj):
    """Remove Hooke's modifier, and its node group with the last user."""
    modifier = find(obj)
    if modifier is None:
        return
    group = modifier.node_group
    obj.modifiers.remove(modifier)
    if group.users == 0:
        bpy.data.node_groups.remove(group)


def modifiers_above(obj):
    """The modifiers whose result Hooke taps."""
    own = find(obj)
    return list(obj.modifiers)[: list(obj.modifiers).index(own)] if own is not None else []


def _node_group():
    for group in bpy.data.node_groups:
        if _TAG in group and group.library is None:
            return group
    group = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    group[_TAG] = True
    group.is_modifier = True
    for in_out in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    nodes, links = group.nodes, group.links
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    index = _store(group, mesh_io.INDEX, "INT", nodes.new("GeometryNodeInputIndex"))
    target = _store(group, mesh_io.TARGET, "FLOAT_VECTOR", nodes.new("GeometryNodeInputPosition"))
    simulated = nodes.new("GeometryNodeInputNamedAttribute")
    simulated.data_type = "FLOAT_VECTOR"
    simulated.inputs["Name"].default_value = mesh_io.POSITION
    show = nodes.new("GeometryNodeSetPosition")
    links.new(start.outputs[0], index.inputs["Geometry"])
    links.new(index.outputs[0], target.inputs["Geometry"])
    links.new(target.outputs[0], show.inputs["Geometry"])
    links.new(simulated.outputs["Attribute"], show.inputs["Position"])
    links.new(simulated.outputs["Exists"], show.inputs["Selection"])
    links.new(show.outputs[0], end.inputs[0])
    for column, node in enumerate((start, index, target, show, end)):
        node.location = (220 * column, 0)
    simulated.location = (440, -220)
    return group


def _store(group, name, data_type, value):
    node = group.nodes.new("GeometryNodeStoreNamedAttribute")
    node.data_type, node.domain = data_type, "POINT"
    node.inputs["Name"].default_value = name
    group.links.new(value.outputs[0], node.inputs["Value"])
    return node
