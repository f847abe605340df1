# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids under contacts as potentials, beside Coulomb's law: they stand on slopes or slide, and stacks stand."""

import numpy as np
import pytest

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS

G, DT = 9.81, 1 / 24
STANDARD = {"contact_law": "POTENTIAL", "dt": DT, **EFFORTS["STANDARD"].settings}


def lattice(count, stiffness, damping=0.05):
    """A cube of count^3 particles, 0.1 m apart."""
    return SpringNetwork.lattice((count,) * 3, 0.1, stiffness=stiffness, masses=0.01, damping=damping)


@pytest.mark.combined
@pytest.mark.newest
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
    for _ in range(36):
        simulation.step()
        speeds.append(block.masses @ simulation.state.v[:, 0] / block.masses.sum())
    if steepness < 1.0:
        assert abs(speeds[-1]) < 1e-4
        return
    expected = gravity[0] + mu * gravity[2]
    assert (speeds[-1] - speeds[11]) / (24 * DT) == pytest.approx(expected, rel=0.02)
