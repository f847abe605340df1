# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure that differs from place to place, by a factor of its own at every vertex."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Inside, Simulation, SpringNetwork, State

from .surfaces import octasphere
from .test_enclosures import DT, ONE_SIDED, ball, run, volume

# Of points about the origin, all above 0.
SLOPE = np.array([0.8, -0.4, 1.6])


def sloping(points):
    """A factor that is linear in where the vertices are, with SLOPE [1/m]."""
    return 1.0 + points @ SLOPE


@pytest.mark.parametrize("inwards", [False, True])
def test_what_a_linear_map_presses_with_is_its_integral_over_the_surface(inwards):
    points, faces = octasphere(2)
    # No ball: what is linear is exact on any faces.
    points = 0.25 * points * [1.0, 0.6, 1.3] + 0.01 * np.random.default_rng(4).normal(size=points.shape)
    network = SpringNetwork.from_mesh(
        points, faces=faces[:, ::-1] if inwards else faces, inside=Inside(300.0, 1e5, 1.1, sloping(points))
    )
    x = np.ascontiguousarray(points.T)
    even = np.zeros_like(x)
    network.enclosure_operators.add_gradient(x, even)
    pressed = network.enclosure_operators.uneven(points) - even.T
    assert_allclose(pressed.sum(axis=0), 300.0 * volume(network, points) * SLOPE, rtol=1e-9)
    # Each triangle has the mean of its corners, each corner a third of it.
    outer = network.enclosures.triangles
    a, b, c = points[outer].swapaxes(0, 1)
    of_triangle = np.cross(b - a, c - a) / 6.0 * (300.0 * sloping(points)[outer].mean(axis=1) + 1e4)[:, None]
    expected = np.zeros_like(points)
    np.add.at(expected, outer.ravel(), np.repeat(of_triangle, 3, axis=0))
    assert_allclose(pressed, expected, atol=1e-9 * np.abs(expected).max())


def test_a_map_that_is_the_same_everywhere_is_another_pressure():
    count = len(octasphere(3)[0])
    one, other = ball(Inside(800.0, factor=np.full(count, 0.5))), ball(Inside(400.0))
    assert not one.enclosures.is_uneven
    assert_array_equal(run(one, 4)[0].state.x, run(other, 4)[0].state.x)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("integrator", [id for id, cls in INTEGRATORS.items() if cls.bends])
def test_a_ball_with_a_linear_map_is_driven_by_its_integral(integrator):
    points = 0.5 * octasphere(1)[0]
    inside = Inside(2.0, factor=sloping(points))
    network = ball(inside, radius=0.5, levels=1, material=None, mass=1.0, stiffness=500.0)
    simulation = Simulation(network, integrator, dt=DT, substeps=200, gravity=(0, 0, 0))
    simulation.step()
    momentum = network.masses @ simulation.state.v
    # Its skin gives way by some parts in a thousand, and its volume and what is where with it.
    assert_allclose(momentum, DT * 2.0 * volume(network, network.points) * SLOPE, rtol=0.01)


def test_a_map_is_left_out_where_enclosures_are():
    points = 0.5 * octasphere(1)[0]
    network = ball(Inside(50.0, factor=sloping(points)), radius=0.5, levels=1)
    simulation = Simulation(network, "POSITION_BASED", dt=DT, gravity=(0, 0, 0))
    simulation.step()
    assert_allclose(simulation.state.x, network.points, atol=1e-12)


def test_a_factor_of_another_size_or_below_nothing_is_refused():
    for factor, told in ((np.ones(3), "factor of the pressure"), (-1.0, "factor of the pressure")):
        with pytest.raises(ValueError, match=told):
            ball(Inside(1.0, factor=factor))


@pytest.mark.parametrize("seed", range(3))
def test_a_jet_takes_the_ball_along_however_far_a_step_is(seed):
    # It moves by a hundred radii a step; starts that differ by rounding ended at 1 to 4,000 times the volume.
    network = ball(Inside(1e5, factor=ONE_SIDED), levels=2)
    ended = []
    for moved in (0.0, 1e-12):
        simulation = Simulation(network, dt=DT, substeps=2)
        way = moved * np.random.default_rng(seed).standard_normal(network.points.shape)
        simulation.state = State(simulation.state.x + way, simulation.state.v, simulation.state.t)
        for _ in range(8):
            simulation.step()
        ended.append(volume(network, simulation.state.x))
    assert ended[1] == pytest.approx(ended[0], rel=1e-3)
    assert ended[0] < 20.0 * volume(network, network.points)
