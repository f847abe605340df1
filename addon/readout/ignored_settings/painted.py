# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights that are painted, or written to attributes, and act otherwise than they look on some of the vertices."""

import numpy as np

from ...sections import changes_weights
from ...sections.maps import assigned, factor, painted_maps, unlike_weights, used_maps
from ..complaint import Complaint


def without_strength(inputs):
    """Complaints about pins to which the map of Pin Strength leaves none: they hold nothing."""
    obj, maps = inputs.where.obj, inputs["painted"]
    pinned = maps["pin_group"] > 0.0
    loose = pinned & np.broadcast_to(factor(obj.hooke, maps, "pin_strength") == 0.0, pinned.shape)
    if changes_weights(obj) or not loose.any():
        return []
    text = (
        f"{_some(loose, pinned, 'pins')} no strength in '{obj.hooke.pin_strength_group}', which lets go of them: paint "
        "these, or raise Pin Strength's Minimum"
    )
    return [Complaint(text, (), "INFO", np.flatnonzero(loose))]


def empty_maps(inputs):
    """Complaints about maps that are 0 everywhere, which leaves a factor that looks as if it were chosen."""
    settings = inputs.where.obj.hooke
    return [
        Complaint(
            f"No vertex has a weight above 0 in '{name}', so that {mapped.of} is multiplied by {least:.3g} everywhere: "
            "paint it, or choose another",
            (),
            "INFO",
        )
        for mapped, name in painted_maps(settings)
        if not inputs["painted"][mapped.group].any()
        and (least := max(getattr(settings, mapped.factors[0]), mapped.least)) != 1.0
    ]


def beyond_weights(inputs):
    """Complaints about values of attributes that are no weights from 0 to 1: they act as the nearest one."""
    obj = inputs.where.obj
    named = {obj.hooke.pin_group: "Pin Group"}
    for mapped, name in used_maps(obj.hooke):
        named.setdefault(name, mapped.of)
    found = []
    for name, used_as in named.items():
        values, beyond = unlike_weights(obj, name) or (np.empty(0), np.zeros(1, dtype=bool))
        if beyond.any():
            first = int(np.flatnonzero(beyond)[0])
            text = (
                f"{_some(beyond, np.ones_like(beyond), 'vertices')} a value in '{name}' that is no weight from 0 to 1 "
                f"(first: {values[first]:.3g} at vertex {first}), which {used_as} takes for 0 or 1: change these"
            )
            found.append(Complaint(text, (), "INFO", np.flatnonzero(beyond)))
    return found


def pinned_by_nothing(inputs):
    """Complaints about vertices assigned to the Pin Group with a weight of 0, beside others that hold."""
    obj = inputs.where.obj
    members, weights = assigned(obj, obj.hooke.pin_group), inputs["painted"]["pin_group"]
    idle = members & (weights == 0.0)
    if changes_weights(obj) or not (idle.any() and weights.any()):
        return []
    text = (
        f"{_some(idle, members, 'vertices')} a weight of 0 in '{obj.hooke.pin_group}', which pins nothing: raise the "
        "weight of what shall hold"
    )
    return [Complaint(text, (), "INFO", np.flatnonzero(idle))]


def outside_maps(inputs):
    """Complaints about vertices that were never assigned to the group of a map, where its Minimum acts on them."""
    obj = inputs.where.obj
    found = []
    for mapped, name in painted_maps(obj.hooke):
        members = assigned(obj, name)
        least = max(getattr(obj.hooke, mapped.factors[0]), mapped.least)
        if members.all() or not members.any() or least == 1.0:
            continue
        outside = _some(~members, np.ones_like(members), "vertices", ("is", "are"))
        text = (
            f"{outside} not in '{name}', where {mapped.of} is multiplied by its Minimum, {least:.3g}: assign what "
            "shall have another"
        )
        found.append(Complaint(text, (), "INFO", np.flatnonzero(~members)))
    return found


def _some(some, every, noun, verbs=("has", "have")):
    """How many of how many, with a verb for one and one for several: "3 of 8 pins have"."""
    count = int(some.sum())
    return f"{count:,} of {int(every.sum()):,} {noun} {verbs[count != 1]}"
