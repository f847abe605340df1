# SPDX-License-Identifier: GPL-3.0-or-later
"""No pressure, suction or stiffness of what is enclosed throws its skin apart, whatever rounding does."""

import numpy as np
import pytest

from hooke.core import Inside, Simulation, State

from .test_enclosures import DT, IMPLICIT, ONE_SIDED, ball, volume

EXTREMES = {
    "burst": Inside(1e5),
    "huge": Inside(1e7),
    "sucked": Inside(-1e5),
    "stiff": Inside(0.0, 1e8, 3.0),
    "emptied": Inside(-1e3, 1e6, 0.1),
    "one-sided": Inside(1e5, factor=ONE_SIDED),
    "sucked on a side": Inside(-1e5, 1e6, factor=ONE_SIDED),
}


@pytest.mark.combined
@pytest.mark.parametrize("integrator", IMPLICIT)
@pytest.mark.parametrize("inside", EXTREMES)
@pytest.mark.parametrize("starts", [range(1), pytest.param(range(1, 25), marks=pytest.mark.nightly)])
def test_no_setting_explodes(integrator, inside, starts):
    network = ball(EXTREMES[inside], levels=2)
    for seed in starts:
        simulation = Simulation(network, integrator, dt=DT, substeps=2)
        # Rounding must not decide on it.
        way = 1e-12 * np.random.default_rng(seed).standard_normal(network.points.shape) if seed else 0.0
        simulation.state = State(simulation.state.x + way, simulation.state.v, simulation.state.t)
        for _ in range(8):
            simulation.step()
        # Sixteen times the largest volume of its area is where the last of any pressure ends.
        assert volume(network, simulation.state.x) < 20.0 * volume(network, network.points), seed
        assert np.isfinite(simulation.state.v).all(), seed
