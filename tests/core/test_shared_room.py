# SPDX-License-Identifier: GPL-3.0-or-later
"""What is pinched between obstacles that keep more than there is: neither torn nor thrown, and free afterwards."""

import numpy as np
import pytest

from hooke.core import Box, Plane, Simulation, SpringNetwork
from hooke.core.contacts import RigidMesh
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

from .piercing import through
from .surfaces import octasphere

STANDARD = {"dt": 1 / 24, **EFFORTS["STANDARD"].settings}
KEPT, HALF = 0.005, 0.2

# What is drawn into a nip by 0.2 m is stretched by a tenth; without room that is shared it was torn to four times.
STRETCH = 0.15


def hung(side=21):
    """A curtain of a metre in the plane y = 0."""
    grid = SpringNetwork.grid((side, side), 1.0 / (side - 1))
    points = grid.points[:, [0, 2, 1]] - [0.5, 0.0, 0.5]
    pins = 1.0 * (points[:, 2] > 0.5 - 1e-6)
    return SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), pins=pins)


def palms(kind, room, speed, opens):
    """Two obstacles that close on the plane y = 0 to some room between them [m], and open at a time [s]."""

    def pose(side):
        def at(t):
            closed = min(speed * t, 0.15 - 0.5 * room) - max(0.0, t - opens)
            matrix = np.eye(4)
            matrix[1, 3] = side * (HALF + 0.15 - max(closed, -0.1))
            return matrix

        return at

    if kind == "box":
        return [Box((2 * HALF,) * 3, pose=pose(side), thickness=KEPT) for side in (1.0, -1.0)]
    points, triangles = octasphere(3)
    return [RigidMesh(HALF * points, triangles, pose=pose(side), thickness=KEPT) for side in (1.0, -1.0)]


@pytest.mark.nightly
@pytest.mark.parametrize("speed", [0.5, 4.0])
@pytest.mark.parametrize(
    ("kind", "room", "opens"),
    [
        *(("ball", room, 0.8) for room in (0.004, 0.0, -0.03)),
        *(("box", room, 0.8) for room in (0.004, 0.0)),
        # What is beside a sharp edge of one that leaves the other may be drawn along.
        ("box", -0.03, np.inf),
    ],
)
def test_palms_that_close_on_a_sheet_hold_it_and_let_it_go(kind, room, opens, speed):
    network, obstacles = hung(), palms(kind, room, speed, opens)
    simulation = Simulation(network, contacts=obstacles, **STANDARD)
    for _ in range(36):
        simulation.step()
        assert network.strains(simulation.state.x).max() < STRETCH
        assert np.linalg.norm(simulation.state.v, axis=1).max() < 4.0
    x, t = simulation.state.x, simulation.state.t
    for obstacle in obstacles if opens < t else ():
        assert obstacle.look(x, t, STANDARD["dt"])[0].min() > 0.0
        assert not through(x, network.surface.edges, obstacle.corners(t), obstacle.triangles)


def test_what_two_planes_leave_is_shared():
    # They keep 5 mm each, and are 6 mm apart: what each has left is 3 mm, but for what is pressed.
    grid = SpringNetwork.grid((9, 9), 0.05)
    network = SpringNetwork.from_mesh(grid.points, faces=grid.surface.polygons, material=Material())
    floor, lid = (
        Plane((0.0, 0.0, -0.003), thickness=KEPT),
        Plane((0.0, 0.0, 0.003), (0.0, 0.0, -1.0), thickness=KEPT),
    )
    simulation = Simulation(network, contacts=(floor, lid), **STANDARD)
    for _ in range(24):
        simulation.step()
    assert np.abs(simulation.state.x[:, 2]).max() < 0.1 * KEPT
    assert np.linalg.norm(simulation.state.v, axis=1).max() < 1e-3
