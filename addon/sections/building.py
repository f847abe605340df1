# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of an object for the core: its Body, and the arguments of its Simulation."""

from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

from ...core import BODIES, INTEGRATORS, ChangingPins, Cloth, Simulation
from ...core.simulation import system_of
from ..colliders import Doubt
from . import keyed
from .catalogue import SECTIONS
from .maps import remade
from .pins import pin_weights
from .time_and_start import begun_at_rest


class Unprepared(NamedTuple):
    """What a Simulation is of, without what its method takes long to prepare: see Simulation.

    integrator: the method's class, and an Integrator of those that are stable in short steps alone.
    """

    system: Any
    integrator: Any
    dt: float
    substeps: int

    @property
    def network(self):
        """The SpringNetwork at the start."""
        return self.system.network


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
    doubts += begun_at_rest(obj, simulated, arguments_)
    check_pins(obj, isinstance(simulated, Cloth), "filled")
    weights, asked, goals = pin_weights(obj.hooke, simulated.network, maps, surroundings)
    if weights is None:
        return Simulation(simulated, **arguments_), doubts
    how = {"asked": asked, "time": obj.hooke.pin_time, "goals": goals}
    return ChangingPins(
        lambda body: Simulation(body, **arguments_), simulated.network, weights, **how
    ), doubts


def unprepared(obj, scene, simulated, maps, surroundings, remake):
    """The Unprepared of an object's Body, and Doubts about it; raises what `simulation` does."""
    found, doubts = arguments(obj, scene, simulated, maps, surroundings, remake)
    check_pins(obj, isinstance(simulated, Cloth), "filled")
    pin_weights(obj.hooke, simulated.network, maps, surroundings)
    method: Any = INTEGRATORS[found.pop("integrator")]
    for name in ("quantities", "imperfection"):
        found.pop(name, None)
    dt, substeps, *acting = (found.pop(name) for name in ("dt", "substeps", "gravity", "forces", "contacts"))
    system = system_of(simulated, method, *acting)
    # These prepare nothing that takes long, and know how long a step may be.
    integrator = method(system, dt / substeps, **found) if isfinite(method.stability_limit) else method
    return Unprepared(system, integrator, dt, substeps), doubts


def arguments(obj, scene, simulated, maps, surroundings, remake):
    """Arguments of the Simulation of an object's Body by name, and Doubts about it; raises ValueError.

    maps: Weights, with what moves; surroundings: what the sections read of them by the section's id, with Tracks;
    remake: values of keyed settings, and weights of maps, by name -> the Body with these.
    """
    around = surroundings.get("keyed", {})
    settings = _settings(obj, around)
    found: dict[str, Any] = {"contacts": (), "forces": ()}
    if around or maps.moving:
        tracks = keyed.tracks_of(around)
        found["quantities"] = _quantities(settings, simulated.network, tracks, maps, remake)
    doubts: list[Doubt] = []
    # Of what is touched, in place of the mesh's vertices.
    maps = maps.spread(simulated.of_particles)
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


def _quantities(settings, network, tracks, maps, remake):
    """Changes of a network by keyed settings and Weights that move, callables t -> value by name."""
    remaking = {name: tracks[name] for section in SECTIONS for name in section.remaking if name in tracks}
    weights = remade(maps)
    found: dict[str, Any] = {}
    if remaking or weights:
        found |= keyed.Remade(lambda *of: remake(*of).network, remaking, weights).quantities()
    for section in SECTIONS:
        found |= section.quantities(settings, network, tracks, maps)
    return found
