# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's force-field objects: which there are, and what a frame has of them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.forces import Peaking
from .. import mesh_io
from ..bakes import curves
from ..colliders import dependent, is_enabled, is_field, once
from .field_forces import KINDS, PRESSURE, wind_speed

_NUMBERS = (
    "strength",
    "flow",
    "noise",
    "harmonic_damping",
    "size",
    "rest_length",
    "wind_factor",
    "falloff_power",
    "distance_min",
    "distance_max",
    "radial_falloff",
    "radial_min",
    "radial_max",
)
_SWITCHES = (
    "use_min_distance",
    "use_max_distance",
    "use_radial_min",
    "use_radial_max",
    "use_gravity_falloff",
    "use_global_coords",
    "seed",
)
_WORDS = ("type", "shape", "falloff_type", "z_direction")
# Numbers whose keys are read in all frames, for the largest pull of a field in the range.
_KEYED = ("strength", "noise")

# Numbers of a kind, and of others, that resist motion: below 0, where they would drive it without end, they do not act.
_RESISTANCES = {"DRAG": ("linear_drag", "quadratic_drag"), "HARMONIC": ("harmonic_damping",)}
_RESISTANCE = ("flow",)

# Shapes of fields that act along or about their z axis, and those that need no axis.
_ABOUT_AN_AXIS = ("WIND", "VORTEX", "MAGNET")
_WITHOUT = {"shape": "POINT", "falloff_type": "SPHERE", "z_direction": "BOTH"}

# Kinds on which the Wind Factor acts, with the numbers that keep their value of the start.
_PRESSING = dict.fromkeys(("FORCE", "HARMONIC", "CHARGE", "TURBULENCE"), ("wind_factor",))
_STARTING = {"WIND": ("flow", "wind_factor")} | _PRESSING

_UNSUPPORTED = {
    "LENNARDJ": "acts on particles alone, which have a size: choose another Type",
    "BOID": "acts on boids alone: choose another Type",
    "GUIDE": "acts on particles alone: choose another Type",
    "TEXTURE": "is not supported: choose another Type",
    "FLUID_FLOW": "is not supported: choose another Type",
}

_PARTICLES = "acts from particles, which is not supported: add a field of its own"

# Where the Beaufort scale's names begin [m/s] (World Meteorological Organization, "Manual on Codes", code table 1100).
_BEAUFORT = (
    (0.0, "calm"),
    (0.3, "light air"),
    (1.6, "light breeze"),
    (3.4, "gentle breeze"),
    (5.5, "moderate breeze"),
    (8.0, "fresh breeze"),
    (10.8, "strong breeze"),
    (13.9, "near gale"),
    (17.2, "gale"),
    (20.8, "strong gale"),
    (24.5, "storm"),
    (28.5, "violent storm"),
    (32.7, "hurricane"),
)

# Flow of wind below which its air has less than a hundredth of the density.
_THIN = 0.1


class Field(NamedTuple):
    """A force field as frames have it.

    numbers: Track of its _NUMBERS; pose: callable t -> matrix; chosen: its words and switches by name.
    peaks: what those of its numbers that have keys are where they are largest, by name.
    """

    pose: Callable
    numbers: Any
    chosen: dict[str, Any]
    peaks: dict[str, float]

    def number(self, name):
        """One of the numbers as a callable t -> number."""
        return self.quantity(lambda number: number, name)

    def quantity(self, function, *names):
        """A function of some of the numbers, as a callable t -> quantity: Peaking where one has keys."""
        places = [_NUMBERS.index(name) for name in names]

        def over_time(t):
            numbers = self.numbers(t)
            return function(*(float(numbers[place]) for place in places))

        if not any(name in self.peaks for name in names):
            return over_time
        return Peaking(over_time, function(*(self.peaks.get(name, self.at_start(name)) for name in names)))

    def at_start(self, name):
        """One of the numbers at the start."""
        return float(self.numbers.first[_NUMBERS.index(name)])


def found(view_layer, obj):
    """Objects of a view layer with force fields that an object may feel, never itself; where it names a collection
    those of that alone, whether the view layer has them or not."""
    collection = obj.hooke.field_collection
    fields = once(("fields", view_layer.as_pointer()), lambda: _all(view_layer.objects))
    if collection is not None:
        members = set(collection.all_objects)
        fields = [other for other in fields if other in members]
        fields += _all(collection.all_objects, fields)
    return [other for other in fields if other != obj]


def _all(objects, beside=()):
    """All of some objects that have force fields, by themselves or by their particles, but those that are known."""
    # To look for particles takes several times as long as for fields, and most files have none.
    emits = _of_particles if len(bpy.data.particles) else lambda other: ()
    return [other for other in objects if other not in beside and (is_field(other) or emits(other))]


def _of_particles(obj):
    """Kinds of the force fields that act from the particles of an object, a list."""
    settings = [system.settings for system in obj.particle_systems]
    both = [field for of_one in settings for field in (of_one.force_field_1, of_one.force_field_2)]
    return [field.type for field in both if field is not None and field.type not in ("NONE", "BOID")]


def hindrance(obj, depsgraph, on):
    """Why a force-field object does not act on another one in the frame that was evaluated, or ""."""
    field = obj.evaluated_get(depsgraph).field
    if not is_field(obj):
        return _PARTICLES
    if field.type not in KINDS:
        return _UNSUPPORTED.get(field.type, "is not supported: choose another Type")
    if field.shape in ("SURFACE", "POINTS"):
        return "has the shape Surface or Every Point, which is not supported: choose Point, Line or Plane"
    if not field.apply_to_location:
        return "does not affect the location: turn on Location in its Force Fields physics"
    if obj in dependent(on):
        return f"is attached to the mesh of '{on.name}' and does not act on it: detach it"
    if is_enabled(obj, depsgraph):
        return ""
    if obj in set(depsgraph.view_layer.objects):
        return "is disabled in viewports: enable it there, and its collection"
    return "is not in the view layer: include a collection that it is in"


def problems(obj, depsgraph, on):
    """Sentences about what of a force-field object does not act on another one."""
    name = _name(obj, [obj.field.type] if is_field(obj) else _of_particles(obj))
    hindered = hindrance(obj, depsgraph, on)
    found = [f"{name} {hindered}"] if hindered else _left(obj, name)
    if is_field(obj) and _of_particles(obj):
        found.append(f"{_name(obj, _of_particles(obj))} {_PARTICLES}")
    return found


def _name(obj, kinds):
    labels = _labels("type")
    return f"Force field '{obj.name}' ({', '.join(labels[kind] for kind in kinds)})"


def _left(obj, name):
    """Sentences about what of a force field that acts does not."""
    field, found = obj.field, []
    labels = {number: prop.name for number, prop in field.bl_rna.properties.items()}
    resisting = _RESISTANCES.get(field.type, _RESISTANCE)
    for number in resisting:
        if getattr(field, number) < 0.0:
            found.append(f"{name} has a {labels[number]} below 0, which acts as 0: raise it")
    has_axis = field.type in _ABOUT_AN_AXIS or any(
        getattr(field, word) != plain for word, plain in _WITHOUT.items()
    )
    if has_axis and not any(obj.matrix_world.col[2][:3]):
        found.append(f"{name} has no z axis: give it a Z scale other than 0")
    for number in _STARTING.get(field.type, ()):
        if f"field.{number}" in curves.animated_paths(obj):
            found.append(f"{name} keeps the {labels[number]} that it begins with: key its Strength instead")
    if field.use_absorption:
        found.append(f"{name} acts through colliders: its Absorption is not supported; turn it off")
    if field.wind_factor and field.type not in _STARTING:
        found.append(f"{name} acts along surfaces as well: its Wind Factor is not supported; set it to 0")
    elif field.wind_factor and field.type != "WIND" and getattr(field, resisting[0]) > 0.0:
        found.append(
            f"{name} has a {labels[resisting[0]]} that acts along surfaces as well: set its Wind Factor to 0"
        )
    return found


def summary(obj):
    """A force field that acts, in a line; of wind the speed of its air and what sailors call it, or its pressure where
    the air is so thin that its speed tells nothing."""
    field = obj.field
    if field.type != "WIND":
        return obj.name
    if field.flow < _THIN:
        return f"{obj.name}: {PRESSURE * abs(field.strength):.1f} N/m²"
    speed = abs(wind_speed(field.strength, field.flow))
    return f"{obj.name}: {speed:.1f} m/s, {_beaufort(speed)}"


def _beaufort(speed):
    """Name of a wind of a speed [m/s]."""
    return [name for least, name in _BEAUFORT if round(speed, 1) >= least][-1]


def read(obj, depsgraph):
    """Values of a force field in a frame: arrays by their names in messages, see `Section.surroundings`."""
    field = obj.evaluated_get(depsgraph).field
    chosen = [_word(field, name) for name in _WORDS] + [int(getattr(field, name)) for name in _SWITCHES]
    name = f"force field '{obj.name_full}'"
    numbers = {n: float(getattr(field, n)) for n in _NUMBERS}
    for number, value in numbers.items():
        if not np.isfinite(value):
            label = field.bl_rna.properties[number].name
            raise mesh_io.MeshError(f"F{name[1:]} has the {label} {value:g}: give it a finite number")
    matrix = mesh_io.world_matrix(obj, depsgraph)
    if not np.isfinite(matrix).all():
        raise mesh_io.MeshError(f"the place of {name} is no number: check what moves it")
    return {
        f"motion of {name}": matrix,
        f"strength or falloff of {name}": np.array(list(numbers.values())),
        # Animation is compared as a whole: other keys make another simulation from the start.
        f"kind or keys of {name}": np.array(chosen + _peaks(obj), dtype=np.int64),
    }


def fields(surroundings):
    """Fields from what `read` gave of several, the arrays of float64 being Tracks."""
    sizes = len(_WORDS), len(_WORDS) + len(_SWITCHES)
    values = list(surroundings.values())
    for pose, numbers, chosen in zip(values[::3], values[1::3], values[2::3], strict=True):
        kinds, switches, peaks = np.split(chosen, sizes)
        words = {name: _items(name)[number] for name, number in zip(_WORDS, kinds, strict=True)}
        known = zip(_KEYED, peaks.view(np.float64).tolist(), strict=False)
        yield Field(
            pose,
            numbers,
            words | dict(zip(_SWITCHES, switches.tolist(), strict=True)),
            {name: value for name, value in known if not np.isnan(value)},
        )


def _peaks(obj):
    """Bits of the largest values that keys give the _KEYED numbers, of no number where one has none; none without."""
    key = "keys", obj.as_pointer()
    found = once(key, lambda: [curves.peak(obj, f"field.{name}") for name in _KEYED])
    if not any(value is not None for value in found):
        return []
    limits = [obj.field.bl_rna.properties[name] for name in _KEYED]
    values = [
        np.nan if value is None else np.clip(value, limit.hard_min, limit.hard_max)
        for value, limit in zip(found, limits, strict=True)
    ]
    return np.array(values, dtype=np.float64).view(np.int64).tolist()


def _items(name):
    return list(_labels(name))


def _labels(name):
    """Labels of the items of an enumeration by id, in Blender's order."""
    items = bpy.types.FieldSettings.bl_rna.properties[name].enum_items
    return {item.identifier: item.name for item in items}


def _word(field, name):
    return _items(name).index(getattr(field, name))
