# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as arrays, and measures of it before simulation; units are metres in world space."""

from typing import NamedTuple

import numpy as np

from ...core.listed import distinct_rows
from ...core.topology import Polygons, connected_parts
from .. import mesh_io

# Vertices nearer to each other than this share of the object's width lie on each other: what float32 rounds off.
COINCIDING = 1e-6


class Shape(NamedTuple):
    """A mesh as arrays: points in world space, edges, polygons, and weights of the pins."""

    points: np.ndarray
    edges: np.ndarray
    polygons: Polygons
    pins: np.ndarray

    @property
    def width(self):
        """Of the box around it, along its longest side [m]."""
        return float(np.ptp(self.points, axis=0).max(initial=0.0))


class Flaw(NamedTuple):
    """A sentence, the ids of the remedies that may help, its icon, and the numbers of the vertices it is about."""

    text: str
    remedies: tuple[str, ...] = ()
    icon: str = "ERROR"
    vertices: np.ndarray = np.empty(0, dtype=int)


def shape_of(obj):
    """The Shape of an object's mesh."""
    mesh = obj.data
    return Shape(
        mesh_io.to_world(np.array(obj.matrix_world), mesh_io.read_positions(mesh)),
        mesh_io.read_edges(mesh),
        mesh_io.read_polygons(mesh),
        mesh_io.read_weights(obj, obj.hooke.pin_group),
    )


def doubled(shape):
    """Numbers of vertices that lie on others of other parts, or of another border of the same part, ascending."""
    low = shape.points.min(axis=0, initial=0.0)
    cells = np.round((shape.points - low) / max(COINCIDING * shape.width, 1e-300))
    _, place, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    parts = connected_parts(shape.edges, len(shape.points))
    # Of those at one place the lowest and the highest part: the same where edges join them.
    lowest, highest = np.full(len(count), len(parts)), np.full(len(count), -1)
    np.minimum.at(lowest, place, parts)
    np.maximum.at(highest, place, parts)
    edging = np.zeros(len(place), dtype=int)
    edging[borders(shape.polygons.sides())] = 1
    # Vertices joined by an edge of no length, such as a closed seam, are no doubles.
    joined = place[shape.edges[(place[shape.edges][:, 0] == place[shape.edges][:, 1])].ravel()]
    bordering = np.bincount(place, edging, len(count)) > 1
    bordering[joined] = False
    return np.flatnonzero((lowest < highest)[place] | (bordering[place] & (edging > 0)))


def borders(sides):
    """Vertices of sides of one face only, ascending; sides: shape (side_count, 2)."""
    sides, count = distinct_rows(np.sort(sides, axis=1), return_counts=True)
    return np.unique(sides[count == 1])


def needs_inside(settings):
    """Label of the setting for which a mesh must be closed, or ""."""
    if settings.measure == "AREA" and settings.fill_stiffness > 0.0:
        return "Filling"
    return "Pressure" if settings.pressure else "Keep Volume" if settings.keep_volume else ""


def thickness(shape):
    """Mean thickness [m] of a closed mesh that is flat: twice the volume over the area, 0 without faces."""
    area = float(shape.polygons.areas(shape.points).sum())
    return 2.0 * abs(volume(shape)) / area if area > 0.0 else 0.0


def volume(shape):
    """Volume [m³] that closed faces hold, below 0 where they point inwards."""
    corners = shape.points[shape.polygons.triangles()]
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0)
