# SPDX-License-Identifier: GPL-3.0-or-later
"""The weights of vertices that settings name, as they are painted, and as modifiers change them."""

from functools import cache
from types import MappingProxyType

import numpy as np

from .. import mesh_io
from .catalogue import SECTIONS
from .maps import MAPPED, changed_maps
from .pins import follows_weights, painted, pins_at_start


class Weights(dict):
    """Weights 0..1 of the vertices by the setting that names their group, as they are at the start.

    moving: those that modifiers change, as callables t -> weights, by setting.
    """

    def __init__(self, start, moving=MappingProxyType({})):
        super().__init__(start)
        self.moving = moving

    def spread(self, function):
        """Those that a function of weights makes of these."""
        return Weights(
            {name: function(weights) for name, weights in self.items()},
            {name: lambda t, of=of: function(of(t)) for name, of in self.moving.items()},
        )

    def now(self, weights):
        """These with other ones of some settings."""
        return Weights({**self, **weights}, self.moving)

    def following(self, around):
        """Those of an object around which modifiers make what Tracks of the section's `surroundings` have."""
        tracks = {mapped.group: around[mapped.said] for mapped in MAPPED.values() if mapped.said in around}
        at_start = {name: track.first for name, track in tracks.items()}
        return Weights({**self, **at_start}, {**self.moving, **tracks})


@cache
def groups():
    """Names of the settings that name vertex groups, in the order in which checksums have them, as keys of a dict."""
    return dict.fromkeys(name for section in SECTIONS for name in section.maps)


def read_maps(obj):
    """Painted weights of the vertex groups that settings name, float64, shape (vertex_count,) each."""
    return Weights({name: mesh_io.read_weights(obj, getattr(obj.hooke, name)) for name in groups()})


def followed_maps(maps, around):
    """Weights as they are at the start, with what moves them.

    maps: as from `read_maps`; around: what the sections read of the object's surroundings by the section's id, with
    Tracks.
    """
    return Weights(maps | pins_at_start(around.get("pins", {}))).following(around.get("maps", {}))


def changed_weights(where):
    """Settings whose weights modifiers change, and the simulation follows, a tuple; where: see `play.inputs.Where`."""
    pins = ("pin_group",) if follows_weights(where) else ()
    return pins + tuple(mapped.group for mapped, _ in changed_maps(where))


def followed(where, maps):
    """Indices of the vertices that springs or pins may take to where the animation has them, ascending.

    where: see `play.inputs.Where`. Where modifiers change the weights of pins, any vertex may become one.
    """
    if where.obj.hooke.jiggle or follows_weights(where):
        return np.arange(len(where.obj.data.vertices))
    return np.flatnonzero(painted(where.obj.hooke, maps))
