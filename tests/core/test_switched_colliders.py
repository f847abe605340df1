# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider that acts at times only."""

import numpy as np
import pytest

from hooke.core import CONTACTS, INTEGRATORS, Simulation, SpringNetwork
from hooke.core.contacts import Collider

SHAPES = [id for id, cls in CONTACTS.items() if issubclass(cls, Collider)]
CATCH = 0.5


def lowest(shape, integrator, acts):
    """Heights of a particle that falls from 2 m onto a shape that begins at 1 m or less, one a frame."""
    network = SpringNetwork([[0.1, 0.05, 2.0]], [])
    contact = CONTACTS[shape](acts=acts)
    simulation = Simulation(network, integrator, dt=1 / 24, substeps=4, contacts=contact)
    return np.array([x[0, 2] for x in simulation.frames(24)])


@pytest.mark.sampled(6)
@pytest.mark.newest
@pytest.mark.combined
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("integrator", ["PROJECTIVE_DYNAMICS", "SYMPLECTIC_EULER"])
def test_what_never_acts_is_not_there_and_what_always_does_is(shape, integrator):
    falls = lowest(shape, integrator, lambda t: False)
    assert falls[-1] < -2.0
    assert np.array_equal(lowest(shape, integrator, lambda t: True), lowest(shape, integrator, None))


@pytest.mark.sampled(9)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_is_let_go_falls_from_there(integrator):
    network = SpringNetwork([[0.0, 0.0, 0.0]], [])
    floor = CONTACTS["PLANE"](acts=lambda t: t < CATCH)
    simulation = Simulation(network, integrator, dt=1 / 24, substeps=20, contacts=floor)
    heights = np.array([x[0, 2] for x in simulation.frames(24)])
    # It lies as high as contacts bear it.
    assert np.abs(heights[:11]).max() < 0.5 * 9.81 * (1 / 480) ** 2 * (1.0 + 1e-9)
    # From rest at half a second, within the substep it begins in.
    fallen = 9.81 * (1.0 - CATCH) ** 2 / 2
    assert abs(-heights[-1] - fallen) < 2.0 * 9.81 * (1.0 - CATCH) / (24 * 20)
