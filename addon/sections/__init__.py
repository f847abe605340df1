# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings on Object.hooke, and what they mean to the core: `SECTIONS` is the catalogue that panels, staleness,
command line and guide read."""

from functools import cache
from math import isclose

import bpy
from bpy.props import PointerProperty

from ..bakes.record import HookeBake, HookeBakedItem
from ..colliders import (
    add_collision,
    below,
    collision_modifier,
    has_shut_eye,
    is_collider,
    is_reading,
    looked_at_once,
    may_come,
    passed,
    read_own,
)
from ..mesh_io import has_weights
from . import keyed
from .building import arguments, body, check_pins, simulation, unprepared
from .catalogue import SECTIONS
from .colliding_objects import between, check_alike, meeting, together
from .collisions import colliding, not_colliding
from .depsgraph_tags import tag, take_tagged
from .forces import constant_gravity, fall, unit_warning
from .keyed import keyed_names
from .limits import check_limits as _check_limits
from .object_notes import MEMORY
from .pins import changes_weights, follows_weights, painted
from .pleats import read_pleats
from .rest_lengths import key_moves, keyed_lengths
from .rest_shape import rest_shape
from .shape import unsewn
from .solid_objects import is_filled, without_effect
from .solver import shown_options
from .tearing import check_whole, tears_at
from .time_and_start import begin, begun_at_rest, frame_time, starts_elsewhere, starts_from_saved_pose
from .weight_modifiers import changing
from .weights import changed_weights, followed, followed_maps, groups, read_maps

__all__ = [
    "SECTIONS",
    "HookeSettings",
    "add_collision",
    "add_settings",
    "arguments",
    "begin",
    "begun_at_rest",
    "below",
    "between",
    "body",
    "changed_weights",
    "changes_weights",
    "changing",
    "check_alike",
    "check_limits",
    "check_pins",
    "check_whole",
    "colliding",
    "collision_modifier",
    "copy_settings",
    "fall",
    "findings",
    "follow_renamed_groups",
    "followed",
    "followed_maps",
    "follows_weights",
    "frame_time",
    "has_shut_eye",
    "has_weights",
    "inputs",
    "is_collider",
    "is_filled",
    "is_reading",
    "key_moves",
    "keyed_lengths",
    "left_out",
    "looked_at_once",
    "may_act",
    "may_come",
    "meeting",
    "not_colliding",
    "of_scene",
    "painted",
    "passed",
    "read_keyed",
    "read_maps",
    "read_own",
    "read_pleats",
    "remove_settings",
    "rest_shape",
    "settings_fingerprint",
    "shown",
    "shown_options",
    "simulation",
    "sources",
    "starts_elsewhere",
    "starts_from_saved_pose",
    "take_tagged",
    "tears_at",
    "together",
    "unit_warning",
    "unprepared",
    "unsewn",
    "without_effect",
]


def _declared(section, name, declared):
    """The property as a section declares it; without animation, where its section cannot follow that.

    Scripts that set it are noticed at once, too: Blender itself takes notice of the interface alone.
    """
    options = {"ANIMATABLE"} if name in section.animatable else set()
    return declared.function(**{"options": options, "update": tag, **declared.keywords})


# Stands for the value of an animated setting where settings are compared.
_KEYED = "keyed"


def shown(section):
    """Names of a section's settings that people see."""
    return [
        name
        for name, declared in section.properties.items()
        if "HIDDEN" not in declared.keywords.get("options", ())
    ]


class HookeSettings(bpy.types.PropertyGroup):
    """Settings of one simulated object: those of all sections, and what Hooke remembers of the object."""

    __annotations__ = {
        **MEMORY,
        "bake": PointerProperty(type=HookeBake),
        **{
            name: _declared(section, name, declared)
            for section in SECTIONS
            for name, declared in section.properties.items()
        },
    }


@cache
def inputs():
    """Names of the settings that frames depend on, as a tuple."""
    return tuple(name for section in SECTIONS for name in section.properties if name not in section.view_only)


@cache
def animatable():
    """Names of the settings that keys and drivers may change, as a tuple."""
    return tuple(name for section in SECTIONS for name in section.animatable)


def read_keyed(where):
    """Values of an object's keyed and driven settings in the scene's frame, a dict of arrays."""
    return keyed.read(where.obj, where.depsgraph, keyed_names(where.obj, animatable()))


def settings_fingerprint(obj, scene):
    """Everything but the mesh that determines a simulation, as a tuple to compare."""
    moving = set(keyed_names(obj, animatable()))
    # Animated settings are read in every frame, see `read_keyed`.
    values = tuple(_KEYED if name in moving else _value(obj, name) for name in inputs())
    # Where it tears the strain counts that else is for the eye alone.
    return values, tears_at(obj.hooke), *of_scene(obj, scene)


def of_scene(obj, scene):
    """Settings of the scene that determine every simulation in it, as a tuple to compare."""
    return frame_time(obj.hooke, scene), constant_gravity(scene)


def _value(obj, name):
    """A setting's value; of a vertex group its place, which renaming leaves as it is."""
    value = getattr(obj.hooke, name)
    if name in groups():
        place = obj.vertex_groups.find(value)
        return value if place < 0 else place
    return value


def follow_renamed_groups(obj, before):
    """Let settings name vertex groups as they are called now; returns their names now, a list.

    before: their names when this was last called.
    """
    names = [group.name for group in obj.vertex_groups]
    if len(names) == len(before) and names != before:
        renamed = {old: new for old, new in zip(before, names, strict=True) if old not in names}
        for setting in groups():
            if (name := getattr(obj.hooke, setting)) in renamed:
                setattr(obj.hooke, setting, renamed[name])
    return names


def check_limits(obj):
    """Raise MeshError where a setting of an object is none that the interface could have given."""
    _check_limits(obj, SECTIONS)


def may_act(obj):
    """Whether an object may be among the sources of another."""
    return any(section.may_act(obj) for section in SECTIONS)


def sources(where):
    """Objects that act on an object from outside of it, a list; where: see `play.inputs.Where`."""
    return [source for section in SECTIONS for source in section.sources(where)]


def findings(where):
    """External influences on an object, and sentences about unsupported ones, as two lists."""
    told = [section.findings(where) for section in SECTIONS]
    return [found for found, _ in told if found], [problem for _, problems in told for problem in problems]


def left_out(where):
    """Sentences about visible objects that do not act on an object, or only in part, a list."""
    return [sentence for section in SECTIONS for sentence in section.left_out(where)]


def add_settings(settings):
    """Give an object's settings that were never touched the values a simulation begins with."""
    for section in SECTIONS:
        given = section.begin_with(settings.id_data)
        # Asked before any is set: one may set others.
        untouched = [name for name in given if not settings.is_property_set(name)]
        for name in untouched:
            setattr(settings, name, given[name])


def remove_settings(settings):
    """Take back the values of `add_settings` that are unchanged."""
    for section in SECTIONS:
        given = section.begin_with(settings.id_data)
        if all(_same(getattr(settings, name), value) for name, value in given.items()):
            for name in given:
                settings.property_unset(name)


def copy_settings(source, target):
    """Give an object all settings of another; of vertex groups only those that it has too."""
    for section in SECTIONS:
        for name, declared in section.properties.items():
            value = getattr(source.hooke, name)
            if "get" in declared.keywords or (name in section.maps and not has_weights(target, value)):
                continue
            setattr(target.hooke, name, value)
    # Setting a value of springs or material says that it counts, and is no preset's.
    for name in ("measure", "material_name"):
        setattr(target.hooke, name, getattr(source.hooke, name))


def _same(one, other):
    # Blender keeps numbers in single precision.
    return isclose(one, other, rel_tol=1e-6) if isinstance(other, float) else one == other


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
