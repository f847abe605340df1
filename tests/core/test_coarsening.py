# SPDX-License-Identifier: GPL-3.0-or-later
"""Coarse meshes have edges of the length that is asked for, the area and the border of the fine one, and its parts."""

import numpy as np
import pytest

from core.coarsening import coarsened
from core.listed import distinct_rows
from core.topology import connected_parts, lattice_faces, lattice_points


def sheet(side=41, spacing=0.05):
    """Points and triangles of a square sheet of 2 m."""
    quads = lattice_faces((side, side, 1))
    return lattice_points((side, side, 1), spacing), np.concatenate(
        [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    )


def tube(around=48, along=31):
    """Points and triangles of an open tube of radius 0.3 m and 1.2 m length."""
    turn = 2.0 * np.pi * np.arange(around) / around
    points = [(0.3 * np.cos(a), 0.3 * np.sin(a), z) for z in np.linspace(0.0, 1.2, along) for a in turn]
    k = np.arange(around * (along - 1))
    following = k - k % around + (k + 1) % around
    quads = np.column_stack([k, following, following + around, k + around])
    return np.array(points), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def sides_of(triangles):
    return distinct_rows(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), return_counts=True)


def area(points, triangles):
    a, b, c = points[triangles].transpose(1, 0, 2)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()


@pytest.mark.parametrize(("fine", "length"), [(sheet, 0.1), (sheet, 0.2), (sheet, 0.3), (tube, 0.12)])
def test_edges_are_as_long_as_asked_and_nothing_is_lost(fine, length):
    points, triangles = fine()
    kept, coarse = coarsened(points, triangles, length)
    sides, times = sides_of(coarse)
    ends = points[kept][sides]
    each = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    assert each.mean() == pytest.approx(length, rel=0.15) and each.max() < 2.0 * length
    # A surface: two faces a side at most, one piece, of as many holes.
    assert times.max() == 2 and connected_parts(sides, len(kept)).max() == 0
    of_fine = sides_of(triangles)
    fine_count = len(np.unique(triangles)) - len(of_fine[0]) + len(triangles)
    assert len(kept) - len(sides) + len(coarse) == fine_count
    # No triangle is a line: a Surface Deform modifier takes none.
    a, b, c = points[kept][coarse].transpose(1, 0, 2)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 0.1 * length**2
    # Chords of the tube's circle are shorter than its arcs.
    assert area(points[kept], coarse) == pytest.approx(area(points, triangles), rel=0.06)


def test_faces_are_wound_as_those_of_the_fine_mesh():
    points, triangles = sheet()
    kept, coarse = coarsened(points, triangles, 0.2)
    x = points[kept]
    normals = np.cross(x[coarse[:, 1]] - x[coarse[:, 0]], x[coarse[:, 2]] - x[coarse[:, 0]])
    a, b, c = points[triangles].transpose(1, 0, 2)
    (upwards,) = np.unique(np.cross(b - a, c - a)[:, 2] > 0.0)
    assert ((normals[:, 2] > 0.0) == upwards).all()


def test_corners_and_borders_stay_where_they_are():
    points, triangles = sheet()
    kept, coarse = coarsened(points, triangles, 0.3)
    low, high = points.min(axis=0), points.max(axis=0)
    for corner in ((low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1])):
        assert np.abs(points[kept][:, :2] - corner).sum(axis=1).min() == 0.0
    assert area(points[kept], coarse) == pytest.approx(4.0, rel=1e-9)


def test_layers_near_each_other_stay_apart():
    points, triangles = sheet()
    both = np.concatenate([points, points + np.array([0.0, 0.0, 0.001])])
    kept, coarse = coarsened(both, np.concatenate([triangles, triangles + len(points)]), 0.2)
    assert (np.ptp(both[kept][coarse][:, :, 2], axis=1) == 0.0).all()
    assert connected_parts(sides_of(coarse)[0], len(kept)).max() == 1
