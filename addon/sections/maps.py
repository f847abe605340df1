# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps: vertex weights that multiply settings, painted, or made by modifiers in every frame."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import numpy as np
from bpy.props import FloatProperty, StringProperty

from .. import mesh_io
from ..colliders import together
from .keyed import keyed_names
from .labels import labelled
from .section import Section
from .solid_objects import is_filled
from .weight_modifiers import changing

# Share of what may not be nothing that is kept where a map says less.
_LEAST_SHARE = 0.01


class Follows(Enum):
    """What becomes of a map that modifiers change from frame to frame, as its tooltip has it."""

    FREELY = "Modifiers above Hooke may change it in every frame"
    REMADE = "Modifiers above Hooke may change it in every frame, which slows frames down"
    PINS = "Modifiers above Hooke may change it in every frame, as they may the Pin Group"
    AT_START = "Modifiers above Hooke act on it at the first frame only"


class Mapped(NamedTuple):
    """The quantity that a map multiplies.

    id: begins the names of its settings; of: what people call it; over: its factors where the map is 0 and 1, as they
    are until others are chosen; least: of the factor; used: Object.hooke -> whether it makes a difference; follows:
    modifiers that change the map.
    """

    id: str
    of: str
    over: tuple[float, float]
    least: float
    used: Callable
    follows: Follows

    @property
    def group(self):
        """The setting that names the map."""
        return f"{self.id}_group"

    @property
    def said(self):
        """What people call the map."""
        return f"map of {self.of}"

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
                description=f"Vertex group or attribute that scales {self.of}: by Minimum at weight 0, by "
                f"Maximum at 1. {self.follows.value}",
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
        Mapped("stretch", "Stretch", (1.0, 10.0), _LEAST_SHARE, _by_area, Follows.REMADE),
        Mapped("shear", "Shear", (1.0, 10.0), _LEAST_SHARE, _by_area, Follows.REMADE),
        Mapped("bending", "Bending", (1.0, 10.0), 0.0, _by_area, Follows.REMADE),
        Mapped("damping", "Damping", (1.0, 10.0), 0.0, _by_area, Follows.REMADE),
        Mapped("density", "Density", (1.0, 10.0), _LEAST_SHARE, _by_area, Follows.AT_START),
        Mapped("rest_scale", "Size", (1.0, 0.5), _LEAST_SHARE, _cloth, Follows.FREELY),
        Mapped("tear_strength", "Tear Strength", (1.0, 0.25), _LEAST_SHARE, _tearing, Follows.AT_START),
        Mapped("pressure", "Pressure", (0.0, 1.0), 0.0, _pressed, Follows.FREELY),
        Mapped("pin_strength", "Pin Strength", (0.0, 1.0), 0.0, _pinned, Follows.PINS),
        Mapped("friction", "Friction", (0.0, 1.0), 0.0, _colliding, Follows.FREELY),
        Mapped("thickness", "Thickness", (0.0, 1.0), 0.0, _colliding, Follows.FREELY),
        Mapped("self_distance", "Self-Distance", (0.0, 1.0), _LEAST_SHARE, _meeting_itself, Follows.FREELY),
    )
}


class Maps(Section):
    """Vertex groups or attributes by which settings differ from place to place, with the factors they stand for."""

    id = "maps"
    label = "Maps"
    surrounded_by = "the maps"
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
            and not _is_there(obj, name)
        ]

    def surroundings(self, where):
        """The weights of the maps that modifiers change, in the scene's frame."""
        evaluated, read, found = where.obj.evaluated_get(where.depsgraph).data, {}, {}
        for mapped, name in changed_maps(where):
            if name not in read:
                read[name] = mesh_io.read_weights(where.obj, name, evaluated)
            found[mapped.said] = read[name]
        return found


def factor(settings, maps, name):
    """The factor of a quantity, an id in MAPPED: 1 without a map, else of shape (vertex_count,).

    settings: Object.hooke; maps: weights by the setting that names their group, as from `read_maps`.
    """
    mapped = MAPPED[name]
    if not _is_there(settings.id_data, getattr(settings, mapped.group)):
        return 1.0
    return _factor(settings, mapped, maps[mapped.group])


def factor_over_time(settings, maps, name):
    """The factor of a quantity as a callable t -> array, None where modifiers do not change its map, or not after the
    start; maps: Weights, others as of `factor`.
    """
    mapped = MAPPED[name]
    weights = maps.moving.get(mapped.group) if mapped.follows is not Follows.AT_START else None
    return None if weights is None else lambda t: _factor(settings, mapped, weights(t))


def times(quantity, settings, maps, name):
    """A quantity times its factor: an array, or a callable t -> array where modifiers change the map."""
    over_time = factor_over_time(settings, maps, name)
    return quantity * factor(settings, maps, name) if over_time is None else lambda t: quantity * over_time(t)


def remade(maps):
    """Of some Weights those that make the network anew where they change, callables t -> weights by setting."""
    groups = {mapped.group for mapped in MAPPED.values() if mapped.follows is Follows.REMADE}
    return {name: of for name, of in maps.moving.items() if name in groups}


def _factor(settings, mapped, weights):
    least, most = (getattr(settings, each) for each in mapped.factors)
    return np.maximum(least + (most - least) * weights, mapped.least)


def used_maps(settings):
    """Maps that make a difference and are there, and their names, a list of pairs."""
    chosen = (
        (mapped, getattr(settings, mapped.group)) for mapped in MAPPED.values() if mapped.used(settings)
    )
    return [(mapped, name) for mapped, name in chosen if _is_there(settings.id_data, name)]


def painted_maps(settings):
    """Those of `used_maps` that no modifiers change."""
    return [each for each in used_maps(settings) if changing(settings.id_data, each[1]) is None]


def changed_maps(where):
    """Those of `used_maps` that modifiers change; where: see `play.inputs.Where`.

    That of Pin Strength is not among them where the weights of the pins are not followed either.
    """
    found = [each for each in used_maps(where.obj.hooke) if changing(where.obj, each[1]) is not None]
    return [each for each in found if each[0].follows is not Follows.PINS or follows_pins(where)]


def follows_pins(where):
    """Whether the simulation of an object can follow pins whose weights change: of particles of its own, alone."""
    return not is_filled(where.obj.hooke) and not together(*where)


def _is_there(obj, name):
    """Whether a mesh, or what modifiers above Hooke make of it, has weights of a name."""
    return mesh_io.has_weights(obj, name) or changing(obj, name) is not None


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
