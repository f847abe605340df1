# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the data-blocks an object may follow has no keys: it is the same in every frame until somebody edits it."""

import bpy
import numpy as np

from .. import mesh_io, output_nodes
from ..bakes.curves import animated_values
from .lazy_values import checksum

_PLAIN = frozenset({"BOOLEAN", "ENUM", "FLOAT", "INT", "STRING"})
# Properties that move nothing.
_SEEN = frozenset(
    {
        "active",
        "is_active",
        "name",
        "name_full",
        "select",
        "show_expanded",
        "show_in_editmode",
        "show_on_cage",
    }
    | {"show_render", "tag", "use_extra_user", "use_fake_user", "use_pin_to_last"}
)
_PLACE = (
    *("location", "delta_location", "scale", "delta_scale", "rotation_mode", "rotation_euler"),
    *("delta_rotation_euler", "rotation_quaternion", "delta_rotation_quaternion", "rotation_axis_angle"),
    *("parent_type", "parent_bone", "matrix_parent_inverse"),
)
# Settings of force fields that Blender keeps as one number: where one of them is keyed, so are the others.
_ONE_NUMBER = (
    ("strength", "linear_drag", "guide_minimum"),
    ("harmonic_damping", "quadratic_drag"),
    ("size", "rest_length"),
)
_BONE = _PLACE[:1] + _PLACE[2:3] + _PLACE[4:6] + _PLACE[7:8] + _PLACE[9:10]


def read(block, own):
    """What is not keyed of a data-block, lists of numbers and words.

    own: the simulated object; the points of its mesh, and what stands after Hooke, are no part of what it follows.
    """
    keyed = animated_values(block)
    if isinstance(block, bpy.types.Object):
        return _of_object(block, block == own, keyed)
    if isinstance(block, bpy.types.Mesh):
        left_out = block == own.data or _any(keyed, "vertices[")
        return [] if left_out else [checksum(mesh_io.read_positions(block))]
    said = plain(block, "", keyed)
    if isinstance(block, bpy.types.Key):
        for each in block.key_blocks:
            path = f'key_blocks["{bpy.utils.escape_identifier(each.name)}"].'
            said.append(plain(each, path, keyed))
            if not _any(keyed, f"{path}data["):
                said.append(checksum(mesh_io.read_shape_key(each)))
    elif isinstance(block, bpy.types.Lattice) and not _any(keyed, "points["):
        said.append(_points(block.points, "co_deform", 3))
    elif isinstance(block, bpy.types.Curve) and not _any(keyed, "splines["):
        said += [
            [_points(each.bezier_points, name, 3) for name in ("co", "handle_left", "handle_right")]
            + [_points(each.points, "co", 4), plain(each)]
            for each in block.splines
        ]
    elif isinstance(block, bpy.types.Armature):
        said += [_numbers(bone.matrix_local) for bone in block.bones]
    elif isinstance(block, bpy.types.NodeTree):
        for node in block.nodes:
            path = f'nodes["{bpy.utils.escape_identifier(node.name)}"].'
            said += [plain(node, path, keyed)]
            said += [
                _value(each, "default_value", f"{path}inputs[{number}].", keyed)
                for number, each in enumerate(node.inputs)
                if hasattr(each, "default_value")
            ]
    return said


def _any(keyed, begin):
    """Whether any path that is keyed begins so: points of which some are keyed count by their keys."""
    return any(path.startswith(begin) for path, _ in keyed)


def _of_object(obj, is_own, keyed):
    said: list = [_value(obj, name, "", keyed) for name in _PLACE]
    output = output_nodes.find(obj)
    for modifier in obj.modifiers:
        if modifier == output:
            if is_own:
                break
            continue
        path = f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"]'
        said.append(plain(modifier, f"{path}.", keyed))
        if modifier.type == "NODES":
            said += _inputs(modifier, path, keyed)
    said += _constraints(obj, "", keyed)
    for bone in obj.pose.bones if obj.pose is not None else ():
        path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].'
        said += [[_value(bone, name, path, keyed) for name in _BONE], *_constraints(bone, path, keyed)]
    keyed = keyed | {
        (f"field.{name}", 0)
        for names in _ONE_NUMBER
        if any((f"field.{each}", 0) in keyed for each in names)
        for name in names
    }
    said += [
        plain(of, path, keyed) for of, path in ((obj.collision, "collision."), (obj.field, "field.")) if of
    ]
    return said


def _inputs(modifier, path, keyed):
    """What is given to the nodes of a modifier: from Blender 5.2 on properties, before custom ones."""
    if not hasattr(modifier, "properties"):
        return [_value(modifier, name, path, keyed) for name in modifier.keys()]  # noqa: SIM118
    if modifier.properties is None:
        return []
    inputs = modifier.properties.inputs
    names = [each.identifier for each in inputs.bl_rna.properties if each.type == "POINTER"]
    return [
        plain(getattr(inputs, name), f"{path}.properties.inputs.{name}.", keyed)
        for name in names
        if name != "rna_type"
    ]


def _constraints(owner, path, keyed):
    return [
        plain(each, f'{path}constraints["{bpy.utils.escape_identifier(each.name)}"].', keyed)
        for each in owner.constraints
    ]


def plain(struct, path="", keyed=()):
    """Numbers and words of a struct that are no matter of the interface, without those that are keyed, a list.

    path: of the struct from its data-block; keyed: see `animated_values`.
    """
    return [
        (prop.identifier, _value(struct, prop.identifier, path, keyed))
        for prop in struct.bl_rna.properties
        if prop.type in _PLAIN and prop.identifier not in _SEEN and not prop.is_readonly
    ]


def _value(struct, name, path, keyed):
    """A value of a struct, None where or for what part it is keyed."""
    is_input = path.endswith("]")
    value = struct[name] if is_input else getattr(struct, name)
    path = f'{path}["{name}"]' if is_input else f"{path}{name}"
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) and not hasattr(value, "to_dict"):
        return [None if (path, at) in keyed else each for at, each in enumerate(_numbers(value))]
    if (path, 0) in keyed:
        return None
    return repr(value.to_dict()) if hasattr(value, "to_dict") else repr(value)


def _numbers(value):
    return np.array(value, dtype=float).ravel().tolist()


def _points(points, name, width):
    return checksum(mesh_io.read_control_points(points, name, width))
