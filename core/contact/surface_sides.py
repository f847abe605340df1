# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts by the side of the surface that they are on: between two plies one bears, and the other is borne."""

import numpy as np

from ..kernels import Indices


def outwards(x, triangles):
    """Normals of vertices at x, shape (3, n) [m], weighted by the areas of their triangles [m^2], 0 of no triangle."""
    a, b, c = (x[:, triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a, axis=0)
    corners, count = triangles.T.ravel(), x.shape[1]
    return np.stack([np.bincount(corners, np.tile(row, 3), count) for row in normals])


def sided(rows, normals):
    """Corners of Rows as Indices of fields of both sides, those of the back after those of the front.

    normals: of `outwards`; what has none is touched in front.
    """
    corners, n = rows.corners.values, normals.shape[1]
    # Axis by axis, which takes a third of the time of all at once.
    along = sum(n[:, None] * axis.take(corners) for n, axis in zip(rows.normals, normals, strict=True))
    along *= rows.weights
    return Indices(np.where(along < 0.0, corners + n, corners), 2 * n)


class ForcesOfSides:
    """Forces of contacts on particles: of all, or of the front and the back of surfaces, each by itself.

    What lies between two plies bears on one and is borne by the other: together that is next to nothing.

    count: of particles; sides: 1 or 2; pushes: on the front in a substep before the first, shape (count, 3) [N], or
    None.
    fields: normal forces and friction, shape (2, 3, sides * count) [N], of the front first.
    pushed_before: normal forces on all sides as the last substep began, shape (3, count) [N].
    """

    def __init__(self, count, sides, pushes=None):
        self._shape, self._pushes = (3, sides, count), pushes
        self.forget()

    def forget(self):
        """Know nothing of a substep before."""
        self.fields = np.zeros((2, 3, self._shape[1] * self._shape[2]))
        self.begin()

    def begin_anew(self):
        """Begin as if in a substep before particles had been pushed as lengths at rest were made for."""
        if self._pushes is not None:
            self._of_sides(0)[:, 0] = self._pushes.T
            self.begin()

    def begin(self):
        """Begin a substep."""
        self.pushed_before = self._of_sides(0).sum(axis=1)

    def pushed(self):
        """Normal forces on every particle, from the side where they are larger, shape (3, count) [N]."""
        forces = self._of_sides(0)
        if forces.shape[1] == 1:
            return forces[:, 0]
        front, back = np.einsum("asn,asn->sn", forces, forces)
        return np.where(front >= back, forces[:, 0], forces[:, 1])

    def pressed(self):
        """Indices of the particles that something presses on."""
        return np.flatnonzero(self._of_sides(0).any(axis=(0, 1)))

    @property
    def history(self):
        """Normal forces of every side, then friction of every side [N], shape (count, 3) each."""
        return [
            np.ascontiguousarray(of) for which in (0, 1) for of in np.moveaxis(self._of_sides(which), 0, 2)
        ]

    def restore(self, arrays):
        """Go on from a `history`, with which arrays begin; what is left of them."""
        sides = self._shape[1]
        forces = np.stack([np.ascontiguousarray(of.T) for of in arrays[: 2 * sides]])
        self.fields = np.concatenate([forces[side::sides] for side in range(sides)], axis=2)
        return arrays[2 * sides :]

    def _of_sides(self, which):
        return self.fields[which].reshape(self._shape)
