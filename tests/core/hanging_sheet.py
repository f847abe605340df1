# SPDX-License-Identifier: GPL-3.0-or-later
"""The square sheet that several files hang at two corners."""

import numpy as np

from hooke.core import SpringNetwork


def sheet(side, size=2.0, mass=1.0, stiffness=1e4, pins="corners"):
    """A square sheet with structural, shear and bending springs, hung at two corners."""
    line = np.linspace(0.0, size, side)
    points = np.array([[x, y, 0.0] for y in line for x in line])
    index = np.arange(side * side).reshape(side, side)
    edges = np.concatenate(
        [
            np.column_stack([index[:, :-1].ravel(), index[:, 1:].ravel()]),
            np.column_stack([index[:-1].ravel(), index[1:].ravel()]),
        ]
    )
    faces = np.column_stack(
        [a.ravel() for a in (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1])]
    )
    weights = np.zeros(side * side)
    if pins == "corners":
        weights[[0, side - 1]] = 1.0
    return SpringNetwork.from_mesh(
        points,
        edges,
        faces,
        structural=stiffness,
        shear=stiffness,
        bending=0.05 * stiffness,
        mass=mass,
        pins=weights,
    )
