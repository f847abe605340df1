# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies: what is simulated in place of a mesh, and how the mesh rides on it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import BODIES, Body, Cloth, Simulation, SpringNetwork

G = 9.81


class Riding(Body):
    """A surface that rides on a lattice of springs about it by trilinear weights; as a body of a user's would be."""

    label = "Riding"
    description = "A lattice about the mesh"

    def __init__(self, lattice, corners, weights, nearest):
        super().__init__(lattice, len(corners))
        self._corners, self._weights, self._nearest = corners, weights, nearest

    @classmethod
    def from_mesh(cls, points, edges=None, faces=None, *, pins=None, mass=1.0, spacing=0.5, **quantities):
        points = np.asarray(points, dtype=float)
        low = points.min(axis=0) - 0.25 * spacing
        shape = np.floor((points.max(axis=0) - low) / spacing).astype(int) + 2
        cells, within = np.divmod((points - low) / spacing, 1.0)
        offsets = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(-1, 3)
        corners = np.ravel_multi_index(tuple((cells[:, None] + offsets).astype(int).T), tuple(shape)).T
        shares = np.where(offsets, within[:, None], 1.0 - within[:, None])
        network = SpringNetwork.lattice(shape, spacing)
        held = np.zeros(len(network.points))
        pinned = SpringNetwork(points, [], pins=pins).hard_pins
        held[corners[pinned].ravel()] = 1.0
        lattice = SpringNetwork(
            network.points + low, network.edges, masses=mass / len(held), stiffness=1e3, pins=held
        )
        distances = np.linalg.norm(lattice.points[:, None] - points, axis=2)
        return cls(lattice, corners, shares.prod(axis=2), distances.argmin(axis=1))

    def embed(self, x):
        return np.einsum("vc,vcd->vd", self._weights, x[self._corners])

    def particle_targets(self, vertices):
        return self.network.points + (vertices - self.embed(self.network.points))[self._nearest]


@pytest.fixture(params=[*BODIES.values(), Riding], ids=lambda body: body.label)
def kind(request):
    return request.param


@pytest.fixture
def mesh():
    """Points and faces of a bumpy sheet of 5 by 4 vertices."""
    grid = SpringNetwork.grid((5, 4), 0.3)
    heights = np.random.default_rng(3).uniform(0.0, 0.1, len(grid.points))
    faces = grid.surface.polygons.corners.reshape(-1, 4)
    return grid.points + [0.0, 0.0, 1.0] * heights[:, None], faces


def rotation(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def test_body_is_described(kind):
    assert kind.label and kind.description


def test_particles_at_rest_show_the_mesh(kind, mesh):
    points, faces = mesh
    body = kind.from_mesh(points, faces=faces)
    assert body.vertex_count == len(points)
    assert_allclose(body.embed(body.network.points), points, atol=1e-14)


def test_vertices_follow_every_rigid_motion(kind, mesh):
    points, faces = mesh
    body = kind.from_mesh(points, faces=faces)
    turn, shift = rotation(0.7), np.array([0.2, -3.0, 1.5])
    assert_allclose(body.embed(body.network.points @ turn + shift), points @ turn + shift, atol=1e-13)


def test_vertices_fall_freely(kind, mesh):
    # Backward Euler without springs' forces: g dt^2 n (n + 1) / 2.
    points, faces = mesh
    simulation = Simulation(kind.from_mesh(points, faces=faces), dt=0.02)
    frames = list(simulation.frames(10))
    assert frames[-1].shape == points.shape
    expected = points - [0.0, 0.0, G * 0.02**2 * 55]
    assert_allclose(frames[-1], expected, atol=1e-12)
    assert_allclose(simulation.vertices, frames[-1], rtol=0)


def test_pinned_vertices_are_taken_along(kind, mesh):
    points, faces = mesh
    shift = np.array([0.1, -0.2, 0.3])
    body = kind.from_mesh(points, faces=faces, pins=[0, 3])
    simulation = Simulation(body, dt=0.02)
    simulation.step(points + shift)
    assert_allclose(simulation.vertices[[0, 3]], points[[0, 3]] + shift, atol=1e-13)


def test_a_network_is_cloth(mesh):
    points, faces = mesh
    network = SpringNetwork.from_mesh(points, faces=faces, pins=[0])
    given, wrapped = Simulation(network, dt=0.02), Simulation(Cloth(network), dt=0.02)
    assert isinstance(given.body, Cloth)
    for one, other in zip(given.frames(5), wrapped.frames(5), strict=True):
        assert_array_equal(one, other)


def test_faces_stay_with_the_body():
    # A quad, a triangle beside it, and a wire of two edges that ends at the quad.
    points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [0, 2, 0], [0, 3, 0]]
    edges = [[0, 1], [1, 2], [2, 3], [3, 0], [1, 4], [4, 2], [3, 5], [5, 6]]
    body = Cloth.from_mesh(points, edges, [[0, 1, 2, 3], [1, 4, 2]])
    assert_array_equal(body.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2]])
    assert_array_equal(body.strands, [[3, 5], [5, 6]])


def test_bare_springs_are_strands():
    network = SpringNetwork([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1], [2, 1]])
    assert_array_equal(Cloth(network).strands, [[0, 1], [1, 2]])
    assert Cloth(network).triangles.shape == (0, 3)


def test_lattice_has_the_outside_of_the_box():
    shape, spacing = (3, 4, 5), 0.5
    network = SpringNetwork.lattice(shape, spacing)
    corners = network.points[Cloth(network).triangles]
    normals = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # Areas of a box of 1 x 1.5 x 2 m, all of them outwards: its volume is a third of the flux of x.
    assert np.linalg.norm(normals, axis=1).sum() == pytest.approx(2 * (1.5 + 2.0 + 3.0), rel=1e-14)
    assert np.einsum("ij,ij->", normals, corners.mean(axis=1)) / 3 == pytest.approx(3.0, rel=1e-14)
    assert len(Cloth(network).strands) == 0
