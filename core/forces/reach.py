# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a force field is, and how it falls off."""

from typing import NamedTuple

import numpy as np

from ..quantities import any_number, real_array

SHAPES = ("POINT", "LINE", "PLANE")
FALLOFFS = ("SPHERE", "TUBE", "CONE")
SIDES = ("BOTH", "POSITIVE", "NEGATIVE")


class Near(NamedTuple):
    """Particles as a field sees them at a moment.

    axis: the field's z axis, a unit vector; offset: from its centre [m], (n, 3); along: of that, along the axis [m].
    away: from the nearest point of its shape [m], (n, 3); distance: the length of that [m]; share: of its strength
    that arrives, 0 to 1, shape (n,).
    """

    axis: np.ndarray
    offset: np.ndarray
    along: np.ndarray
    away: np.ndarray
    distance: np.ndarray
    share: np.ndarray

    def directions(self):
        """Unit vectors away from the shape, zero on it."""
        return units(self.away)


class Reach:
    """Place, shape and falloff of a force field.

    pose: rigid (4, 4) matrix from the field's space to the world, None for the identity.
    shape: what distances are from: the centre ("POINT"), the z axis ("LINE"), the plane of x and y ("PLANE").
    falloff: "SPHERE" by the distance; "TUBE" by the distance along the axis and, radially, from it; "CONE" by that
        along the axis and, radially, by the angle from it in degrees. Each is (1 + d - minimum)^-power, 1 below the
        minimum and 0 beyond the maximum.
    side: of the plane of x and y where it acts, "BOTH", "POSITIVE" or "NEGATIVE".
    weight: what all shares are multiplied by.

    The pose, powers and limits [m, degrees] are values or callables t -> value. The formulas are those of Blender's
    force fields (source/blender/blenkernel/intern/effect.cc).

    Raises ValueError for a word that is none of these, and values out of their range.
    """

    def __init__(
        self,
        pose=None,
        shape="POINT",
        falloff="SPHERE",
        *,
        power=0.0,
        minimum=0.0,
        maximum=np.inf,
        radial_power=0.0,
        radial_minimum=0.0,
        radial_maximum=np.inf,
        side="BOTH",
        weight=1.0,
    ):
        for name, word, words in (
            ("shape", shape, SHAPES),
            ("falloff", falloff, FALLOFFS),
            ("side", side, SIDES),
        ):
            if not isinstance(word, str) or word not in words:
                raise ValueError(f"{name} of a force field is {word!r}: use {', '.join(words)}")
        self.pose = np.eye(4) if pose is None else pose
        self.shape, self.falloff, self.side = shape, falloff, side
        self.limits = power, minimum, maximum
        self.radial_limits = radial_power, radial_minimum, radial_maximum
        self.weight = weight
        for value in (*self.limits, *self.radial_limits, weight):
            if not callable(value) and not any_number("a limit, power or weight of a falloff", value) >= 0.0:
                raise ValueError(f"a limit, power or weight of a falloff is {value}: it must be at least 0")
        if not callable(self.pose):
            self.pose = real_array("a force field's pose", self.pose)
            if self.pose.shape != (4, 4) or not np.isfinite(self.pose).all():
                raise ValueError(
                    f"a force field's pose is {self.pose.tolist()}: give a matrix of 4 by 4 finite numbers"
                )

    @property
    def steady(self):
        """Whether nothing of it changes in time."""
        return not any(map(callable, (self.pose, *self.limits, *self.radial_limits)))

    @property
    def by_distance(self):
        """Whether the share depends on the distance from the shape alone."""
        return self.falloff == "SPHERE" and self.side == "BOTH"

    def axis(self, t):
        """The field's z axis at t [s], a unit vector."""
        return units(at(self.pose, t)[:3, 2])

    def near(self, x, t):
        """Particles at x [m] at t [s], see Near."""
        axis = self.axis(t)
        offset = x - at(self.pose, t)[:3, 3]
        along = offset @ axis
        if self.shape == "POINT":
            away = offset
        else:
            on_axis = along[:, None] * axis
            away = on_axis if self.shape == "PLANE" else offset - on_axis
        distance = lengths(away)
        share = self._share(t, axis, offset, along, distance)
        return Near(axis, offset, along, away, distance, share)

    def _share(self, t, axis, offset, along, distance):
        limits = [at(value, t) for value in self.limits]
        if self.falloff == "SPHERE":
            share = falloff(distance, *limits)
        else:
            if self.falloff == "TUBE":
                radius = lengths(offset - along[:, None] * axis)
            else:
                total = lengths(offset)
                cosine = np.divide(along, total, out=np.ones_like(total), where=total > 0.0)
                radius = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
            radial_limits = [at(value, t) for value in self.radial_limits]
            share = falloff(np.abs(along), *limits) * falloff(radius, *radial_limits)
        if self.side != "BOTH":
            share = np.where(along < 0.0 if self.side == "POSITIVE" else along > 0.0, 0.0, share)
        return share if self.weight == 1.0 else self.weight * share


def falloff(distance, power, minimum, maximum):
    """(1 + d - minimum)^-power, 1 below the minimum, 0 beyond the maximum."""
    beyond = np.maximum(distance - minimum, 0.0)
    share = (1.0 + beyond) ** -power if power else np.ones_like(beyond)
    return np.where(distance > maximum, 0.0, share)


def at(value, t):
    """A value, or what a callable makes of t [s]."""
    return value(t) if callable(value) else value


def lengths(vectors):
    """Lengths of vectors, shape (n,) of (n, 3)."""
    return np.sqrt(np.einsum("...j,...j->...", vectors, vectors))


def units(vectors):
    """Unit vectors, zero where a vector is, of shape (n, 3) or (3,)."""
    size = lengths(vectors)[..., None]
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)
