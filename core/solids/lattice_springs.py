# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs of a lattice of box cells that bear every uniform strain as an isotropic solid does."""

from itertools import product

import numpy as np

# Stiffness of a body diagonal over that of a face diagonal of a cube: measured, it twists as the solid does from two
# cells across on (test_solid_beam.py).
_BODY = 0.75
# Share of a whole spring below which there is none: what is left of sums that cancel.
_LEAST = 1e-6


def lattice_springs(cells, modulus):
    """Pairs of nodes, shape (count, 2), and their stiffness [N/m], of nodes numbered as a grid of `cells.share` + 1.

    On a cubic lattice of spacing h with springs k1 along edges, k2 along face diagonals and k3 along body diagonals a
    solid of Young's modulus E and Poisson's ratio 1/4 (Cauchy's) has k1 = k2 + 8/3 k3 and k2 + 4/3 k3 = 0.4 E h; on
    boxes the same six moments decide. A cell gives its edges a quarter of it, its face diagonals a half and its
    body diagonals all, by where its filling is; and where there are cells on, what lies beyond its middle goes to
    the next node (Gregory's end corrections of the trapezoidal rule): so bending is as stiff as it should be with few
    cells across, where a quarter each would be by 2/n^2 of its edges too stiff with n.
    """
    edges, faces, bodies = _stiffness(cells.spacing, modulus)
    nodes = np.arange(np.prod(np.add(cells.share.shape, 1))).reshape(np.add(cells.share.shape, 1))
    share, centre = cells.share, cells.centre
    pairs, stiffness = [], []

    def add(weights, one, other, k):
        ends = [
            nodes[tuple(slice(o, o + n) for o, n in zip(at, weights.shape, strict=True))]
            for at in (one, other)
        ]
        kept = weights > _LEAST
        pairs.append(np.column_stack([end[kept] for end in ends]))
        stiffness.append(k * weights[kept])

    for axis in range(3):
        first, second = (other for other in range(3) if other != axis)
        weights = _to_nodes(share, centre, first, second)
        along = np.eye(3, dtype=int)[axis]
        add(weights, np.zeros(3, int), along, edges[axis])
        weights = _joined(_halves(share, centre[..., axis]), axis)
        for up in (0, 1):
            one, other = np.zeros(3, int), np.zeros(3, int)
            other[first], one[second], other[second] = 1, up, 1 - up
            add(weights, one, other, faces[axis])
    for up, out in product((0, 1), repeat=2):
        add(share, np.array([0, up, out]), np.array([1, 1 - up, 1 - out]), bodies)
    return np.concatenate(pairs), np.concatenate(stiffness)


def lattice_masses(cells, density):
    """Masses of the nodes [kg], numbered as by `lattice_springs`, by the centres of cells' fillings."""
    total = np.zeros(np.add(cells.share.shape, 1))
    for corner in product((0, 1), repeat=3):
        weights = cells.share.copy()
        for axis, up in enumerate(corner):
            weights *= cells.centre[..., axis] if up else 1.0 - cells.centre[..., axis]
        total[tuple(slice(up, up + n) for up, n in zip(corner, weights.shape, strict=True))] += weights
    return total.ravel() * (density * cells.volume / cells.share.sum())


def _stiffness(spacing, modulus):
    """Stiffness [N/m] of edges along the axes, of face diagonals across them, and of body diagonals.

    The sum of k L^2 n n n n over the springs of a cell is E V (0.4 of ii jj, 1.2 of ii ii).
    """
    square, volume = spacing**2, spacing.prod()
    whole = square.sum()
    bodies = _BODY * 0.4 * modulus * np.cbrt(volume) / (1.0 + 4.0 / 3.0 * _BODY)
    faces, along = np.empty(3), 1.2 * modulus * volume / square - 4.0 * bodies * square / whole
    for axis in range(3):
        first, second = (other for other in range(3) if other != axis)
        beside = square[first] + square[second]
        wanted = 0.4 * modulus * volume / (square[first] * square[second]) - 4.0 * bodies / whole
        faces[axis] = max(0.5 * wanted * beside, 0.0)
        for own in (first, second):
            along[own] -= 2.0 * faces[axis] * square[own] / beside
    return np.maximum(along, 0.0), faces, bodies


def _halves(share, centre):
    """Shares of every cell for its lower and its upper node along an axis."""
    upper = share * centre
    return share - upper, upper


def _joined(halves, axis):
    """Sums at nodes along an axis of the cells' lower and upper halves, corrected towards the ends."""
    lower, upper = halves
    lower, upper = (np.moveaxis(half, axis, 0) for half in (lower, upper))
    out = np.zeros((len(lower) + 1, *lower.shape[1:]))
    out[:-1] += lower
    out[1:] += upper
    share = lower + upper
    both = np.minimum(share[:-1], share[1:])
    inner = both > 0.0
    none = np.zeros((1, *inner.shape[1:]), dtype=bool)
    # A cell with neighbours on both sides leans on each by half.
    sides = np.concatenate([none, inner]) & np.concatenate([inner, none])
    leaning = np.where(sides, 0.5, 1.0)
    moved = (leaning[:-1] + leaning[1:]) * both / 12.0
    out[1:-1] += 2.0 * moved
    out[:-2] -= moved
    out[2:] -= moved
    return np.moveaxis(np.maximum(out, 0.0), 0, axis)


def _to_nodes(share, centre, first, second):
    """Sums at nodes along two axes of what cells have, by the centre of their filling along both."""
    lower, upper = (_halves(half, centre[..., second]) for half in _halves(share, centre[..., first]))
    return _joined([_joined(halves, first) for halves in zip(lower, upper, strict=True)], second)
