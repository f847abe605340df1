# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes in which pins are directed by modifiers, and what moves them there."""

import bpy
import numpy as np

from hooke.addon.bakes.curves import all_fcurves
from hooke.addon.sections.maps import MAPPED

from .colliding import ball, collider
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
        step_keys(block.id_data)


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


def mapped():
    """All that a sheet on a ball has maps of, one of them an attribute, with keys on what they multiply."""
    collider(ball(radius=0.5, height=-0.6))
    obj = sheet({0: 1.0, 4: 1.0}, collisions=True, self_collision=True)
    weights = np.tile(np.linspace(0.0, 1.0, 5), 5)
    pin(obj, dict(enumerate(weights.tolist())), name="Painted")
    obj.data.attributes.new("Stored", "FLOAT", "POINT").data.foreach_set("value", weights[::-1].copy())
    for number, of in enumerate(MAPPED.values()):
        setattr(obj.hooke, of.group, ("Painted", "Stored")[number % 2])
    for name, values in (("stretch_stiffness", (5000.0, 500.0)), ("rest_scale", (1.0, 0.9))):
        for value, frame in zip(values, (1, TURN), strict=True):
            setattr(obj.hooke, name, value)
            obj.keyframe_insert(f"hooke.{name}", frame=frame)
    return obj


def fading(obj, name="Painted", values=(0.0, 1.0), frames=(1, LAST)):
    """A Vertex Weight Mix that takes a group's weights evenly, from a share to a share."""
    modifier = obj.modifiers.new("Fade", "VERTEX_WEIGHT_MIX")
    modifier.vertex_group_a, modifier.mix_set, modifier.default_weight_b = name, "ALL", 0.0
    keyed(modifier, "mask_constant", values, frames)
    for curve in _curves(obj):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return above(obj)


def storing(obj, name="Made"):
    """Geometry nodes that store the share of ten frames that is over in an attribute of all vertices."""
    tree = bpy.data.node_groups.new("Store", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    store, time = (
        tree.nodes.new(f"GeometryNode{kind}") for kind in ("StoreNamedAttribute", "InputSceneTime")
    )
    tenth = tree.nodes.new("ShaderNodeMath")
    tenth.operation, tenth.inputs[1].default_value = "DIVIDE", 10.0
    store.inputs["Name"].default_value = name
    tree.links.new(time.outputs["Frame"], tenth.inputs[0])
    tree.links.new(tenth.outputs[0], store.inputs["Value"])
    tree.links.new(start.outputs[0], store.inputs["Geometry"])
    tree.links.new(store.outputs[0], end.inputs[0])
    obj.modifiers.new("Store", "NODES").node_group = tree
    return above(obj)


def mapped_and_moving():
    """The same, with maps that fade, and one that nodes alone make."""
    obj = mapped()
    for name in ("stretch_stiffness", "rest_scale"):
        obj.keyframe_delete(f"hooke.{name}", frame=TURN)
    for of in MAPPED.values():
        setattr(obj.hooke, of.group, "Painted")
    obj.hooke.friction_group = obj.hooke.thickness_group = "Made"
    fading(obj)
    storing(obj)
    return obj


def pressed_by_a_moving_map():
    """A free ball with pressure on its right half alone, which a mix takes."""
    obj = pressed_on_a_side()
    obj.animation_data_clear()
    obj.hooke.pressure = 3.0
    fading(obj, "Right")
    return obj


def pressed_on_a_side():
    """A free ball with pressure on its right half alone, which keys raise."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.25)
    obj = add_hooke(bpy.context.object, gravity_weight=0.0)
    right = [vertex.index for vertex in obj.data.vertices if vertex.co.x > -1e-6]
    pin(obj, dict.fromkeys(right, 1.0), name="Right")
    obj.hooke.pin_group, obj.hooke.pressure_group = "", "Right"
    keyed(obj.hooke, "pressure", (0.0, 3.0))
    return obj


def spinning(name="Holder"):
    """A ball beside the sheet's first row that spins, grows and moves."""
    other = ball(name=name, radius=0.5, height=0.0)
    other.location.y = -1.4
    for frame, angle, scale, x in ((1, 0.0, 1.0, 0.0), (LAST, 2.5, 1.6, 0.5)):
        other.rotation_euler = 0.3 * angle, 0.0, angle
        other.scale = (scale,) * 3
        other.location.x = x
        for path in ("rotation_euler", "scale", "location"):
            other.keyframe_insert(path, frame=frame)
    return other


def attached(other=None, weights=None, **settings):
    """A sheet whose first row is stuck to an object, one that spins where none is given."""
    other = spinning() if other is None else other
    return sheet(
        dict.fromkeys(range(5), 1.0) if weights is None else weights, attach_object=other, **settings
    )


def attached_and_let_go():
    """The same, let go by a mix at a frame, with keys on what is left."""
    obj = mixed(attached(), (0.0, 1.0))
    for value, frame in ((1.0, 1), (0.5, LAST)):
        obj.hooke.pin_strength = value
        obj.keyframe_insert("hooke.pin_strength", frame=frame)
    return obj


def attached_to_a_bent_one():
    """A sheet stuck to a mesh that a wave bends."""
    other = grid(9, name="Bent", pins={})
    other.location.z = 0.05
    wave = other.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.speed, wave.time_offset = 0.4, 1.0, 0.2, -20.0
    return attached(other, {0: 1.0, 12: 0.5, 24: 1.0})


def attached_to_a_simulated_one():
    """A sheet stuck to another one that is simulated."""
    other = add_hooke(grid(5, name="Simulated"), air_drag=0.0)
    other.hooke.frame_end = LAST
    return attached(other, {20: 1.0, 24: 1.0})


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


def step_keys(block):
    for curve in _curves(block):
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"


def _curves(block):
    return all_fcurves(block.animation_data)
