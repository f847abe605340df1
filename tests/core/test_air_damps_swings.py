# SPDX-License-Identifier: GPL-3.0-or-later
"""Air takes more of what swings than of what flows: cloth comes to rest, and falls as in a steady flow."""

import numpy as np
import pytest

from hooke.core import AirDrag, Cloth, Material, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS

RHO, G = 1.204, 9.81


def triangle():
    """One triangle of half a square metre, of 0.2 kg, and twice its area over its rim."""
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return SpringNetwork.from_mesh(points, faces=[[0, 1, 2]], mass=0.2), 1.0 / (2.0 + np.sqrt(2.0))


@pytest.mark.parametrize(
    "before, now", [(0.0, 0.3), (0.4, 0.3), (-0.2, 0.3), (2.0, 2.4), (0.3, -0.1), (1.0, 1.0)]
)
@pytest.mark.parametrize("dt", [1e-3, 1 / 72, 1.0])
def test_the_share_of_a_swing_is_by_what_it_loses_of_its_speed(before, now, dt):
    network, width = triangle()
    speed, steady, slowing = 0.7, 20.0, 5.0
    force = AirDrag(1.2, lift=0.0, swing_speed=speed, steady=steady, slowing=slowing).on(Cloth(network))
    begun = State(network.points, np.tile([0.0, 0.0, before], (3, 1)), 2.0)
    v = np.tile([0.0, 0.0, now], (3, 1))
    left = force.slowed(network.points, v, 2.0 + dt, dt, begun)[0, 2]
    k = RHO / 2 * 1.2 * 0.5 / 0.2 * dt
    # Speed and change are those that steady drag alone leaves; what gains speed is no swing that comes to rest.
    calm = now / (1.0 + k * abs(now))
    lost = max(np.copysign(1.0, now) * (before - calm), 0.0)
    least = k * speed / slowing * abs(calm) + 2.0 * np.pi * dt * calm**2 / (width * steady)
    share = lost / (lost + least) if lost > 0.0 else 0.0
    assert left * (1.0 + k * (abs(now) + speed * share)) == pytest.approx(now, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("along", [0.0, 0.3, 3.0])
def test_air_that_passes_along_takes_the_drag_of_swings_away(along):
    # Without a bound and without steady drag's share of the number: u_0 counts by the sine's square alone.
    network, _ = triangle()
    dt, speed, before, now = 1 / 72, 0.7, 0.4, 0.3
    how = {"lift": 0.0, "tangential": 0.0, "swing_speed": speed, "steady": 1e12, "slowing": 1e12}
    force = AirDrag(1.2, **how).on(Cloth(network))
    begun = State(network.points, np.tile([along, 0.0, before], (3, 1)), 0.0)
    left = force.slowed(network.points, np.tile([along, 0.0, now], (3, 1)), dt, dt, begun)[0, 2]
    k = RHO / 2 * 1.2 * 0.5 / 0.2 * dt
    assert left * (1.0 + k * (now + speed * now**2 / (now**2 + along**2))) == pytest.approx(now, rel=1e-9)


@pytest.mark.parametrize("rate", [2.0, 10.0])
def test_a_fold_that_grows_meets_steady_drag_alone(rate):
    network, _ = triangle()
    dt, speed = 1 / 72, 1e-4
    begun = State(network.points, np.tile([0.0, 0.0, speed], (3, 1)), 0.0)
    v = np.exp(rate * dt) * begun.v
    swinging, steady = (
        AirDrag(1.2, **how).on(Cloth(network)).slowed(network.points, v, dt, dt, begun)
        for how in ({}, {"swing_speed": 0.0})
    )
    np.testing.assert_array_equal(swinging, steady)


@pytest.mark.parametrize("change", ["velocity", "velocity before"])
def test_a_small_change_of_motion_changes_it_little_at_any_speed(change):
    network, _ = triangle()
    dt, slowing = 1 / 72, 4.0
    force = AirDrag(slowing=slowing).on(Cloth(network))

    def left(now, before):
        begun = State(network.points, np.tile([0.0, 0.0, before], (3, 1)), 0.0)
        return force.slowed(network.points, np.tile([0.0, 0.0, now], (3, 1)), dt, dt, begun)[0, 2]

    for speed in (1e-12, 1e-6, 1e-3, 0.1):
        for now in np.linspace(-1.5, 1.5, 31) * speed:
            small = 1e-4 * speed
            other = (now + small, speed) if change == "velocity" else (now, speed + small)
            assert abs(left(*other) - left(now, speed)) <= 1.05 * (1.0 + slowing) * small


def test_what_falls_steadily_meets_steady_drag():
    network, _ = triangle()
    terminal = np.sqrt(2 * 0.2 * G / (RHO * 1.2 * 0.5))
    for drag in (AirDrag(), AirDrag(swing_speed=0.0)):
        simulation = Simulation(network, "SYMPLECTIC_EULER", dt=1 / 240, forces=drag)
        for _ in range(480):
            simulation.step()
        assert -simulation.state.v[0, 2] == pytest.approx(terminal, rel=0.01)


def test_air_that_stands_takes_energy_at_any_step():
    rng = np.random.default_rng(3)
    network = SpringNetwork.grid((6, 6), 0.2, mass=0.05)
    force = AirDrag().on(Cloth(network))
    for dt in (1e-3, 0.1, 10.0):
        for size in (1e-6, 1.0, 1e3):
            x = network.points + rng.normal(0.0, 0.1, network.points.shape)
            v, was = (size * rng.normal(size=network.points.shape) for _ in range(2))
            left = force.slowed(x, v, dt, dt, State(x, was, 0.0))
            assert np.sum(network.masses * np.einsum("ij,ij->i", left, left)) <= np.sum(
                network.masses * np.einsum("ij,ij->i", v, v)
            )


def strip():
    """A strip 20 cm long, of which half of a drop over its reach is 0.594 by the elastica, and its free end."""
    spacing, reach, density = 0.02, 0.2, 0.136
    x, y = np.meshgrid(np.arange(-1, 11) * spacing, np.arange(4) * spacing)
    corner = np.arange(x.size).reshape(x.shape)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1)
    material = Material(
        shear=1e3, bending=density * G * reach**3 / 5, area_density=density, damping_ratio=0.1
    )
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    pins = corner[:, :2].ravel().tolist()
    return SpringNetwork.from_mesh(points, faces=faces.reshape(-1, 4), material=material, pins=pins), corner[
        :, -1
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("drag", [0.5, 1.2])
def test_a_strip_that_is_let_go_rests_within_three_seconds(drag):
    pytest.importorskip("scipy")
    network, end = strip()
    simulation = Simulation(network, dt=1 / 24, forces=AirDrag(drag), **EFFORTS["FINE"].settings)
    ratios = []
    for x in simulation.frames(72):
        tip = x[end].mean(axis=0)
        ratios.append(-tip[2] / tip[0])
    # Half a swing, which passes the middle, too.
    np.testing.assert_allclose(ratios[-8:], 0.594, rtol=0.01)


@pytest.mark.nightly
def test_a_sheet_let_go_at_two_corners_falls_within_a_second_and_rests():
    pytest.importorskip("scipy")
    network = SpringNetwork.grid((21, 21), 0.1, material=Material(), pins=[0, 20])
    simulation = Simulation(network, dt=1 / 24, forces=AirDrag(), **EFFORTS["STANDARD"].settings)
    heights = [x[:, 2].mean() for x in simulation.frames(240)]
    assert heights[23] < -0.6
    assert np.sqrt(np.mean(simulation.state.v**2)) < 0.03
