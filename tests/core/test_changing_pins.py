# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins whose weights change: what is let go falls at g from that frame, what is taken hold of is held where it is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import EFFORTS, ChangingPins, Material, Plane, Simulation, SpringNetwork, State
from hooke.core.changing_pins import weighed
from hooke.core.solvers import lumping, supernodes
from hooke.core.solvers.factors import FACTORS
from hooke.core.topology import lattice_faces

DT = 1.0 / 24.0
STANDARD = EFFORTS["STANDARD"].settings


def sheet(pins, side=7):
    return SpringNetwork.grid((side, side), 0.1, material=Material(), pins=pins)


def changing(network, weights, asked=None, time=0.0, **arguments):
    how = {"dt": DT, **STANDARD, **arguments}
    return ChangingPins(lambda cloth: Simulation(cloth, **how), network, weights, asked=asked, time=time)


def whole(strength, **arguments):
    """Held in all vertices, by a strength over time."""
    network = sheet(list(range(49)))
    return changing(network, weighed(network.pins, strength), **arguments)


def test_what_is_let_go_falls_freely_from_that_frame():
    simulation = whole(lambda t: 1.0 if t < 3.5 * DT else 0.0)
    heights = [0.0]
    for _ in range(10):
        simulation.step()
        heights.append(simulation.state.x[:, 2].mean())
    assert_array_equal(heights[:5], 0.0)
    # Of second order from the first substep on, for which an even fall is no approximation.
    t = DT * np.arange(7)
    assert_allclose(heights[4:], -0.5 * 9.81 * t**2, atol=1e-9)
    assert np.ptp(simulation.state.x[:, 2]) < 1e-9


def test_what_swings_and_is_let_go_falls_as_a_whole():
    network = sheet([0, 1, 2])
    simulation = changing(network, weighed(network.pins, lambda t: 1.0 if t < 11.5 * DT else 0.0))
    heights, share = [], network.masses / network.masses.sum()
    for _ in range(17):
        simulation.step()
        heights.append(share @ simulation.state.x[:, 2])
    # Of second order from the first substep on, for which an even fall is no approximation.
    assert_allclose(np.diff(heights[11:], 2), -9.81 * DT**2, rtol=1e-9)


def test_weights_that_hardly_change_change_hardly_anything():
    rows, ends = np.repeat([0.5, 0.0], [7, 42]), []
    for size in (0.0, 1e-12):
        simulation = changing(sheet(rows), lambda t, size=size: rows * (1.0 + size * round(t / DT)))
        for _ in range(24):
            simulation.step()
        ends.append(simulation.state.x)
    assert np.abs(ends[0] - simulation.network.points).max() > 0.3
    # In single precision, from frame to frame.
    assert_allclose(ends[1], ends[0], rtol=0, atol=1e-4)


def test_what_moves_goes_on_with_its_velocity():
    simulation = whole(lambda t: 1.0 if t < 3.5 * DT else 0.0, gravity=(0, 0, 0))
    start = simulation.state.x.copy()
    for frame in range(1, 9):
        simulation.step(np.add(start, (0.1 * min(frame, 4), 0.0, 0.0)))
    assert_allclose(simulation.state.v[:, 0], 0.1 / DT, rtol=1e-9)
    assert_allclose(simulation.state.x[:, 0], start[:, 0] + 0.8, rtol=1e-9)


def test_what_is_taken_hold_of_is_held_where_it_is_and_follows_from_there():
    simulation = whole(lambda t: float(t > 3.5 * DT))
    for _ in range(4):
        simulation.step()
    there = simulation.state.x.copy()
    assert there[:, 2].max() < -0.05
    targets = simulation.network.points
    for _ in range(3):
        simulation.step(targets)
    assert_allclose(simulation.state.x, there, atol=1e-12)
    simulation.step(np.add(targets, (0.0, 0.2, 0.0)))
    assert_allclose(simulation.state.x, np.add(there, (0.0, 0.2, 0.0)), atol=1e-12)


def test_two_of_four_corners_let_go():
    corners = [0, 6, 42, 48]

    def weights(t):
        found = np.zeros(49)
        found[corners if t < 1.5 * DT else corners[:2]] = 1.0
        return found

    simulation = changing(sheet(corners), weights)
    for _ in range(12):
        simulation.step()
    x = simulation.state.x
    assert_array_equal(x[corners[:2]], simulation.network.points[corners[:2]])
    assert x[corners[2:], 2].max() < -0.3
    assert np.abs(simulation.network.strains(x)).max() < 0.2


@pytest.mark.parametrize("at", [2, 4, 6])
def test_it_goes_on_from_a_snapshot_to_the_same_bits(at):
    def strength(t):
        return 1.0 if t < 2.5 * DT else 0.0 if t < 4.5 * DT else 0.5

    def made():
        return whole(strength, contacts=Plane((0, 0, -0.1)), time=0.1)

    one = made()
    for _ in range(at):
        one.step()
    other = made()
    other.restore(one.snapshot())
    for _ in range(5):
        one.step(), other.step()
    assert_array_equal(one.state.x, other.state.x)
    assert len(one.network.soft_pins) == 49


def wave(t):
    """One row after the other lets go, and what is pulled softly is pulled less and less."""
    found = np.zeros((9, 9))
    found[0] = 1.0
    found[1], found[2, round(t / DT) :] = max(0.9 - t, 0.0), 1.0
    return found.ravel()


def keyed(tears_at=None, weights=None, **arguments):
    points = SpringNetwork.grid((9, 9), 0.1).points
    network = SpringNetwork.from_mesh(
        points, faces=lattice_faces((9, 9, 1)), material=Material(), pins=wave(0.0), tears_at=tears_at
    )
    if weights is None:
        return Simulation(network, dt=DT, **STANDARD, **arguments)
    return changing(network, weights, asked=np.arange(81), **arguments)


@pytest.mark.parametrize(
    "make",
    [
        lambda: keyed(weights=wave),
        lambda: keyed(quantities={"stiffness": lambda t: np.full(272, 1e4 * (1.0 + 20.0 * t))}),
        lambda: keyed(tears_at=0.01, gravity=(0, 0, -300.0)),
    ],
    ids=["weights", "stiffness", "tears"],
)
def test_what_changes_in_every_frame_goes_on_elsewhere_to_the_same_bits(make):
    one = make()
    for _ in range(5):
        one.step()
    snapshot = one.snapshot()
    for _ in range(4):
        one.step()
    # As in another process, which has made neither factors nor what they have in common.
    FACTORS.clear()
    for known in (supernodes.known_structure, lumping.known_detours):
        known.cache_clear()
    other = make()
    other.restore(snapshot)
    for _ in range(4):
        other.step()
    assert_array_equal(one.state.x, other.state.x)


def test_a_snapshot_of_other_pins_is_refused():
    simulation = whole(lambda t: 1.0)
    with pytest.raises(ValueError, match="give what `snapshot` returns"):
        simulation.restore(simulation.simulation.snapshot())


def test_vertices_that_nothing_pins_at_first_are_taken_hold_of():
    free, corner = sheet([]), 24
    simulation = changing(
        free, lambda t: (np.arange(49) == corner) * float(t > 3.5 * DT), asked=np.arange(49)
    )
    for _ in range(10):
        simulation.step(free.points)
    x = simulation.state.x
    assert -0.2 < x[corner, 2] < -0.05
    assert x[:, 2].mean() < x[corner, 2] - 0.1


@pytest.mark.parametrize("time", [0.1, 0.5])
def test_what_moves_is_taken_hold_of_softly(time):
    """It keeps its velocity at first and loses it by the square of the time left, from targets that move themselves."""
    simulation = whole(lambda t: float(t > 1.5 * DT), gravity=(0.0, 0.0, 0.0), time=time)
    simulation.state = State(simulation.state.x, np.tile([0.0, 0.0, 2.0], (49, 1)), 0.0)
    targets, speed = simulation.network.points, np.array([0.3, 0.0, 0.0])
    found = []
    for frame in range(1, 20):
        simulation.step(targets + frame * DT * speed)
        found.append(simulation.state.x.mean(axis=0))
    t = DT * np.arange(18)
    left = 1.0 - np.clip(t / time, 0.0, 1.0)
    moved = found[1:] - found[1]
    against = np.array([-0.3, 0.0, 2.0])
    expected = np.outer(t, speed) + np.outer(time / 3.0 * (1.0 - left**3), against)
    assert_allclose(moved, expected, atol=1e-9)


def test_what_is_pulled_softly_and_then_held_hard_is_held_where_it_is():
    simulation = whole(lambda t: 1e-5 if t < 4.5 * DT else 1.0)
    for _ in range(5):
        simulation.step()
    there = simulation.state.x.copy()
    assert there[:, 2].max() < -0.1
    for _ in range(3):
        simulation.step()
    assert_allclose(simulation.state.x, there, atol=1e-12)
