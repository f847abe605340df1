# SPDX-License-Identifier: GPL-3.0-or-later
"""A limit of strain moves particles, and gives no energy to them that nobody put in."""

from types import SimpleNamespace

import numpy as np
import pytest
from energies.conservation_scenes import SCENES
from energies.traces import trace
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork, State, forces
from hooke.core.bodies import Cloth
from hooke.core.effort import EFFORTS
from hooke.core.integrators.strain_limit_velocity import StrainLimitVelocity
from hooke.core.system import System

H = 0.01
A = 2.0 * H / 3.0


@pytest.fixture
def hung():
    """A string of 6 particles that was drawn to twice its length, hung at its first, and how it was shortened."""
    points = np.outer(np.arange(6), [0.1, 0.0, 0.0])
    edges = np.column_stack([np.arange(5), np.arange(1, 6)])
    network = SpringNetwork(points, edges, masses=0.02, stiffness=50.0, pins=[0])
    rng = np.random.default_rng(0)
    moved = -0.03 * points.T
    after = State(1.6 * points, rng.normal(size=(6, 3)) + moved.T / A, 0.3)
    return SimpleNamespace(network=network, after=after, moved=moved, force=rng.normal(size=(6, 3)))


def shortening(network, velocity=(0.0, 0.0, 0.0)):
    """StrainLimitVelocity in a system whose pins have a velocity [m/s]."""
    system = System(Cloth(network), (0.0, 0.0, -9.81))
    pins = network.points[network.pinned]
    system.move_pins(pins - H * np.array(velocity), pins, 0.0, H)
    return StrainLimitVelocity(system, network)


def kinetic(network, v):
    return 0.5 * float(np.sum(network.masses[1:, None] * v[1:] ** 2))


@pytest.mark.parametrize("pins", [[0.0, 0.0, 0.0], [3.0, -1.0, 2.0]])
@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_seen_from_the_pin_motion_gains_what_springs_and_forces_give(hung, pins, size):
    network, force, moved = hung.network, size * hung.force, hung.moved
    found = shortening(network, pins).ended(hung.after, moved, A, force)
    free = State(hung.after.x - moved.T, hung.after.v - moved.T / A)
    paid = (
        forces.spring_energy(network, free.x)
        - forces.spring_energy(network, hung.after.x)
        + np.sum(force * moved.T)
    )
    gained = kinetic(network, found.v - pins) - kinetic(network, free.v - pins)
    struck = found.v - free.v
    share = np.linalg.norm(struck) / np.linalg.norm(moved / A)
    assert_array_equal(found.x, hung.after.x)
    assert_allclose(struck, share * moved.T / A, atol=1e-12)
    assert share <= 1.0 + 1e-12
    slope = np.sum(network.masses[1:, None] * ((found.v - pins) * struck)[1:])
    if share > 0.0:
        # All that is paid for, or all there is, or, where too little is, as much as brings motion down the most.
        assert gained <= paid + 1e-9 or share == pytest.approx(1.0) or slope == pytest.approx(0.0, abs=1e-9)
    if 0.0 < share < 0.999 and abs(slope) > 1e-6:
        assert gained == pytest.approx(paid, rel=1e-6)


def test_what_gives_no_velocity_is_a_leap_of_the_past_as_well(hung):
    limited, before = shortening(hung.network), State(hung.network.points, hung.after.v, 0.29)
    assert limited.ended(hung.after, None, A, hung.force) is hung.after
    assert limited.past(before) is before
    found = limited.ended(hung.after, hung.moved, A, hung.force)
    past = limited.past(before)
    struck = found.v - (hung.after.v - hung.moved.T / A)
    assert 0.0 < np.abs(past.x - before.x).max() < np.abs(hung.moved).max()
    assert_allclose(past.x - before.x + A * struck, hung.moved.T, atol=1e-12)
    assert_array_equal(past.v, before.v)


@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD"])
def test_a_flag_does_not_swing_itself_up(effort):
    # As a part of smooth motion what the limit moved gave 1.3 and 0.9 m g L within two seconds.
    gained = trace(SCENES["flag on a swinging pole"], EFFORTS[effort], 2).gained
    assert gained.max() < 0.1
