# SPDX-License-Identifier: GPL-3.0-or-later
"""Where surfaces are looked for: no farther than particles may go, and where what rests will be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.contacts import Box, DeformingMesh, RigidMesh, Sphere
from hooke.core.contacts.looks import first_look
from hooke.core.contacts.ways import Ways
from hooke.core.topology import lattice_faces, lattice_points

from .surfaces import SHEETS, SOLIDS, bumpy, distances_by_trying, scattered

THICKNESS = 0.03
MESHES = SOLIDS | SHEETS


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("name", MESHES)
def test_within_reach_distances_are_those_without_one_and_beyond_less(name, inside):
    points, triangles = MESHES[name]
    mesh = RigidMesh(points, triangles, thickness=THICKNESS, inside=inside)
    x = scattered(points, triangles, 0.4)
    reach = np.random.default_rng(3).uniform(0.0, 0.3, len(x))
    which = np.arange(len(x))
    exact, normals, _ = mesh.look(x, 0.0, 0.0, which)
    distances, found, _ = mesh.look(x, 0.0, 0.0, which, reach)
    beyond = exact > reach
    assert_array_equal(distances[~beyond], exact[~beyond])
    assert_array_equal(found[~beyond], normals[~beyond])
    # What is given in place of a distance is itself beyond.
    assert (distances[beyond] > reach[beyond]).all()
    # Two cells along each axis apart, a distance differs by their diagonal at most, and by what is interpolated.
    assert (distances <= exact + 1e-9).all()


@pytest.mark.parametrize("speed", [0.0, 1e-3])
@pytest.mark.parametrize("shape", [Sphere, Box, "mesh", "deforming"])
def test_what_hardly_moves_is_on_the_plane_under_where_it_was(shape, speed):
    points, triangles = bumpy()

    def pose(t):
        return np.eye(4) + speed * t * np.outer([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])

    law = {"thickness": THICKNESS, "pose": pose}
    kinds = {"mesh": RigidMesh, "deforming": DeformingMesh}
    of = kinds[shape](points, triangles, **law) if shape in kinds else shape(**law)
    start = State(scattered(points, triangles, THICKNESS), np.zeros((1, 3)), 0.5)
    x = start.x + np.random.default_rng(5).uniform(-1.0, 1.0, start.x.shape) * 0.6 * THICKNESS
    ways = Ways(start, np.ascontiguousarray(x.T))
    looked = first_look(of, ways, 0.6, 0.6 - start.t, np.zeros(()))
    far = np.linalg.norm(x - start.x, axis=1)
    hardly = far < 0.5 * THICKNESS
    assert 20 < hardly.sum() < len(x) - 20
    if shape == "deforming" or speed > 0.0:
        assert looked.at is ways.end
        assert_array_equal(looked.particles, np.arange(len(x)))
        assert looked.least is looked.found[0]
        return
    assert_array_equal(looked.at, np.where(hardly[:, None], start.x, x))
    there, n, _ = of.look(start.x, 0.6, 0.1, np.arange(len(x)))
    plane = there + np.einsum("ij,ij->i", n, x - start.x)
    near = hardly & (there < THICKNESS)
    of_all = np.full(len(x), np.nan)
    of_all[looked.particles] = looked.found[0]
    assert near.any()
    assert_allclose(of_all[near], plane[near], atol=1e-12)
    # What is left out stays away, however it turns, and is as far as that tells.
    out = np.isnan(of_all)
    assert out.any()
    assert (looked.least[out] >= (THICKNESS + far)[out]).all()
    assert (of.look(x, 0.6, 0.1, np.arange(len(x)))[0] >= looked.least - 1e-9)[out].all()


@pytest.mark.parametrize("name", SOLIDS)
def test_nothing_is_nearer_than_is_told(name):
    points, triangles = MESHES[name]
    mesh = RigidMesh(points, triangles, thickness=THICKNESS)
    start = State(scattered(points, triangles, 0.5 * THICKNESS), np.zeros((1, 3)), 0.0)
    x = start.x + np.random.default_rng(6).uniform(-0.3, 0.3, start.x.shape) * THICKNESS
    looked = first_look(mesh, Ways(start, np.ascontiguousarray(x.T)), 0.1, 0.1, np.zeros(()))
    # Distances are exact up to the thickness, and signs are another test's.
    exact = distances_by_trying(start.x, points, triangles) < THICKNESS
    outside = exact & (mesh.closest(start.x)[0] > 0.0) & (mesh.closest(x)[0] > 0.0)
    hardly = np.linalg.norm(x - start.x, axis=1) < 0.5 * THICKNESS
    assert (outside & hardly).sum() > 20
    true = distances_by_trying(x, points, triangles)
    assert (true >= looked.least - 1e-9)[outside].all()


@pytest.mark.newest
def test_what_rests_on_a_mesh_is_looked_for_once_a_substep(monkeypatch):
    """A sheet at rest on a bumpy ball stays on the planes that it was left on: its own weight moves it off none."""
    points, triangles = bumpy()
    mesh = RigidMesh(3.0 * points, triangles, thickness=THICKNESS, friction=1.0)
    above = np.array([-0.2, -0.2, mesh.extent()[1][2] + THICKNESS])
    sheet = lattice_points((9, 9, 1), 0.05) + above
    network = SpringNetwork.from_mesh(sheet, faces=lattice_faces((9, 9, 1)))
    simulation = Simulation(network, forces=Settling(), contacts=[mesh], dt=1 / 24, substeps=3)
    for _ in range(72):
        simulation.step()
    asked = []
    look = RigidMesh.look
    monkeypatch.setattr(
        RigidMesh, "look", lambda self, x, *more: (asked.append(len(x)), look(self, x, *more))[1]
    )
    simulation.step()
    assert asked.count(network.vertex_count) == 3
    assert sum(asked) <= 1.1 * 3 * network.vertex_count
