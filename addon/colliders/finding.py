# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects a simulated one collides with, which with each other, and why others with Collision physics do not."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..bakes.curves import animated_paths
from . import at_collision
from .dependence import dependent
from .missing_links import missing
from .once_per_frame import once
from .settings import collision_modifier

# To look once for the closest of so many takes half a second, and every substep looks twice.
MOST_TRIANGLES = 500_000
# Grids of distances of more take minutes, and memory with their square: 3 GB at three times as many.
MOST_ON_A_GRID = 50_000
# A side this much shorter than the longest is flat: nothing can be turned back to its shape.
_FLAT = 1e-6


class Found(NamedTuple):
    """Objects with Collision physics, in the scene's order, and sentences about those that do not collide.

    left_out: those of the sentences that are about what is in sight.
    """

    colliders: list[Any]
    problems: list[str]
    left_out: list[str]


def find(obj, scene, depsgraph):
    """The colliders of an object, Found; depsgraph: of the view layer that decides what is hidden."""
    seen, chosen = _seen(scene, depsgraph), obj.hooke.collision_collection
    among = seen.among(chosen)
    able = [(other, problem) for other, problem in seen.all if other != obj and _is_in(other, among)]
    attached = dependent(obj) if able else ()
    counting = [(other, problem or _attached(other, obj) * (other in attached)) for other, problem in able]
    colliders = [other for other, problem in counting if not problem]
    missed = [(other, problem) for other, problem in counting if problem]
    missed += [(other, problem) for other, problem in seen.instances if _is_in(other, among)]
    uid = 0 if chosen is None else chosen.session_uid
    nowhere = once(("missing", scene.session_uid, uid), lambda: missing(scene, chosen))
    if chosen is not None and not counting and not nowhere:
        nowhere = [_why_none(obj, chosen)]
    left_out = [problem for other, problem in missed if is_seen(other, depsgraph)]
    return Found(colliders, [problem for _, problem in missed] + nowhere, left_out + nowhere)


def together(obj, scene, depsgraph):
    """Simulated objects that collide with each other, this one among them, in the scene's order; empty if none do.

    They collide with each other where each collides with another that does, round to itself.
    """
    return _seen(scene, depsgraph).circles.get(obj, [])


def meeting(members, scene, depsgraph):
    """Which of the simulated objects collide, one with the other or the other with it: a symmetric mask."""
    return _seen(scene, depsgraph).meeting(members)


def _seen(scene, depsgraph):
    key = "colliders", scene.session_uid, depsgraph.view_layer.as_pointer()
    return once(key, lambda: _Seen(scene, depsgraph))


class _Seen:
    """All objects of a scene with Collision physics on, as pairs with the reason why they do not collide, or ""."""

    def __init__(self, scene, depsgraph):
        self._scene, self._depsgraph = scene, depsgraph
        self._among: dict[int, set] = {}
        self.all = [
            (other, problem_of(other, depsgraph)) for other in scene.objects if _is_on(other, depsgraph)
        ]

    @cached_property
    def instances(self):
        """Instances of collections with colliders, which do not collide there, as pairs with a sentence on that."""
        shown = [other for other in self._scene.objects if other.instance_type == "COLLECTION"]
        shown = [other for other in shown if other.instance_collection and is_seen(other, self._depsgraph)]
        pairs = ((other, _colliders_of(other.instance_collection)) for other in shown)
        return [
            (
                other,
                f"'{other.name}' is an instance of the collection '{other.instance_collection.name}', whose "
                f"'{within[0].name}' does not collide there: make it real (Object > Apply > Make Instances Real)",
            )
            for other, within in pairs
            if within
        ]

    @cached_property
    def circles(self):
        """By object the list of those that collide with each other, where there are any."""
        nodes = [other for other, problem in self.all if not problem and is_simulated(other)]
        nodes = [node for node in nodes if node.hooke.collisions]
        if len(nodes) < 2:
            return {}
        reached = self._collides(nodes)
        for _ in range(len(nodes).bit_length()):
            reached = (reached.astype(np.float32) @ reached) > 0.0
        both = reached & reached.T
        return {
            node: [other for other, round_ in zip(nodes, row, strict=True) if round_]
            for node, row in zip(nodes, both, strict=True)
            if row.sum() > 1
        }

    def meeting(self, members):
        """See `meeting`."""
        collides = self._collides(members)
        return (collides | collides.T) & ~np.eye(len(members), dtype=bool)

    def among(self, collection):
        """Objects of a collection, or None where none is chosen."""
        if collection is None:
            return None
        uid = collection.session_uid
        if uid not in self._among:
            self._among[uid] = set(collection.all_objects)
        return self._among[uid]

    def _collides(self, nodes):
        """Whether each of some objects collides with another; with itself as well."""
        collides = np.ones((len(nodes), len(nodes)), dtype=bool)
        for row, node in zip(collides, nodes, strict=True):
            among = self.among(node.hooke.collision_collection)
            if among is not None:
                row[:] = [other == node or other in among for other in nodes]
        return collides


def _why_none(obj, collection):
    """A sentence on a collection in which nothing collides with an object that is to collide with nothing else."""
    name = f"the collection '{collection.name}'"
    elsewhere = [other for other in _colliders_of(collection) if other != obj]
    if elsewhere:
        return (
            f"'{elsewhere[0].name}' of {name} is not in this scene and does not collide: drag the collection into the "
            "scene, in the Outliner"
        )
    of_others = "no other object" if obj in set(collection.all_objects) else "no object"
    return f"{of_others} of {name} has Collision physics: select what shall collide, and press Make Collider"


def _attached(other, obj):
    """A sentence on a collider that goes with what frames show of the object itself."""
    return (
        f"'{other.name}' is attached to the mesh of '{obj.name}' and does not collide with it: detach it, or turn its "
        "Collision physics off"
    )


def _colliders_of(collection):
    """Objects of a collection whose Collision physics is on, a list."""
    able = [other for other in collection.all_objects if collision_modifier(other) is not None]
    return [other for other in able if other.collision.use]


def _is_in(other, among):
    return among is None or other in among


def _is_on(other, depsgraph):
    """Whether an object's Collision physics is on, or is keyed to be, in the frame that was evaluated."""
    # Keys change the object itself in the window's scene only.
    evaluated = other.evaluated_get(depsgraph)
    if collision_modifier(evaluated) is None:
        return False
    return evaluated.collision.use or is_switched(other)


def is_switched(other):
    """Whether an object's Collision physics is turned on and off by keys; what Hooke simulates is either."""
    return "collision.use" in animated_paths(other) and not is_simulated(other)


def is_seen(other, depsgraph):
    """Whether an object is visible in the frame that was evaluated."""
    return other.evaluated_get(depsgraph).visible_get(view_layer=depsgraph.view_layer_eval)


def is_enabled(other, depsgraph):
    """Whether neither an object nor its collections are disabled in viewports, in the frame that was evaluated.

    An object hidden by an eye alone is enabled, and evaluated with all that moves it.
    """
    if other.evaluated_get(depsgraph).hide_viewport:
        return False
    return is_seen(other, depsgraph) or _is_within(other, enabled(depsgraph.view_layer))


def may_come(scene, depsgraph):
    """Objects with Collision physics or a force field that act in other frames perhaps, but not in this one, a list."""
    seen = {other for other, problem in _seen(scene, depsgraph).all if not problem}
    able = [other for other in scene.objects if collision_modifier(other) is not None or is_field(other)]
    return [other for other in able if other not in seen and may_be_seen(other, depsgraph.view_layer)]


def is_field(other):
    """Whether an object is a force field itself."""
    return other.field is not None and other.field.type != "NONE"


def may_be_seen(other, view_layer):
    """Whether neither the view layer nor collections hide an object, nor it itself in every frame.

    A force field is hidden by no eye.
    """
    if other.hide_viewport and "hide_viewport" not in animated_paths(other):
        return False
    if is_field(other) and _is_within(other, enabled(view_layer)):
        return True
    return not has_shut_eye(other, view_layer)


def has_shut_eye(other, view_layer):
    """Whether an eye of an object, or of all collections it is in, hides it in a view layer, or they are disabled."""
    seen = (layer for layer in enabled(view_layer) if layer.is_visible)
    return other.hide_get(view_layer=view_layer) or not _is_within(other, seen)


def enabled(view_layer):
    """Layer collections that are neither excluded nor disabled in viewports, nor within others that are, a list."""
    ahead = [view_layer.layer_collection]
    for layer in ahead:
        ahead += (child for child in layer.children if not (child.exclude or child.collection.hide_viewport))
    return ahead


def _is_within(other, layers):
    return any(other.name in layer.collection.objects for layer in layers)


def is_simulated(obj):
    """Whether Hooke simulates an object, a bake aside."""
    return obj.hooke.enabled and not obj.hooke.bake.exists


def triangle_count(mesh):
    """Number of triangles that the faces of a mesh are made of."""
    return len(mesh.loops) - 2 * len(mesh.polygons)


def problem_of(other, depsgraph):
    """Why an object with Collision physics does not collide, or ""."""
    name = f"'{other.name}'"
    if not is_seen(other, depsgraph):
        return (
            f"{name} is hidden and does not collide: show it; as Bounds or Wire, in Viewport Display, it is out of "
            "sight too"
        )
    if other.data.is_editmode:
        return f"{name} is in Edit Mode and does not collide meanwhile: leave it"
    evaluated = other.evaluated_get(depsgraph)
    if not collision_modifier(evaluated).show_viewport:
        return (
            f"{name} does not collide: its Collision modifier is off in the viewport; show it, or turn off its "
            "Collision physics"
        )
    linear = np.array(evaluated.matrix_world, dtype=np.float64)[:3]
    if not np.isfinite(linear).all():
        return f"{name} does not collide: its place is no number; check what moves it"
    sizes = np.linalg.svd(linear[:, :3], compute_uv=False)
    if sizes[-1] <= _FLAT * sizes[0]:
        scale = ", ".join(f"{share:g}" for share in other.scale)
        return f"{name} does not collide: its scale {scale} flattens it; give every axis a scale other than 0"
    # Modifiers below Collision may make another mesh of a collider, which is read when it is simulated.
    mesh = other.data if is_simulated(other) or at_collision.below(other) else evaluated.data
    if not len(mesh.polygons):
        return (
            f"{name} has no faces and does not collide: give it faces, of instances in geometry nodes by Realize "
            "Instances, or turn its Collision physics off"
        )
    count = triangle_count(mesh)
    if count > MOST_TRIANGLES:
        return (
            f"{name} has {count:,} triangles and does not collide: more than {MOST_TRIANGLES:,} take too long; let a "
            "simpler mesh, or one with a Decimate modifier, collide in its place"
        )
    return ""
