# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth fields on a surface: the lowest modes of its Laplacian."""

from typing import NamedTuple

import numpy as np

from ..bisection import halved
from ..directions import lengths
from ..solvers.linear import factorise
from ..surface import pieces_of_surface

# Fields that are tried, and modes that are kept of them at most: of flags, waves down to a fifth of the length. With
# twice as many the critical speed of a flag moves by less than 3 % (docs/air.md).
_TRIED, _KEPT = 48, 16

# Wave number that a piece of surface has at least, over its rim's length per area: with it the added mass of a strip,
# a square and a disc that move as a whole is within 9 % of the exact one (Brennen 1982, "A Review of Added Mass").
_RIM = 1.2

# Share of a mode's value that slopes have where rounding alone makes them.
_EVEN = 1e-8


class SurfaceModes(NamedTuple):
    """Fields of the lowest waves on a surface at rest, orthonormal over its area.

    fields: at the vertices, shape (mode_count, vertex_count); wave_numbers: of each [1/m], with what a piece as small
    as its own has at least; areas: of every vertex [m^2]; even: mask of those that are the same all over a piece.
    """

    fields: np.ndarray
    wave_numbers: np.ndarray
    areas: np.ndarray
    even: np.ndarray


def surface_modes(points, triangles):
    """SurfaceModes of triangles at rest: the fields of least sum of |grad|^2 + kappa^2 over the area.

    kappa is what a piece has for its size. No column is solved for but of a few dozen smooth fields, so that it costs
    no more than their solves, and no library's threads change its bits. Needs SciPy.

    points: [m], shape (n, 3); triangles: vertex indices, shape (count, 3).

    Pinkall and Polthier 1993, eq. 9, for the cotangents; Bathe and Wilson 1972 for subspace iteration.
    """
    from scipy import sparse

    count = len(points)
    areas, laplacian = _areas_and_laplacian(points, triangles)
    kappas, parts = _least_wave_numbers(points, triangles)
    diagonal = np.where(areas > 0.0, kappas**2 * areas, 1.0)
    matrix = (laplacian + sparse.diags(diagonal)).tocsc()
    groups = _groups(points, parts, areas)
    fields = np.zeros((count, len(groups)))
    for column, group in enumerate(groups):
        fields[group, column] = 1.0
    factor = factorise(matrix, definite=True)
    for _ in range(2):
        fields = factor.solve(np.ascontiguousarray(areas[:, None] * fields))
        fields /= np.sqrt(np.einsum("ni,n,ni->i", fields, areas, fields))
    resisted, weighed = matrix @ fields, areas[:, None] * fields
    values, vectors = _ritz(_products(fields, resisted), _products(fields, weighed))
    kept = min(_KEPT, len(values))
    fields = np.einsum("ni,im->mn", fields, vectors[:, :kept])
    slopes = np.einsum("mn,nm->m", fields, laplacian @ fields.T)
    return SurfaceModes(
        np.ascontiguousarray(fields), np.sqrt(values[:kept]), areas, slopes < _EVEN * values[:kept]
    )


def _areas_and_laplacian(points, triangles):
    """A third of the triangles about every vertex [m^2], and the matrix of the sum of |grad f|^2."""
    from scipy import sparse

    corners = [points[column] for column in triangles.T]
    doubled = lengths(np.cross(corners[1] - corners[0], corners[2] - corners[0]))
    whole = doubled > 0.0
    triangles, doubled = triangles[whole], doubled[whole]
    corners = [corner[whole] for corner in corners]
    count = len(points)
    areas = np.bincount(triangles.ravel(), np.repeat(doubled / 6.0, 3), count)
    rows, columns, values = [], [], []
    for k in range(3):
        to_next, to_last = (corners[(k + step) % 3] - corners[k] for step in (1, 2))
        weight = 0.5 * np.einsum("ij,ij->i", to_next, to_last) / doubled
        i, j = triangles[:, (k + 1) % 3], triangles[:, (k + 2) % 3]
        rows += [i, j, i, j]
        columns += [j, i, i, j]
        values += [-weight, -weight, weight, weight]
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return areas, sparse.csr_matrix(entries, shape=(count, count))


def _least_wave_numbers(points, triangles):
    """Of every vertex that of its piece of surface [1/m], and the number of its piece."""
    parts, area, around = pieces_of_surface(points, triangles)
    # A surface without area, such as a rope, has no field.
    area = np.where(area > 0.0, area, np.inf)
    # A surface without a rim counts as a sphere of its area.
    return np.maximum(_RIM * around / area, np.sqrt(4.0 * np.pi / area))[parts], parts


def _groups(points, parts, areas):
    """Vertices of one piece each that lie together, as index arrays: of many small pieces the largest."""
    covered = np.flatnonzero(areas > 0.0)
    order = covered[np.argsort(parts[covered], kind="stable")]
    pieces = np.split(order, np.flatnonzero(np.diff(parts[order])) + 1)
    size = -(-2 * len(covered) // _TRIED)
    groups = [group for piece in pieces if len(piece) for group in halved(points, piece, max(size, 1))]
    largest = np.argsort([-areas[group].sum() for group in groups], kind="stable")
    return [groups[number] for number in np.sort(largest[:_TRIED])]


def _products(one, other):
    # Not by BLAS, which sums in another order on another number of threads.
    return np.einsum("ni,nj->ij", one, other)


def _ritz(stiffness, mass):
    """Values and vectors, by size, of stiffness v = value mass v; what the fields have twice is left out."""
    scales, turned = np.linalg.eigh(0.5 * (mass + mass.T))
    distinct = scales > 1e-10 * scales.max(initial=0.0)
    turned = turned[:, distinct] / np.sqrt(scales[distinct])
    projected = turned.T @ stiffness @ turned
    values, vectors = np.linalg.eigh(0.5 * (projected + projected.T))
    return values, turned @ vectors
