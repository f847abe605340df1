# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs of polygons: together an isotropic membrane of Poisson's ratio 1/3.

Under a uniform strain a linear element of such a membrane pulls at its corner i by C : strain N_i, N_i half of the
outward normals of the two sides beside it, each as long as its side. Springs between corners pull alike if

    sum over j of k_ij l_ij t_ij t_ij t_ij = C N_i,   C = 3/8 E (1 1 + 1 1 + 1 1), t_ij the unit vector from i to j,

at every corner; so meshes of such faces pass the patch test, and none of them gives way by zigzags. The stiffnesses
k >= 0 of sides and diagonals are those of least squares, and such that a dilation has exactly its energy. A diagonal
counts that lies inside and has no other corner near its middle: so there are springs across what is long, and none
along its lines of corners.

Lloyd, Szekely and Harders 2007, "Identification of spring parameters for deformable object simulation", for springs
fitted to elements; Portugal, Judice and Vicente 1994, "A comparison of block pivoting and interior-point algorithms for
linear least squares problems with nonnegative variables".
"""

from typing import NamedTuple

import numpy as np

from .polygons import cross, divided, in_plane, inside

# Share of half of a diagonal's length within which another corner makes it one along a line: below 0.45 diagonals over
# two squares of a row would count, above 0.57 the short ones of a hexagon would not.
_MIDDLE = 0.5
# Diagonals of a corner, the shortest ones: all that an octagon's corner has.
_DIAGONALS = 6
# Weight of small stiffnesses beside the fit, which makes it unique where several would do.
_EVEN = 1e-6
_ROUNDS = 30


class PolygonSprings(NamedTuple):
    """pairs: vertices of springs, shape (count, 2), as often as polygons have them; factors: stiffness over the
    membrane's force per width and strain; sides: mask of those along sides; polygon: the one of each."""

    pairs: np.ndarray
    factors: np.ndarray
    sides: np.ndarray
    polygon: np.ndarray


def polygon_springs(points, polygons):
    """PolygonSprings of Polygons, points [m] of shape (vertex_count, 3)."""
    polygons, numbers = divided(points, polygons)
    starts, found = np.cumsum(polygons.sizes) - polygons.sizes, []
    for size in np.unique(polygons.sizes):
        of = np.flatnonzero(polygons.sizes == size)
        rings = polygons.corners[starts[of][:, None] + np.arange(size)]
        one, other = np.triu_indices(size, 1)
        sides = (other - one == 1) | (other - one == size - 1)
        # A few at a time: each has a matrix of its corners and diagonals.
        for chunk in np.array_split(np.arange(len(of)), 1 + len(of) * size**3 // 1_000_000):
            row, pair, factors = _fitted(in_plane(points[rings[chunk]]), one, other, sides)
            pairs = np.column_stack([rings[chunk][row, one[pair]], rings[chunk][row, other[pair]]])
            found.append((pairs, factors, sides[pair], numbers[of[chunk]][row]))
    if not found:
        return PolygonSprings(np.empty((0, 2), np.intp), np.empty(0), np.empty(0, bool), np.empty(0, np.intp))
    return PolygonSprings(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _counting(q, one, other, sides):
    """Mask of the sides, and of the diagonals that count, shape (count, pairs)."""
    count, size = q.shape[:2]
    lengths = np.linalg.norm(q[:, one] - q[:, other], axis=2)
    middles = 0.5 * (q[:, one] + q[:, other])
    away = np.linalg.norm(q[:, None] - middles[:, :, None], axis=3)
    # The ends themselves are half of the length away.
    free = away.min(axis=2) > _MIDDLE * 0.5 * lengths * (1.0 - 1e-6)
    counts = free & ~sides & (lengths > 0.0) & inside(q, one, other)
    if size - 3 > _DIAGONALS:
        square = np.full((count, size, size), np.inf)
        square[:, one, other] = square[:, other, one] = np.where(counts, lengths, np.inf)
        farthest = np.sort(square, axis=2)[:, :, _DIAGONALS - 1] * (1.0 + 1e-6)
        counts &= lengths <= np.maximum(farthest[:, one], farthest[:, other])
    return counts | (sides & (lengths > 0.0))


def _fitted(q, one, other, sides):
    """Springs of rings of corners, q of shape (count, n, 2): rows, numbers of pairs, and factors of stiffness."""
    size = np.sqrt(np.maximum((q**2).sum(axis=2).mean(axis=1), np.finfo(float).tiny))
    q = q / size[:, None, None]
    counts = _counting(q, one, other, sides)
    # Those that count first, as many columns as any ring has.
    chosen = np.argsort(~counts, axis=1, kind="stable")[:, : counts.sum(axis=1).max(initial=0)]
    counts = np.take_along_axis(counts, chosen, axis=1)
    row = np.arange(len(q))[:, None]
    ways = q[row, other[chosen]] - q[row, one[chosen]]
    lengths = np.where(counts, np.linalg.norm(ways, axis=2), 1.0)
    matrix, pulls, areas = _equations(q, one[chosen], other[chosen], ways / lengths[:, :, None])
    matrix *= counts[:, None]
    square = np.einsum("fei,fej->fij", matrix, matrix) + _EVEN * np.eye(chosen.shape[1])
    forces = _least_squares(square, np.einsum("fei,fe->fi", matrix, pulls))
    forces = np.where(counts, forces, 0.0)
    dilated = (forces * lengths).sum(axis=1)
    forces *= np.divide(3.0 * areas, dilated, out=np.zeros_like(dilated), where=dilated > 0.0)[:, None]
    rows, columns = np.nonzero(counts)
    return rows, chosen[rows, columns], (forces / lengths)[rows, columns]


def _equations(q, one, other, t):
    """Matrix (count, 4 n, pairs) of the forces at corners by springs of k l = 1, what they should be, and areas.

    Of symmetric tensors of three indices in the plane the four components, by how often each is there.
    """
    count, size = q.shape[:2]
    often = np.sqrt([1.0, 3.0, 3.0, 1.0])
    x, y = t[..., 0], t[..., 1]
    pull = often * np.stack([x**3, x**2 * y, x * y**2, y**3], axis=-1)
    matrix = np.zeros((count, size, 4, one.shape[1]))
    row, column = np.arange(count)[:, None], np.arange(one.shape[1])
    matrix[row, one, :, column] = -pull
    matrix[row, other, :, column] = pull
    along = 0.5 * (np.roll(q, -1, axis=1) - np.roll(q, 1, axis=1))
    across = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    shares = often * [3.0, 1.0, 1.0, 3.0] * across[..., [0, 1, 0, 1]]
    areas = 0.5 * cross(q, np.roll(q, -1, axis=1)).sum(axis=1)
    return matrix.reshape(count, 4 * size, -1), 0.375 * shares.reshape(count, -1), np.abs(areas)


def _least_squares(square, right):
    """Solutions y >= 0 of several systems of normal equations, shape (count, unknowns): block principal pivoting."""
    free, identity = np.ones(right.shape, dtype=bool), np.eye(right.shape[1])
    solution = np.zeros_like(right)
    for number in range(_ROUNDS):
        both = free[:, :, None] & free[:, None, :]
        system = np.where(both, square, identity)
        solution = np.linalg.solve(system, np.where(free, right, 0.0)[:, :, None])[:, :, 0]
        slope = np.einsum("fij,fj->fi", square, solution) - right
        negative, wanted = free & (solution < 0.0), ~free & (slope < -1e-9)
        if not (negative | wanted).any():
            break
        # Exchanging all at once may go round in circles; leaving out alone comes to an end.
        free &= ~negative
        if number < _ROUNDS // 2:
            free |= wanted
    return np.maximum(solution, 0.0)
