# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths at rest of which gravity makes the modelled shape: of strands, solids, and what stands on colliders."""

import numpy as np
import pytest

from hooke.core import Cloth, Material, Plane, RigidMesh, Simulation, Solid, SpringNetwork, at_rest
from hooke.core.effort import EFFORTS
from hooke.core.forces import spring_forces

G = (0.0, 0.0, -9.81)


def cube(side=0.4, cuts=3):
    """Points and quads of a closed cube on z = 0."""
    numbers, faces = {}, []
    for axis in range(3):
        for end in (0, cuts):
            for i, j in np.ndindex(cuts, cuts):
                corners = []
                for up, out in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    at = [0, 0, 0]
                    at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = end, i + up, j + out
                    corners.append(numbers.setdefault(tuple(at), len(numbers)))
                faces.append(corners if end else corners[::-1])
    return side / cuts * np.array(list(numbers), dtype=float), np.array(faces)


def jelly(pinned, poisson=0.45):
    points, faces = cube()
    pins = np.flatnonzero(pinned(points)) if pinned else None
    how = {"modulus": 3e4, "poisson": poisson, "density": 1000.0, "damping_ratio": 0.2, "cells": 60}
    return Solid.from_mesh(points, faces=faces, pins=pins, **how)


def strand(points, pins):
    edges = np.column_stack([np.arange(len(points) - 1), np.arange(1, len(points))])
    material = Material(line_stiffness=50.0, line_density=0.05, line_bending=5e-3)
    return Cloth(SpringNetwork.from_mesh(points, edges, material=material, pins=pins))


def bridge():
    """A catenary, held at both ends."""
    along = np.linspace(-1.2, 1.2, 25)
    x = np.arcsinh(along)
    return strand(np.column_stack([x, 0 * x, np.cosh(x)]), [0, 24])


def curl():
    """Half a circle, of which one end is clamped."""
    turn = np.linspace(0.0, np.pi, 25)
    return strand(0.1 * np.column_stack([np.sin(turn), 0 * turn, np.cos(turn)]), [0, 1])


BODIES = {
    "hangs": lambda: jelly(lambda x: x[:, 2] > 0.399),
    "stands": lambda: jelly(lambda x: x[:, 2] < 0.001),
    "of springs alone": lambda: jelly(lambda x: x[:, 2] > 0.399, poisson=0.25),
    "bridge": bridge,
    "curl": curl,
}


def farthest(body, effort, frames=24):
    """How far from its points any vertex of a body is, at most, in so many frames [m]."""
    simulation = Simulation(body, dt=1 / 24, **EFFORTS[effort].settings)
    modelled = simulation.vertices.copy()
    return max(np.abs(vertices - modelled).max() for vertices in simulation.frames(frames))


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize("name", BODIES)
def test_it_stays_where_it_was_modelled(name, effort):
    assert farthest(BODIES[name](), effort) > 5e-3
    body = BODIES[name]()
    body.network, short = at_rest(body, G)
    assert short == 0 and farthest(body, effort) < 5e-4


def test_a_hanging_chain_is_shorter_by_the_weight_below_over_the_stiffness():
    z = -np.linspace(0.0, 1.0, 6)
    masses = np.linspace(0.1, 0.6, 6)
    edges = np.column_stack([np.arange(5), np.arange(1, 6)])
    network = SpringNetwork(
        np.column_stack([0 * z, 0 * z, z]), edges, masses=masses, stiffness=500.0, pins=[0]
    )
    found, _ = at_rest(Cloth(network), G)
    below = np.cumsum(masses[::-1])[::-1][1:]
    np.testing.assert_allclose(found.rest_lengths, 0.2 - 9.81 * below / 500.0, rtol=1e-6)


def test_a_collider_pushes_at_what_stands_on_it_and_pulls_at_nothing():
    body = jelly(None)
    network, _ = at_rest(body, G, [Plane()])
    forces = spring_forces(network, network.points) + network.masses[:, None] * np.array(G)
    weight = 9.81 * network.masses.sum()
    stands = np.zeros(network.vertex_count, dtype=bool)
    stands[: body.outside.network.vertex_count] = body.outside.network.points[:, 2] == 0.0
    assert np.abs(forces[~stands]).max() < 1e-6 * weight
    assert np.abs(forces[stands, :2]).max() < 1e-6 * weight and forces[stands, 2].max() < 1e-6 * weight
    assert forces[stands, 2].sum() == pytest.approx(-weight)


def test_what_nothing_holds_stays_as_it_is():
    for body in (jelly(None), Cloth(SpringNetwork.grid((3, 3), 0.1))):
        assert at_rest(body, G)[0] is body.network
    assert at_rest(bridge(), (0.0, 0.0, 0.0))[1] == 0


def test_springs_that_would_have_to_be_shorter_than_they_can_are_counted():
    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    network = SpringNetwork(points, [[0, 1]], masses=100.0, stiffness=100.0, pins=[0])
    found, short = at_rest(Cloth(network), G)
    assert short == 1 and 0.0 < found.rest_lengths[0] < 0.1


def floor(height):
    """Two triangles that are a sheet."""
    corners = np.array([[-1.0, -1.0, height], [1.0, -1.0, height], [1.0, 1.0, height], [-1.0, 1.0, height]])
    return RigidMesh(corners, [[0, 1, 2], [0, 2, 3]], thickness=5e-3)


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_jelly_that_stands_on_a_plane_keeps_its_modelled_shape(effort, friction):
    # Each bears seventy times its weight where it touches.
    ground, body = Plane(friction=friction), jelly(None)
    body.network, _ = at_rest(body, G, [ground])
    simulation = Simulation(body, dt=1 / 24, contacts=ground, **EFFORTS[effort].settings)
    modelled = simulation.vertices.copy()
    for vertices in simulation.frames(24):
        assert np.abs(vertices - modelled).max() < 5e-4
    assert np.abs(simulation.state.v).max() < 5e-3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("thickness", [0.0, 5e-3])
def test_a_damped_solid_that_stands_still_has_no_velocity(thickness):
    points, faces = cube()
    how = {"modulus": 3e4, "poisson": 0.45, "density": 1000.0, "damping_ratio": 2.0, "cells": 60}
    body = Solid.from_mesh(points + np.array([0.0, 0.0, thickness]), faces=faces, **how)
    ground = Plane(thickness=thickness)
    simulation = Simulation(body, dt=1 / 24, contacts=ground, **EFFORTS["STANDARD"].settings)
    *_, before, after = simulation.frames(16)
    assert np.abs(after - before).max() * 24 < 5e-3
    assert np.abs(simulation.state.v).max() < 5e-3


def test_a_sheet_holds_a_solid_that_begins_exactly_on_it():
    body, ground = jelly(None), floor(0.0)
    simulation = Simulation(body, dt=1 / 24, contacts=ground, **EFFORTS["STANDARD"].settings)
    for vertices in simulation.frames(6):
        assert vertices[:, 2].min() > 0.0
