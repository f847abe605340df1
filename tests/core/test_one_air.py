# SPDX-License-Identifier: GPL-3.0-or-later
"""One air: only the speed of cloth against it counts, whether wind, pins or weight make that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import AirDrag, Cloth, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.forces import Peaking, Reach, Scaled, Wind, Winds
from hooke.core.material import Material

G, RHO, DRAG = 9.81, 1.204, 1.2

ALONG_X, ALONG_Z = (
    Reach(np.array(pose, dtype=float))
    for pose in (
        [[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]],
        np.eye(4),
    )
)


def flag(columns=12, rows=8):
    """A flag of cotton, 1.5 x 1 m, in the plane y = 0 but for waves of a millimetre; its pole is along z."""
    x, z = np.meshgrid(np.linspace(0.0, 1.5, columns + 1), np.linspace(0.0, 1.0, rows + 1))
    y = 1e-3 * np.sin(7.0 * x + 3.0 * z * z)
    corner = np.arange(x.size).reshape(x.shape)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1)
    points = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    network = SpringNetwork.from_mesh(
        points, faces=faces.reshape(-1, 4), material=Material(), pins=corner[:, 0].tolist()
    )
    return network, corner


def flown(speed, carried, fps, frames):
    """Places against the pole of a flag that air passes by with a speed, of which a share is the pole's own."""
    network, corner = flag()
    own = np.array([-speed * carried, 0.0, 0.0])
    air = AirDrag(wind=(speed * (1.0 - carried), 0.0, 0.0), inertia=1.0)
    simulation = Simulation(network, dt=1 / fps, forces=air, **EFFORTS["STANDARD"].settings)
    simulation.state = State(network.points, np.tile(own, (network.vertex_count, 1)))
    pole = network.points[network.pinned]
    found = simulation.frames(frames, pin_targets=lambda t: pole + own * t)
    return np.array([x - own * (number + 1) / fps for number, x in enumerate(found)]), corner


def mean_angle(speed, carried, fps, seconds):
    """By how much a flag's fly is below level from its pole [degrees], the mean from the third second on."""
    x, corner = flown(speed, carried, fps, seconds * fps)
    fly = (x[:, corner[:, -1]].mean(axis=1) - x[:, corner[:, 0]].mean(axis=1))[3 * fps :].T
    return np.degrees(np.arctan2(-fly[2], fly[0])).mean()


@pytest.mark.nightly
def test_a_flag_that_is_carried_flies_as_in_wind():
    pytest.importorskip("scipy")
    in_wind, carried = (mean_angle(2.4, share, 24, 6) for share in (0.0, 1.0))
    # 18 and 64 degrees in still air whose drag is bounded at a tenth of the weight. In wind steps are solved closer.
    assert 15.0 < in_wind < 30.0
    assert abs(carried - in_wind) < 6.0


def test_winds_add_up_to_the_velocity_of_one_air():
    network = SpringNetwork.grid((4, 4), 0.25)
    blowing = Winds([Wind(3.0, ALONG_X), Scaled(Wind(2.0, ALONG_Z), lambda t: 4.0)])
    both = AirDrag(wind=blowing).on(Cloth(network))
    one = AirDrag(wind=(3.0, 0.0, 4.0)).on(Cloth(network))
    v = np.random.default_rng(2).normal(size=(16, 3))
    # Four times the pressure is twice the speed.
    assert_allclose(
        both.slowed(network.points, v, 0.0, 0.1), one.slowed(network.points, v, 0.0, 0.1), rtol=1e-12
    )


def test_winds_are_told_at_their_peak():
    network = SpringNetwork.grid((4, 4), 0.25)
    gust = Wind(Peaking(lambda t: 5.0 * t, 5.0), ALONG_X)
    of_gust = AirDrag(wind=Winds([gust])).on(Cloth(network))
    assert_allclose(of_gust.at_peak().air(network.points, 0.0)[0], [5.0, 0.0, 0.0])
    steady = AirDrag(wind=Winds([Wind(5.0, ALONG_X)])).on(Cloth(network))
    assert steady.at_peak() is steady
