# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the surface under particles is looked for when a substep begins."""

from typing import NamedTuple

import numpy as np

from ..directions import along, rows
from .impact import entries

# Share of the thickness that particles move by at most which are looked for where they were.
_HARDLY = 0.5


class Look(NamedTuple):
    """The surface under particles on their way to x.

    particles: all that may come to it, ascending; found: of these signed distances at x [m], normals and velocities
    [m/s]; at: where all were looked for, shape (particle_count, 3) [m]; least: of all, distances at x that they have at
    least [m].
    """

    particles: np.ndarray
    found: tuple
    at: np.ndarray
    least: np.ndarray


def first_look(shape, ways, t, dt, drawn):
    """The Look of a Collider at Ways that end at t [s], after dt [s], from whose ends springs draw by so much [m].

    What hardly moves is looked for where it was, and taken along the plane there: what rests is found where it will be
    at the end, on the plane that it was left on, and nothing need be looked for again. That needs a shape at rest, of
    which what is far is asked for no more than distances.
    """
    particles, x = np.arange(len(ways.end)), ways.end
    if not shape.rests(t, dt):
        found = shape.look(x, t, dt, particles)
        return Look(particles, found, x, found[0])
    far = ways.far
    hardly = far < _HARDLY * shape.thickness
    at, most = _chosen(hardly, ways.start.x, x), np.maximum(far, drawn)
    distances, found = shape.distances_alone(at, t), None
    if distances is None:
        found = shape.look(at, t, dt, particles, shape.thickness + most + far)
        distances = found[0]
    least = distances - hardly * far
    near = np.flatnonzero(least < shape.thickness + most)
    if found is None:
        reach = entries(shape.thickness, near) + most[near] + far[near]
        found = shape.look(at.take(near, axis=0), t, dt, near, reach)
    else:
        found = tuple(of.take(near, axis=0) for of in found)
    distances, n, surface_v = found
    rise = hardly[near] * along(ways.ways.take(near, axis=0), n)
    return Look(near, (distances + rise, n, surface_v), at, least)


def _chosen(which, one, other):
    """Rows of one where a mask says so, else of the other."""
    if which.all():
        return one
    return np.where(rows(which), one, other) if which.any() else other
