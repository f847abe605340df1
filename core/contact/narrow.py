# SPDX-License-Identifier: GPL-3.0-or-later
"""Rest distances of a cloth from itself: neighbours along the surface keep less than the full distance."""

import numpy as np

from ..kernels.stencils import POINT_TRIANGLE
from ..triangle_mesh.triangles import ROUNDING

# Way along the cloth, in parts of the distance, from which on all of it is kept: half a circle of the sharpest fold.
HALF_CIRCLE = np.pi / 2.0


class Narrow:
    """Distances that are kept between what is near each other at rest, or by a seam.

    The sharpest fold has a radius of half the distance t: two points a way D apart at rest, below half a circle of it,
    keep t (2 D / pi t)^2, less than any bend of that fold leaves, and enough for a triangle not to turn over into the
    next. Over a seam what is at both of its sides joins: it is as far as both are from it.

    keys: of pairs that are near at rest, see Pairs; apart: how far they are there [m]; from_seam: of every particle how
    far it is from the nearest seam [m], or None.
    """

    def __init__(self, keys, apart, from_seam):
        order = np.argsort(keys)
        self._keys, self._apart, self._from_seam = keys[order], apart[order], from_seam

    def kept(self, pairs, distances):
        """Distances of Pairs of the cloth and of others without this [m], 0 for none."""
        kept = distances
        if len(self._keys):
            place = np.minimum(np.searchsorted(self._keys, pairs.keys), len(self._keys) - 1)
            near = self._keys[place] == pairs.keys
            kept = np.where(near, _bent(self._apart[place], distances), kept)
        if self._from_seam is not None:
            kept = np.minimum(kept, _bent(self._over_seams(pairs), distances))
        return np.where(kept > ROUNDING * distances, kept, 0.0)

    def _over_seams(self, pairs):
        """How far both sides of pairs are from the nearest seam, without end of what is with others [m]."""
        far = np.concatenate([self._from_seam, [np.inf]])
        of_corners = far[np.minimum(pairs.corners, len(self._from_seam))]
        of_triangle = (pairs.kinds == POINT_TRIANGLE)[:, None]
        first = np.where(of_triangle, of_corners[:, :1], of_corners[:, :2]).min(axis=1)
        second = np.where(of_triangle, of_corners[:, 1:2], np.inf)
        return first + np.minimum(of_corners[:, 2:], second).min(axis=1)


def _bent(apart, distances):
    return distances * np.minimum(apart / (HALF_CIRCLE * distances), 1.0) ** 2
