# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves as one where nothing else keeps it from passing through itself."""

import numpy as np

from ..topology import connected_parts


def moved_as_one(start, end, rows, masses):
    """Positions [m] where particles that share rows, or rows that share particles, went the way of their centre.

    Nothing in such a zone moves against anything else in it, so that nothing passes; momentum is kept. With what does
    not move by itself the rest of its zone goes the way of that.

    start, end: shape (3, particle_count); rows: particles of pairs, shape (4, count); masses: of all particles [kg],
    endless of what does not move by itself.
    Provot 1997, "Collision and self-collision handling in cloth model dedicated to design garments", section 4.2.
    """
    first, *others = rows
    links = np.column_stack([np.tile(first, len(others)), np.concatenate(others)])
    of_particle = connected_parts(links, len(masses))
    zones = of_particle.max() + 1
    inside = np.unique(rows)
    zone, free = of_particle[inside], np.isfinite(masses[inside])
    held = np.bincount(zone, ~free, minlength=zones) > 0
    weights = np.where(held[zone], ~free, np.where(free, masses[inside], 0.0))
    total = np.bincount(zone, weights, minlength=zones)
    ways = (end - start)[:, inside]
    means = [np.bincount(zone, weights * way, minlength=zones)[zone] / total[zone] for way in ways]
    moved = end.copy()
    moved[:, inside] = np.where(free, start[:, inside] + means, end[:, inside])
    return moved
