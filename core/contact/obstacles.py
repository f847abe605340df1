# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as triangle meshes whose motion is given."""

from operator import is_
from typing import Any

import numpy as np

from ..topology import unique_edges


class Obstacles:
    """Triangles, edges and points of several colliders, as vertices after one another.

    colliders: ContactOf of those that have triangles, see `Shape.triangles`.
    owner: number of the collider of every vertex, shape (vertex_count,); triangles and edges: of their indices.
    """

    def __init__(self, colliders):
        self.colliders = colliders
        shapes = self._shapes = [of.contact for of in colliders]
        counts = [len(collider.corners(0.0)) for collider in shapes]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        self.owner = np.repeat(np.arange(len(colliders)), counts)
        of_each = [collider.triangles + start for collider, start in zip(shapes, starts, strict=False)]
        self.triangles = np.concatenate([np.zeros((0, 3), dtype=np.intp), *of_each])
        self.edges = sides_of(self.triangles)
        # Middles of openings that are not closed are corners of nothing.
        self.points = np.unique(self.triangles)
        self._known: dict[float, np.ndarray] = {}
        self._last: Any = ((), None)
        self._boxed: Any = (None, None, None)

    def __len__(self):
        return len(self.owner)

    def at(self, t):
        """Positions at t [s], shape (vertex_count, 3) [m]."""
        if t not in self._known:
            if len(self._known) > 1:
                self._known.pop(next(iter(self._known)))
            rows = [collider.corners(t) for collider in self._shapes]
            rows_before, found = self._last
            if not (found is not None and all(map(is_, rows, rows_before))):
                self._last = rows, np.concatenate([np.zeros((0, 3)), *rows])
            self._known[t] = self._last[1]
        return self._known[t]

    def box(self, t, dt):
        """Lowest and highest corners of a box about all of them in a substep of dt [s] that ends at t [s], (3,) [m]."""
        before, after = self.at(t - dt), self.at(t)
        if self._boxed[0] is not before or self._boxed[1] is not after:
            corners = before, after
            low, high = (of([of(each, axis=0) for each in corners], axis=0) for of in (np.min, np.max))
            self._boxed = *corners, (low, high)
        return self._boxed[2]

    def acting(self, t):
        """Mask of the vertices that anything collides with at t [s]."""
        acts = np.array([collider.acts(t) for collider in self._shapes], dtype=bool)
        return acts[self.owner] if len(acts) else np.zeros(0, dtype=bool)


def sides_of(triangles):
    """Sides of triangles, each once, shape (count, 2)."""
    return unique_edges(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2))
