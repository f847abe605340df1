# SPDX-License-Identifier: GPL-3.0-or-later
"""On which side of triangles points lie."""

import numpy as np

# Offsets of less than this share of the coordinates are rounding: their direction means nothing.
_ROUNDING = 1e-12


def signed_offsets(found, features, scale):
    """Signed distances [m], shape (count,), and normals out of the surface, shape (3, count), of what is closest.

    found: Closest; features: normals of the face, edge or vertex that each closest point lies on, shape (3, count);
    scale: of the coordinates [m]. Out is along the offset where a point is off the surface, else along the feature.
    """
    x, y, z = found.offsets * features
    out = x + y + z
    side = np.where(out >= 0.0, 1.0, -1.0)
    off = found.distances > _ROUNDING * scale
    directions = side * found.offsets / np.where(off, found.distances, 1.0)
    return np.where(off, side * found.distances, out), np.where(off, directions, features)
