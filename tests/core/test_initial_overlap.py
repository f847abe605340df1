# SPDX-License-Identifier: GPL-3.0-or-later
"""What begins deep inside something comes out within a second, whole, and stays where it came out."""

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.contacts import Box, Plane, RigidMesh, Sphere
from hooke.core.effort import EFFORTS
from hooke.core.topology import lattice_faces, lattice_points

from .surfaces import octasphere

BOX = Box((2.0, 2.0, 2.0), thickness=0.01)
BALL = Sphere(0.5, thickness=0.01)


def cloth(size, height, count=12):
    """A sheet that lies level at a height, its middle above the origin [m]."""
    points = lattice_points((count, count, 1), size / (count - 1))
    points = points - points.mean(axis=0) + (0.0, 0.0, height)
    faces = lattice_faces((count, count, 1))
    return SpringNetwork.from_mesh(points, faces=faces, structural=1e3, shear=300.0, bending=1.0, mass=0.3)


CASES = {
    "small, in the middle of a box": (0.5, 0.0, BOX),
    "small, in a box": (0.5, 0.3, BOX),
    "as wide as the box": (2.0, 0.0, BOX),
    "wider than the box": (3.0, 0.3, BOX),
    "through a ball": (2.0, 0.05, BALL),
    "in a ball": (0.6, 0.05, BALL),
    "below a plane": (1.0, -0.5, Plane(thickness=0.01)),
}


@pytest.mark.sampled(7)
@pytest.mark.combined
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
def test_what_begins_deep_inside_comes_out_within_a_second(case, effort):
    # Each particle by its own way, sheets were stretched by half and stayed, at twenty times the cost.
    size, height, collider = CASES[case]
    network = cloth(size, height)
    simulation = Simulation(network, dt=1 / 24, contacts=collider, **EFFORTS[effort].settings)
    strains = []
    for _ in range(24):
        simulation.step()
        strains.append(network.strains(simulation.state.x).max())
        # What takes much longer is a frame that is divided in many parts.
        assert simulation.integrator.dt == pytest.approx(simulation.dt / simulation.substeps)
    assert max(strains) < 0.15
    assert collider.distances(simulation.state.x).min() > 0.01 - 1e-3
    # Nothing is thrown: it is where it came out, or fell from there.
    top = {BOX: 1.0, BALL: 0.5}.get(collider, 0.0)
    assert simulation.state.x[:, 2].max() < top + 0.12


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", ["IMPLICIT_EULER", "POSITION_BASED"])
def test_every_method_carries_it_out(integrator):
    network = cloth(0.5, 0.3)
    simulation = Simulation(network, integrator, dt=1 / 24, substeps=4, contacts=BOX)
    for _ in range(24):
        simulation.step()
    assert BOX.distances(simulation.state.x).min() > 0.01 - 1e-3
    assert network.strains(simulation.state.x).max() < 0.05


@pytest.mark.nightly
def test_a_mesh_as_its_shape():
    points, faces = octasphere(3)
    network = cloth(0.6, 0.05)
    ball = RigidMesh(0.5 * points, faces, thickness=0.01)
    simulation = Simulation(network, dt=1 / 24, contacts=ball, **EFFORTS["STANDARD"].settings)
    for _ in range(24):
        simulation.step()
    assert ball.distances(simulation.state.x).min() > 0.01 - 1e-3
    assert network.strains(simulation.state.x).max() < 0.1


@pytest.mark.newest
def test_what_is_around_something_is_not_pulled_off():
    # A sleeve around an arm, tighter than it: as a whole it comes out at the arm's end alone, and stays on it.
    rings, around = 9, 16
    angles = 2.0 * np.pi * np.arange(around) / around
    circle = 0.06 * np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.array([[x, *yz] for x in np.linspace(-0.2, 0.2, rings) for yz in circle])
    indices = np.arange(rings * around).reshape(rings, around)
    beside = np.roll(indices, -1, axis=1)
    faces = np.stack([indices[:-1], beside[:-1], beside[1:], indices[1:]], axis=-1).reshape(-1, 4)
    network = SpringNetwork.from_mesh(
        points, faces=faces, structural=200.0, shear=60.0, bending=0.1, mass=0.05
    )
    arm = Box((1.0, 0.14, 0.14), thickness=0.002, friction=0.8)
    simulation = Simulation(network, dt=1 / 24, contacts=arm, **EFFORTS["STANDARD"].settings)
    for _ in range(8):
        simulation.step()
    assert abs(simulation.state.x[:, 0].mean()) < 0.05
    assert simulation.state.x[:, 2].min() < -0.06
    assert simulation.state.x[:, 2].max() > 0.06


@pytest.mark.newest
def test_what_comes_out_goes_on_from_a_snapshot_bit_for_bit():
    network = cloth(2.0, 0.6, count=7)
    made = [
        Simulation(
            network, dt=1 / 24, contacts=Box((2.0, 2.0, 2.0), (0.9, 0.7, 0.0)), **EFFORTS["STANDARD"].settings
        )
        for _ in range(2)
    ]
    for frames in (0, 3, 9):
        for _ in range(frames):
            made[0].step()
        made[1].restore(made[0].snapshot())
        for simulation in made:
            simulation.step()
        assert made[0].state.x.tobytes() == made[1].state.x.tobytes()
        assert made[0].state.v.tobytes() == made[1].state.v.tobytes()


def test_a_part_that_is_carried_out_has_no_speed_of_that_and_keeps_its_other():
    network = cloth(0.5, 0.3, count=5)
    simulation = Simulation(network, dt=1 / 24, contacts=BOX, **EFFORTS["STANDARD"].settings)
    simulation.state = State(network.points, np.tile([0.5, 0.0, 0.0], (network.vertex_count, 1)), 0.0)
    for _ in range(3):
        before = simulation.state.x
        simulation.step()
        # It comes out upwards, by a depth of 0.7 m over 0.2 s at first, and goes on along x as it did.
        assert (simulation.state.x - before)[:, 2].min() > 0.05
        np.testing.assert_allclose(simulation.state.v[:, 0], 0.5, rtol=1e-6)
        # What it would have fallen meanwhile it did not.
        assert np.abs(simulation.state.v[:, 2]).max() < 1e-9


def test_who_is_inside_is_no_nonsense():
    network = cloth(0.5, 0.3, count=3)
    simulation = Simulation(network, dt=1 / 24, contacts=BOX, **EFFORTS["STANDARD"].settings)
    simulation.step()
    snapshot = simulation.snapshot()
    last = max((name for name in snapshot if name.startswith("history_")), key=lambda name: int(name[8:]))
    snapshot[last] = np.full_like(snapshot[last], 2.5e60)
    with pytest.raises(ValueError, match="inside"):
        simulation.restore(snapshot)
