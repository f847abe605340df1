# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity, air and force fields."""

from types import MappingProxyType

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, PointerProperty

from ...core.forces import Acceleration, Peaking
from ..bakes.curves import animated_paths, peak
from ..colliders import is_field, is_seen
from ..wrapped_text import draw_text
from . import field_forces, force_fields
from .air import is_one_air, of_fields, resistance
from .keyed import keyed_names, over_time, scaled
from .section import Section
from .units import unit_warning

# Kinds of fields that have a weight.
_KINDS = ("force", "wind", "vortex", "turbulence", "drag", "harmonic", "charge", "magnetic")
# Settings of the scene's gravity that keys may change.
_GRAVITY = frozenset({"gravity", "use_gravity"})


def gravity(scene):
    """The scene's gravity [m/s^2], three numbers."""
    return tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)


def fall(obj, scene):
    """The acceleration by which an object falls in the scene's frame [m/s^2], three numbers."""
    return tuple(obj.hooke.gravity_weight * g for g in gravity(scene))


def constant_gravity(scene):
    """The same, or None where that is animated and read in every frame."""
    return None if _GRAVITY & animated_paths(scene) else gravity(scene)


def _strongest_gravity(scene):
    """Gravity with each of its numbers where keys have it largest, zero if they leave it off [m/s^2], shape (3,).

    No number where it is animated otherwise, as by drivers: of these nothing is known beforehand.
    """
    animated, switched = animated_paths(scene), peak(scene, "use_gravity")
    if switched is None and "use_gravity" in animated:
        return np.full(3, np.nan)
    if not (scene.use_gravity if switched is None else switched):
        return np.zeros(3)
    keyed = [peak(scene, "gravity", axis) for axis in range(3)]
    others = np.full(3, np.nan) if "gravity" in animated else scene.gravity
    return np.array([other if key is None else key for key, other in zip(keyed, others, strict=True)])


def _weight(kind):
    """Weight of a kind of force fields."""
    return FloatProperty(
        name=kind,
        description=f"How much of the {kind} fields' strength acts: 0 none, 1 all",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )


class Forces(Section):
    """Gravity, the air, and the scene's force fields."""

    id = "forces"
    label = "Forces"
    animatable = ("air_drag", "gravity_weight", "field_weight", *(f"weight_{kind}" for kind in _KINDS))
    # The surroundings say which fields are in the collection.
    view_only = ("field_collection",)
    surrounded_by = "the forces"
    # The drag of a flat plate in air. Files from before there were force fields, or one air, know none.
    initial = MappingProxyType({"air_drag": 1.2, "air_law": "AIR", "field_weight": 1.0, "air_inertia": 1.0})

    air_drag: FloatProperty(
        name="Air Drag",
        description="Drag coefficient of the air. It brings swinging cloth to rest. 0 is none, and 1.2 is realistic. "
        "With Air at Settling, as in older files, cotton comes to rest within ten seconds at 0.1",
        default=0.0,
        min=0.0,
        soft_max=1.5,
        precision=2,
        step=1,
    )
    air_law: EnumProperty(
        name="Air",
        description="How air acts on the object",
        items=[
            (
                "AIR",
                "Real",
                "The drag depends only on the speed of the object relative to the air, still or moved by winds: a "
                "carried flag trails as in wind, light things float down, and swings die out",
                2,
            ),
            (
                "SETTLING",
                "Settling",
                "Winds, and a drag of still air that is limited to that of a breeze of 1.5 m/s: objects fall as "
                "without air, and swings die out. Older files use it",
                1,
            ),
            (
                "FLOW",
                "Flow",
                "Winds, and a drag of still air that grows with the square of the speed. Older files use it",
                0,
            ),
        ],
        default="FLOW",
    )
    gravity_weight: FloatProperty(
        name="Gravity",
        description="Factor of the scene's gravity: 0 is none",
        default=1.0,
        soft_min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    field_weight: FloatProperty(
        name="Fields",
        description="Factor of all force fields: 0 is none. A strength of 1 is a pressure of 0.83 N/m², as on "
        "Blender's cloth at 24 frames a second",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    field_collection: PointerProperty(
        name="Collection",
        description="Use only the force fields of this collection; empty for all of the scene",
        type=bpy.types.Collection,
    )
    field_charge: FloatProperty(
        name="Own Charge",
        description="Charge of the object, for Charge fields. Negative values attract",
        default=1.0,
        soft_min=-1.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    air_inertia: FloatProperty(
        name="Air Inertia",
        description="Inertia of the air at faces where a Wind field is, of any strength: it makes flags flutter and "
        "skirts bell. 0 is none, and flags hang still in steady wind; 1 is realistic",
        default=0.0,
        min=0.0,
        max=1.0,
        precision=2,
        step=1,
    )
    weight_force: _weight("Force")
    weight_wind: _weight("Wind")
    weight_vortex: _weight("Vortex")
    weight_turbulence: _weight("Turbulence")
    weight_drag: _weight("Drag")
    weight_harmonic: _weight("Harmonic")
    weight_charge: _weight("Charge")
    weight_magnetic: _weight("Magnetic")

    def draw_main(self, layout, obj):
        """Draw the air."""
        layout.prop(obj.hooke, "air_drag")

    def draw(self, layout, obj):
        """Draw the weights, and which fields act."""
        settings = obj.hooke
        row = layout.row()
        row.enabled = settings.air_drag > 0.0
        row.prop(settings, "air_law")
        if settings.air_law == "AIR" and settings.air_drag > 0.0:
            layout.prop(settings, "air_inertia", slider=True)
        layout.prop(settings, "gravity_weight", slider=True)
        layout.prop(settings, "field_weight", slider=True)
        column = layout.column()
        column.enabled = settings.field_weight > 0.0
        column.prop(settings, "field_collection")
        _draw_fields(column, obj)

    def sources(self, where):
        """The force fields that act."""
        felt, on = _felt(where), where.obj
        return [other for other in felt if not force_fields.hindrance(other, where.depsgraph, on)]

    def findings(self, where):
        """Which force fields act, and why others do not, nor lengths that are no metres."""
        names = [f"'{other.name}'" for other in self.sources(where)]
        count = "1 force field" if len(names) == 1 else f"{len(names)} force fields"
        found = f"{count}: {', '.join(names[:3])}{', …' * (len(names) > 3)}" if names else ""
        felt, on = _felt(where), where.obj
        problems = [p for other in felt for p in force_fields.problems(other, where.depsgraph, on)]
        return found, [text, *problems] if (text := unit_warning(where.scene)) else problems

    def left_out(self, where):
        """Sentences on unsupported settings of the force fields in sight."""
        return [
            problem
            for other in _felt(where)
            if is_seen(other, where.depsgraph) and (other.field is None or other.field.apply_to_location)
            for problem in force_fields.problems(other, where.depsgraph, where.obj)
        ]

    def surroundings(self, where):
        """Values of the acting force fields in the frame, and the scene's gravity if it is animated."""
        found: dict[str, np.ndarray] = {}
        if constant_gravity(where.scene) is None:
            # Only the scene of the window itself is animated.
            found["gravity"] = np.array(gravity(where.depsgraph.scene_eval), dtype=np.float64)
            # Other keys, of whichever frame, make another simulation from the start.
            found["keys of the gravity"] = _strongest_gravity(where.scene).view(np.int64)
        for other in self.sources(where):
            found |= force_fields.read(other, where.depsgraph)
        return found

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """Gravity, the resistance of the air, if there is any, and the force fields."""
        weight, fields = settings.gravity_weight, dict(surroundings)
        weights = over_time(settings, "gravity_weight")
        animated, strongest = fields.pop("gravity", None), fields.pop("keys of the gravity", None)
        pull = gravity(scene) if animated is None else animated.first
        weighted = tuple(float(g) for g in weight * np.array(pull))
        drag = 1.0 if over_time(settings, "air_drag") is not None else settings.air_drag
        acting, winds = of_fields(settings, fields)
        forces = scaled(settings, resistance(settings, drag, winds), ["air_drag"])
        if weights is not None:
            forces.append(_weighed(settings, pull, animated, strongest, weights))
        elif animated is not None:
            most = weight * np.nan_to_num(strongest.view(np.float64) - animated.first)
            forces.append(Acceleration(Peaking(lambda t: weight * (animated(t) - animated.first), most)))
        forces += acting if is_one_air(settings) else [*acting, *winds]
        return {"gravity": weighted, "forces": tuple(forces)}


def _weighed(settings, pull, animated, strongest, weights):
    """Gravity under a keyed weight less that at the start, which `pull` has."""
    first, start = np.array(pull), weights.first[0]
    size = peak(settings.id_data, "hooke.gravity_weight")

    def beyond(t):
        return weights(t)[0] * (first if animated is None else animated(t)) - start * first

    largest = first if animated is None else np.nan_to_num(strongest.view(np.float64))
    return Acceleration(Peaking(beyond, (start if size is None else size) * largest - start * first))


def _draw_fields(layout, obj):
    """Weights of the kinds of fields there are, a line for each that acts, and what hinders others."""
    view_layer = bpy.context.view_layer
    depsgraph = view_layer.depsgraph
    if depsgraph is None:
        return
    found = force_fields.found(view_layer, obj)
    if not found:
        draw_text(layout, "No force fields here: Add > Force Field", "INFO")
    kinds = {other.field.type for other in found if is_field(other)}
    for kind in field_forces.KINDS:
        if kind in kinds:
            layout.prop(obj.hooke, field_forces.KINDS[kind].weight, slider=True)
    if "WIND" in kinds and not is_one_air(obj.hooke):
        layout.prop(obj.hooke, "air_inertia", slider=True)
    if "CHARGE" in kinds:
        layout.prop(obj.hooke, "field_charge")
    for other in found:
        if not force_fields.hindrance(other, depsgraph, obj):
            layout.label(text=force_fields.summary(other), icon=f"FORCE_{other.field.type}")
        for problem in force_fields.problems(other, depsgraph, obj):
            draw_text(layout, problem, "ERROR")


def _felt(where):
    """Force fields that the object may feel, none without a weight."""
    if where.obj.hooke.field_weight == 0.0 and not keyed_names(where.obj, ("field_weight",)):
        return []
    return force_fields.found(where.depsgraph.view_layer, where.obj)
