# SPDX-License-Identifier: GPL-3.0-or-later
"""What is heavy and falls on light cloth comes back no higher than it began."""

import numpy as np
import pytest

from hooke.core import Member, SpringNetwork, Together
from hooke.core.bodies import Solid
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

from .surfaces import octasphere

# By day the ball and the sheet are coarser.
FINER = [
    pytest.param(height, side, 3, marks=pytest.mark.nightly) for height in (0.3, 0.4) for side in (21, 25)
]


@pytest.mark.newest
@pytest.mark.parametrize(("height", "side", "finer"), [(0.3, 15, 2), *FINER])
def test_jelly_on_a_sheet_comes_back_no_higher(height, side, finer):
    grid = SpringNetwork.grid((side, side), 2.0 / (side - 1))
    points = grid.points - grid.points.mean(axis=0)
    rim = np.abs(points[:, :2]).max(axis=1) > 1.0 - 1e-6
    faces = grid.surface.polygons
    sheet = SpringNetwork.from_mesh(points, faces=faces, material=Material(), pins=1.0 * rim)
    ball, of_ball = octasphere(finer)
    how = {"modulus": 3e5, "poisson": 0.48, "damping_ratio": 0.05}
    jelly = Solid.from_mesh(0.25 * ball + [0.0, 0.0, height], faces=of_ball, **how)
    bodies = np.repeat([0, 1], [len(points), jelly.network.vertex_count])
    contacts = [SelfCollision(0.011, friction=0.5, bodies=bodies)]
    simulation = Together(
        [Member(sheet), Member(jelly)], contacts=contacts, dt=1.0 / 24.0, **EFFORTS["STANDARD"].settings
    )
    heights = []
    for _ in range(40):
        simulation.step()
        heights.append(simulation.state.x[len(points) :, 2].mean())
    assert min(heights) < -0.3
    assert max(heights[10:]) < height
