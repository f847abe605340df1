# SPDX-License-Identifier: GPL-3.0-or-later
"""Acceleration that changes with time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork
from hooke.core.forces import Acceleration


def test_a_free_particle_is_where_the_integral_says():
    network = SpringNetwork([[0.0, 0.0, 0.0]], [], masses=2.0)
    jerk = np.array([1.0, -2.0, 3.0])
    simulation = Simulation(
        network, "RK4", dt=0.1, gravity=(0, 0, 0), forces=Acceleration(lambda t: jerk * t)
    )
    for _ in range(10):
        simulation.step()
    # Of a cubic polynomial the method is exact.
    assert_allclose(simulation.state.x[0], jerk / 6, rtol=1e-12)


def test_what_it_gives_is_work_and_not_energy_from_nowhere():
    # Gravity that turns over lifts what fell: the budget lets it.
    network = SpringNetwork.grid((4, 4), 0.25, mass=0.2)
    lifted = Acceleration(lambda t: (0.0, 0.0, 20.0 if t > 0.25 else 0.0))
    simulation = Simulation(network, dt=1 / 24, substeps=4, forces=lifted)
    *_, last = simulation.frames(24)
    v = -9.81 * 0.25 + 10.19 * 0.75
    # The substep it begins in may miss it.
    assert_allclose(simulation.state.v[:, 2], v, atol=1.001 * 20.0 / 96)
    assert (last[:, 2] > 0.0).all()


@pytest.mark.parametrize("given", [(0.0, 1.0), (0.0, np.nan, 0.0), lambda t: (0.0, 0.0)])
def test_what_is_no_acceleration_is_named(given):
    with pytest.raises(ValueError, match="acceleration at 0 s"):
        Acceleration(given)
