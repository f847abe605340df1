# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet stops what falls on it from either side, however fast and however straight it comes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

CORNERS = np.array([[-20.0, -20, 0], [20, -20, 0], [20, 20, 0], [-20, 20, 0]])
TRIANGLES = [[0, 1, 2], [0, 2, 3]]


@pytest.mark.combined
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("speed", [1.0, 60.0])
@pytest.mark.parametrize("id", [id for id in INTEGRATORS if INTEGRATORS[id].stability_limit == np.inf])
def test_particles_stay_on_their_side_of_a_sheet(id, speed, side):
    """A row of free particles shot straight at a sheet of two large triangles, on its diagonal too."""
    place = np.linspace(-1.0, 1.0, 9)
    points = np.column_stack([place, place[::-1] ** 2, np.full(9, side * 0.5)])
    network = SpringNetwork(points, np.column_stack([np.arange(8), np.arange(1, 9)]), stiffness=1e-3)
    kept = max(0.01, 0.05 * np.median(network.rest_lengths))
    sheet = RigidMesh(CORNERS, TRIANGLES, thickness=0.01, friction=0.0)
    gravity = (0.0, 0.0, -9.81 * side)
    simulation = Simulation(network, id, dt=1 / 24, substeps=3, gravity=gravity, contacts=sheet)
    simulation.state = State(points, np.tile([0.0, 0.0, -side * speed], (9, 1)), 0.0)
    *_, x = simulation.frames(16)
    # What keeps less than a twentieth of its own sides keeps that.
    assert_allclose(side * x[:, 2], kept, atol=2e-4)


def beside_a_wall(effort, beside, into):
    """A cloth at a wall without thickness, on its way down past the lower edge, and into the wall [m, m/s]."""
    grid = SpringNetwork.grid((15, 15), 0.05)
    points = np.column_stack([np.full(225, -beside), grid.points[:, 0], grid.points[:, 1] + 0.02])
    points[:, 0] -= 2e-3 * np.random.default_rng(0).random(225)
    cloth = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    wall = np.array([[0.0, -1, 0], [0, 2, 0], [0, 2, 3], [0, -1, 3]])
    sheet = RigidMesh(wall, TRIANGLES, thickness=0.005, friction=0.0)
    simulation = Simulation(cloth, dt=1 / 24, contacts=sheet, **EFFORTS[effort].settings)
    simulation.state = State(points, np.tile([into, 0.0, -5.0], (225, 1)))
    return simulation


@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize(("beside", "into"), [(0.006, 0.0), (0.004, 0.0), (0.006, 1.0)])
def test_what_slides_off_the_edge_of_a_sheet_is_not_thrown(effort, beside, into):
    # It passes by the edge, slides over it, or strikes the wall just above it.
    simulation = beside_a_wall(effort, beside, into)
    mass = simulation.network.masses.sum()
    begun, scale = simulation.diagnostics()["total"] - 0.5 * mass * into**2, 9.81 * mass * 0.7
    for _ in range(6):
        simulation.step()
        # There is no friction: it falls on as it came.
        assert abs(simulation.diagnostics()["total"] - begun) < 0.01 * scale
    assert np.abs(simulation.state.v[:, 0].mean()) < 0.1
    assert simulation.state.x[:, 2].max() < 0.0
