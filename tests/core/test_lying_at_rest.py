# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies on something is still, after a while."""

import itertools

import numpy as np
import pytest

from hooke.core import Settling, Simulation, SpringNetwork
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS
from hooke.core.forces import kinetic_energy
from hooke.core.material import Material

from .surfaces import octasphere


@pytest.mark.nightly
def test_sheets_on_ridges_come_to_rest():
    # What bore them is where they go on from: led out of that they would be pressed in anew in every substep, and
    # shimmer. How far each has come is chance: their mean tells.
    shares, flat = [], SpringNetwork.grid((31, 31), 0.05)
    for levels, ridges, height in itertools.product((2, 3), (3, 5, 8), (0.1, 0.2)):
        points, triangles = octasphere(levels)
        around, down = np.arctan2(points[:, 1], points[:, 0]), np.hypot(points[:, 0], points[:, 1])
        points *= 0.4 * (1.0 + height * np.cos(ridges * around) * down)[:, None]
        start = flat.points - flat.points.mean(axis=0) + [0.013, 0.007, 0.45]
        network = SpringNetwork.from_mesh(start, faces=flat.surface.polygons, material=Material())
        ball = RigidMesh(points, triangles, friction=0.4, thickness=0.005)
        how = {"contacts": ball, "forces": Settling(), **EFFORTS["STANDARD"].settings}
        simulation, energies = Simulation(network, dt=1 / 24, **how), []
        for _ in range(144):
            simulation.step()
            energies.append(kinetic_energy(network, simulation.state.v))
        shares.append(np.mean(energies[-24:]) / np.max(energies))
    assert np.exp(np.mean(np.log(shares))) < 1e-7
