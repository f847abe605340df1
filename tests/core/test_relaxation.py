# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbourhoods balanced on their own: a lower objective of the same equations, and all others where they are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.contacts import Box, Sphere
from hooke.core.effort import EFFORTS
from hooke.core.forces import AirDrag
from hooke.core.material import Material
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.relaxation import Relaxation


def step_of(network, y):
    """An ImplicitStep of a network towards y, shape (3, vertex_count), and what relaxes it."""
    problem = ImplicitStep(network, 0.01)
    problem.begin(y, np.ascontiguousarray(network.points.T), network.points[network.soft_pins])
    return problem, Relaxation(problem, np.full(network.vertex_count, 0.1), 0.01)


def seats_of(network, contacts=()):
    return Simulation(network, dt=0.01, contacts=contacts).system.contacts


@pytest.fixture
def pulled():
    """A sheet of 30 x 30 at rest, but for one vertex that is pulled aside by half a spring's length."""
    network = SpringNetwork.grid((30, 30), 0.1, mass=0.5, stiffness=1e3)
    y = np.ascontiguousarray(network.points.T)
    x = y.copy()
    x[0, 435] += 0.05
    return network, y, x


def test_what_is_pulled_gives_way_and_all_else_stays(pulled):
    network, y, x = pulled
    problem, relaxation = step_of(network, y)
    before = problem.objective(x)[0]
    relaxed = relaxation.relaxed(x, seats_of(network))
    # At rest nothing would be left of the objective. A pull counts from a 50th of this one on, and ways are no longer.
    assert problem.objective(relaxed)[0] < before / 50
    away = np.abs(network.points - network.points[435]).max(axis=1)
    # Those that its springs reach are pulled as well, and springs reach two spacings.
    far = away > 1.25
    assert far.any()
    assert_array_equal(relaxed[:, far], x[:, far])
    problem.gradient(relaxed)
    assert relaxation.relaxed(relaxed, seats_of(network)) is None


def test_what_is_balanced_is_left_alone(pulled):
    network, y, _ = pulled
    problem, relaxation = step_of(network, y)
    problem.gradient(y)
    assert relaxation.relaxed(y, seats_of(network)) is None


def test_broken_springs_are_no_part_of_a_neighbourhood(pulled):
    network, y, x = pulled
    broken = (network.edges == 435).any(axis=1)
    torn = network.changed(broken=broken)
    problem, relaxation = step_of(torn, y)
    x[0, 436] += 0.05
    before = problem.objective(x)[0]
    relaxed = relaxation.relaxed(x, seats_of(torn))
    assert problem.objective(relaxed)[0] < before / 50


def test_what_holds_the_whole_holds_a_neighbourhood(pulled):
    # Pulled down through a floor right below: it stays on it, whatever its springs and its inertia want.
    network, _, x = pulled
    x = x - np.array([0.0, 0.0, 0.001])[:, None]
    seats = seats_of(network, Plane((0.0, 0.0, 0.0), friction=0.0))
    problem, relaxation = step_of(network, x)
    simulation_start = Simulation(network, dt=0.01).state
    assert seats.before(simulation_start, x, 0.01) is seats
    problem.gradient(x)
    seats.filter_gradient(problem.g)
    relaxed = relaxation.relaxed(x, seats)
    assert relaxed is not None
    assert_allclose(relaxed[2], 0.0, atol=1e-15)


@pytest.mark.newest
def test_no_spring_is_pulled_long_where_heavy_cloth_strikes():
    # 10,201 vertices of denim on a ball: what is pushed out after the iterations alone takes springs with it by 27 %.
    flat = SpringNetwork.grid((101, 101), 0.02)
    points = flat.points - flat.points.mean(axis=0) + [0.013, 0.007, 0.7]
    denim = Material(stretch=8900.0, shear=122.0, bending=16.9e-6, area_density=0.475)
    network = SpringNetwork.from_mesh(points, faces=flat.surface.polygons, material=denim)
    simulation = Simulation(
        network,
        dt=1 / 24,
        contacts=Sphere(0.5, thickness=0.005),
        forces=AirDrag(0.1),
        **EFFORTS["STANDARD"].settings,
    )
    edges = network.surface.edges
    lengths = np.linalg.norm(np.diff(points[edges], axis=1), axis=2)
    longest = [np.linalg.norm(np.diff(x[edges], axis=1), axis=2) / lengths for x in simulation.frames(13)]
    assert np.max(longest) < 1.12


def test_what_springs_draw_to_a_surface_is_held_within_the_iterations():
    # At rest 3 mm above a plate, without gravity: the spring to what is pinned below it draws it there.
    network = SpringNetwork(
        [[0.0, 0.0, -0.05], [0.0, 0.0, 0.003]], [[0, 1]], stiffness=1e3, rest_lengths=0.02, pins=[1.0, 0.0]
    )
    plate = Box((1.0, 1.0, 0.02), (0.0, 0.0, -0.01))
    simulation = Simulation(
        network, dt=1 / 24, gravity=(0, 0, 0), contacts=plate, **EFFORTS["STANDARD"].settings
    )
    simulation.step()
    assert simulation.system.contacts.holding
    assert_allclose(simulation.state.x[1], 0.0, atol=1e-12)
    assert_allclose(simulation.state.v[1], 0.0, atol=1e-12)
