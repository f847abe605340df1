# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the surface under particles is looked for when a substep begins."""

from typing import NamedTuple

import numpy as np

from ..directions import along, lengths, rows

# Share of the thickness that particles move by at most which are looked for where they were.
_HARDLY = 0.5


class Look(NamedTuple):
    """The surface under all particles on their way to x.

    found: signed distances of x [m], normals and velocities [m/s]; at: where it was looked for, shape (count, 3) [m];
    slack: how much nearer than these distances it may be at x [m].
    """

    found: tuple
    at: np.ndarray
    slack: np.ndarray


def first_look(shape, start, x, t, drawn):
    """The Look of a Collider at what a State and x [m] at t [s] have between them, drawn by so much from there [m].

    What hardly moves is looked for where it was, and taken along the plane there: what rests is found where it will be
    at the end, on the plane that it was left on, and nothing need be looked for again. That needs a shape at rest.
    """
    dt, particles = t - start.t, np.arange(len(x))
    if not shape.rests(t, dt):
        return Look(shape.look(x, t, dt, particles), x, np.zeros(len(x)))
    way = x - start.x
    far = lengths(way)
    hardly = far < _HARDLY * shape.thickness
    at = np.where(rows(hardly), start.x, x)
    reach = shape.thickness + np.maximum(far, drawn) + far
    distances, n, surface_v = shape.look(at, t, dt, particles, reach)
    rise = np.where(hardly, along(way, n), 0.0)
    return Look((distances + rise, n, surface_v), at, np.where(hardly, far + rise, 0.0))
