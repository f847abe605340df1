# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that move or bend with the mesh that an object shows, by any relation of Blender's data-blocks.

Blender tells which data-blocks use which (`user_map`); how they do is looked at only along the ways that begin at the
object, which mostly end at its collection.
"""

from enum import Flag, auto
from itertools import chain

import bpy

from .once_per_frame import once

# Kinds of data-blocks through which one object moves or bends another.
_KINDS = {"ARMATURE", "COLLECTION", "CURVE", "KEY", "LATTICE", "MESH", "NODETREE", "OBJECT", "TEXTURE"}

# Parents that are followed by more than their place, and those that deform.
_OF_PARTS = frozenset({"ARMATURE", "BONE", "LATTICE", "VERTEX", "VERTEX_3"})
_DEFORMING = frozenset({"ARMATURE", "LATTICE"})

# Constraints to the shape of their target; others are to it where they name a part.
_TO_SHAPES = frozenset({"ARMATURE", "CLAMP_TO", "FOLLOW_PATH", "SHRINKWRAP", "SPLINE_IK"})

# Pointers of modifiers to an object of which only the place counts, and modifiers all of whose pointers are such.
_PLACES = frozenset(
    {
        "mask_tex_map_object",
        "mirror_object",
        "object_from",
        "object_to",
        "offset_object",
        "origin",
        "start_position_object",
        "texture_coords_object",
    }
)
_OF_PLACES = frozenset({"CAST", "HOOK", "NORMAL_EDIT", "SCREW", "UV_PROJECT"})

# How deep settings lie in a modifier, as those of fields in those of Blender's cloth.
_DEEPEST = 4


class Moved(Flag):
    """The part of a data-block that the simulation changes: the place of an object, or its shape."""

    PLACE = auto()
    SHAPE = auto()


_NOTHING, _ALL = Moved(0), Moved.PLACE | Moved.SHAPE


def dependent(obj):
    """Objects whose place or shape follows from the mesh that a simulated object shows, a set."""
    return once(("dependent", obj.session_uid), lambda: _dependent(obj))


def _dependent(obj):
    users = once("users", lambda: bpy.data.user_map(key_types=_KINDS, value_types=_KINDS))
    reached, ahead = {obj: Moved.SHAPE, obj.data: Moved.SHAPE}, [obj, obj.data]
    while ahead:
        used = ahead.pop()
        for user in users.get(used, ()):
            known = reached.get(user, _NOTHING)
            moved = known | _moved(user, used, reached[used])
            if moved != known and user != obj:
                reached[user] = moved
                ahead.append(user)
    return {block for block in reached if isinstance(block, bpy.types.Object) and block != obj}


def _moved(user, used, moved):
    """The part of a data-block that moves because it uses another one that moves."""
    followed = _by_drivers(user, used, moved)
    if isinstance(user, bpy.types.Object):
        return followed | _of_object(user, used, moved)
    if isinstance(user, bpy.types.NodeTree):
        return followed | (moved if _reads(user, used, moved) else _NOTHING)
    # A collection has what is in it, a mesh its shape keys, a curve those it is swept along.
    return followed | (moved if not isinstance(used, bpy.types.Object) or _holds(user, used) else _NOTHING)


def _holds(user, used):
    return isinstance(user, bpy.types.Collection) or any(
        getattr(user, name, None) == used for name in ("bevel_object", "taper_object")
    )


def _of_object(obj, used, moved):
    """The part of an object that its data, parent, constraints, those of its bones, or its modifiers move."""
    found = Moved.SHAPE if obj.data == used else _NOTHING
    if obj.parent == used and moved & _needed_of_parent(obj):
        found |= _ALL if obj.parent_type in _DEFORMING else Moved.PLACE
    if any(_constrains(each, used, moved) for each in obj.constraints):
        found |= Moved.PLACE
    bones = obj.pose.bones if obj.pose is not None else ()
    if any(_constrains(each, used, moved) for bone in bones for each in bone.constraints):
        found |= Moved.SHAPE
    if obj.hooke.enabled and obj.hooke.attach_object == used:
        found |= Moved.SHAPE
    if any(_deforms(each, used, moved) for each in obj.modifiers if each.show_viewport):
        found |= Moved.SHAPE
    return found


def _needed_of_parent(obj):
    parts = obj.parent_type in _OF_PARTS or (obj.parent.type == "CURVE" and obj.parent.data.use_path)
    return _ALL if parts else Moved.PLACE


def _constrains(constraint, used, moved):
    if constraint.mute:
        return False
    ends = [constraint, *getattr(constraint, "targets", ())]
    to_shape = constraint.type in _TO_SHAPES or any(getattr(end, "subtarget", "") for end in ends)
    needed = _ALL if to_shape or getattr(constraint, "depth_object", None) == used else Moved.PLACE
    return bool(moved & needed) and any(used in _pointers(end) for end in ends)


def _pointers(struct):
    """Values of a struct's own pointers, a list."""
    names = (prop.identifier for prop in struct.bl_rna.properties if prop.type == "POINTER")
    return [getattr(struct, name, None) for name in names]


def _deforms(modifier, used, moved):
    if modifier.type == "NODES":
        return _nodes_read(modifier, used, moved)
    return any(
        moved & (Moved.PLACE if modifier.type in _OF_PLACES or name in _PLACES else _ALL)
        for name in _named(modifier, used, _DEEPEST)
    )


def _named(struct, used, depth):
    """Names of the pointers to a data-block in a struct and in the structs it is made of."""
    for prop in struct.bl_rna.properties:
        name = prop.identifier
        if prop.type == "COLLECTION" and depth:
            inner = [each for each in getattr(struct, name) if isinstance(each, bpy.types.bpy_struct)]
        elif prop.type == "POINTER" and name != "rna_type":
            value = getattr(struct, name)
            if value == used:
                yield name
            inner = [] if value is None or isinstance(value, bpy.types.ID) else [value]
        else:
            continue
        if depth:
            yield from chain.from_iterable(_named(each, used, depth - 1) for each in inner)


def _nodes_read(modifier, used, moved):
    """Whether geometry nodes have a data-block, or one that they are given, as more than a place that is not moved."""
    if modifier.node_group is None:
        return False
    if modifier.node_group == used:
        return True
    given = _inputs(modifier)
    return used in given and (bool(moved & Moved.PLACE) or _takes_shapes(modifier.node_group, set()))


def _inputs(modifier):
    """Data-blocks that a geometry-nodes modifier is given, a list."""
    if bpy.app.version < (5, 2):
        names = modifier.keys()
        return [modifier[name] for name in names if isinstance(modifier[name], bpy.types.ID)]
    inputs = modifier.properties.inputs
    sockets = [getattr(inputs, prop.identifier, None) for prop in inputs.bl_rna.properties]
    return [value for socket in sockets if isinstance(value := getattr(socket, "value", None), bpy.types.ID)]


def _reads(tree, used, moved):
    """Whether a node tree has a data-block as more than a place that is not moved."""
    if not isinstance(used, bpy.types.Object) or moved & Moved.PLACE:
        return True
    return _takes_shapes(tree, set())


def _takes_shapes(tree, seen):
    """Whether any of a tree's nodes takes more of objects than their places."""
    if tree is None or tree in seen:
        return False
    seen.add(tree)
    return any(
        _takes_shapes(getattr(node, "node_tree", None), seen)
        or node.bl_idname == "GeometryNodeCollectionInfo"
        or (node.bl_idname == "GeometryNodeObjectInfo" and node.outputs["Geometry"].is_linked)
        for node in tree.nodes
    )


def _by_drivers(user, used, moved):
    """The part of a data-block that drivers move: all of it if they read a moving data-block."""
    animation = user.animation_data if hasattr(user, "animation_data") else None
    variables = (
        each for curve in (animation.drivers if animation else ()) for each in curve.driver.variables
    )
    reading = any(
        target.id == used and moved & _needed_by(variable, target)
        for variable in variables
        for target in variable.targets
    )
    return _ALL if reading else _NOTHING


def _needed_by(variable, target):
    if variable.type == "SINGLE_PROP":
        of_shape = not isinstance(target.id, bpy.types.Object) or target.data_path.startswith(
            ("data", "pose")
        )
    else:
        of_shape = bool(target.bone_target)
    return _ALL if of_shape else Moved.PLACE
