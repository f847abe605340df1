# SPDX-License-Identifier: GPL-3.0-or-later
"""Normals of some sides of triangles alone."""

import numpy as np
import pytest

from hooke.core.triangle_mesh.sides import Sides
from hooke.core.triangle_mesh.triangles import Triangles

from .surfaces import octasphere


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_normals_of_some_sides_are_bit_for_bit_those_of_all(rng):
    x, faces = octasphere(3)
    sides, made = Sides(faces), Triangles(x + rng.normal(scale=0.01, size=x.shape), faces)
    all_of_them = sides.normals(np.arange(len(faces) + len(sides.sharing) + len(x)), made.ab, made.ac)
    for count in (0, 1, 50, 2000):
        features = rng.integers(0, all_of_them.shape[1], count)
        np.testing.assert_array_equal(
            sides.normals(features, made.ab, made.ac), all_of_them.take(features, axis=1)
        )
