# SPDX-License-Identifier: GPL-3.0-or-later
"""What hangs together with particles that strike a surface stops with them, and does not rebound by the formula."""

import numpy as np
import pytest

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

FLOOR = Plane(thickness=0.005)


@pytest.mark.parametrize("effort", ["STANDARD", "FINE"])
def test_a_ribbon_that_falls_on_its_end_lies_down(effort):
    # With nothing that keeps its folds apart 2 m of ribbon lie flat in the end; a third of every impact's change of
    # velocity once more, and Fine throws it higher than it stood.
    grid = SpringNetwork.grid((11, 201), 0.01)
    bent = 1e-3 * np.random.default_rng(0).normal(size=grid.vertex_count)
    points = np.column_stack([grid.points[:, 0], bent, grid.points[:, 1] + 0.05])
    ribbon = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    simulation = Simulation(ribbon, dt=1 / 24, contacts=FLOOR, **EFFORTS[effort].settings)
    *_, last = simulation.frames(60)
    assert last[:, 2].max() < 0.3


@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_a_stiff_block_does_not_leave_faster_than_it_came(tilt):
    # Explicit steps bring the lowest point of it back to 0.4 of the height it fell from.
    block = SpringNetwork.lattice((5, 5, 5), 0.1, "CORNER", masses=2.0 / 125, stiffness=2e5)
    c, s = np.cos(tilt), np.sin(tilt)
    points = (block.points - block.points.mean(axis=0)) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    points[:, 2] += 1.0 - points[:, 2].min()
    block = SpringNetwork(points, block.edges, masses=block.masses, stiffness=block.stiffness)
    simulation = Simulation(block, dt=1 / 24, contacts=Plane(), **EFFORTS["STANDARD"].settings)
    lowest = np.array([x[:, 2].min() for x in simulation.frames(48)])
    fallen = int(np.argmax(lowest < 0.02))
    assert lowest[fallen:].max() < 0.5
