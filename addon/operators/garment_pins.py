# SPDX-License-Identifier: GPL-3.0-or-later
"""Where clothes hang: collars, waistbands and shoulder straps, by the rims of a mesh and the bones that move it."""

import numpy as np

from ...core.listed import distinct_rows
from ...core.topology import connected_parts
from .. import preflight

# Parts of fewer of an object's vertices hang on others, as pockets and buttons do.
_LEAST_PART = 0.05
# Shorter rims are buttonholes.
_LEAST_RIM = 8
# What of a rim holds, in parts of the height of its part: of a shirt of 0.65 m the upper 10 cm, as of straps.
_DEPTH = 0.15
# Bones this near to the middle are of the trunk, in parts of the size of their armature.
_MIDDLE = 0.02
# Share of its weights that a collar or waistband has of the trunk's bones; a cuff has none.
_OF_TRUNK = 0.5


def garment_pins(obj):
    """Numbers of the vertices that hold a garment, ascending: the upper part of the topmost rim of every large part.

    Rims that bones of limbs move, such as cuffs, count for none.
    """
    shape = preflight.shape_of(obj)
    sides, times = distinct_rows(np.sort(shape.polygons.sides(), axis=1), return_counts=True)
    count, z, rims = len(shape.points), shape.points[:, 2], sides[times == 1]
    parts, loops = connected_parts(shape.edges, count), connected_parts(rims, count)
    on_rim, of_trunk, found = np.unique(rims), np.ones(count), [np.zeros(0, dtype=np.intp)]
    of_trunk[on_rim] = _trunk(obj, on_rim)
    for part in np.flatnonzero(np.bincount(parts) >= _LEAST_PART * count):
        mine = on_rim[parts[on_rim] == part]
        of_part = [mine[loops[mine] == loop] for loop in np.unique(loops[mine])]
        able = [rim for rim in of_part if len(rim) >= _LEAST_RIM and of_trunk[rim].mean() >= _OF_TRUNK]
        if able:
            top = max(able, key=lambda rim: z[rim].max())
            found.append(top[z[top] >= z[top].max() - _DEPTH * np.ptp(z[parts == part])])
    return np.unique(np.concatenate(found))


def _trunk(obj, which):
    """The share of the trunk's bones in the weights of some vertices, shape (count,), 1 without bones."""
    rigs = [m.object for m in obj.modifiers if m.type == "ARMATURE" and m.object is not None]
    groups = {group.name: group.index for group in obj.vertex_groups}
    bones = [bone for rig in rigs for bone in rig.data.bones if bone.name in groups]
    every = {groups[bone.name] for bone in bones}
    trunk = {
        groups[bone.name] for rig in rigs for bone in _trunk_bones(rig.data.bones) if bone.name in groups
    }
    shares = np.ones(len(which))
    for row, vertex in enumerate(which.tolist()):
        weights = [
            (of.group in trunk, of.weight) for of in obj.data.vertices[vertex].groups if of.group in every
        ]
        whole = sum(weight for _, weight in weights)
        if whole > 0.0:
            shares[row] = sum(weight for mine, weight in weights if mine) / whole
    return shares


def _trunk_bones(bones):
    """Bones in the middle of an armature, and those that begin at these, as collar bones do; a list."""
    ends = np.array([[bone.head_local, bone.tail_local] for bone in bones]).reshape(-1, 2, 3)
    if not len(ends):
        return []
    aside = np.abs(ends[:, :, 0]).max(axis=1)
    middle = {
        bone.name
        for bone, off in zip(bones, aside, strict=True)
        if off <= _MIDDLE * np.ptp(ends.reshape(-1, 3), axis=0).max()
    }
    return [bone for bone in bones if bone.name in middle or (bone.parent and bone.parent.name in middle)]
