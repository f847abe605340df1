# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted maps: vertex weights that multiply settings."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from bpy.props import FloatProperty, StringProperty

from .. import mesh_io
from .filled import is_filled
from .keyed import keyed_names
from .labelled import labelled
from .section import Section

# Share of what may not be nothing that is kept where a map says less.
_LEAST_SHARE = 0.01


class Mapped(NamedTuple):
    """The quantity that a map multiplies.

    id: begins the names of its settings; of: what people call it; over: its factors where the map is 0 and 1, as they
    are until others are chosen; least: of the factor; used: Object.hooke -> whether it makes a difference.
    """

    id: str
    of: str
    over: tuple[float, float]
    least: float
    used: Callable

    @property
    def group(self):
        """The setting that names the map."""
        return f"{self.id}_group"

    @property
    def factors(self):
        """The settings that have its factors where the map is 0 and 1."""
        return f"{self.id}_minimum", f"{self.id}_maximum"

    @property
    def properties(self):
        """Its settings by name."""
        over = zip(self.factors, ("Minimum", "Maximum"), (0, 1), self.over, strict=True)
        return {
            self.group: StringProperty(
                name=f"{self.of} Group",
                description=f"Vertex group, or attribute of numbers on vertices, that scales {self.of}: by "
                "Minimum where its weight is 0, by Maximum where it is 1",
                search=_names,
                search_options={"SUGGESTION"},
            ),
            **{
                name: FloatProperty(
                    name=f"{self.of} {word}",
                    description=f"Factor of {self.of} where the weight is {weight}",
                    default=factor,
                    min=0.0,
                    max=1e4,
                    soft_max=10.0,
                    precision=2,
                    step=10,
                )
                for name, word, weight, factor in over
            },
        }


def _names(settings, _context, _text):
    """Names of all that may be a map of the object's vertices."""
    return mesh_io.weight_names(settings.id_data)


def _by_area(settings):
    return settings.measure == "AREA" and not is_filled(settings)


def _cloth(settings):
    return not is_filled(settings)


def _tearing(settings):
    return settings.tearing and _by_area(settings)


def _pressed(settings):
    animated = keyed_names(settings.id_data, ("pressure",))
    return _cloth(settings) and bool(settings.pressure or animated)


def _pinned(settings):
    return bool(settings.pin_group)


def _colliding(settings):
    return settings.collisions


def _meeting_itself(settings):
    return settings.self_collision


MAPPED = {
    mapped.id: mapped
    for mapped in (
        Mapped("stretch", "Stretch", (1.0, 10.0), _LEAST_SHARE, _by_area),
        Mapped("shear", "Shear", (1.0, 10.0), _LEAST_SHARE, _by_area),
        Mapped("bending", "Bending", (1.0, 10.0), 0.0, _by_area),
        Mapped("damping", "Damping", (1.0, 10.0), 0.0, _by_area),
        Mapped("density", "Density", (1.0, 10.0), _LEAST_SHARE, _by_area),
        Mapped("rest_scale", "Size", (1.0, 0.5), _LEAST_SHARE, _cloth),
        Mapped("tear_strength", "Tear Strength", (1.0, 0.25), _LEAST_SHARE, _tearing),
        Mapped("pressure", "Pressure", (0.0, 1.0), 0.0, _pressed),
        Mapped("pin_strength", "Pin Strength", (0.0, 1.0), 0.0, _pinned),
        Mapped("friction", "Friction", (0.0, 1.0), 0.0, _colliding),
        Mapped("thickness", "Thickness", (0.0, 1.0), 0.0, _colliding),
        Mapped("self_distance", "Self-Distance", (0.0, 1.0), _LEAST_SHARE, _meeting_itself),
    )
}


class Maps(Section):
    """Vertex groups or attributes by which settings differ from place to place, with the factors they stand for."""

    id = "maps"
    label = "Maps"
    maps = tuple(mapped.group for mapped in MAPPED.values())

    __annotations__ = {
        name: declared for mapped in MAPPED.values() for name, declared in mapped.properties.items()
    }

    def draw(self, layout, obj):
        """Draw what may be mapped, and the factors of each where its map is 0 and 1."""
        settings = obj.hooke
        for mapped in MAPPED.values():
            column = layout.column(align=True)
            column.enabled = mapped.used(settings)
            column.prop(settings, mapped.group, text=mapped.of, icon="GROUP_VERTEX")
            if getattr(settings, mapped.group):
                row = labelled(column, "Min, Max")
                for name in mapped.factors:
                    row.prop(settings, name, text="")

    def findings(self, where):
        """Sentences about maps that are not there."""
        obj = where.obj
        return "", [
            f"'{obj.name}' has no vertex group or attribute '{name}', so that {mapped.of} is the same everywhere: "
            "choose another"
            for mapped in MAPPED.values()
            if (name := getattr(obj.hooke, mapped.group))
            and mapped.used(obj.hooke)
            and not mesh_io.has_weights(obj, name)
        ]


def factor(settings, maps, name):
    """The factor of a quantity, an id in MAPPED: 1 without a map, else of shape (vertex_count,).

    settings: Object.hooke; maps: weights by the setting that names their group, as from `read_maps`.
    """
    mapped = MAPPED[name]
    if not mesh_io.has_weights(settings.id_data, getattr(settings, mapped.group)):
        return 1.0
    least, most = (getattr(settings, each) for each in mapped.factors)
    return np.maximum(least + (most - least) * maps[mapped.group], mapped.least)


def used_maps(settings):
    """Maps that make a difference and are there, and their names, a list of pairs."""
    chosen = (
        (mapped, getattr(settings, mapped.group)) for mapped in MAPPED.values() if mapped.used(settings)
    )
    return [(mapped, name) for mapped, name in chosen if mesh_io.has_weights(settings.id_data, name)]


def assigned(obj, name):
    """Which vertices are in a vertex group, with whatever weight, a mask; all where there is no such group."""
    vertices, group = obj.data.vertices, obj.vertex_groups.get(name)
    if group is None:
        return np.ones(len(vertices), dtype=bool)
    return np.array(
        [any(each.group == group.index for each in vertex.groups) for vertex in vertices], dtype=bool
    )


def unlike_weights(obj, name):
    """Values of an attribute on vertices, and which of them are no weights from 0 to 1; None for a vertex group."""
    if name in obj.vertex_groups or not mesh_io.has_weights(obj, name):
        return None
    values = mesh_io.read_values(obj, name)
    return values, ~((values >= 0.0) & (values <= 1.0))
