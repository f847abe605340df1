# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object begins nearer to its colliders, and to itself, than it keeps; and the distances that fit it."""

from math import floor, log10
from typing import Any, NamedTuple

import numpy as np

from ...core.contacts import SelfCollision
from .contact_warnings import HINT, Doubt

# Share of the vertices that may begin nearer than is kept and go unmentioned: what touches along an edge or at a strap.
PART = 0.1
# Share of the present setting above which a fitted value is kept: people see only a clearly lower value.
_LOWER = 0.99


class Fit(NamedTuple):
    """What fits an object: settings of it that are too large, by name [m], and Outer Thickness by collider [m].

    doubts: a Doubt about each that it begins nearer to than it keeps.
    """

    own: dict[str, float]
    outer: dict[Any, float]
    doubts: list[Doubt]


def fitted(system, x, settings, others):
    """The Fit of an object whose System begins at x, shape (n, 3) [m].

    settings: Object.hooke; others: its colliders. Distances are such that no more than a tenth of what is free begins
    nearer, and no less than the core keeps in any case. Nothing is raised.
    """
    free = np.ones(len(x), dtype=bool)
    free[system.network.hard_pins] = False
    measured = [of for of in system.contacts.clearances.at(x, 0.0) if of.nearer(free) > PART]
    named = {f"'{other.name_full}'": other for other in others}
    own: dict[str, float] = {}
    outer: dict[Any, float] = {}
    doubts = []
    for of in measured:
        other = named.get(of.contact.name)
        if isinstance(of.contact, SelfCollision):
            before, after = settings.self_distance, _share(of, free) * settings.self_distance
            told = _fit(own, "self_distance", before, after)
        elif other is None:
            continue
        else:
            told = _fit_outside(own, outer, of, other, settings.collision_thickness, free)
        if told:
            doubts.append(_doubt(of, free, told))
    return Fit(own, outer, doubts)


def _fit_outside(own, outer, of, other, thickness, free):
    """Fit the distance from a collider; returns the ids of the remedies that lower it."""
    added = other.collision.thickness_outer
    rooms = np.maximum(of.distances, of.least) - added
    # The share of Thickness that a map leaves of each.
    shares = (of.kept - added) / thickness if thickness > 0.0 else np.zeros(len(rooms))
    asked = np.divide(rooms, shares, out=np.full(len(rooms), thickness), where=shares > 0.0)
    told = _fit(own, "collision_thickness", thickness, max(_usual(asked, free), 0.0))
    # Blender allows no less.
    lowest = other.collision.bl_rna.properties["thickness_outer"].hard_min
    return told + _fit(outer, other, added, max(added + _usual(rooms, free), lowest), "OUTER")


def _fit(found, name, before, after, remedy="FIT"):
    """Put a rounded value in where it is lower than before, and than what is there; the ids of what sets it."""
    after = _rounded(after)
    if not after < _LOWER * before:
        return ()
    found[name] = min(after, found.get(name, after))
    return (remedy,)


def _share(of, free):
    """The share of their distance that all but a part of the free vertices have."""
    kept = np.where(of.kept > 0.0, of.kept, np.inf)
    return min(_usual(np.where(of.kept > 0.0, np.maximum(of.distances, of.least) / kept, 1.0), free), 1.0)


def _usual(values, free):
    """What all but a PART of those that are free have at least."""
    among = np.sort(values[free])
    return float(among[int(PART * len(among))])


def _rounded(value):
    """Two digits of a value, downwards."""
    if value <= 0.0:
        return 0.0
    digit = 10.0 ** (floor(log10(value)) - 1)
    return float(np.floor(value / digit + 1e-6) * digit)


def _doubt(of, free, remedies):
    """A hint that it begins nearer than it keeps."""
    nearer = np.flatnonzero((of.distances < of.kept) & free)
    to = of.contact.name or "itself"
    half, kept = (1e3 * float(np.median(values[nearer])) for values in (of.distances, of.kept))
    text = (
        f"{100 * of.nearer(free):.0f} % begins nearer to {to} than the {kept:.2g} mm kept (half of it within "
        f"{half:.2g} mm): press Fit Distances"
    )
    return Doubt(text, HINT, remedies, nearer)
