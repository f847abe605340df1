# SPDX-License-Identifier: GPL-3.0-or-later
"""How far cloth is from colliders and from itself, beside the distance that it keeps."""

from typing import Any, NamedTuple

import numpy as np

# Share of what is kept that is its rounding: a garment that is fitted by its own clearance is not nearer.
OWN = 1e-3


class Clearance(NamedTuple):
    """Distances of particles from one collider, or of the cloth from itself.

    contact: the Collider or SelfCollision; distances: no more than what is kept [m], shape (n,); kept [m], 0 of what
    does not meet it, shape (n,); least: what is kept at the least, whatever is asked for [m], shape (n,).
    """

    contact: Any
    distances: np.ndarray
    kept: np.ndarray
    least: np.ndarray

    def nearer(self, among):
        """The share of particles, those of a mask, that are nearer than they keep; 0 among none."""
        near = self.distances < (1.0 - OWN) * self.kept
        return float(near[among].mean()) if among.any() else 0.0


class Clearances:
    """Measures how near cloth begins to the colliders that have triangles, and to itself.

    search: Search; obstacles: Obstacles; between: ContactOf of what is between particles, the first of which counts.
    """

    def __init__(self, search, obstacles, between):
        self._search, self._obstacles, self._between = search, obstacles, between[:1]

    def at(self, x, t):
        """A Clearance of each collider, and of the cloth from itself, at x, shape (n, 3) [m], and t [s], a list."""
        search, obstacles, found = self._search, self._obstacles, []
        if obstacles.colliders:
            corners, distances = search.near_obstacles(x, t)
            owner = obstacles.owner[corners.max(axis=1, initial=0) - len(x)]
            for number, of in enumerate(obstacles.colliders):
                kept, mine = _kept(of, search.least), owner == number
                kept[of.particles][of.contact.held_particles] = 0.0
                of_one = _nearest(corners[mine], distances[mine], kept)
                found.append(Clearance(of.contact, of_one, kept, search.least))
        for of in self._between:
            kept = _kept(of, search.least)
            corners, distances, keeps = search.near_each_other(np.ascontiguousarray(x.T))
            # Narrow cloth keeps less of itself apart.
            shares = distances / np.maximum(keeps, np.finfo(float).tiny)
            of_own = kept * _nearest(corners, shares, np.ones(len(x)))
            found.append(Clearance(of.contact, of_own, kept, search.least))
        return found


def _kept(of, least):
    """The distances that the particles of a ContactOf keep [m], shape (n,)."""
    kept = np.zeros(len(least))
    kept[of.particles] = np.maximum(of.contact.thickness, least[of.particles])
    return kept


def _nearest(corners, distances, most):
    """The least distance of the stencils that particles are corners of, and the most of each particle, shape (n,)."""
    found = np.append(most, np.inf)
    np.minimum.at(found, np.minimum(corners, len(most)), distances[:, None])
    return found[:-1]
