# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat sheets of faces with many corners, as knives, bevels, Booleans and Decimate leave them."""

import numpy as np

KINDS = ("quads", "triangles", "hexagons", "cut hexagons", "wide faces", "wide faces across", "bricks")


def sheet(columns, rows, kind):
    """Points [m], shape (n, 3), and faces of a sheet in x and y of some cells of a metre."""
    rings = _RINGS[kind](columns, rows)
    places, faces = {}, []
    for ring in rings:
        faces.append([places.setdefault((round(x, 6), round(y, 6)), len(places)) for x, y in ring])
    return np.array([(x, y, 0.0) for x, y in places]), faces


def _quads(columns, rows):
    return [[(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)] for i in range(columns) for j in range(rows)]


def _triangles(columns, rows):
    return [[a, b, c] for ring in _quads(columns, rows) for a, b, c in (ring[:3], [ring[0], *ring[2:]])]


def _hexagons(columns, rows):
    around = np.arange(6) * np.pi / 3.0
    middles = [(1.5 * i, np.sqrt(3.0) * (j + 0.5 * (i % 2))) for i in range(columns) for j in range(rows)]
    return [list(zip(x + np.cos(around), y + np.sin(around), strict=True)) for x, y in middles]


def _cut_hexagons(columns, rows):
    return [[ring[0], ring[k], ring[k + 1]] for ring in _hexagons(columns, rows) for k in range(1, 5)]


def _row(first, last, j):
    """Corners round a row of cells, those between them too."""
    return [(i, j) for i in range(first, last + 1)] + [(i, j + 1) for i in range(last, first - 1, -1)]


def _wide(columns, rows):
    return [_row(0, columns, j) for j in range(rows)]


def _wide_across(columns, rows):
    return [[(y, x) for x, y in ring][::-1] for ring in _wide(rows, columns)]


def _bricks(columns, rows):
    starts = [(i, j) for j in range(rows) for i in range(-(j % 2), columns, 2)]
    return [_row(max(i, 0), min(i + 2, columns), j) for i, j in starts]


_RINGS = dict(
    zip(KINDS, (_quads, _triangles, _hexagons, _cut_hexagons, _wide, _wide_across, _bricks), strict=True)
)
