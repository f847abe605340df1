# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloth over a round table hangs from its edge."""

import numpy as np
import pytest

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS
from hooke.core.material import Material


@pytest.mark.nightly
def test_a_table_cloth_that_swings_in_below_its_table_comes_out_again():
    # Its hem hangs about the table's edge in the end; it stayed gathered to a bag with fewer steps of an iteration.
    count, size, radius = 61, 1.5, 0.45
    angle = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    table = np.concatenate([np.insert(ring, 2, 0.0, axis=1), np.insert(ring, 2, -0.04, axis=1)])
    table = np.concatenate([table, [[0.0, 0.0, 0.0], [0.0, 0.0, -0.04]]])
    i = np.arange(96)
    j = (i + 1) % 96
    top = np.column_stack([np.full(96, 192), i, j])
    bottom = np.column_stack([np.full(96, 193), 96 + j, 96 + i])
    sides = np.concatenate([np.column_stack([i, 96 + i, 96 + j]), np.column_stack([i, 96 + j, j])])
    network = SpringNetwork.grid((count, count), size / (count - 1), material=Material(bending=1.3e-5))
    contact = RigidMesh(table, np.concatenate([top, bottom, sides]), friction=0.5, thickness=0.01)
    simulation = Simulation(
        network, dt=1 / 24, forces=Settling(), contacts=contact, **EFFORTS["STANDARD"].settings
    )
    start = network.points + np.array([-0.5 * size, -0.5 * size, 0.015])
    simulation.state = State(start, np.zeros_like(start), 0.0)
    *_, x = simulation.frames(36)
    hem = np.abs(network.points[:, :2] - 0.5 * size).max(axis=1) > 0.5 * size - 1e-9
    assert np.hypot(*x[hem, :2].T).mean() > radius
