# SPDX-License-Identifier: GPL-3.0-or-later
"""What coincides where a simulation begins comes apart."""

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS

from .plies import sheets

STANDARD = EFFORTS["STANDARD"].settings


@pytest.mark.parametrize("turned", [False, True], ids=["copied", "turned over"])
@pytest.mark.parametrize("others", [(9, 9), (8, 8)])
def test_what_coincides_comes_apart_without_strain(others, turned):
    # With no side of their own, both were pushed through each other in every substep, and stayed.
    network = sheets([(9, 9), others], 0.02, [(0, 0, 0), (0, 0, 0)], mass=0.05)
    points = network.points.copy()
    if turned:
        points[81:, 0] = points[81:, 0].max() - points[81:, 0]
    network = SpringNetwork(
        points, network.edges, masses=network.masses, stiffness=network.stiffness, surface=network.surface
    )
    thickness = 0.01
    contact = SelfCollision(thickness)
    simulation = Simulation(network, dt=1 / 24, contacts=contact, **STANDARD)
    assert np.abs(simulation.state.x - points).max() < 0.01 * thickness
    strains = []
    for _ in range(4):
        simulation.step()
        strains.append(np.abs(network.strains(simulation.state.x)).max())
    assert np.ptp(simulation.state.x[:81, 2]) < thickness
    apart = simulation.state.x[81:, 2].mean() - simulation.state.x[:81, 2].mean()
    assert abs(apart) > 0.8 * thickness
    assert max(strains) < 0.01
