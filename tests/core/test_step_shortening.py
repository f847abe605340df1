# SPDX-License-Identifier: GPL-3.0-or-later
"""Where substeps are moved back on their ways nothing goes through anything."""

import numpy as np
import pytest
from collisions.intersections import crosses_itself

from hooke.core import Member, SelfCollision, SpringNetwork, State, Together
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

APART = 0.02


def struck(angle, speed):
    """Two sheets without weight, an upper one that is tilted and falls on its edge; States about a substep in which."""
    grid = SpringNetwork.grid((9, 9), 0.05)
    sheet = SpringNetwork.from_mesh(grid.points, faces=grid.surface.polygons, material=Material())
    how = EFFORTS["STANDARD"].settings | {"substeps": 1}
    members = [Member(sheet), Member(sheet)]
    simulation = Together(
        members, contacts=(SelfCollision(0.005),), dt=1 / 72, gravity=(0.0, 0.0, 0.0), **how
    )
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    upper = sheet.points @ turn + [0.01, 0.01, 0.0]
    upper[:, 2] += APART - upper[:, 2].min()
    x = np.concatenate([sheet.points, upper])
    v = np.repeat([[0.0, 0.0, 0.0], [0.0, 0.0, -speed]], len(upper), axis=0)
    simulation.state = before = State(x, v, 0.0)
    simulation.step()
    return simulation, before, simulation.state


def through(simulation, x):
    surface = simulation.network.surface
    return crosses_itself(x, surface.edges, surface.triangles)


@pytest.mark.parametrize("angle", [0.3, 0.8])
@pytest.mark.parametrize("way_back", ["shortened", "put_back"])
def test_parts_that_strike_each_other_go_back_on_their_ways_as_one(way_back, angle):
    simulation, before, after = struck(angle, 4.0)
    # On its own way the upper one would go through the lower one with its edge.
    way = (after.x - before.x).reshape(2, -1, 3).mean(axis=1)
    assert through(simulation, before.x + np.repeat(way, len(after.x) // 2, axis=0))
    back = getattr(simulation.budget.way_back, way_back)(before, after, -np.inf)
    assert not through(simulation, back.x)
    assert np.abs(back.x - after.x).max() > 1e-3
    # Their common centre of mass goes on.
    assert back.x.mean(axis=0) == pytest.approx(after.x.mean(axis=0), abs=2e-3)


def test_parts_that_are_far_from_each_other_go_on_as_their_own_wholes():
    simulation, before, after = struck(0.3, 0.01)
    back = simulation.budget.way_back.shortened(before, after, -np.inf)
    assert back.x == pytest.approx(after.x, abs=1e-6)
