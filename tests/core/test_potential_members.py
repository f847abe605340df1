# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as potentials of several bodies together: of each alone, and between them."""

import numpy as np
import pytest
from collisions.intersections import crosses_itself

from hooke.core import (
    Box,
    Member,
    Plane,
    SelfCollision,
    Simulation,
    SpringNetwork,
    State,
    Together,
)
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

G, DT = 9.81, 1 / 24
STANDARD = {"dt": DT, **EFFORTS["STANDARD"].settings}


def cloth(side, size, height=0.0, **how):
    """A sheet of cotton of a size [m] by side^2 vertices."""
    grid = SpringNetwork.grid((side, side), size / (side - 1))
    points = grid.points + np.array([0.0, 0.0, height])
    return SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), **how)


def bodies(networks):
    return np.repeat(np.arange(len(networks)), [network.vertex_count for network in networks])


def momentum(simulation):
    masses, v = simulation.network.masses, simulation.state.v
    return masses @ v, float(masses @ np.abs(v).sum(axis=1))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("contact", [Plane((0, 0, -0.1)), Box((0.2, 0.2, 0.2), (0.1, 0.1, -0.2))], ids=str)
def test_a_member_alone_is_simulated_as_its_body_is(contact):
    sheet, own = cloth(7, 0.3), SelfCollision(0.004)
    alone = Simulation(sheet, contacts=(contact, own), **STANDARD)
    together = Together([Member(sheet, contacts=(contact, own))], **STANDARD)
    for _ in range(8):
        alone.step()
        together.step()
    assert alone.state.x.tobytes() == together.state.x.tobytes()
    assert alone.state.v.tobytes() == together.state.v.tobytes()


@pytest.mark.parametrize("shape", [Plane, Box], ids=lambda shape: shape.__name__)
def test_what_a_member_collides_with_is_nothing_to_the_others(shape):
    make = {
        Plane: lambda: Plane((0, 0, -0.1), thickness=0.005),
        Box: lambda: Box((2.0, 2.0, 0.2), (0.0, 0.0, -0.2), thickness=0.005),
    }
    networks = cloth(5, 0.2), cloth(6, 0.2)
    members = [Member(networks[0]), Member(networks[1], contacts=(make[shape](),))]
    simulation = Together(members, **STANDARD)
    for _ in range(12):
        simulation.step()
    falls, lies = (simulation.state.x[place, 2] for place in simulation.places)
    assert falls == pytest.approx(-0.5 * G * (12 * DT) ** 2, abs=G * DT**2)
    assert lies.min() > -0.1
    assert lies.max() < -0.09


def test_each_member_has_its_own_friction_and_distance_on_what_all_lie_on():
    angle = np.arctan(0.4)
    gravity = G * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    networks = [cloth(5, 0.2), cloth(5, 0.2, 0.02)]
    laws = ({"friction": 0.5}, {"friction": 0.2, "thickness": 0.02})
    members = [Member(one, contacts=(Plane(**law),)) for one, law in zip(networks, laws, strict=True)]
    simulation = Together(members, gravity=gravity, **STANDARD)
    speeds = []
    for _ in range(24):
        simulation.step()
        speeds.append([simulation.state.v[place, 0].mean() for place in simulation.places])
    stays, slides = np.transpose(speeds)
    assert abs(stays[-1]) < 1e-4
    assert slides[-1] - slides[11] == pytest.approx(12 * DT * (gravity[0] + 0.2 * gravity[2]), rel=0.02)
    above = simulation.state.x[simulation.places[1], 2]
    assert np.ptp(above) < 1e-3
    assert above.mean() == pytest.approx(0.02, abs=1e-3)


def closing(side=9):
    """Three free sheets that strike each other, the first folded upon itself, without gravity."""
    size, height = 0.3, 0.03
    shift = np.array([0.01, 0.02, height])
    networks = [cloth(side, size), cloth(side, size), cloth(side - 2, 0.8 * size)]
    between = SelfCollision(0.006, bodies=bodies(networks))
    members = [Member(one, contacts=(SelfCollision(0.004),)) for one in networks]
    simulation = Together(members, contacts=(between,), gravity=(0.0, 0.0, 0.0), **STANDARD)
    folded = networks[0].points.copy()
    over = folded[:, 0] > 0.5 * size
    folded[over, 0], folded[over, 2] = size - folded[over, 0], 0.008
    x = np.concatenate([folded, networks[1].points + shift, networks[2].points - [0.0, 0.0, height]])
    v = np.zeros_like(x)
    v[:, 2] = np.repeat([0.0, -1.0, 1.5], [one.vertex_count for one in networks])
    v[: len(folded), 2] = np.where(over, -0.5, 0.0)
    simulation.state = State(x, v, 0.0)
    return simulation


def test_members_that_strike_each_other_and_themselves_keep_their_momentum():
    simulation = closing()
    before, size = momentum(simulation)
    for _ in range(8):
        simulation.step()
        assert np.abs(momentum(simulation)[0] - before).max() < 1e-9 * size
    # They did strike: whoever came goes with the others.
    speeds = [simulation.state.v[place, 2].mean() for place in simulation.places]
    assert speeds[1] > -0.7
    assert speeds[2] < 1.0
    # And nobody went through anybody.
    surface = simulation.network.surface
    assert not crosses_itself(simulation.state.x, surface.edges, surface.triangles)


@pytest.mark.nightly
def test_members_go_on_from_a_snapshot_bit_for_bit():
    made = [closing(7), closing(7)]
    for _ in range(4):
        made[0].step()
    made[1].restore(made[0].snapshot())
    for simulation in made:
        simulation.step()
        simulation.step()
    assert made[0].state.x.tobytes() == made[1].state.x.tobytes()
    assert made[0].state.v.tobytes() == made[1].state.v.tobytes()


def test_bodies_that_do_not_meet_pass_through_each_other():
    networks = [cloth(5, 0.2), cloth(5, 0.2), cloth(5, 0.2)]
    meeting = np.zeros((3, 3), dtype=bool)
    meeting[0, 2] = meeting[2, 0] = True
    between = SelfCollision(0.005, bodies=bodies(networks), meeting=meeting)
    simulation = Together(
        [Member(one) for one in networks], contacts=(between,), gravity=(0.0, 0.0, 0.0), **STANDARD
    )
    heights = np.repeat([0.0, 0.05, 0.1], 25)
    x = np.concatenate([one.points for one in networks])
    x[:, 2] = heights
    v = np.zeros_like(x)
    v[:, 2] = np.repeat([0.0, -0.5, -0.5], 25)
    simulation.state = State(x, v, 0.0)
    for _ in range(10):
        simulation.step()
    first, free, stopped = (simulation.state.x[place, 2].mean() for place in simulation.places)
    assert free == pytest.approx(0.05 - 0.5 * 10 * DT, abs=1e-9)
    # Both go on together, by half the speed.
    assert stopped - first == pytest.approx(0.005, abs=2e-3)
