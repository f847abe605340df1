# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faces are taken as one polygon where springs are fitted to them."""

from typing import NamedTuple

import numpy as np

from .listed import distinct_rows
from .topology import Polygons, connected_parts, sides_of_edges

# Cosine of a corner from which on a triangle is blunt: with Van Gelder's springs strips of hexagons that are cut into
# triangles of 120 degrees hang 0.8 to 2.7 times as long as they should, those of Delaunay's random triangles 1.0.
_BLUNT = -0.15
# Angle by which two opposite corners may be short of lying on one circle [rad], and cosine between faces that are one.
_ON_CIRCLE, _FLAT = 1e-3, 0.9
# Triangles that are taken as one at most: those of a polygon of eighteen corners.
_MOST = 16


class Patches(NamedTuple):
    """Faces of five corners and more, and blunt triangles with those beside that lie within their circle or on it.

    These are faces of Delaunay's tessellation, the same whichever way a polygon was cut: Bobenko and Springborn 2007,
    "A discrete Laplace-Beltrami operator for simplicial surfaces".

    polygons: Polygons, one a patch; faces: those of the mesh that are in one, shape (count,); patch: the one of each.
    """

    polygons: Polygons
    faces: np.ndarray
    patch: np.ndarray

    @classmethod
    def of(cls, points, polygons):
        """The patches of a mesh, points [m] of shape (vertex_count, 3)."""
        starts = np.cumsum(polygons.sizes) - polygons.sizes
        wide = np.flatnonzero(polygons.sizes > 4)
        rings = [polygons.corners[starts[face] : starts[face] + polygons.sizes[face]] for face in wide]
        faces = [[face] for face in wide]
        for ring, group in _merged(points, polygons, starts):
            rings.append(ring)
            faces.append(group)
        patch = np.repeat(np.arange(len(faces)), [len(group) for group in faces])
        flat = np.concatenate(faces) if faces else np.empty(0)
        return cls(Polygons.from_faces(rings), flat.astype(np.intp), patch.astype(np.intp))


def _merged(points, polygons, starts):
    """Rings of corners around blunt triangles with those beside, and the faces in each."""
    links, blunt = _links(points, polygons, starts)
    if not len(links):
        return
    part = connected_parts(links, len(polygons.sizes))
    counts = np.bincount(part)
    wanted = np.isin(part, part[blunt]) & (counts[part] > 1) & (counts[part] <= _MOST)
    members = np.flatnonzero(wanted)
    order = members[np.argsort(part[members], kind="stable")]
    for group in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        if (
            len(group)
            and (ring := _ring(polygons.corners[starts[group][:, None] + np.arange(3)])) is not None
        ):
            yield ring, group


def _links(points, polygons, starts):
    """Pairs of triangles that lie in one plane and within one circle, shape (count, 2), and the blunt ones."""
    triangles = np.flatnonzero(polygons.sizes == 3)
    p = points[polygons.corners[starts[triangles][:, None] + np.arange(3)]]
    ways = np.roll(p, -1, axis=1) - p
    before = np.roll(ways, 1, axis=1)
    lengths = np.linalg.norm(ways, axis=2) * np.linalg.norm(before, axis=2)
    cosines = -np.einsum("fij,fij->fi", ways, before) / np.maximum(lengths, np.finfo(float).tiny)
    blunt = triangles[cosines.min(axis=1, initial=1.0) < _BLUNT]
    sides = sides_of_edges(polygons)
    chosen = (polygons.sizes[sides.faces] == 3).all(axis=1) & _between_two(sides.edges)
    edges, faces, beside = sides.edges[chosen], sides.faces[chosen], sides.beside[chosen][:, :, 0]
    (sine, cosine), (other_sine, other_cosine) = (_seen(points, apex, edges) for apex in beside.T)
    # Of the sum of both angles, which is half a turn where all four corners are on one circle.
    across, along = sine * other_cosine + cosine * other_sine, cosine * other_cosine - sine * other_sine
    normals = polygons.area_vectors(points)[faces]
    one, other = normals.transpose(1, 0, 2)
    size = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    flat = np.abs(np.einsum("ij,ij->i", one, other)) > _FLAT * size
    return faces[flat & (across <= _ON_CIRCLE) & ((along < 0.0) | (across < 0.0))], blunt


def _between_two(edges):
    """Mask of the edges that not more than two faces share; equal ones follow each other."""
    same = (edges[1:] == edges[:-1]).all(axis=1)
    again = np.zeros(len(edges), dtype=bool)
    again[1:] |= same
    again[:-1] |= same
    return ~again


def _seen(points, apex, edges):
    """Sines and cosines of the angles under which corners see edges, which a system's library of angles rounds."""
    one, other = (points[ends] - points[apex] for ends in edges.T)
    size = np.maximum(np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1), np.finfo(float).tiny)
    return np.linalg.norm(np.cross(one, other), axis=1) / size, np.einsum("ij,ij->i", one, other) / size


def _ring(triangles):
    """Corners around triangles that are a polygon cut into them, one after the other; None where they are not."""
    sides = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    sides, times = distinct_rows(sides, return_counts=True)
    border = sides[times == 1]
    corners, ends = np.unique(border, return_counts=True)
    if len(border) != len(triangles) + 2 or len(corners) != len(border) or (ends != 2).any():
        return None
    beside: dict[int, list[int]] = {int(corner): [] for corner in corners}
    for one, other in border.tolist():
        beside[one].append(other)
        beside[other].append(one)
    ring = [int(corners[0]), beside[int(corners[0])][0]]
    while (following := sum(beside[ring[-1]]) - ring[-2]) != ring[0]:
        ring.append(following)
    return np.array(ring) if len(ring) == len(corners) else None
