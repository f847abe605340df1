# SPDX-License-Identifier: GPL-3.0-or-later
"""Which data-blocks an object's place and shape may follow from: all that it uses, and what these use."""

import bpy

# Kinds of data-blocks that move or bend others.
_KINDS = {"ACTION", "ARMATURE", "CURVE", "KEY", "LATTICE", "MESH", "NODETREE", "OBJECT", "TEXTURE"}


def key(block):
    """What a data-block and its evaluated copy are known by: kind and name; what they were copied from may be gone."""
    return type(block).__name__, block.name


def edited(scene):
    """Keys of the data-blocks of a scene that Blender has yet to evaluate anew, a set."""
    return {
        key(update.id)
        for layer in scene.view_layers
        if layer.depsgraph is not None
        for update in layer.depsgraph.updates
    }


def uses():
    """Which data-blocks of the file use which others, a dict of sets."""
    found: dict = {}
    for used, users in bpy.data.user_map(key_types=_KINDS, value_types=_KINDS).items():
        for user in users:
            found.setdefault(user, set()).add(used)
    return found


def reached(blocks, using):
    """The data-blocks, and all that they use in turn, a set; using: see `uses`."""
    found, ahead = set(), list(blocks)
    while ahead:
        block = ahead.pop()
        if block not in found:
            found.add(block)
            ahead.extend(using.get(block, ()))
    return found
