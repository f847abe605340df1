# SPDX-License-Identifier: GPL-3.0-or-later
"""Real air: one, which winds move, with the weights and Flow that they have."""

import numpy as np
import pytest

from hooke.addon.play import sessions

from .blowing import field, sheet
from .scenes import play


def air_of(cloth):
    """What resists the motion of a cloth, and the velocity of the air at its first vertex [m/s]."""
    play(cloth, [1, 2])
    simulation = sessions.find(cloth).simulation
    (air,) = simulation.system.resisting
    return air, np.atleast_2d(air.air(simulation.state.x, 0.0)[0])[0]


def test_winds_move_the_air_that_resists(scene):
    # Each of 24.0 m/s, along x and along z.
    field("WIND", 500.0, flow=1.0, name="Along x")
    field("WIND", 500.0, rotation=(0.0, 0.0, 0.0), flow=1.0, name="Along z")
    air, velocity = air_of(sheet(air_law="AIR", air_drag=1.2))
    assert velocity == pytest.approx([24.0, 0.0, 24.0], abs=0.05)
    assert (air.normal, air.lift, air.inertia) == (pytest.approx(1.2), pytest.approx(1.2), 1.0)


def test_a_wind_without_weight_leaves_the_air_as_it_is(scene):
    field("WIND", 500.0, flow=0.3)
    air, velocity = air_of(sheet(air_law="AIR", air_drag=1.2, weight_wind=0.0))
    assert (air.normal, velocity.tolist()) == (pytest.approx(1.2), [0.0, 0.0, 0.0])


def test_the_object_s_own_speed_counts_as_much_as_the_flow_says(scene):
    # A quarter of the drag of air that is twice as fast.
    field("WIND", 500.0, flow=0.5)
    air, velocity = air_of(sheet(air_law="AIR", air_drag=1.2))
    assert air.normal == pytest.approx(0.3)
    assert velocity == pytest.approx([48.0, 0.0, 0.0], abs=0.1)
