# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings on Object.hooke, and the one place that turns them into arguments of the core."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core import INTEGRATORS, Simulation, SpringNetwork

# A setting that changed during a simulation would make its start meaningless: none can be animated.
_FIXED: set[str] = set()

# Blender frees the strings of a dynamic enumeration unless Python keeps them.
_INTEGRATOR_ITEMS = [
    (name, method.label, method.description, number)
    for number, (name, method) in enumerate(INTEGRATORS.items())
]


class HookeBakedItem(bpy.types.PropertyGroup):
    """Something a bake added or changed: a shape key or a modifier, and how it was before."""

    kind: EnumProperty(
        items=[("KEY", "Key", "Added"), ("MUTED", "Muted", "Muted"), ("MODIFIER", "Modifier", "Off")]
    )
    show_viewport: BoolProperty()
    show_render: BoolProperty()


class HookeBake(bpy.types.PropertyGroup):
    """What clearing the bake needs to restore the object exactly."""

    items: CollectionProperty(type=HookeBakedItem)
    frame_start: IntProperty()
    frame_end: IntProperty()
    had_shape_keys: BoolProperty()
    had_animation_data: BoolProperty()
    had_action: BoolProperty()
    slot_identifier: StringProperty()
    active_shape_key_index: IntProperty()
    show_only_shape_key: BoolProperty()


class HookeSettings(bpy.types.PropertyGroup):
    """Settings of one simulated object."""

    enabled: BoolProperty(name="Hooke", description="Simulate this object", options={"HIDDEN"})
    pin_group: StringProperty(
        name="Pin Group",
        description="Vertex group of the pinned vertices, which follow whatever moves them: weight 1 holds "
        "exactly, less pulls with the pin stiffness; without one the object falls freely",
        options=_FIXED,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="Of the springs along edges [N/m]",
        default=1e4,
        min=1e-6,
        soft_min=1.0,
        soft_max=1e6,
        precision=1,
        options=_FIXED,
    )
    shear: FloatProperty(
        name="Shear",
        description="Stiffness of the springs across faces, as a factor of Stiffness; 0 leaves them out",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
        options=_FIXED,
    )
    bending: FloatProperty(
        name="Bending",
        description="Stiffness of the springs to the vertex beyond the next, as a factor of Stiffness; "
        "0 leaves them out",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        options=_FIXED,
    )
    mass: FloatProperty(
        name="Mass",
        description="Of the whole object [kg], spread evenly over its vertices",
        default=1.0,
        min=1e-6,
        soft_min=0.01,
        soft_max=100.0,
        unit="MASS",
        options=_FIXED,
    )
    damping: FloatProperty(
        name="Damping",
        description="Of every spring along its direction [N s/m]; turning and falling are not damped",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=4,
        options=_FIXED,
    )
    pin_stiffness: FloatProperty(
        name="Pin Stiffness",
        description="Pull on a pinned vertex of a weight below 1: weight times this [N/m]",
        default=10.0,
        min=1e-6,
        soft_max=1e3,
        options=_FIXED,
    )
    integrator: EnumProperty(
        name="Integrator",
        description="Method that advances the simulation in time",
        items=_INTEGRATOR_ITEMS,
        options=_FIXED,
    )
    substeps: IntProperty(
        name="Substeps",
        description="Equal steps within a frame; more resolve faster motion",
        default=10,
        min=1,
        soft_max=50,
        options=_FIXED,
    )
    iterations: IntProperty(
        name="Iterations",
        description="Solver iterations in each substep; more make stiff springs stiffer",
        default=1,
        min=1,
        soft_max=50,
        options=_FIXED,
    )
    frame_start: IntProperty(
        name="Start", description="Frame the simulation starts from", default=1, options=_FIXED
    )
    frame_end: IntProperty(
        name="End", description="Last frame that is simulated and baked", default=250, options=_FIXED
    )
    bake: PointerProperty(type=HookeBake)


# Changing one of these makes what was simulated stale.
_INPUTS = (
    "pin_group",
    "stiffness",
    "shear",
    "bending",
    "mass",
    "damping",
    "pin_stiffness",
    "integrator",
    "substeps",
    "iterations",
    "frame_start",
)


def settings_fingerprint(obj, scene):
    """Everything but the mesh that determines a simulation, as a tuple to compare."""
    values = tuple(getattr(obj.hooke, name) for name in _INPUTS)
    return values, _frame_time(scene), _gravity(scene)


def network(obj, points, edges, polygons, pins):
    """SpringNetwork of an object: points in world space [m], pins per vertex.

    Raises ValueError from the core.
    """
    settings = obj.hooke
    return SpringNetwork.from_mesh(
        points,
        edges,
        polygons,
        structural=settings.stiffness,
        shear=settings.shear * settings.stiffness,
        bending=settings.bending * settings.stiffness,
        mass=settings.mass,
        damping=settings.damping,
        pins=pins,
        pin_stiffness=settings.pin_stiffness,
    )


def simulation(obj, scene, spring_network):
    """Simulation of an object's network with one step a frame."""
    settings = obj.hooke
    options = INTEGRATORS[settings.integrator].options
    return Simulation(
        spring_network,
        settings.integrator,
        dt=_frame_time(scene),
        substeps=settings.substeps,
        gravity=_gravity(scene),
        **({"iterations": settings.iterations} if "iterations" in options else {}),
    )


def _frame_time(scene):
    return scene.render.fps_base / scene.render.fps


def _gravity(scene):
    return tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)


_CLASSES = (HookeBakedItem, HookeBake, HookeSettings)


def register():
    """Register the settings as Object.hooke."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.hooke = PointerProperty(type=HookeSettings)  # type: ignore[attr-defined]


def unregister():
    """Remove Object.hooke."""
    del bpy.types.Object.hooke  # type: ignore[attr-defined]
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
