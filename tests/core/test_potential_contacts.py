# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as potentials beside Coulomb's law, Euler's and Eytelwein's, and momentum."""

import numpy as np
import pytest

from hooke.core import (
    Box,
    Capsule,
    Member,
    Plane,
    SelfCollision,
    Simulation,
    Sphere,
    SpringNetwork,
    State,
    Together,
)
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

from .piercing import through

G, DT = 9.81, 1 / 24
STANDARD = {"dt": DT, **EFFORTS["STANDARD"].settings}


def cloth(side, size, **how):
    """A sheet of cotton of a size [m] by side^2 vertices."""
    grid = SpringNetwork.grid((side, side), size / (side - 1))
    return SpringNetwork.from_mesh(grid.points, faces=grid.surface.polygons, material=Material(), **how)


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("steepness", [0.9, 0.98, 1.02, 1.1])
@pytest.mark.parametrize("mu", [0.2, 0.8])
def test_a_sheet_stands_on_slopes_below_the_angle_of_friction_and_slides_by_the_rest_above(mu, steepness):
    angle = np.arctan(mu * steepness)
    gravity = G * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    sheet = cloth(7, 0.3)
    simulation = Simulation(sheet, gravity=gravity, contacts=Plane(friction=mu), **STANDARD)
    speeds = []
    for _ in range(36):
        simulation.step()
        speeds.append(sheet.masses @ simulation.state.v[:, 0] / sheet.masses.sum())
    if steepness < 1.0:
        assert abs(speeds[-1]) < 1e-4
        return
    expected = gravity[0] + mu * gravity[2]
    assert (speeds[-1] - speeds[11]) / (24 * DT) == pytest.approx(expected, rel=0.02)


@pytest.mark.newest
def test_a_rope_around_a_pole_holds_what_euler_and_eytelwein_say():
    mu, radius, count = 0.3, 0.2, 61
    arc = np.linspace(np.pi, 0.0, count)
    over = radius * np.column_stack([np.cos(arc), np.zeros(count), np.sin(arc)])
    down = np.linspace(0.4, 0.0, 40, endpoint=False)[:, None] * [0.0, 0.0, -1.0]
    points = np.concatenate([over[0] + down, over, (over[-1] + down)[::-1]])
    edges = np.column_stack([np.arange(len(points) - 1), np.arange(1, len(points))])
    masses = np.full(len(points), 1e-4)
    masses[-1] = 0.5
    rope = SpringNetwork(points, edges, masses=masses, stiffness=5e4, damping=1.0, pins=[0])
    pole = Capsule(radius, (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), friction=mu)
    simulation = Simulation(rope, contacts=pole, **STANDARD)
    found = []
    for frame in range(36):
        simulation.step(points[:1] - [0.0, 0.0, 0.05 * (frame + 1) * DT])
        stretch = rope.spring_lengths(simulation.state.x) - rope.rest_lengths
        found.append(stretch[5:30].mean() / stretch[-30:-5].mean())
    assert np.median(found[18:]) == pytest.approx(np.exp(mu * np.pi), rel=0.05)


@pytest.mark.nightly
@pytest.mark.parametrize("speed", [2.0, 6.0])
def test_a_box_carries_a_curtain_and_goes_through_nothing_of_it(speed):
    side = 21
    grid = SpringNetwork.grid((side, side), 2.0 / (side - 1))
    points = grid.points[:, [0, 2, 1]] - [1.0, 0.0, 1.0]
    made_of = {"faces": grid.surface.polygons, "material": Material()}
    network = SpringNetwork.from_mesh(points, pins=1.0 * (points[:, 2] > 1.0 - 1e-6), **made_of)
    begin = -0.5 * speed / 6.0

    def pose(t):
        matrix = np.eye(4)
        matrix[1, 3] = begin + speed * t
        return matrix

    box = Box((0.3, 0.3, 0.3), pose=pose, thickness=0.005)
    simulation = Simulation(network, contacts=box, **STANDARD)
    triangles, edges = network.surface.triangles, network.surface.edges
    sides = np.unique(np.sort(box.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    for _ in range(6):
        simulation.step()
        x, corners = simulation.state.x, box.corners(simulation.state.t)
        assert not through(x, edges, corners, box.triangles)
        assert not through(corners, sides, x, triangles)
    # It is carried: what went through would hang still.
    assert x[:, 1].max() > begin + speed * simulation.state.t


def two_sheets():
    """A Together of two free sheets on their way into each other, without gravity."""
    one, other = cloth(9, 0.4), cloth(9, 0.4)
    number = np.repeat([0, 1], len(one.points))
    own = SelfCollision(0.005, bodies=number)
    simulation = Together([Member(one), Member(other)], contacts=(own,), gravity=(0.0, 0.0, 0.0), **STANDARD)
    turned = one.points @ [[0.98, 0.0, 0.2], [0.0, 1.0, 0.0], [-0.2, 0.0, 0.98]] + [0.02, 0.01, 0.1]
    x = np.concatenate([one.points, turned])
    v = np.zeros_like(x)
    v[:, 2] = np.where(number == 0, 1.0, -1.5)
    simulation.state = State(x, v, 0.0)
    return simulation


def test_bodies_that_strike_each_other_keep_their_momentum():
    simulation = two_sheets()
    masses = simulation.network.masses
    momentum, size = masses @ simulation.state.v, masses @ np.abs(simulation.state.v).sum(axis=1)
    for _ in range(8):
        simulation.step()
    assert np.abs(masses @ simulation.state.v - momentum).max() < 1e-9 * size
    # They did strike.
    heights = [simulation.state.v[place, 2].mean() for place in simulation.places]
    assert heights[0] < 0.5


def test_it_goes_on_from_a_snapshot_bit_for_bit():
    sheet = cloth(7, 0.4)
    made = [
        Simulation(sheet, contacts=(Plane((0, 0, -0.2)), Box((0.2, 0.2, 0.2), (0.2, 0.2, -0.15))), **STANDARD)
        for _ in range(2)
    ]
    for _ in range(8):
        made[0].step()
    made[1].restore(made[0].snapshot())
    for simulation in made:
        simulation.step()
        simulation.step()
    assert made[0].state.x.tobytes() == made[1].state.x.tobytes()
    assert made[0].state.v.tobytes() == made[1].state.v.tobytes()


@pytest.mark.nightly
def test_a_sheet_that_falls_on_a_box_comes_to_rest_with_less_than_it_fell_with():
    sheet = cloth(9, 0.6)
    contacts = Plane((0, 0, -0.4)), Box((0.3, 0.3, 0.3), (0.3, 0.25, -0.2), thickness=0.005)
    simulation = Simulation(sheet, contacts=contacts, **STANDARD)
    energies = []
    for _ in range(48):
        simulation.step()
        energies.append(sum(simulation.diagnostics()[name] for name in ("kinetic", "potential")))
    # No frame has more than one before, but for a hundredth of what the whole fall gives: with the box a tenth of a
    # millimetre elsewhere it is 0.4 to 2.3 thousandths, by other roundings up to 4.4.
    assert (np.diff(energies) <= 1e-2 * (energies[0] - energies[-1])).all()


def carried(speed):
    """A pose that moves along z [m/s]."""

    def pose(t):
        matrix = np.eye(4)
        matrix[2, 3] = speed * t
        return matrix

    return pose


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
@pytest.mark.parametrize("speeds", [(-40.0, 0.0), (0.0, 40.0), (-25.0, 15.0)], ids=str)
def test_what_passes_a_shape_within_a_substep_is_stopped_by_it(shape, speeds):
    # In a substep of Standard they come 0.56 m nearer, and pass a shape of 0.1 m twice over: one of them head-on.
    away = np.array([[0.0, 0.0, 0.3], [0.03, 0.0, 0.35], [-0.02, 0.01, 0.5]])
    dust = SpringNetwork(away, np.zeros((0, 2), dtype=int), masses=0.01, stiffness=np.zeros(0))
    pose = carried(speeds[1])
    make = {
        "sphere": lambda: Sphere(0.1, pose=pose, friction=0.0),
        "capsule": lambda: Capsule(0.1, (0, -1, 0), (0, 1, 0), pose=pose, friction=0.0),
    }
    simulation = Simulation(dust, contacts=make[shape](), gravity=(0.0, 0.0, 0.0), **STANDARD)
    simulation.state = State(away, np.tile([0.0, 0.0, speeds[0]], (3, 1)), 0.0)
    for _ in range(3):
        simulation.step()
        beside = simulation.state.x - [0.0, 0.0, speeds[1] * simulation.state.t]
        distances = np.linalg.norm(beside[:, [0, 2]] if shape == "capsule" else beside, axis=1)
        # A light touch is as deep at most. Who is met beside its middle slides off it, and is thrown aside.
        assert distances.min() > 0.1 - 2e-3
        assert beside[0, 2] > 0.0
        sides = np.abs(simulation.state.v[1:] - [0.0, 0.0, speeds[1]])
        assert (sides[:, :2].max(axis=1) > 1.0).all()


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("depth", [0.02, 0.1])
def test_what_begins_inside_is_led_out_and_neither_leaps_nor_flies(depth):
    sheet = cloth(7, 0.3)
    simulation = Simulation(sheet, contacts=Plane((0, 0, depth), thickness=0.005), **STANDARD)
    # As fast as this at the start, and ever slower, but no slower than 0.25 m/s.
    fastest = 1.5 * max((depth + 0.005) / 0.2, 0.25)
    for _ in range(24):
        before = simulation.state.x
        simulation.step()
        assert (simulation.state.x - before)[:, 2].max() < fastest * DT
        assert simulation.state.v[:, 2].max() < fastest
    # Deeper than that it sinks nowhere by its weight.
    assert simulation.state.x[:, 2].min() > depth


@pytest.mark.sampled(2)
@pytest.mark.parametrize("upper", ["plane", "box"])
def test_what_two_surfaces_leave_no_room_is_told(upper):
    sheet = cloth(7, 0.3)

    def down(t):
        matrix = np.eye(4)
        matrix[2, 3] = max(0.02 - 0.1 * t, -0.02)
        return matrix

    floor = Plane(thickness=0.005)
    lid = Plane((0, 0, 0), (0, 0, -1), thickness=0.005, pose=down)
    if upper == "box":
        lid = Box((1.0, 1.0, 0.5), (0.0, 0.0, 0.25), thickness=0.005, pose=down)
    floor.name, lid.name = "Floor", "Lid"
    simulation = Simulation(sheet, contacts=(floor, lid), **STANDARD)
    told = []
    for _ in range(12):
        simulation.step()
        told.append(simulation.squeezed())
    # They are 20 mm apart at first, and in each other after 0.2 s.
    assert told[0] is None
    assert told[-1] is not None and {told[-1].into, told[-1].by} == {"Floor", "Lid"}
    assert told[-1].room == pytest.approx(0.01)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("thickness", [0.0, 0.004])
def test_nobody_is_inside_a_shape_in_any_frame_however_hard_it_is_struck(thickness):
    sheet = cloth(13, 0.8)
    floor, ball = (
        Plane((0, 0, -0.3), thickness=thickness),
        Sphere(0.2, (0.4, 0.37, -0.25), thickness=thickness),
    )
    simulation = Simulation(sheet, contacts=(floor, ball), **STANDARD)
    simulation.state = State(sheet.points, np.tile([0.5, 0.0, -4.0], (sheet.vertex_count, 1)), 0.0)
    for _ in range(24):
        simulation.step()
        # But for rounding.
        assert min(of.distances(simulation.state.x).min() for of in (floor, ball)) > -1e-12
    # It lies there.
    assert simulation.state.x[:, 2].min() < -0.3 + thickness + 2e-3
