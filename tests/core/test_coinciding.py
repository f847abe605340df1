# SPDX-License-Identifier: GPL-3.0-or-later
"""What coincides where a simulation begins, or is too near, comes apart."""

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS

from .plies import sheets
from .restoring import assert_restored_alike

STANDARD = EFFORTS["STANDARD"].settings


@pytest.mark.sampled(2)
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


def plies_that_begin_near(began, count):
    """Free sheets above each other, so many thicknesses apart, without gravity, and the thickness."""
    thickness, gravity = 0.01, (0.0, 0.0, 0.0)
    places = [(0.0013 * ply, 0.0017 * ply, began * thickness * ply) for ply in range(count)]
    network = sheets([(9, 9)] * count, 0.02, places, mass=0.02)
    contacts = SelfCollision(thickness)
    return Simulation(network, dt=1 / 24, gravity=gravity, contacts=contacts, **STANDARD), thickness


@pytest.mark.nightly
@pytest.mark.parametrize("began", [0.1, 0.6])
@pytest.mark.parametrize("count", [2, 5])
def test_plies_that_begin_nearer_than_they_keep_part_slowly(began, count):
    # Pushed out at once they went at 48 thicknesses a second each, and five of them at 190.
    simulation, thickness = plies_that_begin_near(began, count)
    for _ in range(8):
        simulation.step()
        assert np.abs(simulation.state.v).max() < 8.0 * (count - 1) * thickness
    gaps = np.diff(simulation.state.x[:, 2].reshape(count, -1).mean(axis=1))
    assert gaps.min() > 0.98 * thickness


@pytest.mark.nightly
def test_plies_that_part_go_on_from_a_snapshot_to_the_same_bits():
    assert_restored_alike(plies_that_begin_near(0.3, 3)[0], plies_that_begin_near(0.3, 3)[0], frames=2)
