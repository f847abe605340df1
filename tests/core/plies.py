# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets above each other."""

import numpy as np

from hooke.core import SpringNetwork
from hooke.core.topology import lattice_faces, lattice_points


def sheets(shapes, spacing, places, **quantities):
    """One network of several sheets of quads, the first corners at places."""
    points = [
        lattice_points((*shape, 1), spacing) + place for shape, place in zip(shapes, places, strict=True)
    ]
    starts = np.cumsum([0, *map(len, points)])
    faces = [lattice_faces((*shape, 1)) + start for shape, start in zip(shapes, starts, strict=False)]
    return SpringNetwork.from_mesh(np.concatenate(points), faces=np.concatenate(faces), **quantities)
