# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that canopies catch: of one pressure all over their inside."""

from typing import Any, NamedTuple

import numpy as np

from ..axes import cross, dot
from ..listed import distinct_rows
from ..topology import connected_parts

_SMALLEST = 1e-300

# Depth of a canopy, its volume over its mouth's area^(3/2), below which it is a sheet, and from which on air stands in
# it. Half a ball has 0.38; a square sheet that bulges by a fifth of its side 0.13.
_SHEET, _CANOPY = 0.15, 0.3

# Drag of half a ball whose inside meets the flow, over that of a plate: 1.42 over 1.17.
CUPPED = 1.21


class Caught(NamedTuple):
    """The flow into a canopy at a moment.

    areas: what a pressure pushes each vertex along with, shape (3, n) [m^2]; mouth: area of the mouth [m^2]; flux:
    through the surface, over that [m/s]; share: of its drag that is caught, 0 to 1.
    """

    areas: np.ndarray
    mouth: float
    flux: float
    share: float


class Canopy:
    """A piece of surface with one rim, its mouth, that is deep at rest, as a parachute or a bag.

    For itself each triangle would meet the air by the cosine of its angle, and nothing would hold a canopy open. Air
    that stands in it has one pressure, C rho/2 |q| q, q the flux through the surface over the mouth's area: of a canopy
    that falls by U that is U, and what opens lets air in. So its drag is C times the mouth's area, with CUPPED times
    the C of a plate.

    triangles: shape (count, 3); rim: indices of its vertices; chosen: mask of the body's triangles.

    Matthews 2002, "Aeronautical Engineer's Data Book", figure 5.13, for the drag of hollow half balls and plates.
    """

    def __init__(self, triangles, rim, chosen):
        self.rim, self.chosen = rim, chosen
        self._triangles = [np.ascontiguousarray(column) for column in triangles.T]

    def depth(self, x):
        """How deep it is at positions x [m], shape (3, n), towards the side that normals point to."""
        areas, corner = self._areas(x)
        mouth = areas.sum(axis=1)
        middle = x.take(self.rim, axis=1).mean(axis=1)[:, None]
        return (
            float(dot(corner - middle, areas).sum() / 3.0) / (np.sqrt(dot(mouth, mouth)) + _SMALLEST) ** 1.5
        )

    def caught(self, x, u):
        """The flow into it at positions x [m] with velocities against the air u [m/s], both of shape (3, n)."""
        areas, _ = self._areas(x)
        mouth = areas.sum(axis=1)
        size = float(np.sqrt(dot(mouth, mouth))) + _SMALLEST
        at_vertices = np.zeros_like(x)
        for column in self._triangles:
            for row, of_axis in zip(at_vertices, areas, strict=True):
                row += np.bincount(column, of_axis / 3.0, x.shape[1])
        flux, depth = float(np.einsum("ij,ij->", at_vertices, u)) / size, self.depth(x)
        share = min(max((abs(depth) - _SHEET) / (_CANOPY - _SHEET), 0.0), 1.0) if depth * flux < 0.0 else 0.0
        return Caught(at_vertices, size, flux, share)

    def _areas(self, x):
        """Vector areas of the triangles [m^2], and where one corner of each is."""
        a, b, c = (x.take(column, axis=1) for column in self._triangles)
        return 0.5 * cross(b - a, c - a), a


def canopies(points, triangles):
    """The Canopies among pieces of surface, a list. points: at rest [m], shape (n, 3)."""
    parts, rims = _rims(triangles, len(points))
    x, found = np.ascontiguousarray(points.T), []
    for part, rim in rims.items():
        chosen = parts[triangles[:, 0]] == part
        canopy = Canopy(triangles[chosen], rim, chosen)
        if abs(canopy.depth(x)) > _CANOPY:
            found.append(canopy)
    return found


def _rims(triangles, vertex_count):
    """The part of every vertex, and of the parts with one rim its vertices, by part."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    sides, times = distinct_rows(sides, return_counts=True)
    parts, rim = connected_parts(sides, vertex_count), sides[times == 1]
    loops, on_rim = connected_parts(rim, vertex_count), np.unique(rim)
    rims: dict[int, Any] = {}
    for loop in np.unique(loops[on_rim]):
        vertices = on_rim[loops[on_rim] == loop]
        part = int(parts[vertices[0]])
        rims[part] = None if part in rims else vertices
    return parts, {part: vertices for part, vertices in rims.items() if vertices is not None}
