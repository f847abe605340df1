# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles meet a surface in a substep, and where."""

from typing import NamedTuple

import numpy as np

from ..directions import along, lengths
from .sweep import first_hits

# Normals that differ by more than this, as their product, are of two sides.
_SAME_SIDE = 0.5


class Meeting(NamedTuple):
    """Particles that are at a surface, or may come to it, at the end of a substep.

    particles: indices, shape (count,). heights: over where they are kept [m]; n: normals; surface_v: velocities of the
    surface [m/s]; home: where they would be had they moved with it [m]; reach: how far from there they are [m].
    """

    particles: np.ndarray
    heights: np.ndarray
    n: np.ndarray
    surface_v: np.ndarray
    home: np.ndarray
    reach: np.ndarray

    def chosen(self, which):
        """Those of a mask."""
        if which.all():
            return self
        places = np.flatnonzero(which)
        return Meeting(*(of_particles.take(places, axis=0) for of_particles in self))


def meeting(closest, found, thickness, start, x, dt, particles, margin=0.0, *, convex=False):
    """The Meeting of some particles on their way from start to x [m] in dt [s], and the heights of all of them.

    closest: positions, and which particles are there -> signed distances, normals and velocities of the surface as it
    is at the end; found: those of the particles at x; thickness: distance to keep from it [m], one number, or one for
    every particle; particles: indices, ascending; margin: height within which they may meet it however little they
    move, a number or one each; convex: whether straight ways may only lead through the surface if one end is behind
    the plane under the other.
    What passed through, or went in so deep that another side is nearer, is below the plane through
    where it first met the surface.
    """
    distances, n, surface_v = found
    heights = distances - (thickness if thickness.ndim == 0 else thickness[particles])
    from_where, to_where = (_of(positions, particles) for positions in (start, x))
    home = from_where + dt * surface_v
    way = to_where - home
    reach = lengths(way)
    met = Meeting(particles, heights, n, surface_v, home, reach)
    near = np.flatnonzero(heights < np.maximum(reach, margin))
    if len(near) < len(particles):
        met = Meeting(*(of_all.take(near, axis=0) for of_all in met))
        distances, to_where = distances[near], to_where.take(near, axis=0)
    suspects = np.flatnonzero(distances < met.reach)
    if convex:
        behind = along(met.home[suspects] - to_where[suspects], met.n[suspects])
        suspects = suspects[(distances[suspects] < 0.0) | (distances[suspects] + behind < 0.0)]
    return _swept(closest, met, to_where, distances, met.reach, suspects), heights


def from_the_side_of(normals, distances, n):
    """Distances [m] and normals as they are from the side of other normals, where positions passed through a sheet."""
    passed = (distances > 0.0) & (np.einsum("ij,ij->i", normals, n) < -_SAME_SIDE)
    return np.where(passed, -distances, distances), np.where(passed[:, None], -n, n)


def _of(positions, particles):
    """Positions of particles in ascending order."""
    return positions if len(particles) == len(positions) else positions.take(particles, axis=0)


def _swept(closest, met, x, distances, reach, suspects):
    if len(suspects) == 0:
        return met
    outside, n, _ = closest(met.home[suspects], met.particles[suspects])
    other_side = np.einsum("ij,ij->i", np.broadcast_to(n, (len(suspects), 3)), met.n[suspects]) < _SAME_SIDE
    below = distances[suspects] < 0.0
    # Straight through, the way is the sum itself, but for its rounding.
    may_pass = outside + distances[suspects] <= (1.0 + 1e-6) * reach[suspects]
    fast = (outside > -1e-3 * reach[suspects]) & np.where(below, other_side, may_pass)
    suspects = suspects[fast]
    if len(suspects) == 0:
        return met
    home, end = met.home[suspects], x[suspects]
    shares = first_hits(lambda at: closest(at)[:2], home, end)
    suspects, home, end, shares = (of[np.isfinite(shares)] for of in (suspects, home, end, shares))
    if len(suspects) == 0:
        return met
    at = home + shares[:, None] * (end - home)
    left, n, _ = closest(at, met.particles[suspects])
    n = np.broadcast_to(n, at.shape)
    # Thickness is what heights lack of distances.
    below = left + np.einsum("ij,ij->i", n, end - at) + met.heights[suspects] - distances[suspects]
    wrong = (distances[suspects] >= 0.0) | (np.einsum("ij,ij->i", n, met.n[suspects]) < _SAME_SIDE)
    heights, normals = met.heights.copy(), met.n.copy()
    heights[suspects[wrong]], normals[suspects[wrong]] = below[wrong], n[wrong]
    return met._replace(heights=heights, n=normals)
