# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmark of contacts counts as an edge through a triangle, beside the equation of the line."""

import numpy as np
import pytest
from collisions.intersections import crosses_itself, crosses_solid, edges_through_triangles, unique_sides
from collisions.scenes import scenes

TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
ONE = np.array([[0, 1, 2]])


@pytest.mark.parametrize(
    ("ends", "crosses"),
    [
        ([(0.2, 0.2, -1.0), (0.2, 0.2, 1.0)], True),
        ([(0.2, 0.2, 1.0), (0.2, 0.2, -1.0)], True),
        ([(0.2, 0.2, 1.0), (0.2, 0.2, 0.1)], False),
        ([(0.7, 0.7, -1.0), (0.7, 0.7, 1.0)], False),
        ([(-1.0, 0.2, 0.0), (2.0, 0.2, 0.0)], False),
    ],
    ids=["through", "from above", "above", "past it", "in its plane"],
)
def test_one_edge_and_one_triangle(ends, crosses):
    found = edges_through_triangles(np.array(ends), np.array([[0, 1]]), TRIANGLE, ONE)
    assert len(found) == crosses


@pytest.mark.parametrize("seed", range(3))
def test_many_of_many_sizes_by_the_equation_of_the_line(seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1.0, 1.0, (80, 3))
    edges = np.arange(80).reshape(40, 2)
    # Sizes over three decades: what is found must not depend on how it was searched.
    sizes = 10.0 ** random.uniform(-2.0, 1.0, 60)
    corners = (
        random.normal(size=(60, 3, 3)) * sizes[:, None, None] + random.uniform(-1, 1, (60, 1, 3))
    ).reshape(-1, 3)
    triangles = np.arange(180).reshape(60, 3)
    expected = set()
    for i, (p, q) in enumerate(x[edges]):
        for j, (a, b, c) in enumerate(corners[triangles]):
            # p + t (q - p) = a + u (b - a) + v (c - a)
            t, u, v = np.linalg.solve(np.column_stack([p - q, b - a, c - a]), p - a)
            if 0.0 < t < 1.0 and u > 0.0 and v > 0.0 and u + v < 1.0:
                expected.add((i, j))
    found = edges_through_triangles(x, edges, corners, triangles)
    assert expected
    assert {tuple(pair) for pair in found.tolist()} == expected


def test_a_mesh_does_not_cross_itself_at_shared_corners_and_does_where_it_is_folded_through():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 2, 0]])
    triangles = np.array([[0, 1, 2], [1, 3, 2], [2, 3, 4]])
    sides = unique_sides(triangles)
    assert len(sides) == 7
    assert len(edges_through_triangles(points, sides, points, triangles)) == 0
    folded = points.copy()
    # The last corner is pulled down through the first triangle.
    folded[3], folded[4] = (0.2, 0.2, 0.5), (0.25, 0.25, -0.5)
    assert len(edges_through_triangles(folded, sides, folded, triangles)) > 0


def test_a_thin_collider_between_the_vertices_of_a_cloth_is_seen_by_its_own_edges():
    cloth, triangles = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), ONE
    sides = unique_sides(triangles)
    needle = np.array([[0.2, 0.2, -1.0], [0.21, 0.2, 1.0], [0.2, 0.21, 1.0]])
    assert crosses_solid(cloth, sides, triangles, needle, ONE)
    assert not crosses_solid(cloth, sides, triangles, needle + np.array([0.0, 0.0, 1.5]), ONE)


def test_scenes_begin_apart_with_closed_colliders():
    for scene in scenes(large=False):
        simulation = scene.make("SEATS")
        x, surface = simulation.state.x, simulation.network.surface
        assert not crosses_itself(x, surface.edges, surface.triangles), scene.name
        assert scene.inside is None or scene.inside(x, 0.0) <= 0.0, scene.name
        if scene.solid is not None:
            points, triangles = scene.solid(0.0)
            assert not crosses_solid(x, surface.edges, surface.triangles, points, triangles), scene.name
            # Every side belongs to two triangles, and a volume of its own to what they bound (wound outwards).
            assert 2 * len(unique_sides(triangles)) == 3 * len(triangles)
            a, b, c = points[triangles.T]
            assert np.einsum("ij,ij->", a - points.mean(axis=0), np.cross(b, c)) > 0.0
