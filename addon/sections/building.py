# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of an object for the core: its Body, and the arguments of its Simulation."""

from types import MappingProxyType
from typing import Any

from ...core import BODIES, ChangingPins, Cloth, Simulation
from ..colliders import Doubt
from . import keyed
from .catalogue import SECTIONS
from .pins import pin_weights


def body(obj, points, edges, polygons, maps, around=MappingProxyType({}), values=None, rest=None):
    """Body of an object: points in world space [m], maps as from `read_maps`.

    around: what keys change, as Tracks; values: of these settings by name, None for those at the start; rest: where the
    points are at rest, None for where they are.
    Raises ValueError from the core.
    """
    settings = _settings(obj, around, values)
    arguments: dict[str, Any] = {} if rest is None else {"rest": rest}
    for section in SECTIONS:
        arguments |= section.network_arguments(settings, maps, arguments)
    kind = BODIES[arguments.pop("body", "CLOTH")]
    return kind.from_mesh(points, edges, polygons, **arguments)


def _settings(obj, around, values=None):
    """The settings of an object, where keys change any as at the start, or with other values of these."""
    tracks = keyed.tracks_of(around)
    if not tracks:
        return obj.hooke
    start = keyed.at_start(obj.hooke, tracks)
    return start if values is None else keyed.Keyed(obj.hooke, values, tracks)


def simulation(obj, scene, simulated, maps, surroundings, remake):
    """Simulation of an object's Body with one step a frame, and Doubts about it; see `arguments`.

    Where keys or modifiers change the weights of its pins, or another object holds them, it is a ChangingPins.
    """
    arguments_, doubts = arguments(obj, scene, simulated, maps, surroundings, remake)
    check_pins(obj, isinstance(simulated, Cloth), "filled")
    weights, asked, goals = pin_weights(obj.hooke, simulated.network, maps, surroundings)
    if weights is None:
        return Simulation(simulated, **arguments_), doubts
    how = {"asked": asked, "time": obj.hooke.pin_time, "goals": goals}
    return ChangingPins(
        lambda body: Simulation(body, **arguments_), simulated.network, weights, **how
    ), doubts


def arguments(obj, scene, simulated, maps, surroundings, remake):
    """Arguments of the Simulation of an object's Body by name, and Doubts about it; raises ValueError.

    maps: as from `read_maps`; surroundings: what the sections read of them by the section's id, with Tracks; remake:
    values of keyed settings by name -> the Body with these.
    """
    around = surroundings.get("keyed", {})
    settings = _settings(obj, around)
    found: dict[str, Any] = {"contacts": (), "forces": ()}
    if around:
        found["quantities"] = _quantities(settings, simulated.network, keyed.tracks_of(around), remake)
    doubts: list[Doubt] = []
    # Of what is touched, in place of the mesh's vertices.
    maps = {name: simulated.of_particles(weights) for name, weights in maps.items()}
    for section in SECTIONS:
        around = surroundings.get(section.id, {})
        more = section.simulation_arguments(settings, scene, simulated, maps, around)
        doubts += more.pop("doubts", [])
        for name in ("contacts", "forces"):
            found[name] += more.pop(name, ())
        found |= more
    return found, doubts


def check_pins(obj, possible, why):
    """Raise ValueError where keys on the strength of an object's pins, or what holds them, cannot act."""
    if not possible and keyed.keyed_names(obj, ("pin_strength",)):
        raise ValueError(
            f"'{obj.name}' is {why}, so keys on its Pin Strength cannot act: remove them, or keep its weights"
        )
    if not possible and obj.hooke.attach_object is not None:
        raise ValueError(
            f"'{obj.name}' is {why}, so '{obj.hooke.attach_object.name}' cannot hold its pins: clear Attach To"
        )


def _quantities(settings, network, tracks, remake):
    """Changes of a network by keyed settings, callables t -> value by name."""
    remaking = {name: tracks[name] for section in SECTIONS for name in section.remaking if name in tracks}
    found: dict[str, Any] = {}
    if remaking:
        found |= keyed.Remade(lambda values: remake(values).network, remaking).quantities()
    for section in SECTIONS:
        found |= section.quantities(settings, network, tracks)
    return found
