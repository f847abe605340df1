# SPDX-License-Identifier: GPL-3.0-or-later
"""Potentials of force fields, by finite differences and by the energy that they keep."""

import numpy as np
import pytest

from hooke.core import Cloth, Simulation, SpringNetwork
from hooke.core.forces import CentralForce, Charge, Harmonic, Reach

# The z axis of a field along x.
ALONG_X = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]])


def sheet(**quantities):
    return SpringNetwork.grid((5, 4), 0.3, **{"mass": 0.4, **quantities})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", ["POINT", "LINE", "PLANE"])
@pytest.mark.parametrize("limits", [{}, {"power": 2, "minimum": 0.4}, {"power": 1, "maximum": 1.1}])
@pytest.mark.parametrize(
    "make",
    [
        lambda reach: CentralForce(3.0, reach),
        lambda reach: Harmonic(3.0, reach, rest_length=0.3),
        lambda reach: Charge(-3.0, reach),
    ],
)
def test_field_is_minus_the_gradient_of_its_energy(make, limits, shape):
    network, step = sheet(), 1e-6
    pose = ALONG_X.copy()
    pose[:3, 3] = 0.1, 0.2, -0.3
    force = make(Reach(pose, shape, weight=0.7, **limits)).on(Cloth(network))
    x = network.points + 0.05 * np.random.default_rng(1).normal(size=network.points.shape)
    f = force(x, np.zeros_like(x), 0.0)
    for place in np.ndindex(*x.shape):
        there, back = x.copy(), x.copy()
        there[place] += step
        back[place] -= step
        slope = (force.energy(there) - force.energy(back)) / (2 * step)
        assert f[place] == pytest.approx(-slope, rel=1e-5, abs=1e-8)


def test_gravitation_is_minus_the_gradient_of_its_energy():
    network = sheet()
    force = CentralForce(3.0, gravitation=True).on(Cloth(network))
    x = network.points + np.array([0.002, 0.003, 0.001])
    f, step = force(x, np.zeros_like(x), 0.0), 1e-7
    for place in ((0, 0), (0, 2), (7, 1)):
        there, back = x.copy(), x.copy()
        there[place] += step
        back[place] -= step
        slope = (force.energy(there) - force.energy(back)) / (2 * step)
        assert f[place] == pytest.approx(-slope, rel=1e-5)


@pytest.mark.parametrize(
    "force",
    [
        CentralForce(lambda t: 1.0 + t),
        CentralForce(1.0, Reach(lambda t: np.eye(4))),
        CentralForce(1.0, Reach(falloff="TUBE")),
        CentralForce(1.0, Reach(side="POSITIVE")),
        CentralForce(1.0, variation=0.5),
        CentralForce(1.0, across=0.1),
        CentralForce(1.0, Reach(power=1), gravitation=True),
        Harmonic(1.0, rest_length=lambda t: t),
    ],
)
def test_what_has_no_potential_has_no_energy(force):
    assert not hasattr(force, "energy")


@pytest.mark.nightly
def test_energy_is_kept_about_a_harmonic_field():
    network = sheet(stiffness=20.0)
    simulation = Simulation(
        network, "VERLET", dt=1e-3, gravity=(0, 0, 0), forces=Harmonic(1.0, rest_length=0.5)
    )
    kinetic, total = [], []
    for _ in range(2000):
        simulation.step()
        diagnostics = simulation.diagnostics()
        kinetic.append(diagnostics["kinetic"])
        total.append(diagnostics["kinetic"] + diagnostics["potential"])
    # Verlet's energy swings by (w dt)^2 / 8 of the motion's, w^2 = 8 k / m of the stiffest vertex.
    assert np.ptp(total) < 20.0 * 8 / 0.02 * 1e-6 / 8 * max(kinetic)
    assert max(kinetic) > 1e-3
