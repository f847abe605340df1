# SPDX-License-Identifier: GPL-3.0-or-later
"""A filled body is the solid its modulus and density name: volume, weight, and the energy of any small strain."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import factorial2

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.forces import spring_energy
from hooke.core.interior import DIRECTIONS, SHARES, columns
from hooke.core.material import Material
from hooke.core.topology import Polygons, lattice_faces, lattice_points

MODULUS, DENSITY, COUNT = 5e3, 900.0, 17


def box_shell(count=COUNT):
    """Points and triangles of the outside of a cube of side 1."""
    shape = (count, count, count)
    faces = np.asarray(lattice_faces(shape))
    used, corners = np.unique(faces, return_inverse=True)
    points = lattice_points(shape, 1.0 / (count - 1))[used] - 0.5
    return points, Polygons.from_faces(corners.reshape(-1, 4)).triangles()


def ball(count=COUNT):
    """Points and triangles of a ball of radius 1/2."""
    points, triangles = box_shell(count)
    return points * (0.5 / np.linalg.norm(points, axis=1))[:, None], triangles


def bumpy(count=COUNT):
    """Points and triangles of a body with a waist and bumps."""
    points, triangles = ball(count)
    points = points * (1.0 + 0.3 * np.sin(5.0 * points[:, :1]) * np.cos(7.0 * points[:, 1:2]))
    return points * [1.5, 1.0, 0.7], triangles


def volume(points, triangles):
    """Of the inside, by the divergence theorem [m^3]."""
    a, b, c = (points[corner] for corner in triangles.T)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


BODIES = pytest.mark.parametrize("body", [box_shell, ball, bumpy])


def test_directions_are_isotropic_to_the_sixth_order():
    """Over the unit sphere the mean of x^2i y^2j z^2k is (2i - 1)!! (2j - 1)!! (2k - 1)!! / (2 (i + j + k) + 1)!!."""
    for powers in product(range(4), repeat=3):
        if 0 < sum(powers) <= 3:
            mean = np.sum(SHARES * np.prod(DIRECTIONS ** (2 * np.array(powers)), axis=1))
            expected = np.prod(factorial2(np.maximum(2 * np.array(powers) - 1, 1)))
            expected /= factorial2(2 * sum(powers) + 1)
            assert mean == pytest.approx(expected, rel=1e-14)
    # Odd powers, and what they share of the fourth order.
    assert_allclose(np.einsum("k,ka,kb->ab", SHARES, DIRECTIONS, DIRECTIONS), np.eye(3) / 3.0, atol=1e-16)
    odd = np.einsum("k,ka,kb->ab", SHARES, DIRECTIONS**3, DIRECTIONS)
    assert_allclose(odd, np.diag(np.diag(odd)), atol=1e-16)


def eight_corners(angle, yaw):
    """A cube of six quads and side 1, a corner in the origin, turned about z and then about y, and that rotation."""
    (c, s), (d, t) = ((np.cos(turn), np.sin(turn)) for turn in (angle, yaw))
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[d, -t, 0], [t, d, 0], [0, 0, 1]])
    return lattice_points((2, 2, 2), 1.0) @ turned.T, lattice_faces((2, 2, 2)), turned


TURNS = pytest.mark.parametrize("turn", [(0.0, 0.0), (0.1, 0.3), (0.25, 0.0), (0.46, 0.3), (0.6, 0.8)])


@TURNS
def test_what_fills_eight_corners_resists_every_change_of_their_shape(turn):
    points, faces, _ = eight_corners(*turn)
    skin = Material(stretch=1e-6, shear=0.0, bending=0.0, fill_modulus=MODULUS)
    network = SpringNetwork.from_mesh(points, faces=faces, material=skin)
    i, j = network.edges.T
    along = (points[i] - points[j]) / network.rest_lengths[:, None]
    rows = np.zeros((network.spring_count, 8, 3))
    rows[np.arange(len(i)), i], rows[np.arange(len(i)), j] = along, -along
    rows = np.sqrt(network.stiffness)[:, None] * rows.reshape(len(i), -1)
    found = np.linalg.eigvalsh(rows.T @ rows)
    # Six motions of the whole; the softest of the others is a part of E times the length of a side.
    assert found[5] < 1e-9 * MODULUS < 0.03 * MODULUS < found[6]


@TURNS
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
def test_a_filled_box_of_eight_corners_keeps_its_shape_on_a_slope(effort, turn):
    points, faces, turned = eight_corners(*turn)
    rubber = Material(fill_modulus=1e6, fill_density=1000.0)
    network = SpringNetwork.from_mesh(points, faces=faces, material=rubber)
    slope, normal = np.arctan(0.49), turned[:, 2]
    gravity = 9.81 * (np.sin(slope) * turned[:, 0] - np.cos(slope) * normal)
    floor = Plane(-0.005 * normal, normal, friction=0.5)
    settings = EFFORTS[effort].settings
    simulation = Simulation(network, dt=1 / 24, gravity=gravity, contacts=floor, **settings)
    across = np.linalg.norm(points[:, None] - points, axis=2)
    for x in simulation.frames(36):
        # Its weight on its base is 1 % of E: twice that as it sways, and again as an edge bears it.
        assert np.abs(np.linalg.norm(x[:, None] - x, axis=2) - across).max() < 0.05


@BODIES
@pytest.mark.parametrize("inside_out", [False, True])
def test_columns_fill_the_inside_once(body, inside_out):
    points, triangles = body()
    pairs, volumes = columns(points, triangles[:, ::-1] if inside_out else triangles)
    # Columns end at vertices, up to a spacing short of the wall or beside it.
    assert_allclose(volumes.sum(), volume(points, triangles), rtol=1.5 / COUNT)
    assert (volumes > 0.0).all() and (pairs[:, 0] != pairs[:, 1]).all()


@BODIES
def test_a_filled_body_weighs_as_its_volume(body):
    points, triangles = body()
    material = Material(fill_modulus=MODULUS, fill_density=DENSITY, area_density=1e-6)
    network = SpringNetwork.from_mesh(points, faces=triangles, material=material)
    assert_allclose(network.masses.sum(), DENSITY * volume(points, triangles), rtol=1.5 / COUNT)


@BODIES
@pytest.mark.parametrize("turn", [0.0, 0.4])
@pytest.mark.parametrize(("strain", "share"), [("pull", 1.2), ("shear", 0.4), ("squeeze", 6.0)])
def test_strain_stores_the_energy_of_an_isotropic_solid(body, turn, strain, share):
    """C_xxxx = 6 E/5, C_xyxy = 2 E/5, and three times the former with six times C_xxyy = 2 E/5 from all sides."""
    points, triangles = body()
    skin = {"stretch": 1e-6, "shear": 0.0, "bending": 0.0}
    network = SpringNetwork.from_mesh(
        points, faces=triangles, material=Material(**skin, fill_modulus=MODULUS)
    )
    rotation = np.array(
        [[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]]
    )
    size = 1e-4
    epsilon = {
        "pull": np.diag([size, 0.0, 0.0]),
        "shear": np.array([[0.0, size / 2, 0.0], [size / 2, 0.0, 0.0], [0.0, 0.0, 0.0]]),
        "squeeze": -size * np.eye(3),
    }[strain]
    moved = points + points @ (rotation @ epsilon @ rotation.T)
    expected = 0.5 * share * MODULUS * size**2 * volume(points, triangles)
    assert_allclose(spring_energy(network, moved), expected, rtol=2.5 / COUNT)


@pytest.mark.parametrize("count", [2, 3, 6])
def test_what_is_inside_bears_as_much_where_it_lies_along_the_surface(count):
    """A column has the stiffness of its volume, also between vertices that an edge joins, as in a cube's corners."""
    points, triangles = box_shell(count)
    bent = {"stretch": 50.0, "shear": 20.0, "bending": 1e-3}
    hollow, filled = (
        SpringNetwork.from_mesh(points, faces=triangles, material=Material(**bent, fill_modulus=modulus))
        for modulus in (0.0, MODULUS)
    )
    skin, whole = (np.sum(of.stiffness * of.rest_lengths**2) for of in (hollow, filled))
    # The trace of a spring's stress is its stiffness times the square of its length.
    assert_allclose(whole - skin, 6.0 * MODULUS * columns(points, triangles)[1].sum())
    assert len(np.unique(np.sort(filled.edges, axis=1), axis=0)) == filled.spring_count


@pytest.mark.parametrize("effort", ["STANDARD", "FINE"])
def test_a_cube_of_eight_corners_stands_after_a_fall(effort):
    """It strikes with m g h, far below the E V / 2 that it would take to press it flat."""
    points, triangles = box_shell(2)
    jelly = Material(stretch=600.0, shear=300.0, fill_modulus=3e5, fill_density=1000.0, damping_ratio=0.05)
    network = SpringNetwork.from_mesh(0.5 * points + [0.0, 0.0, 0.75], faces=triangles, material=jelly)
    simulation = Simulation(network, dt=1 / 24, contacts=Plane(), **EFFORTS[effort].settings)
    heights = [np.ptp(x[:, 2]) for x in simulation.frames(48)]
    assert min(heights) > 0.4
    # At rest it sags by its weight, rho g h^2 / 2 E.
    assert_allclose(heights[-1], 0.5, atol=4.0 * 1000.0 * 9.81 * 0.5**2 / (2.0 * 3e5))


def test_an_open_sheet_has_no_inside():
    points, faces = lattice_points((5, 5, 1), 0.25), lattice_faces((5, 5, 1))
    hollow, filled = (
        SpringNetwork.from_mesh(points, faces=faces, material=Material(fill_modulus=modulus))
        for modulus in (0.0, 100.0)
    )
    assert filled.spring_count == hollow.spring_count
    assert_allclose(filled.masses, hollow.masses)


@pytest.mark.newest
def test_a_filled_body_keeps_its_shape_where_a_hollow_one_folds():
    """A hollow skin sinks into itself; a filled one sags as a bar under its weight."""
    points, triangles = box_shell(9)
    pins = np.flatnonzero(points[:, 2] < -0.49)
    heights = {}
    for modulus in (0.0, 4e4):
        material = Material(
            stretch=50.0, shear=20.0, fill_modulus=modulus, fill_density=1000.0, area_density=1.0
        )
        network = SpringNetwork.from_mesh(points, faces=triangles, material=material, pins=pins)
        simulation = Simulation(network, dt=1 / 24, substeps=3, iterations=10)
        *_, x = simulation.frames(24)
        heights[modulus] = x[:, 2].max()
    # Compressed by rho g h^2 / 2E at most, where it can widen freely; the swing about that doubles it.
    sag = 1000.0 * 9.81 / (2.0 * 4e4)
    assert heights[4e4] > 0.5 - 2.0 * sag
    assert heights[0.0] < heights[4e4] - sag
