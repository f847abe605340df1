# SPDX-License-Identifier: GPL-3.0-or-later
"""A material means the same at every resolution: masses, stretch, shear and folds in closed form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import SpringNetwork
from hooke.core.forces import spring_forces
from hooke.core.material import Material

STRETCH, SHEAR = 2000.0, 150.0


def sheet(columns, rows, spacing=1.0):
    """Points and quads of a flat grid of squares in x and y."""
    x, y = np.meshgrid(np.arange(columns + 1) * spacing, np.arange(rows + 1) * spacing, indexing="ij")
    indices = np.arange(x.size).reshape(x.shape)
    corners = indices[:-1, :-1], indices[1:, :-1], indices[1:, 1:], indices[:-1, 1:]
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]), np.stack(corners, axis=-1).reshape(
        -1, 4
    )


def network(material, points, faces=None, edges=()):
    """The network of a mesh whose faces' sides are among its edges."""
    sides = [(face[i - 1], face[i]) for face in (() if faces is None else faces) for i in range(len(face))]
    pairs = np.array([*map(tuple, edges), *sides], dtype=np.intp).reshape(-1, 2)
    return SpringNetwork.from_mesh(points, pairs, faces, material=material)


def triangles(quads):
    """Every quad cut along one diagonal."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def energy(net, x):
    """Potential energy of the springs along edges at x [J]."""
    return 0.5 * np.sum(net.stiffness * (net.spring_lengths(x) - net.rest_lengths) ** 2)


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("cut", [False, True])
def test_the_mass_of_a_sheet_is_area_times_density(count, cut):
    points, quads = sheet(2 * count, count, 1.5 / count)
    net = network(Material(area_density=0.4), points, triangles(quads) if cut else quads)
    assert_allclose(net.masses.sum(), 0.4 * 3.0 * 1.5, rtol=1e-12)


def test_masses_follow_the_area_around_a_vertex():
    points, quads = sheet(4, 4, 0.5)
    masses = network(Material(area_density=2.0), points, quads).masses.reshape(5, 5)
    assert_allclose(masses[1:-1, 1:-1], 2.0 * 0.25)
    assert_allclose(masses[0, 1:-1], 2.0 * 0.125)
    assert_allclose(masses[0, 0], 2.0 * 0.0625)


def test_a_painted_density_makes_its_vertices_heavier():
    points, quads = sheet(3, 3)
    painted = np.ones(16)
    painted[5] = 3.0
    masses = network(Material(area_density=painted), points, quads).masses
    assert_allclose(masses[5], 3.0)
    assert_allclose(masses.sum(), 9.0 + 2.0)


COUNTS = [1, 2, 4, 9]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("shear", [0.0, SHEAR, STRETCH])
def test_a_sheet_pulled_along_one_axis_stretches_the_same_at_every_resolution(count, shear):
    # Squares of k1 along sides and k2 = shear along diagonals contract by nu = k2 / (k1 + k2): then all is in balance
    # but the ends, which are pulled by stretch * e * width.
    points, quads = sheet(2 * count, count, 1.0 / count)
    net = network(Material(STRETCH, shear, 0.0), points, quads)
    k1, e = 0.5 * (STRETCH - 2.0 * shear + np.hypot(STRETCH, 2.0 * shear)), 1e-6
    forces = spring_forces(net, points * [1.0 + e, 1.0 - shear / (k1 + shear) * e, 1.0])
    ends = np.isclose(points[:, 0], 0.0) | np.isclose(points[:, 0], 2.0)
    assert_allclose(forces[~ends], 0.0, atol=1e-4 * STRETCH * e)
    assert_allclose(-forces[np.isclose(points[:, 0], 2.0), 0].sum(), STRETCH * e * 1.0, rtol=1e-3)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("bending", [0.0, 1e-3, 1.0])
def test_springs_over_folds_take_no_part_in_a_uniform_stretch(count, bending):
    # Strain e in all directions is in balance inside, and each side is pulled by (k1 + 2 k2) e per width.
    points, quads = sheet(2 * count, count, 1.0 / count)
    net = network(Material(STRETCH, SHEAR, bending), points, quads)
    k1, e = 0.5 * (STRETCH - 2.0 * SHEAR + np.hypot(STRETCH, 2.0 * SHEAR)), 1e-6
    forces = spring_forces(net, points * (1.0 + e))
    border = np.isclose(points[:, :2] * [0.5, 1.0], np.round(points[:, :2] * [0.5, 1.0])).any(axis=1)
    assert_allclose(forces[~border], 0.0, atol=1e-4 * STRETCH * e)
    assert_allclose(-forces[np.isclose(points[:, 0], 2.0), 0].sum(), (k1 + 2.0 * SHEAR) * e * 1.0, rtol=1e-3)


@pytest.mark.parametrize("count", [1, 3, 8])
def test_a_sheared_sheet_stores_the_energy_of_its_shear_modulus(count):
    points, quads = sheet(2 * count, count, 1.0 / count)
    net, angle = network(Material(STRETCH, SHEAR, 0.0), points, quads), 1e-4
    x = points + angle * points[:, [1, 2, 2]]
    assert_allclose(energy(net, x), 0.5 * SHEAR * angle**2 * 2.0, rtol=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_triangles_of_any_shape_resist_dilation_like_an_isotropic_membrane(seed):
    # Energy per area Y e^2 / (1 - nu) with nu = 1/3, whatever the triangles.
    points, quads = sheet(4, 3, 0.5)
    points[:, :2] += np.random.default_rng(seed).uniform(-0.1, 0.1, (len(points), 2))
    faces, e = triangles(quads), 1e-5
    net = network(Material(STRETCH, SHEAR, 0.0), points, faces)
    one, two = (points[faces[:, i]] - points[faces[:, 0]] for i in (1, 2))
    area = 0.5 * np.linalg.norm(np.cross(one, two), axis=1).sum()
    assert_allclose(energy(net, points * (1.0 + e)), 1.5 * STRETCH * e**2 * area, rtol=1e-6)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_a_hanging_strand_sags_as_in_closed_form(count):
    # u(s) = w g (L s - s^2 / 2) / EA below the support balances every vertex's weight, however many there are.
    length, weight, stiffness, g = 2.0, 0.3, 500.0, 9.81
    s = np.linspace(0.0, length, count + 1)
    points = np.column_stack([0 * s, 0 * s, -s])
    edges = np.column_stack([np.arange(count), np.arange(1, count + 1)])
    net = network(Material(line_stiffness=stiffness, line_density=weight), points, edges=edges)
    x = points - np.outer(weight * g * (length * s - 0.5 * s**2) / stiffness, [0, 0, 1])
    total = spring_forces(net, x)[:, 2] - net.masses * g
    assert_allclose(total[1:], 0.0, atol=1e-9)
    assert_allclose(total[0], -weight * length * g, rtol=1e-9)


def test_the_damping_ratio_is_that_of_two_masses_and_their_spring():
    net = network(
        Material(line_stiffness=100.0, line_density=2.0, damping_ratio=0.25), np.eye(3)[:2], edges=[(0, 1)]
    )
    length = np.sqrt(2.0)
    reduced = 0.5 * length
    assert_allclose(net.damping, 2.0 * 0.25 * np.sqrt(100.0 / length * reduced))


def test_a_vertex_without_faces_and_edges_weighs_as_much_as_the_others():
    points, quads = sheet(1, 1)
    net = network(Material(area_density=1.0), np.vstack([points, [5.0, 5.0, 5.0]]), quads)
    assert_allclose(net.masses, 0.25)


def test_slivers_and_edges_of_no_length_get_springs_in_range():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1e-9, 0], [0, 1, 0], [0, 1, 0]])
    net = network(Material(STRETCH, SHEAR, 1e-3), points, [[0, 1, 2], [0, 2, 3]], edges=[(3, 4)])
    assert np.isfinite(net.stiffness).all() and (net.stiffness > 0.0).all()
    assert net.stiffness[net.rest_lengths > 0].max() <= 200.0 * STRETCH


@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [("stretch", 0.0, "above 0"), ("shear", -1.0, "at least 0"), ("area_density", np.nan, "above 0")],
)
def test_values_out_of_range_are_named(name, value, limit):
    with pytest.raises(ValueError, match=f"{name} is {value}: it must be finite and {limit}"):
        Material(**{name: value})


def test_vertices_at_one_place_weigh_a_kilogram_together():
    net = network(Material(), np.zeros((4, 3)), edges=[(0, 1), (2, 3)])
    assert_allclose(net.masses, 0.25)
    assert np.isfinite(net.stiffness).all()


def test_what_is_no_material_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="material is 'cotton': give a Material"):
        SpringNetwork.from_mesh(np.eye(3), faces=[[0, 1, 2]], material="cotton")
