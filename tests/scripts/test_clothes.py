# SPDX-License-Identifier: GPL-3.0-or-later
"""Clothes of the benchmark of contacts begin outside their bodies, which are closed, and go through nothing."""

import numpy as np
import pytest
from collisions.clothes import shirt, skirt
from collisions.intersections import crosses_itself, crosses_solid


@pytest.mark.parametrize("make", [skirt, shirt])
def test_a_garment_begins_outside_its_body(make):
    scene = make()
    network = scene.make(False).network
    surface, x = network.surface, network.points
    assert scene.inside(x, 0.0) < -0.01
    assert not crosses_itself(x, surface.edges, surface.triangles)
    assert not crosses_solid(x, surface.edges, surface.triangles, *scene.solid(0.0))


@pytest.mark.parametrize("make", [skirt, shirt])
def test_a_body_is_closed_wound_outwards_and_keeps_its_volume_as_it_moves(make):
    solid = make().solid
    points, triangles = solid(0.0)
    sides = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    # Every side is there once each way.
    assert len(np.unique(sides, axis=0)) == len(sides)
    assert {tuple(side) for side in sides.tolist()} == {tuple(side) for side in sides[:, ::-1].tolist()}
    assert 0.01 < _volume(points, triangles) == pytest.approx(_volume(*solid(0.8)))
    assert np.abs(solid(0.8)[0] - points).max() > 0.1


def test_what_is_inside_a_part_is_as_deep_as_its_nearest_face():
    scene = skirt()
    points, _ = scene.solid(0.0)
    leg = points[points[:, 0] > 0.12]
    middle = np.array([[0.1, 0.0, 0.5 * (leg[:, 2].min() + leg[:, 2].max())]])
    # Of a tube with 24 sides and a radius of 8.5 cm.
    assert scene.inside(middle, 0.0) == pytest.approx(0.085 * np.cos(np.pi / 24), rel=1e-2)


def _volume(points, triangles):
    a, b, c = points[triangles.T]
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
