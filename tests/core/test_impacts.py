# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies strike surfaces as a whole: they leave with their restitution, and never with more energy than they had."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Member, Plane, Simulation, SpringNetwork, State, Together
from hooke.core.contact.restitution import Blow
from hooke.core.contact.struck_body import StruckBody
from hooke.core.contacts import RigidMesh, Sphere
from hooke.core.effort import EFFORTS
from hooke.core.energy_budget import ALLOWANCE
from hooke.core.material import Material
from hooke.core.solvers.local_global import LocalGlobal

from .surfaces import steadily

FLOOR = Plane(thickness=0.005)
G = 9.81

# Turns about y, then x [rad]: on a face, nearly on one, tilted, on an edge, on a corner.
STANDING = {
    "face": (0.0, 0.0),
    "nearly": (0.05, 0.02),
    "tilted": (0.4, 0.0),
    "edge": (np.pi / 4, 0.0),
    "corner": (np.arctan(np.sqrt(0.5)), np.pi / 4),
}


def turned(points, about_y, about_x):
    """Points turned about their mean."""
    (c, s), (d, t) = ((np.cos(angle), np.sin(angle)) for angle in (about_y, about_x))
    turns = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, d, t], [0, -t, d]])
    return (points - points.mean(axis=0)) @ turns


def block(stiffness, standing="face", height=1.0):
    """A block of 5^3 points, 0.4 m and 2 kg, its lowest point at a height."""
    lattice = SpringNetwork.lattice((5, 5, 5), 0.1, "CORNER", masses=2.0 / 125, stiffness=stiffness)
    points = turned(lattice.points, *STANDING[standing])
    points[:, 2] += height - points[:, 2].min()
    return SpringNetwork(points, lattice.edges, masses=lattice.masses, stiffness=lattice.stiffness)


def falling(network, contacts, effort="STANDARD"):
    """Its Simulation with an effort."""
    return Simulation(network, dt=1 / 24, contacts=contacts, **EFFORTS[effort].settings)


def energies(simulation, count):
    """Total energy at the start and after every frame, over m g L, L the largest side."""
    network = simulation.network
    scale = G * network.masses.sum() * np.ptp(network.points, axis=0).max()
    found = [simulation.diagnostics()["total"]]
    for _ in range(count):
        simulation.step()
        found.append(simulation.diagnostics()["total"])
    return np.array(found) / scale


@pytest.mark.nightly
def test_a_ribbon_that_falls_on_its_end_lies_down():
    # With nothing that keeps its folds apart 2 m of ribbon lie flat in the end; a third of every impact's change of
    # velocity once more, and Fine throws it higher than it stood.
    grid = SpringNetwork.grid((6, 101), 0.02)
    bent = 1e-3 * np.random.default_rng(0).normal(size=grid.vertex_count)
    points = np.column_stack([grid.points[:, 0], bent, grid.points[:, 1] + 0.05])
    ribbon = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    simulation = falling(ribbon, FLOOR, "FINE")
    *_, last = simulation.frames(60)
    assert last[:, 2].max() < 0.3


@pytest.mark.nightly
@pytest.mark.parametrize("standing", ["face", "tilted"])
def test_a_stiff_block_does_not_leave_faster_than_it_came(standing):
    # Explicit steps bring the lowest point of it back to 0.4 of the height it fell from.
    simulation = falling(block(2e5, standing), Plane())
    lowest = np.array([x[:, 2].min() for x in simulation.frames(48)])
    fallen = int(np.argmax(lowest < 0.02))
    assert lowest[fallen:].max() < 0.5


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize(("restitution", "stiffness"), [(0.5, 1e6), (0.8, 2e5), (1.0, 1e6)])
def test_a_stiff_block_rebounds_as_a_rigid_one(restitution, stiffness, effort):
    # To e^2 of the height, less what it keeps as vibrations, and what is between two frames.
    simulation = falling(block(stiffness), Plane(restitution=restitution), effort)
    lowest = np.array([x[:, 2].min() for x in simulation.frames(36)])
    struck = int(np.argmax(np.diff(lowest) > 0.0))
    highest = lowest[struck:].max()
    assert 0.85 * restitution**2 < highest < 1.01 * restitution**2


# Every way to stand with every stiffness, and each of them with every restitution.
STRUCK = [
    (standing, stiffness, (1.0, 0.5, 0.8)[(row + column) % 3])
    for row, standing in enumerate(STANDING)
    for column, stiffness in enumerate((2e3, 2e5, 1e6))
]


@pytest.mark.sampled(15)
@pytest.mark.combined
@pytest.mark.parametrize(("standing", "stiffness", "restitution"), STRUCK)
def test_no_impact_gains_energy(standing, stiffness, restitution):
    found = energies(falling(block(stiffness, standing), Plane(restitution=restitution)), 40)
    assert found.max() < found[0] + ALLOWANCE


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("effort", ["DRAFT", "FINE", "CONVERGED"])
@pytest.mark.parametrize("standing", ["tilted", "corner"])
def test_no_impact_gains_energy_with_any_effort(standing, effort):
    found = energies(falling(block(2e5, standing), Plane(restitution=0.8), effort), 24)
    assert found.max() < found[0] + ALLOWANCE


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("tilt", [0.0, 0.5, np.pi / 2])
@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_no_sheet_gains_energy(restitution, tilt):
    grid = SpringNetwork.grid((11, 11), 0.1)
    points = turned(grid.points, tilt, 0.0)
    points[:, 2] += 0.5 - points[:, 2].min()
    sheet = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    found = energies(falling(sheet, Plane(restitution=restitution)), 40)
    assert found.max() < found[0] + ALLOWANCE


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("shape", ["sphere", "mesh"])
def test_no_shape_gives_energy(shape):
    bowl = {"restitution": 0.9, "friction": 0.3}
    floor = np.array([[-3, -3, 0], [3, -3, 0.4], [3, 3, 0], [-3, 3, 0.4]], dtype=float)
    made = {
        "sphere": lambda: Sphere(radius=2.0, center=(0.0, 0.0, 2.0), inside=True, **bowl),
        "mesh": lambda: RigidMesh(floor, [[0, 1, 2], [0, 2, 3]], **bowl),
    }
    found = energies(falling(block(2e5, "tilted", 1.2), made[shape]()), 60)
    assert found.max() < found[0] + ALLOWANCE


@pytest.mark.nightly
@pytest.mark.parametrize("stiffness", [2e3, 2e5])
def test_what_rebounds_comes_to_rest(stiffness):
    # Bounces of 0.8 of the time before take nine times the fall: 1 s, and more as it comes down on another corner.
    simulation = falling(block(stiffness, "nearly", 0.06), Plane(restitution=0.8))
    for _ in range(70):
        simulation.step()
    # Slower than in a substep of free fall.
    assert np.abs(simulation.state.v).max() < G / 72
    assert simulation.state.x[:, 2].min() == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
def test_a_particle_bounces_between_the_ends_of_a_substep(time_stepping):
    # BDF2 is exact on parabolas: before and after the impact the particle is on its own, whatever the substep.
    v, e, dt = np.sqrt(G), 0.8, 0.07
    settings = {"time_stepping": time_stepping, "acceleration": "NEWTON", "iterations": 3}
    simulation = Simulation(
        SpringNetwork([[0.0, 0.0, 0.5]], []), dt=dt, contacts=Plane(restitution=e), **settings
    )
    hit = v / G
    # The first step is backward Euler's in both, and falls by g dt^2 where g dt^2/2 is right.
    # And it meets the plane higher by half of g a^2, a the time of the formula.
    late = {"BDF2": (1.5 + 0.25) * G * dt * dt, "BACKWARD_EULER": 6.0 * G * dt * dt}[time_stepping]
    for _ in range(11):
        simulation.step()
        t = simulation.state.t - hit
        expected = 0.5 - G * (t + hit) ** 2 / 2 if t < 0.0 else e * v * t - G * t**2 / 2
        assert simulation.state.x[0, 2] == pytest.approx(expected, abs=late)


@pytest.mark.parametrize("springs", [False, True])
@pytest.mark.parametrize("friction", [0.0, 0.2, 2.0])
def test_friction_takes_of_an_impact_what_coulomb_allows(friction, springs):
    # mu (1 + e) v_n of what slides, all of it where that is more: of a dust as of a stiff block that falls flat.
    network, e = block(1e6, height=0.02), 0.6
    if not springs:
        network = SpringNetwork(network.points, [], masses=network.masses)
    contact = Plane(restitution=e, friction=friction)
    simulation = Simulation(
        network, dt=1 / 72, gravity=(0, 0, 0), contacts=contact, time_stepping="BDF2", acceleration="NEWTON"
    )
    simulation.state = State(network.points, np.tile([2.0, 0.0, -3.0], (125, 1)))
    simulation.step()
    struck = network.points[:, 2] < 0.03 if not springs else np.full(125, True)
    v = (network.masses @ np.where(struck[:, None], simulation.state.v, 0.0)) / network.masses[struck].sum()
    left = max(2.0 - friction * (1.0 + e) * 3.0, 0.0)
    if springs and left == 0.0:
        # Held by its foot, what is stiff turns over it: the rest of it goes on.
        assert 0.0 < v[0] < 2.0
    else:
        # Springs turn the block a little where friction is below its middle.
        assert_allclose(v, [left, 0.0, 3.0 * e], atol=0.25 if springs else 1e-12)


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("steepness", [0.98, 1.5])
@pytest.mark.parametrize("height", [0.03, 0.3])
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
def test_a_sheet_that_strikes_a_slope_flat_goes_on_as_a_particle(effort, height, steepness):
    """No spring is strained, so friction takes of its impact what it takes of a particle's."""
    friction = 0.5
    slope = np.arctan(steepness * friction)
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    plane = Plane(normal=normal, friction=friction)
    sheet = SpringNetwork.grid((9, 9), 0.125, stiffness=1e4, mass=0.136)
    flat = sheet.points @ np.array([[np.cos(slope), 0, np.sin(slope)], [0, 1, 0], -normal]) + height * normal
    sheet = SpringNetwork(flat, sheet.edges, masses=sheet.masses, stiffness=sheet.stiffness)
    particle = SpringNetwork(flat.mean(axis=0, keepdims=True), np.zeros((0, 2), int), masses=0.136)
    both = (falling(network, plane, effort).frames(12) for network in (sheet, particle))
    ways = [[x.mean(axis=0) - flat.mean(axis=0) for x in frames] for frames in both]
    # But for what few iterations leave of how deep contacts are.
    assert_allclose(*ways, atol=1.5e-4)


def test_the_answer_is_the_least_that_leaves_the_struck_at_their_speeds():
    # By the equations of the constrained minimum in dense matrices: no friction, and all pushes positive.
    network = block(3e3, "nearly", 0.0)
    solver = LocalGlobal(network, 0.01)
    x = np.ascontiguousarray(network.points.T)
    problem, gradients = solver.linearised(x, x, np.zeros((0, 3)))
    count, struck = network.vertex_count, np.array([0, 4, 100])
    n = np.array([[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 0.0, 1.0]])
    gains, zeros = np.array([1.0, 1.5, 2.0]), np.zeros(3)
    units = np.eye(3 * count).reshape(3 * count, 3, count)
    matrix = np.stack([problem.product(unit, np.empty((3, count))).ravel().copy() for unit in units])
    normals = np.zeros((3, 3, count))
    normals[np.arange(3), :, struck] = n
    rows = normals.reshape(3, -1)
    both = np.block([[matrix, rows.T], [rows, np.zeros((3, 3))]])
    solved = np.linalg.solve(both, np.concatenate([np.zeros(3 * count), gains]))
    assert (solved[3 * count :] < 0.0).all()
    answer = StruckBody(problem, gradients, np.zeros(count, dtype=int))
    blow = Blow(struck, n, gains, zeros, np.ones(3), zeros, np.zeros((3, 3)))
    # So fast an approach that the bound of energy is far: scaled by what the strain of it takes.
    v = np.tile([-5.0, 0.0, -50.0], (count, 1))
    gained, way = answer.answer(v, np.zeros((count, 3)), 0.01, blow)
    least = solved[: 3 * count]
    back = least @ matrix @ least / (np.tile(problem.inertia, 3) @ least**2)
    assert back > 1.1
    assert_allclose(gained, back * least.reshape(3, count), atol=2e-2)
    assert_allclose(way, 0.0, atol=1e-15)


def test_an_impact_is_the_same_in_a_frame_that_moves():
    # A plane that rises at 1.5 m/s, and a block that falls by as much less.
    rising, height = np.array([0.0, 0.0, 1.5]), 0.1

    found = []
    for w, contact in (
        (0.0 * rising, Plane(restitution=0.7)),
        (rising, Plane(restitution=0.7, pose=steadily(rising))),
    ):
        network = block(2e5, "tilted", height)
        simulation = falling(network, contact)
        simulation.state = State(network.points, np.tile(w + np.array([0.5, 0.0, -3.0]), (125, 1)))
        for _ in range(4):
            simulation.step()
        found.append((simulation.state.x - w * simulation.state.t, simulation.state.v - w))
    assert found[0][1][:, 2].mean() > 0.0
    for one, other in zip(*found, strict=True):
        assert_allclose(one, other, atol=0.02)


def test_bodies_together_rebound_as_alone():
    # Each with the impact of its own contact, and the momentum of its own springs.
    members = [
        Member(block(2e5, "tilted", 0.2), (), (Plane(restitution=0.9),)),
        Member(block(2e5, "face", 0.1), (), (Plane(point=(0, 0, -0.2), restitution=0.4),)),
    ]
    together = Together(members, dt=1 / 24, **EFFORTS["STANDARD"].settings)
    each = [falling(member.network, member.contacts) for member in members]
    for _ in range(8):
        together.step()
        for single, place in zip(each, together.places, strict=True):
            single.step()
            assert_allclose(together.state.x[place].mean(axis=0), single.state.x.mean(axis=0), atol=5e-3)
