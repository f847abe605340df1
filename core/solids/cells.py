# SPDX-License-Identifier: GPL-3.0-or-later
"""Box cells that fill a surface, of which those that it cuts are filled in part."""

from dataclasses import dataclass, replace

import numpy as np

from ..topology import connected_parts
from .frame import frame_of
from .sampling import within

# Samples along each side of a cell.
_SAMPLES = 4
# Cells across the thinnest part, up to as many cells in all as are allowed: with two of them the sag of a beam is
# within 5 %, with four within 2 % (`tests/core/test_solid_beam.py`), and folds and dents are seen from four on.
_ACROSS = 5.0
# Least share that a cell with any skin counts as filled by: less would be springs that give way to a touch.
_LEAST = 0.3
# Share of its area by which a surface may lack a side, as a cup or a box without its lid does; a sheet is all open.
_OPEN = 0.25
# Volume over area and size below which there is nothing to fill.
_FLAT = 1e-6
# Share of the whole below which what is apart from it is dust of the sampling.
_DUST = 0.02


@dataclass(frozen=True)
class Cells:
    """A box lattice of cells, of which some are filled.

    frame: its axes, rows of a rotation; low: its first corner along them [m]; spacing: of its nodes along them [m];
    share: filled share of every cell, shape (nx, ny, nz); centre: of what fills it, in parts of the cell, shape
    (nx, ny, nz, 3); volume: of what is filled [m^3].
    """

    frame: np.ndarray
    low: np.ndarray
    spacing: np.ndarray
    share: np.ndarray
    centre: np.ndarray
    volume: float

    @property
    def filled(self):
        """Indices of the filled cells, shape (count, 3)."""
        return np.argwhere(self.share > 0.0)

    @property
    def size(self):
        """Side of a cube as large as a cell [m]."""
        return float(np.cbrt(self.spacing.prod()))

    def along(self, points):
        """Points [m] in the lattice's own units: node (i, j, k) is at i, j, k."""
        return (points @ self.frame.T - self.low) / self.spacing

    def points(self, places):
        """The inverse of `along`: points [m]."""
        return (places * self.spacing + self.low) @ self.frame

    def holding(self, points, inward):
        """Cells that points of the surface [m] lie in besides, without dust; inward: unit vectors into the solid."""
        share = np.where(self.share > 0.0, np.maximum(self.share, _LEAST), 0.0)
        at = self.at(points, inward)
        share[tuple(at.T)] = np.maximum(share[tuple(at.T)], _LEAST)
        filled, nodes = np.argwhere(share > 0.0), np.add(share.shape, 1)
        corners = [np.ravel_multi_index(tuple((filled + offset).T), nodes) for offset in np.ndindex(2, 2, 2)]
        links = np.column_stack([np.tile(corners[0], 7), np.concatenate(corners[1:])])
        part = connected_parts(links, int(nodes.prod()))[corners[0]]
        of_part = np.bincount(part, share[tuple(filled.T)])
        share[tuple(filled[of_part[part] < _DUST * of_part.sum()].T)] = 0.0
        return replace(self, share=share)

    def hold(self, points):
        """Mask of the points [m] that lie in cells with anything in them."""
        places = np.floor(self.along(points)).astype(np.intp)
        within = ((places >= 0) & (places < self.share.shape)).all(axis=1)
        places = np.clip(places, 0, np.array(self.share.shape) - 1)
        return within & (self.share[tuple(places.T)] > 0.0)

    def at(self, points, inward):
        """Indices of the cells that points on the surface [m] lie in, a little way in, shape (count, 3)."""
        places = self.along(points + 1e-3 * self.size * inward)
        return np.clip(np.floor(places).astype(np.intp), 0, np.array(self.share.shape) - 1)


def cells_within(points, triangles, outward, most):
    """Cells that fill a surface, or None where it has no inside.

    The lattice lies along the surface's normals, as far as they have directions, and ends with its box: nothing of a
    box is cut, however it is turned. Its spacing comes from the shape alone, whatever the mesh.

    points [m]; triangles: shape (count, 3); outward: 1 of those whose normals point out and -1 of the others;
    most: number of cells in all.
    """
    corners = points[triangles]
    frame = frame_of(corners)
    placed = points[np.unique(triangles)] @ frame.T
    low, size = placed.min(axis=0), np.ptp(placed, axis=0)
    count = _counts(corners, outward, size, most)
    if count is None:
        return None
    spacing = size / count
    fine = (corners @ frame.T - low) / spacing * _SAMPLES
    inside = within(fine, tuple(_SAMPLES * count), outward)
    blocks = inside.reshape(count[0], _SAMPLES, count[1], _SAMPLES, count[2], _SAMPLES)
    share = blocks.mean(axis=(1, 3, 5))
    volume = float(share.sum() * spacing.prod())
    if volume <= 0.0:
        return None
    return Cells(frame, low, spacing, share, _centres(blocks, share), volume)


def _counts(corners, outward, size, most):
    """Cells along the three axes, or None for what is open or flat."""
    normals = 0.5 * outward[:, None] * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    middles = corners.mean(axis=1)
    volume = float(np.einsum("ij,ij->", normals, middles - middles.mean(axis=0))) / 3.0
    area = float(np.linalg.norm(normals, axis=1).sum())
    if np.linalg.norm(normals.sum(axis=0)) > _OPEN * area or not volume > _FLAT * area * size.max():
        return None
    # Of a slab 2 V / A is its thickness, of a cube a third.
    thin = min(size.min(), 6.0 * volume / area)
    spacing = max(thin / _ACROSS, np.cbrt(volume / most))
    # Empty cells cost samples only, but those of a thin ring could be a thousand times the filled ones.
    spacing = max(spacing, np.cbrt(size.prod() / (50.0 * most)))
    return np.maximum(np.rint(size / spacing), 1).astype(np.intp)


def _centres(blocks, share):
    at = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    filled = np.maximum(share, 1e-300)
    axes = [
        np.einsum("iajbkc,abc->ijk", blocks.astype(float), along) / _SAMPLES**3 / filled
        for along in np.meshgrid(at, at, at, indexing="ij")
    ]
    return np.where((share > 0.0)[..., None], np.stack(axes, axis=-1), 0.5)
