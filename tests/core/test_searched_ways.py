# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that were looked for serve as long as vertices keep to their ways: what is found is that of a new search."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hooke.core.contact.candidates import Search
from hooke.core.contact.collision_filter import ContactOf
from hooke.core.contact.initial_overlap import Kept
from hooke.core.contact.obstacles import Obstacles
from hooke.core.contacts import RigidMesh, SelfCollision
from hooke.core.topology import Polygons, lattice_faces, lattice_points
from hooke.core.triangle_mesh.cube import cube

ASKED = 0.03


def searched():
    """A Search of a sheet 4 mm above a cube, and all vertices."""
    points = lattice_points((9, 9, 1), 0.05)
    triangles = Polygons.from_faces(lattice_faces((9, 9, 1))).triangles()
    corners, faces = cube(0.3)
    solid = RigidMesh(corners + np.array([0.2, 0.2, -0.154]), faces, thickness=ASKED)
    obstacles = Obstacles([ContactOf.of(solid, len(points))])
    between = [ContactOf.of(SelfCollision(0.005), len(points))]
    search = Search(points, triangles, np.zeros((0, 2), dtype=int), obstacles, between)
    return search, np.concatenate([points, obstacles.at(0.0)]), len(points)


@pytest.mark.parametrize("room", [0.0, 1e-3, 0.1], ids="room {} m".format)
def test_what_keeps_more_and_more_is_found(room):
    search, x, count = searched()
    search.widen(np.full(count, room))
    found, acting = [], np.ones(len(x) - count, dtype=bool)
    for kept in np.linspace(1e-3, ASKED, 9):
        of_all = Kept(np.full(count, kept), np.full(count, min(1.1 * kept, ASKED)))
        of_ways = x, x, np.full(len(x), 1e-4), acting, of_all
        known, fresh = search.candidates(*of_ways), searched()[0].candidates(*of_ways)
        assert (known is None) == (fresh is None)
        if fresh is not None:
            for one, other in zip(known, fresh, strict=True):
                assert_array_equal(one, other)
        found.append(0 if fresh is None else len(fresh.kinds))
    assert found[0] == 0 < found[-1]
