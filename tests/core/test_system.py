# SPDX-License-Identifier: GPL-3.0-or-later
"""The equations of motion: what acts on a network and where its pins are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Cloth, forces
from hooke.core.system import System

PINS = [0, 0.25, 1, 0, 0.75, 0, 1, 0]


class Spring:
    """Pull to the origin, with an energy."""

    def __call__(self, x, v, t):
        return -2.0 * x

    def energy(self, x):
        return float(np.sum(x**2))


class Wind:
    """Drag in a wind that grows with time, without an energy."""

    def __call__(self, x, v, t):
        return np.array([t, 0.0, 0.0]) - v


@pytest.fixture
def net(random_net):
    return random_net(pins=PINS, pin_stiffness=40.0)


@pytest.fixture
def system(net):
    return System(Cloth(net), (0.0, 0.0, -9.81), (Spring(), Wind()))


@pytest.fixture
def x(net):
    return net.points + 0.1


@pytest.fixture
def v(net):
    return np.random.default_rng(6).normal(size=net.points.shape)


def test_forces_are_the_sum_of_all(net, system, x, v):
    expected = (
        forces.spring_forces(net, x)
        + forces.damping_forces(net, x, v)
        + forces.pin_forces(net, x, net.points[[1, 4]])
        + net.masses[:, None] * [0.0, 0.0, -9.81]
        - 2.0 * x
        + [3.0, 0.0, 0.0]
        - v
    )
    assert_allclose(system.forces(x, v, 3.0), expected, atol=1e-13)


def test_accelerations_are_forces_over_masses_and_zero_at_hard_pins(net, system, x, v):
    expected = system.forces(x, v, 3.0) / net.masses[:, None]
    expected[[2, 6]] = 0.0
    assert_allclose(system.accelerations(x, v, 3.0), expected, rtol=1e-14)


def test_energies_count_every_force_that_has_one(net, system, x):
    spring = 0.5 * np.sum(net.stiffness * (net.spring_lengths(x) - net.rest_lengths) ** 2)
    pin = 0.5 * 40.0 * (0.25 + 0.75) * 0.03  # every vertex is (0.1, 0.1, 0.1) m from its target
    assert_allclose(system.elastic_energy(x, 0.0), spring + pin, rtol=1e-13)
    external = 9.81 * np.sum(net.masses * x[:, 2]) + np.sum(x**2)
    assert_allclose(system.external_energy(x), external, rtol=1e-13)


def test_pins_move_in_straight_lines(net, system):
    start = net.points[net.pinned]
    end = start + np.arange(12.0).reshape(4, 3)
    system.move_pins(start, end, 2.0, 0.5)
    # Pinned vertices are 1, 2, 4 and 6; hard are 2 and 6, soft are 1 and 4.
    assert_array_equal(system.hard_targets(), end[[1, 3]])
    assert_allclose(system.hard_velocities(), 2.0 * (end - start)[[1, 3]], rtol=1e-14)
    for t, share in ((2.0, 0.0), (2.1, 0.2), (2.25, 0.5), (2.5, 1.0)):
        expected = start[[0, 2]] + share * (end - start)[[0, 2]]
        assert_allclose(system.soft_targets(t), expected, rtol=1e-13)


def test_pins_rest_on_the_points_until_they_are_moved(net, system):
    assert_array_equal(system.hard_targets(), net.points[[2, 6]])
    assert_array_equal(system.hard_velocities(), np.zeros((2, 3)))
    assert_array_equal(system.soft_targets(0.7), net.points[[1, 4]])
