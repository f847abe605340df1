# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes in which pins are directed by modifiers, and what moves them there."""

import bpy
import numpy as np

from hooke.addon.bakes.curves import _all_fcurves

from .colliding import ball
from .scenes import add_hooke, grid, pin

LAST = 12
FRAMES = range(1, LAST + 1)
# The frame from which on weights are others.
TURN = 6


def keyed(block, path, values, frames=(1, LAST), constant=False):
    """Let a number of a data-block, a modifier or settings go from value to value."""
    for value, frame in zip(values, frames, strict=True):
        setattr(block, path, value)
        block.keyframe_insert(path, frame=frame)
    if constant:
        _step_keys(block.id_data)


def sheet(weights, **settings):
    """A free sheet of 25 vertices, of which the group has weights."""
    return add_hooke(grid(5, pins=weights), air_drag=0.0, **settings)


def above(obj):
    """Move the newest modifier above Hooke's."""
    obj.modifiers.move(len(obj.modifiers) - 1, 0)
    return obj.modifiers[0]


def mixed(obj, values, frames=(1, TURN), constant=True):
    """A Vertex Weight Mix that sets all weights, with an influence from value to value."""
    modifier = obj.modifiers.new("Mix", "VERTEX_WEIGHT_MIX")
    modifier.vertex_group_a, modifier.mix_set, modifier.default_weight_b = "Pin", "ALL", 0.0
    keyed(modifier, "mask_constant", values, frames, constant)
    above(obj)
    return obj


def let_go():
    """All pinned; the mix takes every weight from a frame on."""
    return mixed(sheet(dict.fromkeys(range(25), 1.0)), (0.0, 1.0))


def taken():
    """All pinned in the group, none by the mix until a frame."""
    return mixed(sheet(dict.fromkeys(range(25), 1.0), pin_time=0.0), (1.0, 0.0))


def falling_off():
    """Two corners whose weights fall evenly, and a key on Pin Strength that acts as well."""
    obj = mixed(sheet({0: 1.0, 4: 1.0}), (0.0, 0.8), (1, LAST), constant=False)
    keyed(obj.hooke, "pin_strength", (1.0, 0.5), (1, LAST))
    return obj


def added():
    """Weights that a Vertex Weight Edit gives vertices which have none in the group: those of the last row."""
    obj = sheet({0: 1.0, 4: 1.0}, pin_time=0.2)
    pin(obj, dict.fromkeys(range(20, 25), 1.0), name="Row")
    modifier = obj.modifiers.new("Edit", "VERTEX_WEIGHT_EDIT")
    modifier.vertex_group, modifier.use_add, modifier.add_threshold = "Pin", True, 0.0
    modifier.default_weight, modifier.mask_vertex_group = 0.0, "Row"
    modifier.invert_falloff = True
    keyed(modifier, "mask_constant", (0.0, 1.0), (1, TURN), constant=True)
    above(obj)
    return obj


def near():
    """Weights by how near a ball that flies by is to each vertex."""
    obj, other = sheet(dict.fromkeys(range(25), 1.0)), ball()
    keyed_location(other, (-3.0, 3.0))
    modifier = obj.modifiers.new("Near", "VERTEX_WEIGHT_PROXIMITY")
    modifier.vertex_group, modifier.target = "Pin", other
    modifier.proximity_mode, modifier.proximity_geometry = "GEOMETRY", {"VERTEX"}
    modifier.min_dist, modifier.max_dist = 2.0, 0.5
    above(obj)
    return obj


def stored():
    """Geometry nodes that store 1 in all of the group before a frame, and 0 from it on."""
    obj = sheet({0: 1.0, 4: 1.0})
    tree = bpy.data.node_groups.new("Store", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    store, time = (
        tree.nodes.new("GeometryNodeStoreNamedAttribute"),
        tree.nodes.new("GeometryNodeInputSceneTime"),
    )
    later = tree.nodes.new("FunctionNodeCompare")
    later.operation, later.inputs[1].default_value = "LESS_THAN", float(TURN)
    store.inputs["Name"].default_value = "Pin"
    tree.links.new(time.outputs["Frame"], later.inputs[0])
    tree.links.new(later.outputs[0], store.inputs["Value"])
    tree.links.new(start.outputs[0], store.inputs["Geometry"])
    tree.links.new(store.outputs[0], end.inputs[0])
    obj.modifiers.new("Store", "NODES").node_group = tree
    above(obj)
    return obj


def keyed_location(obj, values, frames=(1, LAST), index=0):
    """Move an object along an axis, evenly."""
    for value, frame in zip(values, frames, strict=True):
        obj.location[index] = value
        obj.keyframe_insert("location", index=index, frame=frame)
    for curve in _curves(obj):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def heights(shown):
    """Mean height of the frames."""
    return np.array([positions[:, 2].mean() for positions in shown.values()])


def _step_keys(block):
    for curve in _curves(block):
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"


def _curves(block):
    return _all_fcurves(block.animation_data)
