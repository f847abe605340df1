# SPDX-License-Identifier: GPL-3.0-or-later
"""What the object collides with, and how."""

from types import MappingProxyType

import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty, StringProperty

from .. import colliders
from ..wrapped_text import draw_text
from .section import Section


class Collisions(Section):
    """The objects of the scene with Blender's Collision physics, and what the object is like where it touches them."""

    id = "collisions"
    label = "Collisions"
    surrounded_by = "the colliders"
    maps = ("friction_group", "thickness_group")
    # Frames know what they collided with, however it was chosen.
    view_only = ("collision_collection",)
    # Nothing collided before there was this section.
    initial = MappingProxyType({"collisions": True})

    collisions: BoolProperty(
        name="Collisions",
        description="Stay out of all visible objects with Blender's Collision physics",
        default=False,
    )
    collision_collection: PointerProperty(
        name="Collection",
        description="Collide with the objects of this collection alone",
        type=bpy.types.Collection,
    )
    collision_thickness: FloatProperty(
        name="Thickness",
        description="Distance from colliders that is kept, beside their own Outer Thickness [m]",
        default=0.01,
        min=0.0,
        soft_max=0.1,
        precision=4,
        step=0.1,
        subtype="DISTANCE",
    )
    friction: FloatProperty(
        name="Friction",
        description="Friction over pressure on a collider whose own Friction is 5, as Blender has it by default, and "
        "in proportion on others: at 0.5 it slides from a slope of 27 degrees on",
        default=0.5,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    restitution: FloatProperty(
        name="Bounce",
        description="Share of its speed with which it rebounds (restitution): 0 for cloth",
        default=0.0,
        min=0.0,
        max=1.0,
        precision=2,
        subtype="FACTOR",
    )
    friction_group: StringProperty(
        name="Friction Group", description="Vertex group whose weights Friction is multiplied by"
    )
    thickness_group: StringProperty(
        name="Thickness Group", description="Vertex group whose weights Thickness is multiplied by"
    )

    def draw(self, layout, obj):
        """Draw the settings, and what is found to collide with."""
        settings = obj.hooke
        layout.prop(settings, "collisions")
        column = layout.column()
        column.enabled = settings.collisions
        column.prop(settings, "collision_collection")
        column.prop(settings, "collision_thickness")
        column.prop(settings, "friction")
        column.prop(settings, "restitution")
        column.prop_search(settings, "friction_group", obj, "vertex_groups", text="Friction Map")
        column.prop_search(settings, "thickness_group", obj, "vertex_groups", text="Thickness Map")
        if settings.collisions:
            _draw_found(layout, obj)
        row = layout.row(align=True)
        row.operator("hooke.make_collider", icon="MOD_PHYSICS")
        row.operator("hooke.add_floor", icon="MESH_PLANE")

    def may_act(self, obj):
        """Whether it has Collision physics."""
        return colliders.collision_modifier(obj) is not None

    def sources(self, where):
        """The colliders."""
        return self._find(where).colliders

    def findings(self, where):
        """How many colliders there are, and why others do not collide."""
        found, problems = self._find(where)
        names = ", ".join(f"'{other.name}'" for other in found[:3]) + ", …" * (len(found) > 3)
        count = "1 collider" if len(found) == 1 else f"{len(found)} colliders"
        missing = [
            f"'{where.obj.name}' has no vertex group '{name}', so that {said} is the same everywhere"
            for name, said in _groups(where.obj.hooke)
            if name not in where.obj.vertex_groups
        ]
        return f"{count}: {names}" if found else "", [*problems, *missing]

    def surroundings(self, where):
        """The arrays of all colliders."""
        if not where.obj.hooke.collisions:
            return {}
        found = self._find(where).colliders
        if colliders.collision_modifier(where.obj) is not None:
            colliders.check_circle(where.obj, where.scene, where.depsgraph)
        arrays: dict = {}
        for other in found:
            arrays |= colliders.read(other, where.depsgraph)
        return arrays

    def simulation_arguments(self, settings, scene, network, maps, surroundings):
        """A contact for each collider, and what begins inside of them."""
        weights = {
            name: maps[name] if getattr(settings, name) in settings.id_data.vertex_groups else 1.0
            for name in self.maps
        }
        friction = settings.friction * weights["friction_group"]
        thickness = settings.collision_thickness * weights["thickness_group"]
        made = colliders.contacts(surroundings, friction, thickness, settings.restitution)
        free = network.points[~network.pins.astype(bool)]
        counts = {name: colliders.count_inside(contact, free) for name, contact in made.items()}
        doubts = [
            f"{count:,} vertices begin inside {name} and are pushed out at once: move them apart"
            for name, count in counts.items()
            if count
        ]
        return {"contacts": tuple(made.values()), "doubts": doubts}

    def _find(self, where):
        if not where.obj.hooke.collisions:
            return colliders.Found([], [])
        return colliders.find(where.obj, where.scene, where.depsgraph)


def _groups(settings):
    """Names of vertex groups that are chosen, and what they are of."""
    chosen = ((settings.friction_group, "friction"), (settings.thickness_group, "thickness"))
    return [(name, said) for name, said in chosen if settings.collisions and name]


def _draw_found(layout, obj):
    """A line for each collider with its shape, and what hinders others."""
    depsgraph = bpy.context.view_layer.depsgraph
    if depsgraph is None:
        return
    found, problems = colliders.find(obj, bpy.context.scene, depsgraph)
    for other in found:
        layout.prop(other.hooke_collider, "shape", text=other.name, icon="MESH_DATA")
    if not found:
        draw_text(layout, "Nothing with Collision physics: select objects and press Make Collider", "INFO")
    for problem in problems:
        draw_text(layout, problem, "ERROR")
