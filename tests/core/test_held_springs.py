# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs of what surfaces hold: none is pulled long, and what they draw there is held."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork
from hooke.core.contacts import Box, Sphere
from hooke.core.effort import EFFORTS
from hooke.core.forces import AirDrag
from hooke.core.material import Material


@pytest.mark.nightly
def test_no_spring_is_pulled_long_where_heavy_cloth_strikes():
    # 10,201 vertices of denim on a ball: what is pushed out after the iterations alone takes springs with it by 27 %.
    flat = SpringNetwork.grid((101, 101), 0.02)
    points = flat.points - flat.points.mean(axis=0) + [0.013, 0.007, 0.7]
    denim = Material(stretch=8900.0, shear=122.0, bending=16.9e-6, area_density=0.475)
    network = SpringNetwork.from_mesh(points, faces=flat.surface.polygons, material=denim)
    ball, how = Sphere(0.5, thickness=0.005), EFFORTS["STANDARD"].settings
    simulation = Simulation(network, dt=1 / 24, contacts=ball, forces=AirDrag(0.1), **how)
    edges = network.surface.edges
    lengths = np.linalg.norm(np.diff(points[edges], axis=1), axis=2)
    longest = [np.linalg.norm(np.diff(x[edges], axis=1), axis=2) / lengths for x in simulation.frames(13)]
    assert np.max(longest) < 1.1


def test_what_springs_draw_to_a_surface_is_held_there():
    # At rest 3 mm above a plate, without gravity: the spring to what is pinned below it draws it there by 33 N.
    points = [[0.013, 0.0, -0.05], [0.013, 0.0, 0.003]]
    network = SpringNetwork(points, [[0, 1]], stiffness=1e3, rest_lengths=0.02, pins=[1.0, 0.0])
    plate, how = Box((1.0, 1.0, 0.02), (0.0, 0.0, -0.01)), EFFORTS["STANDARD"].settings
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), contacts=plate, **how)
    *_, first, last = simulation.frames(12)
    assert 0.0 <= last[1, 2] < 0.003
    assert_allclose(first, last, atol=1e-9)
