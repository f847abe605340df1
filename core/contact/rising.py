# SPDX-License-Identifier: GPL-3.0-or-later
"""What begins nearer to others than it keeps, or where they are: its distance rises to all of what is kept."""

import numpy as np

from ..directions import lengths_and_directions
from ..topology import connected_parts
from ..triangle_mesh.triangles import ROUNDING
from .surface_sides import outwards

# Share of the thickness to which what coincides is put apart: far more than rounding, so that sides are certain, and so
# little that nobody sees it.
APART = 0.01

# Distances that are gained in a second: two plies then part at 13 a second, which they keep. At 10 what coincides bends
# by more than its distance; at 5 what 40 times its weight presses slips off while it has half of it.
_RATE = 7.0


class Rising:
    """Shares of their distances that particles keep from each other, from where a simulation begins.

    What is nearer to another part than it keeps has no load that holds it there. Pushed out at once it is thrown as far
    as it goes in a substep: two plies went at 48 distances a second each, six at 240. So it keeps what it has, and some
    distances a second more. What a part is to itself is not told from crossing itself: there all is kept at once.

    network: SpringNetwork; masses: infinite of what is held [kg].
    """

    def __init__(self, network, masses):
        self._network, self._held = network, np.isinf(masses)[:, None]
        self._first, self._begun = np.ones(network.vertex_count), 0.0

    def begun(self, search, x, t):
        """Positions [m] to begin with at t [s] in place of x, shape (n, 3): parts that coincide are put apart.

        search: the Search of what meets itself.
        """
        network = self._network
        corners, distances, keeps = search.near_each_other(np.ascontiguousarray(x.T))
        parts = connected_parts(network.edges, network.vertex_count)
        near = np.flatnonzero(distances < keeps)
        shares = np.maximum(distances[near] / keeps[near], APART)
        self._first, self._begun = np.ones(network.vertex_count), t
        np.minimum.at(self._first, corners[near], shares[:, None])
        apart = put_apart(x, corners, distances, network.surface.triangles, parts, search.kept_between)
        return x if apart is x else np.where(self._held, x, apart)

    def rises(self, t):
        """Whether anything keeps less than all of its distance at t [s]."""
        return self._first.min(initial=1.0) + _RATE * (t - self._begun) < 1.0

    def kept(self, candidates, within, t):
        """Candidates, or None, with the distances that they keep at t [s]; within: number of the cloth as an owner."""
        if candidates is None or not self.rises(t):
            return candidates
        shares = np.minimum(self._first + _RATE * (t - self._begun), 1.0)
        which, reach = np.flatnonzero(candidates.owners == within), candidates.reach.copy()
        reach[which] *= shares[candidates.corners[which]].mean(axis=1)
        return candidates._replace(reach=reach)

    @property
    def history(self):
        """The shares where it began, and when [s], shape (count, 3)."""
        return np.column_stack(
            [self._first, np.full(len(self._first), self._begun), np.zeros(len(self._first))]
        )

    def restore(self, history):
        """Go on from a `history`; raises ValueError for numbers that are none of it."""
        first, begun, _ = history.T
        if not ((first >= APART) & (first <= 1.0)).all() or (begun != begun[:1]).any():
            raise ValueError(
                "what begins near others is told by numbers that are none of it: restore a history"
            )
        self._first, self._begun = first.copy(), float(begun[0]) if len(begun) else 0.0


def put_apart(x, corners, distances, triangles, parts, thickness):
    """Positions [m] of particles, shape (particle_count, 3), in which parts that coincide are beside each other.

    A particle on another part's triangle is on neither side of it. Each of these parts goes a hundredth of the
    thickness at most along its own normals, another way each.

    corners: of pairs near x, shape (count, 4); distances: of each [m]; triangles: shape (count, 3); parts: part of
    every particle; thickness: of every particle [m].
    """
    same = distances < ROUNDING * np.abs(x).max(initial=0.0)
    same &= parts[corners[:, 0]] != parts[corners[:, 3]]
    particles = np.unique(corners[same])
    if len(particles) == 0:
        return x
    numbers, place = np.unique(parts[particles], return_inverse=True)
    far = APART * thickness[particles] * place / len(numbers)
    # Where a particle is in no triangle, any direction will do that strands are seldom along.
    normals = outwards(np.ascontiguousarray(x.T), triangles)[:, particles].T
    _, n = lengths_and_directions(normals, np.array([0.6, 0.48, 0.64]))
    apart = x.copy()
    apart[particles] += far[:, None] * n
    return apart
