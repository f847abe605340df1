# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks before an object is simulated."""

import bpy
import numpy as np

from ...core.solvers.factors import factor_cost
from ...core.solvers.linear import backends
from .. import mesh_io
from ..mesh_io import MeshError
from .flaws import doubles, flaws, open_volume, too_thin, unsewn, zero_edges
from .mesh_measures import COINCIDING, Flaw, shape_of, thickness, volume

__all__ = [
    "COINCIDING",
    "LARGE",
    "SCIPY_MISSING",
    "Flaw",
    "check_object",
    "check_scipy",
    "check_time",
    "doubles",
    "flaws",
    "has_colliders",
    "mesh_warnings",
    "open_volume",
    "shape_of",
    "start_cost",
    "thickness",
    "too_thin",
    "unsewn",
    "volume",
    "zero_edges",
]

# Smaller networks are factorised before a person could read the estimate.
LARGE = 20_000

SCIPY_MISSING = (
    "SciPy is not installed, so Projective Dynamics cannot run: install Hooke's zip for this platform, "
    "which brings it, or choose Symplectic Euler"
)


def check_object(obj):
    """Raise MeshError if the object cannot be simulated: not a mesh, linked, shared, or without edges."""
    if obj is None or obj.type != "MESH":
        what = "no object is selected" if obj is None else f"'{obj.name}' is not a mesh"
        raise MeshError(f"{what}: select a mesh object")
    mesh = obj.data
    for block in (obj, mesh):
        if block.library is not None:
            raise MeshError(
                f"'{block.name}' is linked from {block.library.filepath}, so Hooke cannot write to it: make "
                "it local first (Object > Relations > Make Local)"
            )
    users = [other.name for other in bpy.data.objects if other.data == mesh] if mesh.users > 1 else []
    if len(users) > 1:
        raise MeshError(
            f"mesh '{mesh.name}' is shared by {len(users)} objects ({', '.join(users[:3])}): make it a "
            "single-user copy first (Object > Relations > Make Single User > Object & Data)"
        )
    if not mesh.vertices or not mesh.edges:
        lacks = "vertices" if not mesh.vertices else "edges"
        raise MeshError(f"'{obj.name}' has no {lacks}: Hooke needs at least one edge to make a spring")
    positions = mesh_io.read_positions(mesh)
    bad = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if len(bad):
        some = f"{len(bad)} vertices without finite coordinates (first: vertex {bad[0]}): delete or move them"
        one = f"a vertex without finite coordinates (vertex {bad[0]}): delete or move it"
        raise MeshError(f"'{obj.name}' has {one if len(bad) == 1 else some}")


def mesh_warnings(obj):
    """Sentences about things that are allowed but rarely meant, as a list."""
    name = obj.hooke.pin_group
    warnings = []
    if name and not mesh_io.has_weights(obj, name):
        warnings.append(
            f"'{obj.name}' falls freely without the vertex group '{name}': choose another Pin Group"
        )
    elif not (obj.hooke.jiggle or has_colliders(obj) or mesh_io.read_weights(obj, name).any()):
        group = f"assign vertices to the group '{name}'" if name else "choose a Pin Group"
        warnings.append(f"'{obj.name}' falls freely: {group}")
    warnings += [flaw.text for flaw in zero_edges(obj, shape_of(obj))]
    return warnings


def has_colliders(obj):
    """Whether anything may catch an object's fall."""
    others = (other for other in bpy.context.scene.objects if other != obj)
    return obj.hooke.collisions and any(m.type == "COLLISION" for other in others for m in other.modifiers)


def start_cost(name, network):
    """Sentence on what starting a large network takes, or "" for one that starts at once.

    The time is that of the whole first frame of integrators that factorise a matrix; see
    `core.solvers.factors.factor_cost`.
    """
    if network.vertex_count < LARGE or not backends():
        return ""
    cost = factor_cost(network)
    return (
        f"'{name}' has {network.vertex_count:,} vertices: the first frame takes about {cost.first_frame:.1f} s and "
        f"{cost.memory / 1e6:,.0f} MB, once for these springs, pins and substeps"
    )


def check_time(scene):
    """Raise MeshError if the scene's time remapping would play a bake at another speed than the simulation."""
    old, new = scene.render.frame_map_old, scene.render.frame_map_new
    if old != new:
        raise MeshError(
            f"Time Stretching of scene '{scene.name}' (Old {old}, New {new}) would play a bake at another speed than "
            "it is simulated: set both to the same, and Hooke's Time Scale instead"
        )


def check_scipy(integrator):
    """Raise MeshError if the integrator class needs SciPy and it is missing."""
    if integrator.needs_scipy and not backends():
        raise MeshError(SCIPY_MISSING)
