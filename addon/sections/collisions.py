# SPDX-License-Identifier: GPL-3.0-or-later
"""Collisions of the object, with itself, too."""

from types import MappingProxyType

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatProperty, PointerProperty

from ...core.contacts import SelfCollision
from .. import colliders, mesh_io
from ..wrapped_text import draw_text, side_by_side
from .maps import times
from .section import Section

# Icon of a remark, which leaves the tick.
HINT = colliders.HINT

# Distances of objects so small that the usual ones would be seen, as shares of how wide they are.
_OF_SMALL = {"collision_thickness": 0.02, "self_distance": 0.01}

# [m]
_LEAST_DISTANCE = 1e-5

# Far beyond any scene, and squares of it are still numbers of single precision [m].
_MOST_DISTANCE = 1e6


class Collisions(Section):
    """The objects of the scene with Blender's Collision physics, and what the object is like where it touches them.

    The object itself is one more, if that is switched on.
    """

    id = "collisions"
    label = "Collisions"
    switch = "collisions"
    surrounded_by = "the colliders"
    # Frames know what they collided with, however it was chosen.
    view_only = ("collision_collection",)
    # Nothing collided before there was this section.
    initial = MappingProxyType({"collisions": True})

    collisions: BoolProperty(
        name="Collisions",
        description="Collide with all visible objects that have Blender's Collision physics",
        default=False,
    )
    collision_collection: PointerProperty(
        name="Collection",
        description="Collide only with the objects of this collection",
        type=bpy.types.Collection,
    )
    collision_thickness: FloatProperty(
        name="Thickness",
        description="Distance to keep from colliders, added to their own Outer Thickness [m]",
        default=0.01,
        min=0.0,
        max=_MOST_DISTANCE,
        soft_max=0.1,
        precision=4,
        step=0.1,
        subtype="DISTANCE",
    )
    friction: FloatProperty(
        name="Friction",
        description="Coefficient of friction against a collider whose own Friction is 0.5, the default. The "
        "coefficient is twice the product of both. At 0.5 objects slide from slopes steeper than 27 "
        "degrees",
        default=0.5,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    restitution: FloatProperty(
        name="Bounce",
        description="Share of the speed that remains after a bounce (restitution): 0 for cloth",
        default=0.0,
        min=0.0,
        max=1.0,
        precision=2,
        subtype="FACTOR",
    )
    self_collision: BoolProperty(
        name="Self-Collision",
        description="Collide with itself: folds, strands and separate pieces of the mesh. A frame with many folds "
        "takes about ten times as long",
        default=False,
    )
    self_distance: FloatProperty(
        name="Distance",
        description="Distance that the object keeps from itself [m]: about the thickness of the cloth. Values not "
        "far below half of the edge length are quick",
        default=0.005,
        min=_LEAST_DISTANCE,
        max=_MOST_DISTANCE,
        soft_min=1e-3,
        soft_max=0.1,
        precision=4,
        step=0.1,
        subtype="DISTANCE",
    )
    self_friction: FloatProperty(
        name="Self-Friction",
        description="Coefficient of friction where the object touches itself. At 0.3 a fold slides down slopes "
        "steeper than 17 degrees",
        default=0.3,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )

    def draw_main(self, layout, obj):
        """Draw whether it meets itself, and at what distance."""
        _draw_self(layout, obj.hooke)

    def draw(self, layout, obj):
        """Draw the settings and the colliders."""
        settings = obj.hooke
        column = layout.column()
        column.enabled = settings.collisions
        column.prop(settings, "collision_collection")
        column.prop(settings, "collision_thickness")
        column.prop(settings, "friction")
        column.prop(settings, "restitution")
        if settings.collisions:
            _draw_found(layout, obj)
        row = side_by_side(layout)
        row.operator("hooke.make_collider", icon="MOD_PHYSICS")
        row.operator("hooke.add_floor", icon="MESH_PLANE")
        layout.operator("hooke.fit_distances", icon="FULLSCREEN_EXIT")
        column = layout.column()
        column.enabled = settings.self_collision
        column.label(text="Self-Collision")
        column.prop(settings, "self_friction")

    def begin_with(self, obj):
        """Besides collisions, smaller distances where the object is less than half a metre wide."""
        usual = {name: self.properties[name].keywords["default"] for name in _OF_SMALL}
        return dict(self.initial) | _smaller(usual, obj)

    def may_act(self, obj):
        """Whether it has Collision physics."""
        return colliders.collision_modifier(obj) is not None

    def sources(self, where):
        """The colliders."""
        return self._find(where).colliders

    def findings(self, where):
        """How many colliders there are, and why others do not collide."""
        found, problems, _ = self._find(where)
        names = ", ".join(f"'{other.name}'" for other in found[:3]) + ", …" * (len(found) > 3)
        count = "1 collider" if len(found) == 1 else f"{len(found)} colliders"
        return f"{count}: {names}" if found else "", problems

    def left_out(self, where):
        """Why objects in sight do not collide."""
        return self._find(where).left_out

    def surroundings(self, where):
        """The arrays of all colliders but those that it is simulated together with."""
        if not where.obj.hooke.collisions:
            return {}
        members = colliders.together(*where)
        arrays: dict = {}
        for other in self._find(where).colliders:
            if other not in members:
                arrays |= colliders.read(other, where.depsgraph)
        return arrays

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """A contact for each collider, what begins inside of them, and one for the object itself."""
        friction, thickness = surface(settings, maps)
        made = colliders.contacts(surroundings, friction, thickness, settings.restitution)
        contacts = list(made.values())
        if settings.self_collision:
            distance = times(settings.self_distance, settings, maps, "self_distance")
            contacts.append(SelfCollision(distance, settings.self_friction))
        return {"contacts": tuple(contacts), "doubts": colliders.doubts(made, body)}

    def _find(self, where):
        if not where.obj.hooke.collisions:
            return colliders.Found([], [], [])
        return colliders.find(*where)


def _smaller(usual, obj):
    """Those of usual distances [m] by setting that are too large for an object, as they had better be."""
    corners = mesh_io.to_world(obj.matrix_world, np.array(obj.bound_box))
    wide = float(np.ptp(corners, axis=0).max())
    suited = {name: share * wide for name, share in _OF_SMALL.items()}
    return {
        name: max(float(f"{distance:.1g}"), _LEAST_DISTANCE)
        for name, distance in suited.items()
        if distance < usual[name]
    }


def colliding(obj, scene, depsgraph):
    """Colliders of an object that Hooke does not simulate, a list."""
    found = colliders.find(obj, scene, depsgraph).colliders if obj.hooke.collisions else []
    return [other for other in found if not colliders.is_simulated(other)]


def fit_of(where, system, x):
    """The `colliders.Fit` of an object whose System begins at x, shape (n, 3) [m]; where: see `play.inputs.Where`."""
    return colliders.fitted(system, x, where.obj.hooke, colliding(*where))


def not_colliding(obj, scene, depsgraph):
    """Sentences about what does not collide with an object that seeks to, a list."""
    return colliders.find(obj, scene, depsgraph).problems if obj.hooke.collisions else []


def surface(settings, maps):
    """Friction and thickness [m] of an object where it touches others, as Colliders take them."""
    return (
        times(settings.friction, settings, maps, "friction"),
        times(settings.collision_thickness, settings, maps, "thickness"),
    )


def _draw_self(layout, settings):
    row = layout.row(align=True, heading="Self-Collision")
    row.prop(settings, "self_collision", text="")
    distance = row.row()
    distance.enabled = settings.self_collision
    distance.prop(settings, "self_distance", text="")


def _draw_found(layout, obj):
    """A line for each collider with its shape, and what hinders others."""
    depsgraph = bpy.context.view_layer.depsgraph
    if depsgraph is None:
        return
    with colliders.looked_at_once():
        found, problems, _ = colliders.find(obj, bpy.context.scene, depsgraph)
        members = colliders.together(obj, bpy.context.scene, depsgraph)
    for other in found:
        if other in members:
            layout.label(text=f"{other.name}: each moves the other", icon="MESH_DATA")
        else:
            layout.prop(other.hooke_collider, "shape", text=other.name, icon="MESH_DATA")
    if not found:
        draw_text(layout, "Nothing with Collision physics: select objects and press Make Collider", "INFO")
    for problem in problems:
        draw_text(layout, problem, "ERROR")
