# SPDX-License-Identifier: GPL-3.0-or-later
"""The textile trade's drape test: a disc of cloth held between two smaller ones, and what its shadow covers."""

from typing import NamedTuple

import numpy as np

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS

from .drape_meshes import disc

# BS 5058, Cusick 1965, "The dependence of fabric drape on bending and shear stiffness".
RADIUS, TABLE = 0.15, 0.09
FPS, SECONDS = 24, 6
# No cloth is quite flat: height of what it begins with [m]. It decides where folds come.
_UNEVEN = 1e-4
# Air that takes the same share of all weights: cotton's default, three times.
_AIR = 0.3 / 0.136
_RESOLUTION = 1e-3
# Terms of a border's radius that are folds and no wrinkles.
_FOLDS = 12


class Drape(NamedTuple):
    """A draped disc: positions [m], its Polygons, and the vertices of its border in their order around it."""

    x: np.ndarray
    polygons: object
    border: np.ndarray

    @property
    def coefficient(self):
        """Share of the ring around the table that the shadow from above covers."""
        covered = shadow(self.x, self.polygons.triangles()) - np.pi * TABLE**2
        return covered / (np.pi * (RADIUS**2 - TABLE**2))

    @property
    def nodes(self):
        """Number of folds: how often the border is farthest out."""
        x, y = self.x[self.border, :2].T
        angle = np.arctan2(y, x)
        order = np.argsort(angle)
        around = np.linspace(-np.pi, np.pi, 360, endpoint=False)
        radius = np.interp(around, angle[order], np.hypot(x, y)[order], period=2.0 * np.pi)
        terms = np.fft.rfft(radius)
        terms[_FOLDS + 1 :] = 0.0
        smooth = np.fft.irfft(terms, len(around))
        return int(((smooth > np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1))).sum())


def draped(material, spacing, kind, effort="STANDARD", seed=0, seconds=SECONDS):
    """The Drape of a Material at rest, by the simulation; kind: see `disc`; seed: of how it is uneven at first."""
    points, polygons = disc(RADIUS, TABLE, spacing, kind)
    r = np.linalg.norm(points, axis=1)
    held = r <= TABLE + 1e-9
    network = SpringNetwork.from_mesh(points, faces=polygons, material=material, pins=held)
    air = Settling(_AIR * material.area_density)
    simulation = Simulation(network, dt=1.0 / FPS, forces=air, **EFFORTS[effort].settings)
    x = points.copy()
    x[~held, 2] += _UNEVEN * np.random.default_rng(seed).normal(size=np.count_nonzero(~held))
    simulation.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(seconds * FPS):
        simulation.step()
    return Drape(simulation.state.x, polygons, np.flatnonzero(r > RADIUS - 1e-9))


def shadow(x, triangles):
    """Area [m^2] that triangles cover, seen from above, by squares of a millimetre."""
    low = x[:, :2].min(axis=0) - _RESOLUTION
    count = np.ceil((x[:, :2].max(axis=0) - low) / _RESOLUTION).astype(int) + 2
    covered = np.zeros(count, dtype=bool)
    corners = x[triangles][:, :, :2]
    first = ((corners.min(axis=1) - low) / _RESOLUTION).astype(int)
    reach = ((corners.max(axis=1) - low) / _RESOLUTION).astype(int) + 1 - first
    squares = np.stack(np.meshgrid(*map(np.arange, reach.max(axis=0) + 1), indexing="ij"), axis=-1).reshape(
        -1, 2
    )
    # Some at once, so that what is computed of them stays small.
    for some in np.array_split(np.arange(len(triangles)), max(1, len(triangles) // 400)):
        at = np.minimum(first[some, None] + squares, count - 1)
        middle = low + (at + 0.5) * _RESOLUTION
        sides = [_left_of(corners[some, k, None], corners[some, (k + 1) % 3, None], middle) for k in range(3)]
        inside = np.logical_and.reduce([side >= 0.0 for side in sides])
        inside |= np.logical_and.reduce([side <= 0.0 for side in sides])
        covered[tuple(at[inside].T)] = True
    return covered.sum() * _RESOLUTION**2


def _left_of(a, b, points):
    """Twice the area of triangles a, b, point: above zero where the point is to the left of the way from a to b."""
    along, away = b - a, points - a
    return along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
