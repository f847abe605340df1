# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids under contacts as potentials, beside Coulomb's law: they stand on slopes or slide, and stacks stand."""

import numpy as np
import pytest

from hooke.core import Member, Plane, SelfCollision, Simulation, SpringNetwork, Together
from hooke.core.effort import EFFORTS

G, DT = 9.81, 1 / 24
STANDARD = {"dt": DT, **EFFORTS["STANDARD"].settings}


def lattice(count, stiffness, damping=0.05):
    """A cube of count^3 particles, 0.1 m apart."""
    return SpringNetwork.lattice((count,) * 3, 0.1, stiffness=stiffness, masses=0.01, damping=damping)


@pytest.mark.nightly
@pytest.mark.parametrize("steepness", [0.9, 0.98, 1.02, 1.1])
@pytest.mark.parametrize("mu", [0.2, 0.8])
@pytest.mark.parametrize(("count", "stiffness"), [(3, 1e3), (5, 1e3), (5, 1e6)])
def test_a_block_stands_on_slopes_below_the_angle_of_friction_and_slides_above(
    count, stiffness, mu, steepness
):
    angle = np.arctan(mu * steepness)
    gravity = G * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    block = lattice(count, stiffness)
    simulation = Simulation(block, gravity=gravity, contacts=Plane(friction=mu), **STANDARD)
    speeds = []
    for _ in range(48):
        simulation.step()
        speeds.append(block.masses @ simulation.state.v[:, 0] / block.masses.sum())
    if steepness < 1.0:
        # What is soft sways for a while.
        assert abs(speeds[-1]) < 1e-3
        return
    expected = gravity[0] + mu * gravity[2]
    assert (speeds[-1] - speeds[23]) / (24 * DT) == pytest.approx(expected, rel=0.02)


def stack(count):
    """A Together of cubes on top of each other, a little apart, that each other and a floor hold."""
    size, thickness = 0.2, 0.005
    cubes = []
    for number in range(count):
        cube = lattice(3, 1e4)
        points = cube.points + np.array([0.0, 0.0, thickness + number * (size + 1.2 * thickness)])
        made_of = {name: getattr(cube, name) for name in ("masses", "stiffness", "damping", "surface")}
        cubes.append(SpringNetwork(points, cube.edges, rest_lengths=cube.rest_lengths, **made_of))
    numbers = np.repeat(np.arange(count), [cube.vertex_count for cube in cubes])
    members = [Member(cube, contacts=(Plane(friction=0.5, thickness=thickness),)) for cube in cubes]
    between = SelfCollision(thickness, friction=0.5, bodies=numbers)
    return Together(members, contacts=(between,), **STANDARD)


def middles(simulation):
    """Centres of mass of the members [m]."""
    masses = simulation.network.masses
    return np.array([masses[of] @ simulation.state.x[of] / masses[of].sum() for of in simulation.places])


@pytest.mark.nightly
def test_a_stack_of_boxes_stands():
    simulation = stack(4)
    begun = middles(simulation)
    for _ in range(12):
        simulation.step()
    settled = middles(simulation)
    for _ in range(12):
        simulation.step()
    # They came down onto each other, and stay: nothing slides off, and nothing sinks on.
    assert settled[-1, 2] < begun[-1, 2]
    assert np.abs(settled - begun)[:, :2].max() < 1e-3
    assert np.abs(middles(simulation) - settled).max() < 2e-4


def test_blocks_on_a_slope_go_on_from_a_snapshot_bit_for_bit():
    gravity = G * np.array([np.sin(0.4), 0.0, -np.cos(0.4)])
    made = [
        Simulation(lattice(3, 1e5), gravity=gravity, contacts=Plane(friction=0.4), **STANDARD)
        for _ in range(2)
    ]
    for _ in range(6):
        made[0].step()
    made[1].restore(made[0].snapshot())
    for simulation in made:
        simulation.step()
        simulation.step()
    assert made[0].state.x.tobytes() == made[1].state.x.tobytes()
    assert made[0].state.v.tobytes() == made[1].state.v.tobytes()
