# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction, distances and pressure that are functions of time: each frame has those of its end."""

import numpy as np
import pytest

from hooke.core import Inside, Member, Plane, SelfCollision, Simulation, SpringNetwork, Together

G, DT = 9.81, 1.0 / 24.0
SLOPE = np.radians(20.0)
# [s] from which on it is other.
TURN = 6.5 * DT
METHODS = ("PROJECTIVE_DYNAMICS", "IMPLICIT_EULER", "VERLET")


def slope(**how):
    return Plane((0.0, 0.0, 0.0), (np.sin(SLOPE), 0.0, np.cos(SLOPE)), **how)


def on_slope(friction, method="PROJECTIVE_DYNAMICS", substeps=8):
    sheet = SpringNetwork.grid((4, 4), 0.05, stiffness=50.0)
    turn = np.array([[np.cos(SLOPE), 0, -np.sin(SLOPE)], [0, 1, 0], [np.sin(SLOPE), 0, np.cos(SLOPE)]])
    points = sheet.points @ turn
    network = SpringNetwork(points, sheet.edges, stiffness=50.0, masses=0.01)
    return Simulation(network, method, dt=DT, substeps=substeps, contacts=slope(friction=friction))


def letting_go(t):
    return 1.0 if t < TURN else 0.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_what_sticks_slides_from_the_frame_on_in_which_friction_goes(method):
    simulation = on_slope(letting_go, method)
    down = np.array([np.cos(SLOPE), 0.0, -np.sin(SLOPE)])
    ways = [float(((x - simulation.network.points) @ down).mean()) for x in simulation.frames(18)]
    assert abs(ways[5]) < 1e-4
    t = DT * 12
    assert ways[17] - ways[5] == pytest.approx(0.5 * G * np.sin(SLOPE) * t**2, rel=0.03)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_constant_functions_are_numbers(method):
    one, other = on_slope(lambda t: 0.2, method), on_slope(0.2, method)
    for x, y in zip(one.frames(8), other.frames(8), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("at", [4, 9])
def test_it_goes_on_from_a_snapshot_bit_for_bit(method, at):
    def varying(t):
        return max(0.0, 0.6 - t) * np.linspace(0.5, 1.0, 16)

    whole = on_slope(varying, method)
    shown = list(whole.frames(14))
    first = on_slope(varying, method)
    for _ in first.frames(at):
        pass
    second = on_slope(varying, method)
    second.restore(first.snapshot())
    for x, y in zip(second.frames(14 - at), shown[at:], strict=True):
        np.testing.assert_array_equal(x, y)


def test_a_sheet_is_lifted_to_the_distance_of_its_frame():
    def rising(t):
        return np.full(25, 0.002 + 0.02 * min(t / (10 * DT), 1.0))

    points = SpringNetwork.grid((5, 5), 0.05).points + np.array([0.0, 0.0, 0.002])
    sheet = SpringNetwork.from_mesh(points, faces=_faces(5), stiffness=50.0, mass=0.05)
    simulation = Simulation(sheet, dt=DT, substeps=3, contacts=Plane(thickness=rising))
    heights = [x[:, 2].mean() for x in simulation.frames(30)]
    assert heights[4] == pytest.approx(0.002 + 0.02 * 0.5, abs=1e-3)
    assert max(heights) < 0.025
    assert heights[-1] == pytest.approx(0.022, abs=5e-4)


@pytest.mark.nightly
def test_the_distance_within_a_heap_follows_its_function():
    def rising(t):
        return 0.004 + 0.008 * min(t / (10 * DT), 1.0)

    one = SpringNetwork.grid((5, 5), 0.05).points
    points = np.concatenate([one + np.array(at) for at in ((0.0, 0.0, 0.004), (0.01, 0.01, 0.012))])
    faces = np.concatenate([_faces(5), _faces(5) + 25])
    pair = SpringNetwork.from_mesh(points, faces=faces, stiffness=50.0, mass=0.05)
    contacts = Plane(thickness=0.004), SelfCollision(rising)
    *_, last = Simulation(pair, dt=DT, substeps=3, contacts=contacts).frames(25)
    assert last[25:, 2].mean() - last[:25, 2].mean() == pytest.approx(0.012, abs=1e-3)


@pytest.mark.nightly
def test_members_keep_their_own():
    one, other = on_slope(letting_go), on_slope(1.0)
    for single in (one, other):
        list(single.frames(10))
    members = [Member(of.network, (), (slope(friction=f),)) for of, f in ((one, letting_go), (other, 1.0))]
    both = Together(members, dt=DT, substeps=8)
    *_, last = both.frames(10)
    for single, place in zip((one, other), both.places, strict=True):
        np.testing.assert_allclose(last[place], single.state.x, atol=1e-6)


def test_a_value_out_of_range_stops_with_its_name():
    simulation = on_slope(lambda t: 0.5 if t < TURN else -1.0)
    with pytest.raises(ValueError, match=r"plane's friction .*is -1"):
        list(simulation.frames(10))


def test_a_factor_of_the_pressure_is_as_if_it_had_been_given():
    points = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    factors = np.linspace(0.0, 2.0, 8)

    def box(factor, varies=False):
        return SpringNetwork.from_mesh(points, faces=faces, inside=Inside(5.0, factor=factor, varies=varies))

    wanted = box(factors)
    triangles = wanted.enclosures.triangles
    found = box(1.0, varies=True).changed(pressure_factor=factors[triangles].mean(axis=1))
    np.testing.assert_allclose(found.enclosures.even, wanted.enclosures.even, rtol=1e-14)
    np.testing.assert_allclose(found.enclosures.factor, wanted.enclosures.factor, rtol=1e-14)
    x = points * (1.0, 1.1, 0.9)
    np.testing.assert_allclose(
        found.enclosure_operators.uneven(x), wanted.enclosure_operators.uneven(x), atol=1e-14
    )


def _faces(side):
    at = np.arange(side * side).reshape(side, side)
    corners = at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]
    return np.stack([of.ravel() for of in corners], axis=1)
