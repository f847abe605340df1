# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects a simulated one collides with, and why not with others that have Collision physics."""

from typing import Any, NamedTuple

import numpy as np

from ..mesh_io import MeshError
from .settings import collision_modifier

# To look once for the closest of so many takes half a second, and every substep looks twice.
MOST_TRIANGLES = 500_000
# A side this much shorter than the longest is flat: nothing can be turned back to its shape.
_FLAT = 1e-6


class Found(NamedTuple):
    """What has Collision physics: objects, in the scene's order, and sentences about those that do not collide."""

    colliders: list[Any]
    problems: list[str]


def find(obj, scene, depsgraph):
    """What an object collides with, Found; depsgraph: of the view layer in which things are hidden or not."""
    colliders, problems = [], []
    for other in _candidates(obj, scene):
        problem = _problem(other, depsgraph)
        if problem:
            problems.append(problem)
        else:
            colliders.append(other)
    chosen = obj.hooke.collision_collection
    if chosen is not None and not colliders and not problems:
        problems.append(
            f"no object of the collection '{chosen.name}' has Collision physics: select what shall collide, and "
            "press Make Collider"
        )
    return Found(colliders, problems)


def check_circle(obj, scene, depsgraph):
    """Raise MeshError if an object collides with a simulated one that collides with it, if only by way of others."""
    ahead: list[tuple] = [(obj,)]
    while ahead:
        path = ahead.pop()
        for other in simulated_colliders(path[-1], scene, depsgraph):
            if other == obj:
                names = " and ".join(f"'{member.name}'" for member in path)
                raise MeshError(
                    f"{names} collide with each other, and each would have to wait for the other: turn off Collisions "
                    "of one, or choose Collections that they collide with"
                )
            if other not in path:
                ahead.append((*path, other))


def simulated_colliders(obj, scene, depsgraph):
    """Those of the objects that an object collides with that Hooke simulates, a list."""
    if not obj.hooke.collisions:
        return []
    return [other for other in find(obj, scene, depsgraph).colliders if is_simulated(other)]


def is_simulated(obj):
    """Whether Hooke simulates an object, a bake aside."""
    return obj.hooke.enabled and not obj.hooke.bake.exists


def _candidates(obj, scene):
    """Other objects of the scene whose Collision physics is on, of the chosen collection if there is one."""
    chosen = obj.hooke.collision_collection
    among = set(chosen.all_objects) if chosen is not None else None
    for other in scene.objects:
        modifier = collision_modifier(other) if other != obj else None
        if (
            modifier is not None
            and modifier.show_viewport
            and other.collision.use
            and (among is None or other in among)
        ):
            yield other


def _problem(other, depsgraph):
    """Why an object with Collision physics does not collide, or ""."""
    name = f"'{other.name}'"
    if not other.visible_get(view_layer=depsgraph.view_layer):
        return (
            f"{name} is hidden and does not collide: show it; as Bounds or Wire, in Viewport Display, it is out of "
            "sight too"
        )
    if other.data.is_editmode:
        return f"{name} is in Edit Mode and does not collide meanwhile: leave it"
    evaluated = other.evaluated_get(depsgraph)
    linear = np.array(evaluated.matrix_world, dtype=np.float64)[:3]
    if not np.isfinite(linear).all():
        return f"{name} does not collide: its place is no number; check what moves it"
    sizes = np.linalg.svd(linear[:, :3], compute_uv=False)
    if sizes[-1] <= _FLAT * sizes[0]:
        scale = ", ".join(f"{share:g}" for share in other.scale)
        return f"{name} does not collide: its scale {scale} flattens it; give every axis a scale other than 0"
    mesh = other.data if is_simulated(other) else evaluated.data
    if not len(mesh.polygons):
        return f"{name} has no faces and does not collide: give it faces, or turn its Collision physics off"
    count = len(mesh.loops) - 2 * len(mesh.polygons)
    if count > MOST_TRIANGLES:
        return (
            f"{name} has {count:,} triangles and does not collide: more than {MOST_TRIANGLES:,} take too long; let a "
            "simpler mesh, or one with a Decimate modifier, collide in its place"
        )
    return ""
