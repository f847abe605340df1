# SPDX-License-Identifier: GPL-3.0-or-later
"""What rebounds from colliders under contacts as potentials, beside Newton's law of restitution."""

import numpy as np
import pytest

from hooke.core import Box, Member, Plane, Simulation, Sphere, SpringNetwork, State, Together
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

G, DT = 9.81, 1 / 24
STANDARD = {"dt": DT, **EFFORTS["STANDARD"].settings}

RESTITUTIONS = (0.0, 0.5, 0.8, 1.0)

# Turns of a cube onto a face, an edge and a corner: rows are the axes that become the cube's.
_EDGE = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0]])
_CORNER = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0], [1.0, 1.0, 1.0]])
TURNS = {"face": np.eye(3), "edge": _EDGE, "corner": _CORNER}


def block(stiffness, turn="face", height=1.0):
    """A lattice of 27 particles whose lowest is at a height [m]."""
    net = SpringNetwork.lattice((3, 3, 3), 0.1, stiffness=stiffness, masses=0.01, damping=0.0)
    axes = TURNS[turn] / np.linalg.norm(TURNS[turn], axis=1)[:, None]
    points = net.points @ axes.T
    points[:, 2] += height - points[:, 2].min()
    made_of = {"masses": net.masses, "stiffness": net.stiffness, "damping": 0.0}
    return SpringNetwork(points, net.edges, rest_lengths=net.rest_lengths, **made_of)


def course(network, contact, frames=30, **how):
    """Heights of the lowest particle and of the middle [m], and energies, at the ends of frames."""
    simulation = Simulation(network, contacts=contact, **{**STANDARD, **how})
    lowest, middle, energies = [], [], []
    for _ in range(frames):
        simulation.step()
        x, told = simulation.state.x, simulation.diagnostics()
        lowest.append(x[:, 2].min())
        middle.append(network.masses @ x[:, 2] / network.masses.sum())
        energies.append(told["kinetic"] + told["potential"])
    return np.array(lowest), np.array(middle), np.array(energies)


def rise(heights, within=14):
    """How high it comes after it was lowest."""
    lowest = int(np.argmin(heights[:within]))
    return float(heights[lowest:].max())


@pytest.mark.sampled(6)
@pytest.mark.parametrize("restitution", RESTITUTIONS)
def test_a_particle_rises_to_the_square_of_the_restitution(restitution):
    particle = SpringNetwork([[0.0, 0.0, 0.5]], np.zeros((0, 2), dtype=int))
    lowest, _, _ = course(particle, Plane(restitution=restitution))
    assert rise(lowest) == pytest.approx(0.5 * restitution**2, abs=0.02 * 0.5)
    if restitution == 0.0:
        # It lies as deep as its weight presses.
        assert lowest[-1] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize("stiffness", [2e5, 1e6])
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("shape", ["plane", "box"])
def test_a_stiff_block_rebounds_as_a_whole(shape, turn, stiffness, restitution):
    law = {"restitution": restitution, "friction": 0.0}
    floor = Plane(**law) if shape == "plane" else Box((6.0, 6.0, 1.0), (0.0, 0.0, -0.5), **law)
    lowest, _, energies = course(block(stiffness, turn), floor)
    assert rise(lowest) == pytest.approx(restitution**2, abs=0.05)
    # None gives any: of what it fell with at most by rounding of few iterations.
    assert np.diff(energies).max() < 2e-3 * energies[0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("restitution", "least", "most"), [(0.0, 0.0, 0.3), (0.5, 0.2, 0.3), (0.8, 0.55, 0.68)]
)
def test_a_soft_block_is_pressed_together_and_thrown_back(restitution, least, most):
    network = block(1e3)
    _, middle, _ = course(network, Plane(restitution=restitution, friction=0.0))
    assert least < rise(middle - 0.1) < most


@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_a_sheet_that_falls_flat_keeps_its_share_of_the_energy(restitution):
    grid = SpringNetwork.grid((7, 7), 0.05)
    sheet = SpringNetwork.from_mesh(
        grid.points + np.array([0.0, 0.0, 0.5]), faces=grid.surface.polygons, material=Material()
    )
    _, middle, _ = course(sheet, Plane(restitution=restitution, friction=0.0))
    assert rise(middle) == pytest.approx(0.5 * restitution**2, abs=0.05 * 0.5)


def test_a_floor_that_comes_up_throws_by_its_speed_and_the_restitution():
    def up(t):
        matrix = np.eye(4)
        matrix[2, 3] = 2.0 * t
        return matrix

    network = block(2e5, height=0.3)
    floor = Plane(restitution=0.5, friction=0.0, pose=up)
    simulation = Simulation(network, contacts=floor, **{**STANDARD, "gravity": (0.0, 0.0, 0.0)})
    for _ in range(8):
        simulation.step()
    assert simulation.state.v[:, 2] == pytest.approx(3.0, rel=0.02)


def test_each_member_rebounds_by_its_own_restitution():
    networks = [block(2e5), block(2e5)]
    members = [
        Member(one, contacts=(Plane(restitution=of, friction=0.0),))
        for one, of in zip(networks, (0.0, 0.8), strict=True)
    ]
    simulation = Together(members, **STANDARD)
    heights = []
    for _ in range(24):
        simulation.step()
        heights.append([simulation.state.x[place, 2].min() for place in simulation.places])
    stays, rebounds = np.transpose(heights)
    assert rise(stays) == pytest.approx(0.0, abs=0.01)
    assert rise(rebounds) == pytest.approx(0.64, abs=0.02)


@pytest.mark.parametrize("stiffness", [1e3, 2e5])
def test_an_impact_goes_on_from_a_snapshot_bit_for_bit(stiffness):
    contacts = Plane(restitution=0.8), Sphere(0.2, (0.1, 0.0, 0.1), restitution=0.5)
    made = [Simulation(block(stiffness, "edge"), contacts=contacts, **STANDARD) for _ in range(2)]
    # In the midst of the impact.
    for _ in range(8):
        made[0].step()
    made[1].restore(made[0].snapshot())
    for simulation in made:
        for _ in range(4):
            simulation.step()
    assert made[0].state.x.tobytes() == made[1].state.x.tobytes()
    assert made[0].state.v.tobytes() == made[1].state.v.tobytes()


def test_what_rests_does_not_tremble():
    network = block(2e5, height=0.0)
    simulation = Simulation(network, contacts=Plane(restitution=1.0, friction=0.5), **STANDARD)
    simulation.state = State(network.points, np.zeros_like(network.points), 0.0)
    for _ in range(24):
        simulation.step()
    assert np.abs(simulation.state.v).max() < 1e-3
