# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles in pieces that are all about as large: a few large ones would make spheres about all of them wide."""

import numpy as np

# Pieces for every triangle at most, in the mean: with four of them frames in a mesh take as long.
_MOST = 2.0


class Pieces:
    """Triangles, the large ones cut into n * n like them.

    triangles: Triangles.
    owners: the triangle of each piece, shape (piece_count,); middles: shape (piece_count, 3) [m]; radii: how far from
    there the farthest corner of the piece is, shape (piece_count,) [m]; farthest: the greatest of them [m].
    """

    def __init__(self, triangles):
        self.owners, self.middles, self.radii = (
            np.arange(len(triangles.radii)),
            triangles.middles,
            triangles.radii,
        )
        limit = self.radii.mean()
        large = np.flatnonzero(self.radii > limit)
        cuts = np.ceil(self.radii[large] / limit).astype(np.intp)
        while np.sum(cuts**2) > _MOST * len(self.owners):
            limit *= 1.5
            cuts = np.ceil(self.radii[large] / limit).astype(np.intp)
        self._cut(triangles, large[cuts > 1], cuts[cuts > 1])
        self.farthest = float(self.radii.max())

    def _cut(self, triangles, large, cuts):
        """Put the first piece of large triangles in their places, and the others behind all."""
        if len(large) == 0:
            return
        owners, middles, radii = [self.owners], [self.middles.copy()], [self.radii.copy()]
        radii[0][large] /= cuts
        for n in np.unique(cuts):
            of = large[cuts == n]
            u, v = _middles(n)
            at = triangles.a[:, of, None] + u * triangles.ab[:, of, None] + v * triangles.ac[:, of, None]
            middles[0][of] = at[:, :, 0].T
            owners.append(np.repeat(of, len(u) - 1))
            middles.append(at[:, :, 1:].reshape(3, -1).T)
            radii.append(np.repeat(self.radii[of] / n, len(u) - 1))
        self.owners, self.middles, self.radii = (np.concatenate(of) for of in (owners, middles, radii))


def _middles(n):
    """Barycentric weights of two corners at the middles of n * n pieces of a triangle."""
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(n), np.arange(n)))
    upright, turned = i + j < n, i + j < n - 1
    u = np.concatenate([3 * i[upright] + 1, 3 * i[turned] + 2])
    v = np.concatenate([3 * j[upright] + 1, 3 * j[turned] + 2])
    return u / (3 * n), v / (3 * n)
