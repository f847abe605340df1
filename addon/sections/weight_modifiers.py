# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that change the weights of vertices: of vertex groups, and attributes."""

from ..bakes.curves import animated_paths
from ..output_nodes import modifiers_above

# By type the setting that names what group a modifier changes.
_NAMING = {
    "VERTEX_WEIGHT_EDIT": "vertex_group",
    "VERTEX_WEIGHT_MIX": "vertex_group_a",
    "VERTEX_WEIGHT_PROXIMITY": "vertex_group",
}
# Domain and type of the values that nodes store as weights of vertices.
_WEIGHTS = [("POINT", kind) for kind in ("FLOAT", "BOOLEAN", "INT")]


def changing(obj, name):
    """The first modifier above Hooke's that changes a vertex group of the object, or an attribute of its vertices of a
    name, None where none does.

    One that is shown neither in the viewport nor in renders is none, nor one without influence, unless keys or drivers
    change that.
    """
    if not name:
        return None
    return next((modifier for modifier in modifiers_above(obj) if _acts(modifier, obj, name)), None)


def _acts(modifier, obj, name):
    if not _changes(modifier, obj, name):
        return False
    shown = modifier.show_viewport or modifier.show_render
    if shown and (modifier.type not in _NAMING or _has_influence(modifier)):
        return True
    return any(path.startswith(modifier.path_from_id()) for path in animated_paths(obj))


def _changes(modifier, obj, name):
    if modifier.type in _NAMING:
        return getattr(modifier, _NAMING[modifier.type]) == name
    if modifier.type == "DATA_TRANSFER":
        return _transfers(modifier, obj, name)
    if modifier.type == "DYNAMIC_PAINT":
        canvas = modifier.canvas_settings
        surfaces = canvas.canvas_surfaces if canvas is not None else ()
        return any(each.surface_type == "WEIGHT" and each.output_name_a == name for each in surfaces)
    return modifier.type == "NODES" and (
        _stores(modifier.node_group, name, set()) or _puts_out(modifier, name)
    )


def _has_influence(modifier):
    return modifier.mask_constant > 0.0 or bool(modifier.mask_vertex_group)


def _transfers(modifier, obj, name):
    source = modifier.object
    if source is None or not modifier.use_vert_data or "VGROUP_WEIGHTS" not in modifier.data_types_verts:
        return False
    if modifier.layers_vgroup_select_dst == "ACTIVE":
        active = obj.vertex_groups.active
        return active is not None and active.name == name
    chosen = modifier.layers_vgroup_select_src
    return chosen == name or (chosen.startswith(("ALL", "BONE")) and name in source.vertex_groups)


def _stores(tree, name, seen):
    """Whether a node of a tree, or of one within it, stores an attribute of a name, as which vertex groups count."""
    if tree is None or tree in seen:
        return False
    seen.add(tree)
    return any(
        (
            node.bl_idname == "GeometryNodeStoreNamedAttribute"
            and not node.mute
            and not node.inputs["Name"].is_linked
            and node.inputs["Name"].default_value == name
            and (node.domain, node.data_type) in _WEIGHTS
        )
        or _stores(getattr(node, "node_tree", None), name, seen)
        for node in tree.nodes
    )


def _puts_out(modifier, name):
    """Whether an output of geometry nodes goes to an attribute of a name."""
    tree = modifier.node_group
    sockets = [] if tree is None else tree.interface.items_tree
    outputs = (each for each in sockets if each.item_type == "SOCKET" and each.in_out == "OUTPUT")
    return any(_attribute(modifier, each.identifier) == name for each in outputs)


def _attribute(modifier, identifier):
    """The attribute's name that an output is given, or None."""
    if hasattr(modifier, "properties"):
        return getattr(getattr(modifier.properties.outputs, identifier, None), "attribute_name", None)
    return modifier.get(f"{identifier}_attribute_name")
