# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke's settings of a collider beside Blender's own Collision settings."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, PointerProperty

# A .blend file stores a shape's number: it stays that shape's for ever.
_SHAPE_ITEMS = [
    (
        "AUTO",
        "Automatic",
        "Its mesh, as it is where nothing can bend it, and as it is in every frame elsewhere",
        0,
    ),
    ("PLANE", "Plane", "A floor without end through its middle, square to its local Z axis", 1),
    ("SPHERE", "Sphere", "The ball that its bounding box holds: quickest", 2),
    ("CAPSULE", "Capsule", "A cylinder with round ends along the longest side of its bounding box", 3),
    ("BOX", "Box", "Its bounding box, along its local axes", 4),
    (
        "MESH",
        "Rigid Mesh",
        "Its mesh, which may move and turn but not bend, of up to 50,000 triangles",
        5,
    ),
    ("DEFORMING", "Deforming Mesh", "Its mesh with its modifiers as it is in every frame", 6),
]

SHAPES = {name: number for name, *_, number in _SHAPE_ITEMS}
LABELS = {name: label for name, label, *_ in _SHAPE_ITEMS}

# The least that Blender allows; the distance that a simulated object keeps is its own setting.
_THICKNESS = 0.001

# Blender's friction of cloth [0..80], 5 by default, of one that is as the simulated objects' own: 0.5 by default.
_OF_BLENDER = 10.0
_MOST_FRICTION = 8.0


def _friction(obj):
    """Friction of a collider on the scale of the simulated objects' own."""
    return obj.collision.cloth_friction / _OF_BLENDER if obj.collision is not None else 0.5


def _set_friction(obj, value):
    if obj.collision is not None:
        obj.collision.cloth_friction = _OF_BLENDER * value


def _changed(settings, _context):
    """Mark the object as changed for its dependents."""
    settings.id_data.update_tag()


class HookeCollider(bpy.types.PropertyGroup):
    """Settings of a collider, on Object.hooke_collider."""

    shape: EnumProperty(
        name="Shape",
        description="Shape that simulated objects collide with",
        items=_SHAPE_ITEMS,
        default="AUTO",
        options=set(),
        update=_changed,
    )
    friction: FloatProperty(
        name="Friction",
        description="Coefficient of friction against objects whose own Friction is 0.5, the default. The coefficient "
        "is twice the product of both. It is a tenth of Blender's own Friction of Softbody & Cloth",
        min=0.0,
        max=_MOST_FRICTION,
        soft_max=1.0,
        precision=2,
        step=1,
        options=set(),
        get=lambda settings: _friction(settings.id_data),
        set=lambda settings, value: _set_friction(settings.id_data, value),
    )
    restitution: FloatProperty(
        name="Bounce",
        description="Share of the speed that remains after a bounce (restitution). The larger value of both objects "
        "counts",
        default=0.0,
        min=0.0,
        max=1.0,
        precision=2,
        subtype="FACTOR",
        options=set(),
        update=_changed,
    )
    inside: BoolProperty(
        name="Keep Inside",
        description="Keep simulated objects inside this one instead of outside",
        options=set(),
        update=_changed,
    )


class HOOKE_PT_collider(bpy.types.Panel):
    bl_label = "Hooke"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_parent_id = "PHYSICS_PT_collision"

    @classmethod
    def poll(cls, context):
        return collision_modifier(context.object) is not None

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in HookeCollider.__annotations__:
            layout.prop(context.object.hooke_collider, name)
        column = layout.column(align=True)
        column.label(text="Of Softbody & Cloth, Hooke takes", icon="INFO")
        column.label(text="Outer Thickness; its Friction is", icon="BLANK1")
        column.label(text="ten times the one above", icon="BLANK1")


class HOOKE_PT_collider_sidebar(bpy.types.Panel):
    bl_label = "Collider"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Hooke"
    # Below the panel that everything begins with.
    bl_order = 1

    @classmethod
    def poll(cls, context):
        return collision_modifier(context.object) is not None

    def draw(self, context):
        layout, obj = self.layout, context.object
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(obj.collision, "use", text="Collides")
        column = layout.column()
        column.enabled = obj.collision.use
        column.prop(obj.collision, "thickness_outer", text="Thickness (m)")
        for name in HookeCollider.__annotations__:
            column.prop(obj.hooke_collider, name)


def collision_modifier(obj):
    """The object's Collision modifier, or None."""
    modifiers = obj.modifiers if obj is not None and obj.type == "MESH" else ()
    return next((modifier for modifier in modifiers if modifier.type == "COLLISION"), None)


def is_collider(obj):
    """Whether an object has Collision physics that is on."""
    modifier = collision_modifier(obj)
    return modifier is not None and modifier.show_viewport and obj.collision.use


def add_collision(obj):
    """Give an object Blender's Collision physics, close to its faces and above a Mask; turns it on where it has it."""
    modifier = collision_modifier(obj)
    if modifier is None:
        modifier = obj.modifiers.new("Collision", "COLLISION")
        obj.collision.thickness_outer = _THICKNESS
        masks = [place for place, each in enumerate(obj.modifiers) if each.type == "MASK"]
        if masks:
            # Clothes lie on what they hide.
            obj.modifiers.move(len(obj.modifiers) - 1, masks[0])
    modifier.show_viewport = obj.collision.use = True


_CLASSES = (HookeCollider, HOOKE_PT_collider, HOOKE_PT_collider_sidebar)


def register():
    """Register the settings as Object.hooke_collider, and their panel."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.hooke_collider = PointerProperty(type=HookeCollider)  # type: ignore[attr-defined]


def unregister():
    """Remove Object.hooke_collider."""
    del bpy.types.Object.hooke_collider  # type: ignore[attr-defined]
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
