# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of any number of corners are the same sheet: it lengthens, bends and tears alike however it is divided."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.sparse.linalg import spsolve

from hooke.core import SpringNetwork
from hooke.core.forces import spring_forces
from hooke.core.material import Material
from hooke.core.polygons import triangulated
from hooke.core.stencils import sheet_bending
from hooke.core.topology import Polygons

from .many_corners import KINDS, sheet

LARGE = [kind for kind in KINDS if kind not in ("quads", "triangles")]


def lengthening(network, axis, stretch, weight):
    """How much longer a strip hangs along an axis than u(s) = w (H s - s^2/2)/stretch says, over its lower half."""
    x, e = network.points[:, :2], network.edges
    ways = x[e[:, 1]] - x[e[:, 0]]
    n = ways / np.linalg.norm(ways, axis=1)[:, None]
    rows = np.repeat(np.arange(len(e)), 4)
    columns = np.concatenate([2 * e[:, :1], 2 * e[:, :1] + 1, 2 * e[:, 1:], 2 * e[:, 1:] + 1], axis=1)
    along = sparse.csr_matrix(
        (np.column_stack([-n, n]).ravel(), (rows, columns.ravel())), shape=(len(e), x.size)
    )
    matrix = along.T @ sparse.diags(network.stiffness) @ along
    load = np.zeros_like(x)
    load[:, axis] = 9.81 * network.masses
    s = x[:, axis] - x[:, axis].min()
    held = np.zeros(x.shape, dtype=bool)
    held[s < 0.3, axis] = True
    top = np.flatnonzero(s < 0.3)
    held[top[np.argmin(np.abs(x[top, 1 - axis] - x[:, 1 - axis].mean()))], 1 - axis] = True
    free, u = ~held.ravel(), np.zeros(x.size)
    u[free] = spsolve(matrix[free][:, free].tocsc(), load.ravel()[free])
    exact, lower = weight * 9.81 * (s.max() * s - 0.5 * s**2) / stretch, s > 0.5 * s.max()
    return u.reshape(-1, 2)[lower, axis] @ exact[lower] / (exact[lower] @ exact[lower])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axis", [0, 1])
def test_a_hanging_strip_is_as_much_longer_as_its_stretch_says(kind, axis):
    points, faces = sheet(*((30, 8) if axis == 0 else (8, 30)), kind)
    network = SpringNetwork.from_mesh(points, None, faces, material=Material(2000.0, 50.0, 0.0, 0.2))
    # The borders of hexagons are notched: what is left of a notch carries less.
    assert 0.9 < lengthening(network, axis, 2000.0, 0.2) < 1.1


@pytest.mark.parametrize("kind", LARGE)
def test_any_uniform_strain_is_in_balance_within(kind):
    points, faces = sheet(6, 6, kind)
    # Half bricks are quads: with this shear they are isotropic, too.
    network = SpringNetwork.from_mesh(points, None, faces, material=Material(2000.0, 750.0, 0.0))
    sides = np.sort(Polygons.from_faces(faces).sides(), axis=1)
    sides, times = np.unique(sides, axis=0, return_counts=True)
    inner = np.ones(len(points), dtype=bool)
    inner[sides[times == 1]] = False
    for strain in ([[1, 0], [0, 0]], [[0, 0], [0, 1]], [[0, 1], [1, 0]]):
        x = points.copy()
        x[:, :2] += 1e-6 * points[:, :2] @ np.array(strain)
        forces = spring_forces(network, x)
        # Of the forces at the border the share that fits leave, of corners in one line the most.
        assert np.abs(forces[inner]).max() < 0.02 * np.abs(forces).max()


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("angle", [0.0, 0.7, 1.3])
def test_it_bends_as_a_plate_in_any_direction(kind, angle):
    points, faces = sheet(8, 8, kind)
    polygons = Polygons.from_faces(faces)
    stencils = sheet_bending(points, polygons, 1.0, np.zeros(len(points), dtype=bool))
    along = (points[:, :2] - points[:, :2].mean(axis=0)) @ [np.cos(angle), np.sin(angle)]
    bent = points + np.outer(0.5 * along**2, [0.0, 0.0, 1.0])
    energy = 0.5 * stencils.stiffness @ stencils.lengths(bent) ** 2
    # All but what is at the border, where across it nothing bends.
    assert 0.8 < energy / (0.5 * polygons.areas(points).sum()) < 1.02


def test_a_polygon_cut_any_way_has_the_same_springs():
    points, faces = sheet(4, 4, "hexagons")
    whole = SpringNetwork.from_mesh(points, None, faces, material=Material())
    for first in range(6):
        turned = [face[first:] + face[:first] for face in faces]
        cut = [[ring[0], ring[k], ring[k + 1]] for ring in turned for k in range(1, 5)]
        network = SpringNetwork.from_mesh(points, None, cut, material=Material())
        assert_allclose(network.edges, whole.edges)
        assert_allclose(network.stiffness, whole.stiffness, rtol=1e-5)


@pytest.mark.parametrize(
    "ring",
    [
        [(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)],
        [(0, 0), (1, 0), (2, 0), (2, 2), (0, 2)],
        [(0, -1), (60, -1), *((i, 3 if i % 2 else 1) for i in range(60, -1, -1))],
        [(np.cos(a), np.sin(a)) for a in np.arange(200) * np.pi / 100],
    ],
    ids=["L", "line of corners", "comb", "circle of 200"],
)
def test_triangles_cover_a_face_that_is_not_convex_once(ring):
    points = np.column_stack([np.array(ring, dtype=float), np.zeros(len(ring))])
    polygons = Polygons.from_faces([np.arange(len(ring))])
    a, b, c = points[triangulated(points, polygons)].transpose(1, 0, 2)
    areas = 0.5 * np.cross(b - a, c - a)[:, 2]
    assert len(areas) == len(ring) - 2 and areas.min() > 0.0
    assert_allclose(areas.sum(), polygons.areas(points)[0])


@pytest.mark.parametrize(
    "ring", [[(0, 0)] * 5, [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]], ids=["place", "line"]
)
def test_faces_without_area_have_springs_in_range(ring):
    points = np.column_stack([np.array(ring, dtype=float), np.zeros(len(ring))])
    network = SpringNetwork.from_mesh(points, None, [np.arange(5)], material=Material())
    assert np.isfinite(network.stiffness).all() and (network.stiffness > 0.0).all()
    assert network.stiffness.max() <= 200.0 * 5e3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["hexagons", "cut hexagons"])
def test_no_spring_is_left_across_a_tear(kind):
    points, faces = sheet(6, 6, kind)
    network = SpringNetwork.from_mesh(points, None, faces, material=Material(), tears_at=0.1)
    x = points.copy()
    x[points[:, 0] > points[:, 0].mean(), 0] += 0.6
    for _ in range(40):
        network = network.changed(broken=network.tearing.breaking(network, x))
    torn = network.tearing.torn_faces(network.broken)
    assert torn.any() and not torn.all()
    in_faces = {
        frozenset((a, b)) for face, gone in zip(faces, torn, strict=True) if gone for a in face for b in face
    }
    kept = {
        frozenset((a, b))
        for face, gone in zip(faces, torn, strict=True)
        if not gone
        for a in face
        for b in face
    }
    left = {frozenset(pair) for pair in network.edges[~network.broken].tolist()}
    assert not left & (in_faces - kept)
