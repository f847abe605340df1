# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids: what of a mesh is one, what it weighs, how its surface rides and is held."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from theory.boxes import box, turn, volume

from hooke.core import INTEGRATORS, Member, Plane, Simulation, Solid, SpringNetwork, Together
from hooke.core.contacts import SelfCollision
from hooke.core.diagnostics import enough_substeps
from hooke.core.effort import EFFORTS
from hooke.core.topology import network_parts

from .surfaces import octasphere

FPS = 24
CUBE = box((1.0, 1.0, 1.0), 0.25)


def ball(level, radius=0.5):
    points, triangles = octasphere(level)
    return radius * points, triangles


@pytest.mark.parametrize("spacing", [1.0, 0.3, 0.1, 0.03])
def test_it_weighs_as_its_volume_whatever_its_surface(spacing):
    points, faces = box((1.0, 0.5, 0.4), spacing)
    network = Solid.from_mesh(points, faces=faces, density=500.0).network
    assert network.masses.sum() == pytest.approx(100.0, rel=1e-9) and network.masses.min() > 0.0
    middle = network.masses @ network.points / network.masses.sum()
    assert_allclose(middle, [0.5, 0.25, 0.2], atol=1e-9)


def test_a_ball_weighs_as_its_mesh_encloses():
    points, triangles = ball(3)
    a, b, c = (points[corner] for corner in triangles.T)
    enclosed = abs(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0
    assert Solid.from_mesh(points, faces=triangles).network.masses.sum() == pytest.approx(
        1000.0 * enclosed, rel=0.02
    )


@pytest.mark.parametrize("flip", [False, True])
def test_either_side_of_the_faces_may_be_out(flip):
    points, faces = CUBE
    body = Solid.from_mesh(points, faces=faces[:, ::-1] if flip else faces)
    assert body.network.masses.sum() == pytest.approx(1000.0)


def test_a_fine_mesh_is_carried_by_few_particles_and_rides():
    points, triangles = ball(6)
    body = Solid.from_mesh(points, faces=triangles)
    assert len(points) > 10_000 and body.network.vertex_count < 2_000
    assert_allclose(body.embed(body.network.points), points, atol=1e-14)
    turned = turn(0.3, 0.8, -0.4)
    assert_allclose(body.embed(body.network.points @ turned + 1.0), points @ turned + 1.0, atol=1e-12)


def bowl():
    points, triangles = octasphere(2)
    return points, triangles[(points[triangles][:, :, 2] <= 1e-9).all(axis=1)]


@pytest.mark.parametrize("mesh", [(CUBE[0], CUBE[1][:16]), bowl()], ids=["sheet", "bowl"])
def test_what_is_open_is_cloth(mesh):
    points, faces = mesh
    body, cloth = Solid.from_mesh(points, faces=faces), SpringNetwork.from_mesh(points, faces=faces)
    assert body.outside is None and not body.fillings
    assert_array_equal(body.network.edges, cloth.edges)


def test_what_lies_within_belongs_to_it_and_what_lies_apart_does_not():
    points, triangles = ball(2)
    faces = np.concatenate([triangles + number * len(points) for number in range(3)])
    # An eye half in the head, and a ball beside it.
    eye, beside = np.array([0.35, 0.0, 0.0]), np.array([0.0, 1.5, 0.0])
    several = np.concatenate([points, 0.3 * points + eye, points + beside])
    body = Solid.from_mesh(several, faces=faces)
    part = network_parts(body.network)[: len(several)]
    assert len(body.fillings) == 2
    assert part[0] == part[len(points)] != part[-1]


def test_an_open_shell_in_a_solid_is_carried_by_it():
    points, triangles = ball(3)
    shell = triangles[(points[triangles][:, :, 0] > 0.3).all(axis=1)]
    both = np.concatenate([points, 0.98 * points])
    faces = np.concatenate([triangles, shell + len(points)])
    used = np.unique(faces)
    numbers = np.full(len(both), -1)
    numbers[used] = np.arange(len(used))
    body = Solid.from_mesh(both[used], faces=numbers[faces])
    assert len(np.unique(network_parts(body.network))) == 1


@pytest.mark.newest
def test_ropes_at_a_solid_stay_ropes():
    points, faces = CUBE
    rope = np.array([[0.0, 0.0, 1.5], [0.0, 0.0, 2.0]])
    top = int(np.flatnonzero((points == [0.0, 0.0, 1.0]).all(axis=1))[0])
    edges = [[top, len(points)], [len(points), len(points) + 1]]
    quads = np.sort(faces[:, [[0, 1], [1, 2], [2, 3], [3, 0]]].reshape(-1, 2), axis=1)
    body = Solid.from_mesh(
        np.concatenate([points, rope]),
        np.concatenate([quads, edges]),
        faces,
        pins=[len(points) + 1],
        stiffness=1e6,
    )
    simulation = Simulation(body, dt=1 / FPS, **EFFORTS["FINE"].settings)
    for _ in range(12):
        simulation.step()
    hung = simulation.vertices[[top, len(points)]]
    # A ton swings on it.
    assert 0.5 < np.linalg.norm(hung[0] - hung[1]) < 0.6
    assert len(np.unique(network_parts(body.network))) == 1


def test_pinned_vertices_hold_what_lies_between_them():
    points, faces = box((1.0, 0.3, 0.3), 0.3)
    pins = np.flatnonzero(points[:, 0] == 0.0)
    body = Solid.from_mesh(points, faces=faces, pins=pins, modulus=1e6)
    face = body.network.points[: body.outside.network.vertex_count, 0] == 0.0
    assert_array_equal(body.outside.network.pins == 1.0, face)
    simulation = Simulation(body, dt=1 / FPS)
    up = np.array([0.0, 0.0, 0.2])
    for _ in range(3):
        simulation.step(points[pins] + up)
    held = body.network.hard_pins
    assert_allclose(simulation.state.x[held], body.network.points[held] + up, atol=1e-14)
    assert_allclose(simulation.vertices[pins], points[pins] + up, atol=1e-14)


def dropped(modulus, angles, poisson=0.45, contact=None, effort="STANDARD"):
    points, faces = CUBE
    points = (points - 0.5) @ turn(*angles)
    points[:, 2] += 1.0 - points[:, 2].min()
    body = Solid.from_mesh(points, faces=faces, modulus=modulus, poisson=poisson, damping_ratio=0.05)
    return Simulation(body, dt=1 / FPS, contacts=contact or Plane(), **EFFORTS[effort].settings), faces


@pytest.mark.sampled(2)
@pytest.mark.parametrize("angles", [(0.0, 0.0, 0.0), (0.5, 0.35, 0.0)], ids=["flat", "tilted"])
def test_a_cube_of_jelly_that_falls_by_a_metre_keeps_its_volume(angles):
    # Of the preset: on its corner too, where a solve to the end stretches it by 0.4.
    simulation, faces = dropped(3e5, angles)
    begun = volume(simulation.vertices, faces)
    for _ in range(24):
        simulation.step()
        x = simulation.vertices
        assert simulation.network.strains(simulation.state.x).max() < 0.45
        assert volume(x, faces) == pytest.approx(begun, rel=0.05)
        assert x[:, 2].min() > -1e-9
    assert volume(x, faces) == pytest.approx(begun, rel=0.03)


@pytest.mark.nightly
def test_what_is_crushed_comes_back():
    # A cube of 100 kPa lost all of its volume for good by springs alone.
    simulation, faces = dropped(1e5, (0.5, 0.35, 0.0), poisson=0.25)
    for _ in range(60):
        simulation.step()
    # It bounces on, and is pressed to less whenever it lands: between two landings it has all of it again.
    volumes = [volume(x, faces) for x in simulation.frames(12)]
    assert max(volumes) > 0.99


@pytest.mark.newest
def test_frames_go_on_from_a_snapshot():
    one, other = dropped(3e5, (0.5, 0.35, 0.0))[0], dropped(3e5, (0.5, 0.35, 0.0))[0]
    for _ in range(12):
        one.step()
    other.restore(one.snapshot())
    for _ in range(3):
        one.step()
        other.step()
    assert_array_equal(one.vertices, other.vertices)


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("integrator", ["IMPLICIT_EULER", "VERLET", "RK4", "POSITION_BASED"])
def test_every_method_carries_the_skin(integrator):
    points, faces = CUBE
    body = Solid.from_mesh(
        points + np.array([0.0, 0.0, 0.2]), faces=faces, cells=64, poisson=0.45, damping_ratio=0.05
    )
    count = enough_substeps(body.network, INTEGRATORS[integrator], 1 / FPS) or 5
    simulation = Simulation(body, integrator, dt=1 / FPS, substeps=max(count, 5), contacts=Plane())
    for _ in range(8):
        simulation.step()
    outer = body.outside.network.vertex_count
    stencils = body.network.stencils
    assert stencils.lengths(simulation.state.x).max() < 0.05 and stencils.vertices[:, 0].max() < outer
    assert volume(simulation.vertices, faces) == pytest.approx(1.0, rel=0.1)


@pytest.mark.nightly
def test_solids_meet_others_with_their_skin():
    points, faces = CUBE
    stand = Solid.from_mesh(points, faces=faces, modulus=1e6)
    falls = Solid.from_mesh(points + np.array([0.0, 0.0, 1.1]), faces=faces, modulus=1e6)
    bodies = np.repeat([0, 1], [of.network.vertex_count for of in (stand, falls)])
    together = Together(
        [Member(stand, contacts=(Plane(),)), Member(falls)],
        contacts=[SelfCollision(0.02, bodies=bodies)],
        dt=1 / FPS,
        **EFFORTS["STANDARD"].settings,
    )
    for _ in range(20):
        together.step()
    lower, upper = np.split(together.vertices, [len(points)])
    assert together.vertices.shape == (2 * len(points), 3)
    assert lower[:, 2].min() > -1e-9
    assert 0.95 < upper[:, 2].min() < 1.1
