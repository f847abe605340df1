# SPDX-License-Identifier: GPL-3.0-or-later
"""A solid beam that is clamped at one end, beside what beam theory says of it."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh, splu

from hooke.core import Solid
from hooke.core.forces import stiffness_matrix

from .boxes import box

G = 9.81
# First root of cosh x cos x = -1.
_ROOT = 1.8751041


class Ratios(NamedTuple):
    """What a beam does over what theory says: stretch and sag under its weight, and its first frequency."""

    stretch: float
    sag: float
    frequency: float


def ratios(size, spacing, turned=None, **matter):
    """Ratios of a beam along x, fixed where x = 0, whose surface has edges about `spacing` long [m]."""
    turned = np.eye(3) if turned is None else turned
    points, faces = box(size, spacing)
    body = Solid.from_mesh(points @ turned, faces=faces, pins=np.flatnonzero(points[:, 0] == 0.0), **matter)
    network, tip = body.network, points[:, 0] == size[0]
    free = network.free
    rows = (3 * free[:, None] + np.arange(3)).ravel()
    matrix = stiffness_matrix(network, network.points).tocsc()[rows][:, rows]
    factor = splu(matrix)

    def moved(direction):
        """Mean way of the tip [m] along a direction that gravity pulls in."""
        way = np.zeros_like(network.points)
        loads = network.masses[free, None] * (G * direction @ turned)
        way[free] = factor.solve(loads.ravel()).reshape(-1, 3)
        small = 1e-3 * (body.embed(network.points + 1e3 * way) - body.embed(network.points))
        return float((small[tip] @ (direction @ turned)).mean())

    masses = sparse.diags(np.repeat(network.masses[free], 3)).tocsc()
    start = np.random.default_rng(0).normal(size=len(rows))
    lowest = eigsh(matrix, 2, masses, sigma=0.0, v0=start, return_eigenvectors=False).min()
    exact = theory(size, **matter)
    return Ratios(
        moved(np.array([1.0, 0.0, 0.0])) / exact.stretch,
        moved(np.array([0.0, 0.0, 1.0])) / exact.sag,
        float(np.sqrt(lowest)) / exact.frequency,
    )


def theory(size, modulus=1e5, density=1000.0, poisson=0.25, **_):
    """Stretch [m] and sag [m] of a beam by its weight, with shear, and its first frequency [rad/s], without.

    Timoshenko's sag, with Cowper's coefficient of shear for a rectangle; Cowper 1966.
    """
    length, width, height = size
    weight, second = density * G * width * height, width * height**3 / 12.0
    shear = modulus / (2.0 * (1.0 + poisson)) * 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)
    sag = weight * length**4 / (8.0 * modulus * second) + weight * length**2 / (2.0 * shear * width * height)
    least = min(second, height * width**3 / 12.0)
    frequency = _ROOT**2 * np.sqrt(modulus * least / (density * width * height * length**4))
    return Ratios(density * G * length**2 / (2.0 * modulus), sag, frequency)
