# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet bends as a plate does, on any mesh: energies of quadratic surfaces, rigid motions, clamps, and its shape."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse.linalg import spsolve
from theory.bending_meshes import KINDS, flat
from theory.equilibrium import at_equilibrium

from hooke.core import Simulation, SpringNetwork
from hooke.core.forces import spring_energy, spring_forces
from hooke.core.material import Material
from hooke.core.stencils import sheet_bending

from .turns import turned

G = 9.81


def bending(kind, columns=12, rows=12, spacing=0.05, rigidity=1.0, held=None):
    """Points, Polygons and the stencils of a flat mesh."""
    points, polygons = flat(columns, rows, spacing, kind)
    held = np.zeros(len(points), dtype=bool) if held is None else held
    return points, polygons, sheet_bending(points, polygons, rigidity, held)


def energies(stencils, x):
    """B/2 k^2 of every stencil [J]."""
    return 0.5 * stencils.stiffness * stencils.lengths(x) ** 2


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_moved_and_turned_rigidly_does_not_bend(kind):
    points, _, stencils = bending(kind)
    moved = turned(points.T, np.array([0.4, -1.1, 0.7])).T + np.array([3.0, -2.0, 5.0])
    # A curvature of rounding: coordinates of metres over the square of the spacing.
    assert stencils.lengths(moved).max() < 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stretched_in_its_plane_does_not_bend(kind):
    points, _, stencils = bending(kind)
    assert stencils.lengths(points * [1.3, 0.8, 1.0]).max() < 1e-9


def _cylinder(points, direction):
    """Points moved up to a cylinder of curvature 1 that bends along a direction, in half turns."""
    along = np.array([np.cos(np.pi * direction), np.sin(np.pi * direction)])
    middle = points.mean(axis=0)[:2]
    return points + np.outer(0.5 * ((points[:, :2] - middle) @ along) ** 2, [0.0, 0.0, 1.0])


# Lines of quads that are not square measure the curvature along them, as if they were.
_OFF = {"irregular quads": (0.98, 1.03)}


@pytest.mark.combined
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("direction", [0.0, 0.25, 0.375, 0.5, 0.75])
def test_a_cylinder_has_the_energy_of_a_plate(kind, direction):
    def energy(columns):
        points, _, stencils = bending(kind, columns, columns, rigidity=2.0)
        return energies(stencils, _cylinder(points, direction)).sum()

    # Of three squares so that what the borders and the corners lack cancels.
    found = energy(24) - 2.0 * energy(16) + energy(8)
    area = (24**2 - 2 * 16**2 + 8**2) * 0.05**2
    least, most = _OFF.get(kind, (0.999, 1.001))
    within = 0.02 if kind.startswith(("irregular", "random")) else 0.0
    assert (least - within) * area < found < (most + within) * area


@pytest.mark.parametrize("kind", KINDS)
def test_it_bends_as_hard_along_45_degrees_where_all_may_give_way(kind):
    # The border is held as on a cylinder, and the plate within is in balance on it: its energy is the moment by the
    # curvature. Meshes give way by zigzags where energies are blind to them.
    points, _, stencils = bending(kind, 24, 24)
    matrix = stencils.second_derivative(len(points))
    from_border = np.abs(points[:, :2] - points.mean(axis=0)[:2]).max(axis=1)
    inner = from_border < 0.05 * (12 - 1.6)
    moments = []
    for direction in (0.0, 0.25, 0.75):
        z = _cylinder(points, direction)[:, 2]
        z[inner] = spsolve(matrix[inner][:, inner].tocsc(), -matrix[inner][:, ~inner] @ z[~inner])
        moments.append(z @ (matrix @ z) / (24 * 0.05) ** 2)
    # Half cells at the border do not bend across it: 1/24 less along the mesh, half of that askew.
    assert moments[0] == pytest.approx(1.0 - 1.0 / 24, rel=0.03)
    assert moments[1:] == pytest.approx([moments[0]] * 2, rel=0.04)


@pytest.mark.parametrize("kind", KINDS)
def test_the_energy_of_a_dome_is_that_of_its_area(kind):
    # The border's half cells bend as the rest: lines end at it, and what lies beyond the last ones does not bend.
    columns, spacing = 20, 0.05
    points, polygons, stencils = bending(kind, columns, columns, spacing)
    found = energies(stencils, points + np.outer(0.5 * (points[:, :2] ** 2).sum(axis=1), [0, 0, 1])).sum()
    area = polygons.areas(points).sum()
    assert area * (1.0 - 1.5 / columns) < found < 1.001 * area


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.combined
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("spacing", "within"), [(0.02, 0.02), (0.01, 0.01)])
@pytest.mark.parametrize(("weight", "drop"), [(1.0, 0.1246), (5.0, 0.5857)])
def test_a_clamped_strip_hangs_as_the_elastica(kind, spacing, within, weight, drop):
    # Drop over reach of the tip, from theta'' = -weight (1 - s) cos theta; weight is rho g L^3/B.
    length, density = 0.2, 0.136
    points, faces = flat(round(length / spacing) + 1, 2, spacing, kind)
    points -= [spacing, 0.0, 0.0]
    material = Material(
        stretch=5e3, shear=1e3, bending=density * G * length**3 / weight, area_density=density
    )
    network = SpringNetwork.from_mesh(points, faces=faces, material=material, pins=points[:, 0] < 1e-9)
    forces = np.outer(network.masses, [0.0, 0.0, -G])
    x = at_equilibrium(network, forces, points)
    tip = x[points[:, 0] > length - 1e-9].mean(axis=0)
    assert -tip[2] / tip[0] == pytest.approx(
        drop, rel=max(within, 0.03 if kind == "irregular quads" else 0.0)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_forces_balance_and_have_no_moment(kind):
    points, polygons = flat(6, 5, 0.1, kind)
    network = SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=3.0))
    x = points + 0.01 * np.random.default_rng(5).normal(size=points.shape)
    f = spring_forces(network, x) - spring_forces(_without_stencils(network), x)
    assert np.abs(f).max() > 1.0
    assert_allclose(f.sum(axis=0), 0.0, atol=1e-10 * np.abs(f).sum())
    assert_allclose(np.cross(x, f).sum(axis=0), 0.0, atol=1e-10 * np.abs(f).sum())


def _without_stencils(network):
    return SpringNetwork(
        network.points,
        network.edges,
        stiffness=network.stiffness,
        rest_lengths=network.rest_lengths,
        masses=network.masses,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_is_kept_unless_it_is_to_be_flat(kind):
    points, polygons = flat(10, 6, 0.05, kind)
    points[:, 2] = 0.04 * np.cos(3.0 * points[:, 0])
    kept, flattened = (
        SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=1.0, keep_shape=keep))
        for keep in (True, False)
    )
    # What single precision may have put into points counts as flat.
    most = np.abs(spring_forces(flattened, points)).max()
    assert spring_energy(kept, points) < 1e-6 * spring_energy(flattened, points)
    assert_allclose(spring_forces(kept, points), 0.0, atol=2e-3 * most)
    # Bent further it costs as much as a flat sheet that is bent as far: quadratic about its shape.
    further = points.copy()
    further[:, 2] *= 1.02
    stencils = kept.stencils
    change = stencils.lengths(further) - stencils.rest_lengths
    bent = 0.5 * np.sum(stencils.stiffness * change**2)
    assert bent == pytest.approx(4e-4 * spring_energy(flattened, points), rel=0.1)


def test_points_of_single_precision_are_flat_where_they_were():
    points, polygons, stencils = bending("triangles", spacing=0.01)
    moved = turned(points.T, np.array([0.3, 0.2, 0.1])).T + np.array([7.0, 2.0, 1.0])
    single = moved.astype(np.float32).astype(np.float64)
    of_single = sheet_bending(single, polygons, 1.0, np.zeros(len(points), dtype=bool)).at_rest(single, True)
    assert len(of_single) > 0.9 * len(stencils)
    assert of_single.linear.all()


def test_slivers_and_faces_without_area_leave_finite_stencils():
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1e-9, 0], [1, 1, 0], [0, 0, 0.0]])
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [2, 4, 3], [0, 5, 1]]
    network = SpringNetwork.from_mesh(points, faces=faces, material=Material(bending=1.0))
    assert np.isfinite(network.stencils.weights).all()
    assert np.isfinite(spring_forces(network, points + 0.1)).all()


def test_rigidity_may_be_painted():
    points, polygons, _ = bending("quads")
    held = np.zeros(len(points), dtype=bool)
    painted = sheet_bending(points, polygons, np.where(points[:, 0] > 0.3, 4.0, 1.0), held)
    even = sheet_bending(points, polygons, 1.0, held)
    assert set(np.unique(np.round(painted.stiffness / even.stiffness, 6))) <= {1.0, 1.75, 2.5, 3.25, 4.0}


@pytest.mark.parametrize("kind", ["quads", "triangles"])
def test_a_curtain_that_is_cut_does_not_bend_over_the_cut(kind):
    points, polygons = flat(6, 4, 0.1, kind)
    network = SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=1.0))
    side = points[network.edges][:, :, 0] > 0.35
    cut = network.changed(broken=side[:, 0] != side[:, 1])
    # Each half turned on its own about the cut: nothing bends.
    x = points.copy()
    right = points[:, 0] > 0.35
    middle = np.array([0.35, 0.0, 0.0])
    x[right] = turned((x[right] - middle).T, np.array([0.0, 1.0, 0.0])).T + middle
    assert spring_energy(network, x) > 1.0
    assert spring_energy(cut, x) < 1e-12


def test_a_snapshot_holds_stencils_that_were_changed():
    points, polygons = flat(5, 4, 0.1, "quads")
    network = SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=1e-3), pins=[0, 4])
    one, other = (Simulation(network, dt=1 / 24, iterations=5) for _ in range(2))
    one.step()
    one.change(stencil_stiffness=2.0 * network.stencils.stiffness, stencil_rest_lengths=3.0)
    one.step()
    other.restore(one.snapshot())
    one.step(), other.step()
    assert_allclose(other.state.x, one.state.x, rtol=0, atol=0)
    assert (other.network.stencils.rest_lengths == 3.0).all()
