# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces against the finite differences of their energies, and what damping may and may not do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Cloth, SpringNetwork, forces

# Central differences of an energy of about 10 J: the rounding is 10 eps / h = 2e-9 N, the cut-off error
# h^2 V''' / 6 about 1e-8 N with lengths of 0.1 m and more.
H = 1e-6
DIFFERENCE_TOLERANCE = 2e-7


def minus_gradient(energy, x):
    """-dV/dx by central differences."""
    gradient = np.zeros_like(x)
    for entry in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[entry] = H
        gradient[entry] = (energy(x + step) - energy(x - step)) / (2 * H)
    return -gradient


@pytest.fixture
def net(random_net):
    return random_net(pins=[0, 0.25, 1, 0, 0.75, 0, 1, 0], pin_stiffness=40.0)


@pytest.fixture
def x(net):
    return net.points + np.random.default_rng(5).uniform(-0.2, 0.2, net.points.shape)


@pytest.fixture
def v(net):
    return np.random.default_rng(6).normal(size=net.points.shape)


def test_spring_force_is_minus_the_gradient_of_its_energy(net, x):
    expected = minus_gradient(lambda x: forces.spring_energy(net, x), x)
    assert np.abs(expected).max() > 1.0
    assert_allclose(forces.spring_forces(net, x), expected, atol=DIFFERENCE_TOLERANCE)


def test_pin_force_is_minus_the_gradient_of_its_energy(net, x):
    targets = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]])
    expected = minus_gradient(lambda x: forces.pin_energy(net, x, targets), x)
    assert np.abs(expected).max() > 1.0
    assert_allclose(forces.pin_forces(net, x, targets), expected, atol=DIFFERENCE_TOLERANCE)


def test_gravity_is_minus_the_gradient_of_its_energy(net, x, v):
    gravity = forces.Gravity((1.0, -2.0, -9.81)).on(Cloth(net))
    expected = minus_gradient(gravity.energy, x)
    assert_allclose(gravity(x, v, 0.0), expected, atol=DIFFERENCE_TOLERANCE)
    assert_allclose(gravity(x, v, 0.0), net.masses[:, None] * [1.0, -2.0, -9.81], rtol=1e-15)


def test_one_spring_by_hand():
    # 0.25 m beyond its rest length: V = 1/2 k C^2 = 1/2 32 / 16 = 1 J, |f| = k C = 8 N towards each other.
    net = SpringNetwork([[0, 0, 0], [0, 1.25, 0]], [[0, 1]], stiffness=32.0, rest_lengths=1.0)
    assert forces.spring_energy(net, net.points) == 1.0
    assert_array_equal(forces.spring_forces(net, net.points), [[0, 8, 0], [0, -8, 0]])


def test_soft_pin_by_hand():
    # Weight 0.25 of 8 N/m, 3 m away: w = 2 N/m, V = 9 J, f = 6 N back.
    net = SpringNetwork([[0, 0, 0]], [], pins=[0.25], pin_stiffness=8.0)
    x, targets = np.array([[3.0, 0, 0]]), np.zeros((1, 3))
    assert_array_equal(forces.pin_weights(net), [2.0])
    assert forces.pin_energy(net, x, targets) == 9.0
    assert_array_equal(forces.pin_forces(net, x, targets), [[-6, 0, 0]])


def test_damping_of_one_spring_by_hand():
    # Ends part at 3 m/s along the spring and 4 m/s across it: only the 3 count.
    net = SpringNetwork([[0, 0, 0], [2, 0, 0]], [[0, 1]], damping=0.5)
    v = np.array([[0.0, 0, 0], [3.0, 4.0, 0]])
    assert_array_equal(forces.damping_forces(net, net.points, v), [[1.5, 0, 0], [-1.5, 0, 0]])


def test_kinetic_energy_by_hand():
    net = SpringNetwork(np.zeros((2, 3)), [], masses=[2.0, 4.0])
    assert forces.kinetic_energy(net, np.array([[3.0, 0, 4.0], [0, 1.0, 0]])) == 25.0 + 2.0


def test_damping_takes_power_from_every_spring(net, x, v):
    # The power is the sum of -mu (rate of length)^2, and the rate is found from the lengths alone.
    rates = (net.spring_lengths(x + H * v) - net.spring_lengths(x - H * v)) / (2 * H)
    power = np.sum(forces.damping_forces(net, x, v) * v)
    assert_allclose(power, -np.sum(net.damping * rates**2), rtol=1e-6)
    assert power < 0


@pytest.mark.parametrize("seed", range(20))
def test_damping_power_is_never_positive(random_net, seed):
    rng = np.random.default_rng(seed)
    net = random_net(seed=seed)
    x, v = rng.normal(size=(2, *net.points.shape))
    assert np.sum(forces.damping_forces(net, x, v) * v) <= 0


def test_rigid_motion_is_not_damped(net, x):
    rng = np.random.default_rng(8)
    v = rng.normal(size=3) + np.cross(rng.normal(size=3), x)
    # Relative velocities of about 1 m/s, orthogonal to the springs up to round-off.
    assert_allclose(forces.damping_forces(net, x, v), 0.0, atol=1e-15 * 50)


def test_internal_forces_have_no_resultant_and_no_torque(net, x, v):
    for f in (forces.spring_forces(net, x), forces.damping_forces(net, x, v)):
        assert_allclose(f.sum(axis=0), 0.0, atol=1e-13)
        assert_allclose(np.cross(x, f).sum(axis=0), 0.0, atol=1e-13)


@pytest.mark.parametrize("rest_length", [0.0, 1.0])
def test_ends_that_meet_give_zero_force(rest_length):
    net = SpringNetwork(np.ones((2, 3)), [[0, 1]], stiffness=1e6, rest_lengths=rest_length, damping=1e6)
    v = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    directions, lengths = forces.spring_directions(net, net.points)
    assert_array_equal(directions, np.zeros((1, 3)))
    assert_array_equal(lengths, [0.0])
    assert_array_equal(forces.spring_forces(net, net.points), np.zeros((2, 3)))
    assert_array_equal(forces.damping_forces(net, net.points, v), np.zeros((2, 3)))
    assert forces.spring_energy(net, net.points) == 0.5e6 * rest_length**2


@pytest.mark.parametrize("gap", [1e-300, 1e-170, 1e-9])
def test_ends_that_almost_meet_give_finite_force(gap):
    net = SpringNetwork([[0, 0, 0], [gap, 0, 0]], [[0, 1]], stiffness=1e6, rest_lengths=1.0, damping=1e6)
    v = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    assert np.isfinite(forces.spring_forces(net, net.points)).all()
    assert np.isfinite(forces.damping_forces(net, net.points, v)).all()


def test_zero_rest_length_pulls_with_stiffness_times_distance():
    net = SpringNetwork([[0, 0, 0], [1, 2, -2]], [[0, 1]], stiffness=10.0, rest_lengths=0.0)
    assert_allclose(forces.spring_forces(net, net.points), [[10, 20, -20], [-10, -20, 20]], rtol=1e-15)


@pytest.mark.parametrize("acceleration", [(0, 0), (0, 0, 0, 0), 9.81, (0, 0, np.nan), (np.inf, 0, 0)])
def test_gravity_out_of_range_is_named(acceleration):
    with pytest.raises(ValueError, match="give three finite numbers in m/s"):
        forces.Gravity(acceleration)
