# SPDX-License-Identifier: GPL-3.0-or-later
"""Structural, shear and bending springs of meshes."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hooke.core import SpringNetwork
from hooke.core.surface import Surface
from hooke.core.topology import Polygons, bending_edges, shear_edges, unique_edges


def grid(n):
    """Points, edges and quads of a square of n x n vertices, 1 m between neighbours."""
    index = np.arange(n * n).reshape(n, n)
    points = np.stack([*np.divmod(np.arange(n * n), n), np.zeros(n * n)], axis=1)
    edges = np.concatenate(
        [
            np.column_stack([index[:, :-1].ravel(), index[:, 1:].ravel()]),
            np.column_stack([index[:-1].ravel(), index[1:].ravel()]),
        ]
    )
    corners = [index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]]
    return points, edges, np.stack(corners, axis=-1).reshape(-1, 4)


def as_set(edges):
    """Undirected edges as a set, after checking that none is there twice or a loop."""
    pairs = [frozenset(map(int, edge)) for edge in edges]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(set(pairs)) == len(pairs)
    return set(pairs)


def pairs(*edges):
    return {frozenset(edge) for edge in edges}


def edges_of(faces):
    """Mesh edges of faces."""
    return unique_edges([(face[i - 1], face[i]) for face in faces for i in range(len(face))])


def shuffled_winding(faces, seed=1):
    """The same faces, some turned over and all started at another corner."""
    rng = np.random.default_rng(seed)
    return [list(np.roll(face[:: rng.choice([-1, 1])], rng.integers(len(face)))) for face in faces]


# A triangle, two quads, a pentagon and a hexagon around each other, one vertex without a face.
MIXED = [[0, 1, 2], [1, 3, 4, 2], [3, 5, 6, 4], [2, 4, 7, 8, 9], [4, 6, 10, 11, 12, 7]]


@pytest.mark.parametrize("n", [2, 3, 5, 101])
def test_grid_counts(n):
    points, edges, faces = grid(n)
    structural, shear, bending = 2 * n * (n - 1), 2 * (n - 1) ** 2, 2 * n * (n - 2)
    network = SpringNetwork.from_mesh(points, edges, faces, structural=3.0, shear=2.0, bending=1.0)
    counts = [np.count_nonzero(network.stiffness == k) for k in (3.0, 2.0, 1.0)]
    assert counts == [structural, shear, bending]
    assert network.spring_count == structural + shear + bending
    if n == 101:
        assert network.spring_count == 60_198


def test_grid_springs_are_neighbours_diagonals_and_every_second_vertex():
    points, edges, faces = grid(6)
    network = SpringNetwork.from_mesh(points, edges, faces, structural=3.0, shear=2.0, bending=1.0)
    for k, offsets in ((3.0, {(0, 1), (1, 0)}), (2.0, {(1, 1)}), (1.0, {(0, 2), (2, 0)})):
        here = network.edges[network.stiffness == k]
        apart = np.abs(points[here[:, 0]] - points[here[:, 1]])[:, :2]
        assert set(map(tuple, apart.astype(int))) == offsets
    as_set(network.edges)


@pytest.mark.parametrize(
    ("kinds", "k"),
    [
        ({"structural": 5.0, "shear": 0, "bending": None}, {5.0}),
        ({"structural": None, "shear": 6.0, "bending": 0.0}, {6.0}),
        ({"structural": 0, "shear": None, "bending": 7.0}, {7.0}),
        ({"structural": 0, "shear": None, "bending": 0}, set()),
    ],
)
def test_kinds_of_zero_or_no_stiffness_are_left_out(kinds, k):
    network = SpringNetwork.from_mesh(*grid(4), **kinds)
    assert set(network.stiffness) == k


def test_rest_lengths_are_the_distances_between_the_points():
    points, edges, faces = grid(4)
    network = SpringNetwork.from_mesh(points, edges, faces, structural=3.0, shear=2.0, bending=1.0)
    expected = np.select([network.stiffness == 3, network.stiffness == 2], [1.0, np.sqrt(2.0)], 2.0)
    np.testing.assert_allclose(network.rest_lengths, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("size", "count"), [(1, 0), (2, 0), (3, 0), (4, 2), (5, 5), (6, 9), (7, 14), (8, 8 + 4), (9, 9 + 9)]
)
def test_shear_springs_of_one_face(size, count):
    # All diagonals up to seven corners (size (size - 3) / 2); beyond, those two apart and those to the
    # opposite corner, of which an odd face has two for each of its corners.
    edges = shear_edges(Polygons.from_faces([range(size)]))
    assert len(as_set(edges)) == count
    steps = {min((b - a) % size, (a - b) % size) for a, b in edges.tolist()}
    assert steps <= {2, size // 2}


def test_bending_springs_of_two_triangles_and_of_two_quads():
    assert as_set(bending_edges(Polygons.from_faces([[0, 1, 2], [1, 0, 3]]))) == pairs((2, 3))
    strip = Polygons.from_faces([[0, 1, 2, 3], [1, 4, 5, 2]])
    assert as_set(bending_edges(strip)) == pairs((0, 4), (3, 5))


def test_bending_springs_of_triangle_and_quad():
    edges = bending_edges(Polygons.from_faces([[0, 1, 2], [1, 3, 4, 2]]))
    assert as_set(edges) == pairs((0, 3), (0, 4))


@pytest.mark.parametrize("seed", range(5))
def test_bending_springs_of_mixed_faces_for_any_winding(seed):
    across_1_2, across_3_4, across_2_4 = {(0, 3), (0, 4)}, {(1, 5), (2, 6)}, {(1, 9), (3, 7)}
    across_4_6, across_4_7 = {(3, 7), (5, 10)}, {(2, 6), (8, 12)}
    expected = pairs(*across_1_2, *across_3_4, *across_2_4, *across_4_6, *across_4_7)
    assert as_set(bending_edges(Polygons.from_faces(shuffled_winding(MIXED, seed)))) == expected


@pytest.mark.parametrize("seed", range(5))
def test_network_does_not_depend_on_winding(seed):
    points = np.random.default_rng(0).normal(size=(13, 3))
    kinds = {"structural": 3.0, "shear": 2.0, "bending": 1.0}
    one = SpringNetwork.from_mesh(points, edges_of(MIXED), MIXED, **kinds)
    other = SpringNetwork.from_mesh(points, edges_of(MIXED), shuffled_winding(MIXED, seed), **kinds)
    for k in kinds.values():
        assert as_set(one.edges[one.stiffness == k]) == as_set(other.edges[other.stiffness == k])


def test_edge_with_three_faces_joins_all_their_sides():
    # Three triangles on the edge 0-1, as the pages of a book: no page may turn freely against the others.
    wings = {2, 3, 4}
    bending = as_set(bending_edges(Polygons.from_faces([[0, 1, 2], [1, 0, 3], [0, 1, 4]])))
    assert set().union(*bending) == wings
    assert bending <= {frozenset(pair) for pair in combinations(wings, 2)}
    assert len(bending) >= len(wings) - 1


def test_a_pair_gets_one_spring_of_the_first_kind_that_asks():
    # Every pair of vertices of a tetrahedron is an edge, and opposite a shared edge as well.
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    faces = [[0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]]
    network = SpringNetwork.from_mesh(points, edges_of(faces), faces, structural=3.0, bending=1.0)
    assert as_set(network.edges) == {frozenset(pair) for pair in combinations(range(4), 2)}
    assert_array_equal(network.stiffness, np.full(6, 3.0))
    # Without structural springs the same pairs are bending springs.
    bent = SpringNetwork.from_mesh(points, edges_of(faces), faces, structural=0, bending=1.0)
    assert as_set(bent.edges) == as_set(network.edges)


def test_repeated_and_reversed_edges_become_one_spring():
    network = SpringNetwork.from_mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1], [1, 0], [1, 2], [0, 1]])
    assert as_set(network.edges) == pairs((0, 1), (1, 2))


def test_faces_that_lie_on_each_other_add_nothing():
    single = Polygons.from_faces([[0, 1, 2, 3]])
    double = Polygons.from_faces([[0, 1, 2, 3], [3, 2, 1, 0]])
    assert as_set(shear_edges(double)) == as_set(shear_edges(single))
    assert len(bending_edges(double)) == 0


def test_polygons_ragged_and_array_faces_are_the_same_mesh():
    points, edges, faces = grid(5)
    flat = Polygons(faces.ravel(), np.full(len(faces), 4))
    one = SpringNetwork.from_mesh(points, edges, faces)
    for same in (flat, faces.tolist(), [tuple(face) for face in faces], Polygons.from_faces(faces)):
        other = SpringNetwork.from_mesh(points, edges, same)
        assert_array_equal(other.edges, one.edges)
        assert_array_equal(other.stiffness, one.stiffness)


def test_polygons_of_ragged_faces():
    polygons = Polygons.from_faces(MIXED)
    assert_array_equal(polygons.sizes, [3, 4, 4, 5, 6])
    assert_array_equal(polygons.corners, np.concatenate(MIXED))
    assert Polygons.from_faces(polygons) is polygons


@pytest.mark.parametrize("offset", [-7, -1, 0, 1, 2, 5])
def test_neighbour_corners_walk_round_each_face(offset):
    walked = Polygons.from_faces(MIXED).neighbour_corners(offset)
    assert_array_equal(walked, [face[(i + offset) % len(face)] for face in MIXED for i in range(len(face))])


@pytest.mark.parametrize("faces", [None, [], np.empty((0, 4), dtype=int)])
def test_mesh_without_faces_has_structural_springs_only(faces):
    network = SpringNetwork.from_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1], [1, 2]], faces)
    assert as_set(network.edges) == pairs((0, 1), (1, 2))


def test_unique_edges_keep_first_seen_order():
    edges = unique_edges([(4, 2), (0, 1), (2, 4), (3, 3), (1, 0), (0, 3)], known=np.array([[3, 0]]))
    assert_array_equal(edges, [[2, 4], [0, 1]])


def test_a_surface_is_closed_where_every_side_has_two_faces():
    box = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    edges = Polygons.from_faces(box).edges()
    assert Surface(edges, box).closed
    assert not Surface(edges, box[:-1]).closed
    assert not Surface(edges, [*box, [0, 2, 6]]).closed
    assert not Surface(edges).closed
