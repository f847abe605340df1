# SPDX-License-Identifier: GPL-3.0-or-later
"""The air that an object meets, and the winds and force fields beside it."""

import numpy as np

from ...core import AirDrag, Settling
from ...core.forces import Force
from . import field_forces, force_fields
from .keyed import over_time, scaled


def is_one_air(settings):
    """Whether winds move the air that resists, in place of pressing beside it."""
    return settings.air_law == "AIR" and (
        settings.air_drag > 0.0 or over_time(settings, "air_drag") is not None
    )


def resistance(settings, drag, winds):
    """Air drag on an object, a list of Forces: real air with its winds."""
    if not is_one_air(settings):
        # The laws of files from before winds moved the air that resists.
        kept = Settling(drag) if settings.air_law == "SETTLING" else _flow(drag)
        return [kept] if drag > 0.0 else []
    # Inertia is what flags flutter by. Without a wind what rests on something would tremble with it.
    return [field_forces.air(drag, settings.air_inertia if winds else 0.0, winds)]


def _flow(drag):
    return AirDrag(drag, lift=0.0, swing_speed=3.0, steady=np.inf)


def of_fields(settings, surroundings):
    """Forces of force fields, and those that are winds, two lists."""
    acting: list[Force] = []
    winds: list[Force] = []
    for field in force_fields.fields(surroundings):
        names = ["field_weight", field_forces.KINDS[field.chosen["type"]].weight]
        fixed = [getattr(settings, name) for name in names if over_time(settings, name) is None]
        felt = field_forces.Felt(settings.field_charge, settings.air_inertia)
        weight = float(np.prod(fixed))
        made = scaled(settings, field_forces.forces(field, weight, felt), names)
        is_wind = field.chosen["type"] == "WIND"
        # Of a wind that has no weight the air has neither its speed nor its Flow.
        (winds if is_wind else acting).extend(made if weight > 0.0 or not is_wind else ())
    return acting, winds
