# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins of the object."""

from types import MappingProxyType

import bpy
import numpy as np
from bpy.props import FloatProperty, PointerProperty, StringProperty

from ...core.changing_pins import weighed
from .. import colliders, mesh_io
from . import attaching
from .keyed import keyed_names, over_time, tracks_of
from .labels import draw_quantity
from .maps import factor, factor_over_time, follows_pins
from .section import Section
from .solid_objects import is_filled
from .weight_modifiers import changing

# Weights of all vertices, in the surroundings.
WEIGHTS = "weights of the pins"

# Strength that pulls at nothing.
_NEXT_TO_NONE = 1e-9


def _may_hold(settings, other):
    return other.type == "MESH" and other != settings.id_data


class Pins(Section):
    """The pinned vertices, and how firmly the softly pinned are pulled."""

    id = "pins"
    label = "Pins"
    maps = ("pin_group",)
    animatable = ("pin_strength",)
    surrounded_by = "what holds the pins"
    # Frames know what held them, whatever it is called.
    view_only = ("attach_object",)
    # Before this setting existed, a vertex that was taken hold of stopped at once.
    initial = MappingProxyType({"pin_time": 0.1})

    pin_group: StringProperty(
        name="Pin Group",
        description="Vertex group of the pins, or an attribute of numbers on vertices. A vertex of weight 1 "
        "exactly follows the object, its armature and its other modifiers; lower weights are pulled "
        "by Pin Stiffness. Without a pin group the object falls freely. Modifiers above Hooke may "
        "change the weights from frame to frame",
    )
    pin_stiffness: FloatProperty(
        name="Pin Stiffness",
        description="Stiffness of the spring that pulls a vertex of pin weight below 1 to its target, multiplied "
        "by the weight [N/m]. Higher values lag less",
        default=10.0,
        min=1e-6,
        soft_min=0.1,
        soft_max=1e5,
        precision=1,
        step=100,
    )

    pin_strength: FloatProperty(
        name="Pin Strength",
        description="Factor of the pin weights. At 1 they act fully, below 1 hard pins become springs of Pin "
        "Stiffness, at 0 all pins let go. Animate it to 0 to drop the object, and back up to hold it "
        "where it is. Frames in which it changes are slower",
        default=1.0,
        min=0.0,
        max=1.0,
        precision=2,
        step=1,
        subtype="FACTOR",
    )

    pin_time: FloatProperty(
        name="Take Hold In",
        description="Time in which a moving vertex comes to rest when a rising weight or Pin Strength takes hold "
        "of it [s]. It then follows its target from there. 0 stops it at once",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=5,
    )

    attach_object: PointerProperty(
        name="Attach To",
        description="Mesh object whose surface carries the pins. Each pin follows the surface point that is "
        "nearest at the first frame, at the same distance: buttons, belts, straps. Pin Strength and "
        "weights can let go",
        type=bpy.types.Object,
        poll=_may_hold,
    )

    def draw_main(self, layout, obj):
        """Draw the choice of the group, and how much of it acts."""
        layout.prop_search(obj.hooke, "pin_group", obj, "vertex_groups")
        row = layout.row()
        row.enabled = mesh_io.has_weights(obj, obj.hooke.pin_group)
        row.prop(obj.hooke, "pin_strength", slider=True)

    def draw(self, layout, obj):
        """Draw what softly pinned vertices need, and how others are taken hold of."""
        layout.prop(obj.hooke, "attach_object")
        draw_quantity(layout, obj.hooke, "pin_stiffness", "N/m", under="Pin")
        draw_quantity(layout, obj.hooke, "pin_time", "s")

    def counts(self, obj):
        """Whether there is what pins: reading the weights takes too long to be done at every redraw."""
        return mesh_io.has_weights(obj, obj.hooke.pin_group)

    def network_arguments(self, settings, maps, before):
        """Weights and stiffness of the pins."""
        pins = {"pins": painted(settings, maps), "pin_stiffness": settings.pin_stiffness}
        if settings.pin_strength < 1.0 and over_time(settings, "pin_strength") is None:
            # Targets are also read for pins that have let go.
            pins["pins"] = max(settings.pin_strength, _NEXT_TO_NONE) * pins["pins"]
        return pins

    def may_act(self, obj):
        """Whether another object's pins are stuck to it."""
        return obj in colliders.once("holders", _holders)

    def sources(self, where):
        """The object that the pins are stuck to."""
        other = attaching.holder(where)
        return [] if other is None else [other]

    def findings(self, where):
        """The object that the pins are stuck to, or the reason why they are not."""
        other, why = attaching.holder(where), attaching.hindrance(where)
        return f"pins on '{other.name}'" if other is not None else "", [why] if why else []

    def left_out(self, where):
        """Why pins do not stick to the chosen object."""
        return self.findings(where)[1]

    def surroundings(self, where):
        """The weights of all vertices in the scene's frame, where modifiers change them, and the surface that holds."""
        found = attaching.read(where)
        if follows_weights(where):
            evaluated = where.obj.evaluated_get(where.depsgraph).data
            found[WEIGHTS] = mesh_io.read_weights(where.obj, where.obj.hooke.pin_group, evaluated)
        return found


def _holders():
    settings = [obj.hooke for obj in bpy.data.objects]  # type: ignore[attr-defined]
    return {each.attach_object for each in settings if each.enabled}


def painted(settings, maps):
    """Weights of the pins as they are painted, in their group and in the map of their strength."""
    return np.minimum(maps["pin_group"] * factor(settings, maps, "pin_strength"), 1.0)


def changes_weights(obj):
    """Whether modifiers change the weights of an object's pins, and it is one that can follow them alone."""
    settings = obj.hooke
    if is_filled(settings) or not settings.pin_group:
        return False
    groups = settings.pin_group, settings.pin_strength_group
    return any(changing(obj, name) is not None for name in groups)


def follows_weights(where):
    """Whether the simulation of an object follows what modifiers make of its pins; where: see `play.inputs.Where`."""
    return changes_weights(where.obj) and follows_pins(where)


def may_let_go(obj):
    """Whether the weights of an object's pins may change while it is simulated."""
    return changes_weights(obj) or bool(keyed_names(obj, ("pin_strength",)))


def pins_at_start(around):
    """Maps in place of the painted ones by setting; around: as of the section's `surroundings`, with Tracks."""
    return {"pin_group": around[WEIGHTS].first} if WEIGHTS in around else {}


def pin_weights(settings, network, maps, surroundings):
    """Pin weights over time, a callable t -> array, the vertices that may be pinned, and goals as of ChangingPins.

    Three times None where nothing changes. maps: Weights; surroundings: what the sections read of them by
    the section's id, with Tracks.
    Raises ValueError where what holds them has no area.
    """
    strength = tracks_of(surroundings.get("keyed", {})).get("pin_strength")
    around = surroundings.get("pins", {})
    weights = around.get(WEIGHTS)
    if strength is None and not around:
        return None, None, None
    asked = network.pinned if weights is None else np.arange(network.vertex_count)
    stuck = network.pins[asked] > 0.0 if weights is None else np.ones(len(asked), dtype=bool)
    goals = attaching.goals(network.points[asked], stuck, around)
    if strength is None and weights is None:
        return (lambda t: network.pins), asked, goals
    constant = settings.pin_strength
    strength_at = (lambda t: constant) if strength is None else (lambda t: strength(t)[0])
    mapped, mapped_at = (of(settings, maps, "pin_strength") for of in (factor, factor_over_time))
    if weights is None:
        painted = network.pins
    elif mapped_at is None:
        painted = lambda t: np.minimum(weights(t) * mapped, 1.0)  # noqa: E731
    else:
        painted = lambda t: np.minimum(weights(t) * mapped_at(t), 1.0)  # noqa: E731
    return weighed(painted, strength_at), asked, goals
