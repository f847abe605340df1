# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything Blender knows about an object, as plain values that can be compared field by field."""

from typing import NamedTuple

import bpy

# What changes without the file changing: identities, results of evaluation, storage; and what changes the
# mesh by being read (the selection layers of a UV map, which Blender makes on access).
_RUNTIME = {
    "bl_rna",
    "rna_type",
    "session_uid",
    "is_evaluated",
    "is_runtime_data",
    "execution_time",
    "preview",
    "tag",
    "original",
    "persistent_uid",
    "id_data",
    "asset_data",
    "filepath",
    "is_dirty",
    "storage_type",
    "is_active",
    "vertex_selection",
    "edge_selection",
    "pin",
    "texspace_location",
    "texspace_size",
    # A key's points are its data under a second name.
    "points",
}
_DATA_BLOCKS = (
    "actions",
    "armatures",
    "lattices",
    "libraries",
    "materials",
    "meshes",
    "node_groups",
    "objects",
    "scenes",
    "shape_keys",
)


class _Property(NamedTuple):
    """What has to be known of a property to read it."""

    name: str
    kind: str
    refers: bool
    is_flags: bool


# By the identifier of a struct's type. Nothing of Blender's own is kept here: types are unregistered between tests.
_READ: dict[str, list[_Property]] = {}


def data_block_counts():
    """Number of data-blocks of every kind a simulation could touch."""
    return {kind: len(getattr(bpy.data, kind)) for kind in _DATA_BLOCKS}


def snapshot(obj):
    """Object, mesh, shape keys, modifiers and their animation, with every action of the file.

    The object's Hooke settings are in it, the bake's own record is not.
    """
    keys = obj.data.shape_keys
    return {
        "object": _fields(obj, skip={"hooke"}),
        "hooke": _fields(obj.hooke, skip={"bake"}),
        "mesh": _fields(obj.data),
        "weights": [
            sorted((element.group, element.weight) for element in v.groups) for v in obj.data.vertices
        ],
        "normals": [tuple(corner.vector) for corner in obj.data.corner_normals],
        "keys": _fields(keys) if keys is not None else None,
        "animation": [_animation(block) for block in (obj, obj.data, keys)],
        "actions": {action.name: _action(action) for action in bpy.data.actions},
        "counts": data_block_counts(),
    }


def differences(before, after, path=""):
    """Where two snapshots differ, one line each."""
    if before == after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            line
            for key in sorted(before.keys() | after.keys(), key=str)
            for line in differences(before.get(key, "missing"), after.get(key, "missing"), f"{path}.{key}")
        ]
    if isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        return [
            line
            for number, pair in enumerate(zip(before, after, strict=True))
            for line in differences(*pair, f"{path}[{number}]")
        ]
    return [f"{path}: {str(before)[:200]} -> {str(after)[:200]}"]


def _animation(block):
    animation = block.animation_data if block is not None else None
    return None if animation is None else _fields(animation)


def _action(action):
    fields = _fields(action)
    if hasattr(action, "layers"):
        fields["curves"] = [
            [_fields(curve) for bag in strip.channelbags for curve in bag.fcurves]
            for layer in action.layers
            for strip in layer.strips
        ]
    return fields


def _fields(struct, skip=(), depth=0):
    """Every property of a struct; data-blocks it points to by name, what it owns in full."""
    owner = struct.id_data
    fields = {
        prop.name: _value(getattr(struct, prop.name), prop, depth, owner)
        for prop in _properties(struct)
        if prop.name not in skip
    }
    # Settings of geometry nodes and the like live beside the declared properties.
    if depth and hasattr(struct, "keys") and not isinstance(struct, bpy.types.ID):
        fields["custom"] = _custom(struct)
    return fields


def _properties(struct):
    """What is read of a struct; types that depend on a node group's inputs are looked at every time."""
    rna = struct.bl_rna
    if rna.identifier in _READ:
        return _READ[rna.identifier]
    found = [
        _Property(
            prop.identifier,
            prop.type,
            _refers(prop.identifier),
            prop.type == "ENUM" and prop.is_enum_flag,
        )
        for prop in rna.properties
        if prop.identifier not in _RUNTIME
    ]
    if hasattr(bpy.types, rna.identifier):
        _READ[rna.identifier] = found
    return found


def _custom(group):
    """Custom properties, of groups within them as well."""
    try:
        names = list(group.keys())
    except TypeError:
        return {}
    return {
        name: _custom(group[name]) if hasattr(group[name], "keys") else str(group[name]) for name in names
    }


def _value(value, prop, depth, owner):
    if prop.kind in ("BOOLEAN", "INT", "FLOAT", "STRING"):
        return _flat(value) if hasattr(value, "__len__") and not isinstance(value, str | bytes) else value
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if prop.kind == "COLLECTION":
        if depth > 3 or prop.refers:
            return [getattr(item, "name", str(index)) for index, item in enumerate(value)]
        return [
            item.name_full if isinstance(item, bpy.types.ID) else _fields(item, depth=depth + 1)
            for item in value
        ]
    if prop.kind == "POINTER":
        if value is None or depth > 3 or value.id_data != owner:
            return getattr(value, "name", None) if value is not None else None
        return _fields(value, depth=depth + 1) if not prop.refers else getattr(value, "name", "set")
    return sorted(value) if prop.is_flags else value


def _flat(values):
    return [_flat(value) if hasattr(value, "__len__") else value for value in values]


def _refers(name):
    """Whether a property points to something listed elsewhere in its owner, as `active` ones do."""
    return name.startswith(("active", "relative_key", "reference_key", "children", "all_objects"))
