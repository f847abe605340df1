# SPDX-License-Identifier: GPL-3.0-or-later
"""SpringNetwork: what it accepts, what it refuses and how it says so."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Material, SpringNetwork
from hooke.core.topology import lattice_faces, lattice_points

POINTS = [[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 2.0]]
EDGES = [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points have shape (0,): give at least one row of x, y, z"),
        (np.empty((0, 3)), "points have shape (0, 3)"),
        ([0.0, 1.0, 2.0], "points have shape (3,)"),
        ([[0.0, 1.0], [2.0, 3.0]], "points have shape (2, 2)"),
        ([[0, 0, 0], [1, np.nan, 2], [np.inf, 0, 0]], "vertex 1 has the coordinates (1.0, nan, 2.0)"),
        ([[0, 0, 0], [1, np.nan, 2], [np.inf, 0, 0]], "must be finite, move or delete it (2 such vertices)"),
    ],
)
def test_points_out_of_range_are_named(points, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SpringNetwork(points, [])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([0, 1], "edges have shape (2,)"),
        ([[0, 1, 2]], "edges have shape (1, 3)"),
        ([[0.0, 1.0]], "edges have shape (1, 2) of float64: give rows of two vertex indices"),
        ([[True, False]], "of bool: give rows of two vertex indices"),
        ([[0, 1], [1, 3]], "spring 1 names vertex 3: indices run from 0 to 2"),
        ([[0, 1], [-1, 2]], "spring 1 names vertex -1: indices run from 0 to 2"),
        ([[0, 1], [2, 2]], "spring 1 joins vertex 2 to itself: its ends must be two vertices"),
    ],
)
def test_edges_out_of_range_are_named(edges, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SpringNetwork(POINTS, edges)


@pytest.mark.parametrize(
    ("quantity", "value", "message"),
    [
        ("masses", [1, 0, 1], "mass of vertex 1 is 0 kg: it must be finite, above 0"),
        ("masses", [1, 1, -2], "mass of vertex 2 is -2 kg: it must be finite, above 0"),
        ("masses", [1, np.nan, 1], "mass of vertex 1 is nan kg"),
        ("masses", -1.5, "mass of vertex 0 is -1.5 kg"),
        ("masses", [1, 1], "mass has shape (2,): give one value, or one per vertex, 3 in all"),
        ("stiffness", [5, 0], "stiffness of spring 1 is 0 N/m: it must be finite, above 0"),
        ("stiffness", [np.inf, 5], "stiffness of spring 0 is inf N/m"),
        ("stiffness", [5, 5, 5], "stiffness has shape (3,): give one value, or one per spring, 2 in all"),
        ("rest_lengths", [1, -0.5], "rest length of spring 1 is -0.5 m: it must be finite, at least 0"),
        ("rest_lengths", [np.nan, 1], "rest length of spring 0 is nan m"),
        ("rest_lengths", [[1, 1]], "rest length has shape (1, 2)"),
        ("damping", [0, -3], "damping of spring 1 is -3 N s/m: it must be finite, at least 0"),
        ("damping", [0, np.inf], "damping of spring 1 is inf N s/m"),
        ("damping", [0], "damping has shape (1,): give one value, or one per spring, 2 in all"),
        ("pins", [0, 1.5, 0], "pin weight of vertex 1 is 1.5: it must be finite, at least 0 and at most 1"),
        ("pins", [0, 0, -0.1], "pin weight of vertex 2 is -0.1: it must be finite, at least 0 and at most 1"),
        ("pins", [np.nan, 0, 0], "pin weight of vertex 0 is nan"),
        ("pins", [1.0, 0.0], "pin weight has shape (2,): give one value, or one per vertex, 3 in all"),
        ("pin_stiffness", 0, "pin stiffness is 0 N/m: it must be finite, above 0"),
        ("pin_stiffness", np.nan, "pin stiffness is nan N/m"),
        ("pin_stiffness", [1, 2], "pin stiffness has shape (2,)"),
    ],
)
def test_quantities_out_of_range_are_named(quantity, value, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SpringNetwork(POINTS, EDGES, **{quantity: value})


def test_limits_themselves_are_in_range():
    network = SpringNetwork(
        POINTS, EDGES, masses=1e-300, stiffness=1e-300, rest_lengths=0.0, damping=0.0, pins=[0.0, 1.0, 1e-9]
    )
    assert_array_equal(network.hard_pins, [1])
    assert_array_equal(network.soft_pins, [2])
    assert_array_equal(network.pinned, [1, 2])


def test_scalars_become_one_value_per_owner():
    network = SpringNetwork(POINTS, EDGES, masses=2, stiffness=30, rest_lengths=0.5, damping=4, pins=1.0)
    for array, value, count in (
        (network.masses, 2.0, 3),
        (network.stiffness, 30.0, 2),
        (network.rest_lengths, 0.5, 2),
        (network.damping, 4.0, 2),
        (network.pins, 1.0, 3),
    ):
        assert array.dtype == np.float64
        assert_array_equal(array, np.full(count, value))


def test_defaults_are_those_of_the_documentation():
    network = SpringNetwork(POINTS, EDGES)
    assert (network.vertex_count, network.spring_count, network.pin_stiffness) == (3, 2, 1e3)
    assert_array_equal(network.masses, [1, 1, 1])
    assert_array_equal(network.stiffness, [1e3, 1e3])
    assert_array_equal(network.damping, [0, 0])
    assert_array_equal(network.pins, [0, 0, 0])
    assert_array_equal(network.rest_lengths, [5, 2])  # a 3-4-5 triangle and a vertical edge


@pytest.mark.parametrize("no_edges", [[], (), np.empty((0, 2)), np.empty((0, 2), dtype=int)])
def test_free_particles_have_no_springs(no_edges):
    network = SpringNetwork(POINTS, no_edges)
    assert network.edges.shape == (0, 2)
    assert network.spring_lengths(network.points).shape == (0,)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint8])
def test_edges_of_any_integer_type(dtype):
    assert_array_equal(SpringNetwork(POINTS, np.array(EDGES, dtype=dtype)).edges, EDGES)


def test_arrays_can_not_be_written_and_are_not_the_callers():
    arrays = {
        "points": np.array(POINTS),
        "edges": np.array(EDGES),
        "masses": np.ones(3),
        "stiffness": np.ones(2),
        "rest_lengths": np.ones(2),
        "damping": np.ones(2),
        "pins": np.array([0.0, 0.5, 1.0]),
    }
    network = SpringNetwork(**arrays)
    for name, theirs in arrays.items():
        ours = getattr(network, name)
        with pytest.raises(ValueError, match="read-only"):
            ours[0] = 0
        assert theirs.flags.writeable
        before = ours.copy()
        theirs[0] = 0
        theirs[-1] = 2
        assert_array_equal(ours, before)


def test_spring_lengths_and_strains():
    network = SpringNetwork(POINTS, EDGES, rest_lengths=[4.0, 2.5])
    assert_allclose(network.spring_lengths(network.points), [5.0, 2.0], rtol=1e-15)
    assert_allclose(network.strains(network.points), [0.25, -0.2], rtol=1e-15)


def test_strains_leave_out_springs_of_zero_rest_length():
    network = SpringNetwork(POINTS, EDGES, rest_lengths=[0.0, 4.0])
    assert_allclose(network.strains(network.points), [-0.5], rtol=1e-15)


@pytest.mark.parametrize("mass", [0.0, -1.0, np.nan, np.inf])
def test_mass_of_a_mesh_out_of_range_is_named(mass):
    with pytest.raises(ValueError, match=rf"mass is {mass:g} kg: it must be finite, above 0"):
        SpringNetwork.from_mesh(POINTS, EDGES, mass=mass)


def test_mass_of_a_mesh_is_spread_evenly():
    assert_allclose(SpringNetwork.from_mesh(POINTS, EDGES, mass=0.6).masses, [0.2, 0.2, 0.2], rtol=1e-15)


def test_mesh_passes_quantities_on():
    network = SpringNetwork.from_mesh(POINTS, EDGES, damping=0.5, pins=[1, 0, 0.5], pin_stiffness=7.0)
    assert_array_equal(network.damping, [0.5, 0.5])
    assert_array_equal(network.pins, [1, 0, 0.5])
    assert network.pin_stiffness == 7.0


@pytest.mark.parametrize("corner", [3, -1])
def test_face_corner_that_is_no_vertex_is_named(corner):
    with pytest.raises(ValueError, match=f"face corner 2 names vertex {corner}: indices run from 0 to 2"):
        SpringNetwork.from_mesh(POINTS, EDGES, [[0, 1, corner]])


@pytest.mark.parametrize("kind", ["structural", "shear", "bending"])
def test_stiffness_of_a_kind_out_of_range_is_named(kind):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]]
    edges = [[0, 1], [1, 2], [2, 3], [3, 0], [1, 4], [4, 5], [5, 2]]
    faces = [[0, 1, 2, 3], [1, 4, 5, 2]]
    with pytest.raises(ValueError, match=r"stiffness of spring \d+ is -1 N/m: it must be finite, above 0"):
        SpringNetwork.from_mesh(square, edges, faces, **{kind: -1.0})


@pytest.mark.parametrize(
    ("pins", "weights"),
    [
        ([2], [0, 0, 1]),
        ([2, 0], [1, 0, 1]),
        (np.array([1, 1], dtype=np.int32), [0, 1, 0]),
        ([0, 1, 2], [1, 1, 1]),
        ((), [0, 0, 0]),
        (np.array([], dtype=int), [0, 0, 0]),
        (None, [0, 0, 0]),
        ([True, False, True], [1, 0, 1]),
        ([1.0, 0.0, 0.25], [1, 0, 0.25]),
        (0.5, [0.5, 0.5, 0.5]),
    ],
)
def test_pins_are_indices_a_mask_or_weights(pins, weights):
    assert_array_equal(SpringNetwork(POINTS, EDGES, pins=pins).pins, weights)
    assert_array_equal(SpringNetwork.from_mesh(POINTS, EDGES, pins=pins).pins, weights)


@pytest.mark.parametrize("pins", [[1, 0, 1], [0, 0, 0], 1, 0, [[0, 2]]])
def test_pins_that_may_mean_both_are_refused(pins):
    with pytest.raises(ValueError, match="which may mean weights or indices: write weights with a point"):
        SpringNetwork(POINTS, EDGES, pins=pins)


@pytest.mark.parametrize(("pins", "wrong"), [([3], 3), ([-1, 0], -1)])
def test_pins_that_are_no_vertices_are_named(pins, wrong):
    with pytest.raises(ValueError, match=f"names vertex {wrong}: indices run from 0 to 2"):
        SpringNetwork(POINTS, EDGES, pins=pins)


def test_mesh_takes_its_edges_from_the_faces():
    # Two quads that share a side: 7 sides, each once; with edges given, those.
    points = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]
    faces = [[0, 1, 4, 3], [1, 2, 5, 4]]
    network = SpringNetwork.from_mesh(points, faces=faces, shear=0, bending=0)
    found = {tuple(sorted(edge)) for edge in network.edges.tolist()}
    assert found == {(0, 1), (1, 4), (3, 4), (0, 3), (1, 2), (2, 5), (4, 5)}
    assert network.spring_count == 7
    assert SpringNetwork.from_mesh(points, [[0, 1]], faces, shear=0, bending=0).spring_count == 1


def test_one_stiffness_serves_all_kinds_and_each_may_differ():
    points, faces = SpringNetwork.grid((3, 3)).points, SpringNetwork.grid((3, 3)).surface.polygons
    usual = SpringNetwork.from_mesh(points, faces=faces)
    assert sorted(set(usual.stiffness)) == [1e2, 1e3]
    same = SpringNetwork.from_mesh(points, faces=faces, stiffness=70.0)
    assert set(same.stiffness) == {70.0}
    assert_array_equal(same.edges, usual.edges)
    other = SpringNetwork.from_mesh(points, faces=faces, stiffness=70.0, bending=5.0)
    assert set(other.stiffness[usual.stiffness == 1e2]) == {5.0}
    assert set(other.stiffness[usual.stiffness == 1e3]) == {70.0}
    without = SpringNetwork.from_mesh(points, faces=faces, stiffness=70.0, shear=None)
    # 12 sides, and a bending spring along each of the three rows and columns.
    assert without.spring_count == 12 + 6


def test_grid_is_a_flat_sheet_in_rows():
    network = SpringNetwork.grid((3, 4), 0.5, pins=[0, 3], mass=6.0)
    assert_array_equal(
        network.points[[0, 1, 3, 4, 11]], [[0, 0, 0], [0, 0.5, 0], [0, 1.5, 0], [0.5, 0, 0], [1, 1.5, 0]]
    )
    assert_array_equal(network.masses, np.full(12, 0.5))
    assert_array_equal(network.hard_pins, [0, 3])
    assert len(network.surface.triangles) == 2 * 2 * 3


@pytest.mark.parametrize(
    ("shape", "spacing", "message"),
    [
        ((3, 3, 3), 1.0, "grid shape is (3, 3, 3): give two whole counts"),
        ((0, 3), 1.0, "grid shape is (0, 3)"),
        ((2.5, 3), 1.0, "grid shape is (2.5, 3)"),
        ((3, 3), 0.0, "grid spacing is 0.0 m: it must be above 0"),
    ],
)
def test_grid_out_of_range_is_named(shape, spacing, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SpringNetwork.grid(shape, spacing)


def test_a_shape_at_rest_beside_the_points():
    points, rest = lattice_points((4, 4, 1), 0.5), 2.0 * lattice_points((4, 4, 1), 0.5)
    faces = lattice_faces((4, 4, 1))
    for how in ({"material": Material()}, {"stiffness": 10.0, "length_normalised": True}):
        own = SpringNetwork.from_mesh(points, faces=faces, rest=rest, **how)
        other = SpringNetwork.from_mesh(rest, faces=faces, **how)
        np.testing.assert_array_equal(own.points, points)
        for name in ("rest_lengths", "stiffness", "masses"):
            np.testing.assert_array_equal(getattr(own, name), getattr(other, name))
    with pytest.raises(ValueError, match="the rest shape has 3 vertices: give the 16 of the mesh"):
        SpringNetwork.from_mesh(points, faces=faces, rest=rest[:3])


@pytest.mark.parametrize("value", [3, "text", [None], {}])
@pytest.mark.parametrize(
    "name", ["inside", "sewing", "plasticity", "jiggle", "stencils", "volumes", "enclosures", "seams"]
)
def test_what_is_of_another_class_is_refused_in_a_sentence(name, value):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match=rf"^{name} is .*: give [A-Z]\w+ or None$"):
        SpringNetwork.from_mesh(square, faces=[[0, 1, 2, 3]], **{name: value})


@pytest.mark.parametrize("value", ["text", [None], {}, [1.0, 2.0], float("nan")])
@pytest.mark.parametrize("name", ["structural", "shear", "bending", "stiffness"])
def test_a_stiffness_that_is_no_number_is_refused_in_a_sentence(name, value):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match=r"give|must"):
        SpringNetwork.from_mesh(square, faces=[[0, 1, 2, 3]], **{name: value})
