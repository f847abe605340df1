# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's kinds of force fields as forces of the core: `KINDS` is the catalogue."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...core import forces as core

# Pressure of strength 1 on Blender's cloth [N/m^2], in parts of its weight, at 24 frames a second: 20 N/m^2
# over the frames in a second, as measured in 4.5 on free sheets (tests/addon/test_force_fields.py).
PRESSURE = 20.0 / 24.0

# Root mean square of a component of Blender's turbulence of strength 1, and the size of noise whose values are as
# alike at any distance as those of its turbulence of size 1 (tests/addon/test_fields_beside_cloth.py).
_TURBULENCE, _EDDY = 0.174, 0.65

# Air without flow would push for ever, whatever moves along with it: of less than this much there is no wind.
_LEAST_FLOW = 0.05

# A plate square to the wind; the flow gives the rest.
_NORMAL_DRAG = 1.2

# Drag of air along a surface, over that across it.
_ALONG = 0.05


class Felt(NamedTuple):
    """Settings of the simulated object that fields depend on: its charge, and the share of air's inertia."""

    charge: float
    inertia: float


class Kind(NamedTuple):
    """A kind of field for the core: a function (Field, Reach, Felt) -> Forces, and its weight."""

    forces: Callable
    weight: str


def forces(field, weight, felt):
    """Forces of a field; weight: of its kind, times that of all; felt: Felt."""
    limits = {"power": field.number("falloff_power"), "radial_power": field.number("radial_falloff")}
    for limit, switch, name in (
        ("minimum", "use_min_distance", "distance_min"),
        ("maximum", "use_max_distance", "distance_max"),
        ("radial_minimum", "use_radial_min", "radial_min"),
        ("radial_maximum", "use_radial_max", "radial_max"),
    ):
        if field.chosen[switch]:
            limits[limit] = field.number(name)
    words = _shape(field), field.chosen["falloff_type"]
    reach = core.Reach(field.pose, *words, side=field.chosen["z_direction"], weight=weight, **limits)
    # Of what does not act nothing has to follow.
    felt = felt if weight > 0.0 else felt._replace(inertia=0.0)
    return KINDS[field.chosen["type"]].forces(field, reach, felt)


def _shape(field):
    """The origin of distances: for a vortex the axis in place of the plane, as in Blender."""
    shape = field.chosen["shape"]
    return "LINE" if (field.chosen["type"], shape) == ("VORTEX", "PLANE") else shape


def wind_speed(strength, flow):
    """Speed of the air [m/s] that presses on a plate at rest as strength does on Blender's cloth."""
    pressure = PRESSURE * abs(strength)
    return np.copysign(np.sqrt(2.0 * pressure / (1.204 * _NORMAL_DRAG)), strength) / max(flow, _LEAST_FLOW)


def _wind(field, reach, felt):
    flow = max(field.at_start("flow"), _LEAST_FLOW)

    def gusts(strength, noise):
        return abs(wind_speed(abs(strength) + 0.4 * noise, flow) - wind_speed(abs(strength), flow))

    # Thinner, faster air presses the same on an object at rest, and carries it to a higher speed.
    drag = _NORMAL_DRAG * flow * flow
    return [
        core.Wind(
            field.quantity(lambda strength: wind_speed(strength, flow), "strength"),
            reach,
            gusts=field.quantity(gusts, "strength", "noise"),
            seed=field.chosen["seed"],
            normal=drag,
            lift=drag,
            # Air that has inertia slips along a surface, whatever the Wind Factor: pulled taut, no flag would flutter.
            tangential=drag * (1.0 - felt.inertia) * (1.0 - field.at_start("wind_factor")) + _ALONG * drag,
            inertia=felt.inertia,
            passing=min(flow, 1.0),
        )
    ]


def air(drag, inertia, winds):
    """The one air that an object meets, moved by winds; drag: its coefficient flat on; inertia: share of the air's.

    winds: the core's Winds of fields, Scaled or not. Of several Flows the smallest is the air's.
    """
    blowing = [getattr(wind, "force", wind) for wind in winds]
    squared_flows = [wind.normal / _NORMAL_DRAG for wind in blowing]
    squared = min([1.0, *squared_flows])
    as_fast = [
        wind if own == squared else core.Scaled(wind, own / squared)
        for wind, own in zip(winds, squared_flows, strict=True)
    ]
    return core.AirDrag(
        drag * squared,
        drag * squared * max([_ALONG, *(wind.tangential / wind.normal for wind in blowing)]),
        wind=core.Winds(as_fast) if winds else (0.0, 0.0, 0.0),
        inertia=inertia,
        passing=float(np.sqrt(squared)),
    )


def _options(field):
    """Arguments of the core's Field, strength among them, and the drag of the flow."""
    return {
        "strength": field.quantity(lambda strength: PRESSURE * strength, "strength"),
        "variation": field.quantity(lambda noise: PRESSURE * noise, "noise"),
        "seed": field.chosen["seed"],
    }


def _pressing(field):
    """The same of the core's PressureField."""
    return _options(field) | {"across": field.at_start("wind_factor")}


def _flow(field, reach):
    flow = field.number("flow")
    return core.Drag(0.0, reach, linear=lambda t: PRESSURE * flow(t))


def _force(field, reach, felt):
    gravitation = bool(field.chosen["use_gravity_falloff"])
    return [core.CentralForce(reach=reach, gravitation=gravitation, **_pressing(field)), _flow(field, reach)]


def _vortex(field, reach, felt):
    options = _options(field) | {"strength": field.number("strength"), "variation": field.number("noise")}
    return [core.Vortex(reach=reach, drag=PRESSURE, **options), _flow(field, reach)]


def _magnetic(field, reach, felt):
    return [core.Magnetic(reach=reach, **_options(field)), _flow(field, reach)]


def _harmonic(field, reach, felt):
    strength, damping = field.number("strength"), field.number("harmonic_damping")
    spring = core.Harmonic(reach=reach, rest_length=field.number("rest_length"), **_pressing(field))

    def rate(t):
        return PRESSURE * 2.0 * damping(t) * np.sqrt(abs(strength(t)))

    # Blender's damping does not fall off, nor is it weighed.
    return [spring, core.Drag(0.0, reach, linear=rate, fading=False)]


def _charge(field, reach, felt):
    return [core.Charge(reach=reach, charge=felt.charge, **_pressing(field)), _flow(field, reach)]


def _turbulence(field, reach, felt):
    options = _pressing(field)
    for of_field, name in (("strength", "strength"), ("variation", "noise")):
        options[of_field] = field.quantity(lambda number: PRESSURE * _TURBULENCE * number, name)
    size = field.quantity(lambda size: _EDDY * (size or 1.0), "size")
    fixed = bool(field.chosen["use_global_coords"])
    return [core.Turbulence(reach=reach, size=size, fixed=fixed, **options), _flow(field, reach)]


def _drag(field, reach, felt):
    quadratic, linear, options = field.number("strength"), field.number("harmonic_damping"), _options(field)
    # The properties Linear and Quadratic are named the other way round than they act; both end at 2.
    return [
        core.Drag(
            lambda t: PRESSURE * min(quadratic(t), 2.0),
            reach,
            linear=lambda t: PRESSURE * min(linear(t), 2.0),
            variation=options["variation"],
            seed=options["seed"],
        )
    ]


KINDS = {
    "FORCE": Kind(_force, "weight_force"),
    "WIND": Kind(_wind, "weight_wind"),
    "VORTEX": Kind(_vortex, "weight_vortex"),
    "TURBULENCE": Kind(_turbulence, "weight_turbulence"),
    "DRAG": Kind(_drag, "weight_drag"),
    "HARMONIC": Kind(_harmonic, "weight_harmonic"),
    "CHARGE": Kind(_charge, "weight_charge"),
    "MAGNET": Kind(_magnetic, "weight_magnetic"),
}
