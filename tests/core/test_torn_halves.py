# SPDX-License-Identifier: GPL-3.0-or-later
"""What is torn falls: freely where nothing holds it, and as limp cloth where pins do."""

import numpy as np
import pytest

from hooke.core import AirDrag, Material, Simulation, SpringNetwork
from hooke.core.topology import network_parts

from .test_tearing import DT, SIDE, TRUE, ends, pulled, sheet


def weak_in_the_middle(bears, material, pins):
    """A sheet of which the springs between the fifth row and the sixth bear so much strain, and all others 0.6."""
    flat, strains = sheet(), np.full(SIDE**2, 0.6)
    strains[4 * SIDE : 6 * SIDE] = bears
    return SpringNetwork.from_mesh(
        flat.points, faces=flat.surface.polygons, material=material, tears_at=strains, pins=pins
    )


def test_what_tears_off_falls_by_gravity_alone():
    # At the middle hang 2.6 kg by springs of 200 N/m on 0.8 m: a strain of 0.16.
    pins = np.r_[np.ones(SIDE), np.zeros(SIDE**2 - SIDE)]
    network = weak_in_the_middle(0.15, Material(stretch=200.0, shear=20.0, area_density=8.0), pins)
    simulation = Simulation(network, dt=DT, substeps=3, gravity=(9.81, 0.0, 0.0), **TRUE)
    speeds = []
    for _ in range(16):
        simulation.step()
        part = network_parts(simulation.network)
        if part[-1] != part[0]:
            off = part == part[-1]
            speeds.append(network.masses[off] @ simulation.state.v[off, 0] / network.masses[off].sum())
    gained, frames = speeds[-1] - speeds[0], len(speeds) - 1
    assert frames > 6
    assert gained == pytest.approx(9.81 * DT * frames, rel=2e-3)


def test_halves_that_pins_hold_hang_down_half_a_second_after_they_part():
    # Cotton: with all of its stiffness few iterations leave the halves level for seconds. A stiff plate that turns
    # about its hinge is down after 0.3 s.
    network = weak_in_the_middle(0.3, Material(stretch=5e3, shear=100.0, bending=13e-6), ends())
    simulation = Simulation(network, dt=DT, substeps=3, forces=AirDrag(), **TRUE)
    for frame in range(20):
        pulled(simulation, 1, begin=frame)
        part = network_parts(simulation.network)
        if frame == 7:
            halves = [part == part[0], part == part[-1]]
    for half in halves:
        assert half.sum() > 3 * SIDE and part[half].max() == part[half].min()
        assert simulation.state.x[half, 2].mean() < -0.35 * np.ptp(network.points[half, 0])
