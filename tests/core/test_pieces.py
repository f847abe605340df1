# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of triangles that are large, and normals of some sides alone."""

import numpy as np
import pytest

from hooke.core.triangle_mesh.pieces import Pieces
from hooke.core.triangle_mesh.sides import Sides
from hooke.core.triangle_mesh.triangles import Triangles

from .surfaces import octasphere


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def triangles(sizes, rng):
    """Triangles of sizes [m], each on its own."""
    x = sizes[:, None, None] * rng.normal(size=(len(sizes), 3, 3)) + rng.normal(size=(len(sizes), 1, 3))
    return Triangles(x.reshape(-1, 3), np.arange(3 * len(sizes)).reshape(-1, 3)), x


@pytest.mark.parametrize("large", [0, 3, 40])
def test_every_point_of_a_triangle_is_in_a_sphere_about_a_piece_of_it(large, rng):
    sizes = np.append(np.full(200, 0.01), np.full(large, 0.05))
    made, x = triangles(sizes, rng)
    pieces = Pieces(made)
    weights = rng.dirichlet(np.full(3, 0.5), (len(x), 200))
    for number in range(len(x)):
        own = pieces.owners == number
        away = np.linalg.norm((weights[number] @ x[number])[:, None] - pieces.middles[own], axis=2)
        assert (away <= pieces.radii[own] * (1.0 + 1e-9)).any(axis=1).all()


def test_few_large_triangles_leave_spheres_small_and_pieces_few(rng):
    made, _ = triangles(np.append(np.full(500, 0.01), np.full(5, 0.08)), rng)
    pieces = Pieces(made)
    assert pieces.farthest == pieces.radii.max()
    assert pieces.farthest < 0.3 * made.radii.max()
    assert len(pieces.owners) <= 3 * 505
    # Of triangles that are all as large none is cut.
    x, faces = octasphere(3)
    assert len(Pieces(Triangles(x, faces)).owners) == len(faces)


def test_normals_of_some_sides_are_bit_for_bit_those_of_all(rng):
    x, faces = octasphere(3)
    sides, made = Sides(faces), Triangles(x + rng.normal(scale=0.01, size=x.shape), faces)
    all_of_them = sides.normals(np.arange(len(faces) + len(sides.sharing) + len(x)), made.ab, made.ac)
    for count in (0, 1, 50, 2000):
        features = rng.integers(0, all_of_them.shape[1], count)
        np.testing.assert_array_equal(
            sides.normals(features, made.ab, made.ac), all_of_them.take(features, axis=1)
        )
