# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh at a collider's Collision modifier, which Blender's own cloth collides with, whatever stands below that.

Blender keeps the mesh below the last modifier alone. So the modifiers below Collision are turned off while it is read:
a Mask that hides the skin under clothes takes nothing away from what they lie on.
"""

from contextlib import contextmanager
from typing import NamedTuple

import bpy
import numpy as np

from ...core.topology import Polygons
from .. import mesh_io
from ..mesh_io import MeshError
from .once_per_frame import once
from .settings import collision_modifier

# Larger faces may not be fans of triangles.
_QUAD = 4

# Modifiers that keep every vertex and face. What they move is taken where it is seen: Blender 4.2 crashes where those
# that only deform are turned off and on in a change of frame.
# fmt: off
_NEUTRAL = frozenset({
    "ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LAPLACIANSMOOTH",
    "LATTICE", "MESH_CACHE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SURFACE_DEFORM", "WARP", "WAVE",
    "COLLISION", "DATA_TRANSFER", "NORMAL_EDIT", "PARTICLE_SYSTEM", "UV_PROJECT", "UV_WARP", "VERTEX_WEIGHT_EDIT",
    "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY", "WEIGHTED_NORMAL",
})
# fmt: on

_reading = False
# Surfaces of rigid colliders by the number of their object, each with the inputs that it was made from.
steady: dict[int, tuple] = {}


class Surface(NamedTuple):
    """Points in object space, float32, shape (point_count, 3), faces, and the triangles that Blender makes of them."""

    points: np.ndarray
    polygons: Polygons
    triangles: np.ndarray


def is_reading():
    """Whether modifiers are off for a moment: what Blender tells of that is no edit."""
    return _reading


def above(other):
    """The modifiers of an object down to Collision, or all of one that has none, a list."""
    modifiers = list(other.modifiers)
    own = collision_modifier(other)
    return modifiers if own is None else modifiers[: modifiers.index(own) + 1]


def below(other):
    """The modifiers in use below an object's Collision that make another mesh, a list."""
    modifiers = list(other.modifiers)[len(above(other)) :]
    return [modifier for modifier in modifiers if modifier.show_viewport and modifier.type not in _NEUTRAL]


def surface(other, depsgraph, steady):
    """The Surface at a collider's Collision modifier in the evaluated frame; steady: whether it keeps its shape.

    Raises MeshError where keys show what is to be turned off.
    """
    if not below(other):
        return of_mesh(other.evaluated_get(depsgraph).data)
    if not steady:
        key = "at collision", depsgraph.scene.session_uid, depsgraph.view_layer.as_pointer()
        found = once(key, lambda: read(_changing(depsgraph), depsgraph))
        return found[other] if other in found else read([other], depsgraph)[other]
    made_from = _made_from(other)
    if other.session_uid not in steady or steady[other.session_uid][0] != made_from:
        steady[other.session_uid] = made_from, read([other], depsgraph)[other]
    return steady[other.session_uid][1]


def of_mesh(mesh):
    """The Surface of a mesh."""
    polygons = mesh_io.read_polygons(mesh)
    quick = polygons.sizes.max(initial=0) <= _QUAD
    triangles = polygons.triangles() if quick else mesh_io.read_triangles(mesh)
    points = mesh_io.read_positions(mesh) if len(mesh.vertices) else np.empty((0, 3), dtype=np.float32)
    return Surface(points, polygons, triangles)


def _changing(depsgraph):
    """All that is read in turn in a frame: modifiers of all are turned off together."""
    able = [other for other in depsgraph.scene.objects if collision_modifier(other) is not None]
    return [other for other in able if below(other) and not other.data.is_editmode]


def read(objects, depsgraph):
    """Surfaces by object."""
    with _turned_off([modifier for other in objects for modifier in below(other)], depsgraph):
        return {other: of_mesh(other.evaluated_get(depsgraph).data) for other in objects}


@contextmanager
def _turned_off(modifiers, depsgraph):
    """The scene evaluated without some modifiers; afterwards they are on again, and the scene is evaluated again."""
    global _reading
    before, _reading = _reading, True
    try:
        for modifier in modifiers:
            modifier.show_viewport = False
        _evaluate(depsgraph)
        for modifier in modifiers:
            other = modifier.id_data
            if other.evaluated_get(depsgraph).modifiers[modifier.name].show_viewport:
                raise MeshError(
                    f"'{modifier.name}' of '{other.name}' stands below Collision and is shown by keys or a driver, so "
                    "that what it is without cannot be read: remove these, or move it above Collision"
                )
        yield
    finally:
        for modifier in modifiers:
            modifier.show_viewport = True
        _evaluate(depsgraph)
        _reading = before


def _evaluate(depsgraph):
    scene = depsgraph.scene
    if scene == bpy.context.scene:
        depsgraph.view_layer.update()
    else:
        # Keys have not reached the original data there, and an update would take these for what is shown.
        scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)


def _made_from(other):
    """All that determines a mesh at its Collision modifier, if its modifiers depend on nothing else, to compare."""
    mesh = other.data
    counts = len(mesh.vertices), len(mesh.edges), len(mesh.loops), len(mesh.polygons)
    polygons = mesh_io.read_polygons(mesh)
    faces = mesh_io.fingerprint(polygons.corners), mesh_io.fingerprint(polygons.sizes)
    shown = [modifier for modifier in above(other) if modifier.show_viewport]
    groups = {name for modifier in shown if (name := getattr(modifier, "vertex_group", ""))}
    weights = [mesh_io.fingerprint(mesh_io.read_weights(other, name)) for name in sorted(groups)]
    points = mesh_io.fingerprint(mesh_io.read_positions(mesh))
    return counts, points, faces, weights, [_values(modifier) for modifier in shown]


def _values(modifier):
    """Type and settings of a modifier, as text."""
    names = [
        prop.identifier for prop in modifier.bl_rna.properties if prop.type not in {"POINTER", "COLLECTION"}
    ]
    return modifier.type, repr([_plain(getattr(modifier, name)) for name in names])


def _plain(value):
    return list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
