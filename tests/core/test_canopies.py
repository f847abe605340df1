# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that stands in canopies: it holds them open, carries their weight, and gives no energy."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from hooke.core import AirDrag, Simulation, SpringNetwork, State
from hooke.core.air import ReactiveAir
from hooke.core.air.canopies import canopies
from hooke.core.bodies import Cloth
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

DENSITY, GRAVITY, AROUND, RINGS = 1.204, 9.81, 24, 10
NYLON = Material(stretch=4e3, shear=100.0, bending=5e-6, area_density=0.05)


def bowl(angle=0.5 * np.pi, lines=0, radius=1.0):
    """A part of a ball from its top down to an angle, and lines from its rim to one vertex below, the last."""
    turns, falls = 2.0 * np.pi * np.arange(AROUND) / AROUND, np.linspace(0.0, angle, RINGS + 1)[1:, None]
    rings = np.stack(
        [np.sin(falls) * np.cos(turns), np.sin(falls) * np.sin(turns), np.cos(falls) + 0.0 * turns], -1
    )
    points = radius * np.concatenate([[[0.0, 0.0, 1.0]], rings.reshape(-1, 3), [[0.0, 0.0, -1.73]]])
    at = 1 + np.arange(RINGS * AROUND).reshape(RINGS, AROUND)
    after = np.roll(at, -1, axis=1)
    faces = [(0, i, j) for i, j in zip(at[0], after[0], strict=True)]
    for ring in range(RINGS - 1):
        quads = zip(at[ring], at[ring + 1], after[ring + 1], after[ring], strict=True)
        faces += [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    rim = at[-1][:: AROUND // lines] if lines else []
    edges = [(vertex, len(points) - 1) for vertex in rim]
    points = points if lines else points[:-1]
    return SpringNetwork.from_mesh(points, edges=edges, faces=faces, material=NYLON), at[-1]


def dropped(weight, effort, seconds=5, **options):
    """A parachute of 1 m that fell with a weight [N] on its lines: its network, places over the last second, rim."""
    network, rim = bowl(lines=12)
    load = np.zeros((network.vertex_count, 3))
    load[-1, 2] = -weight
    forces = [Wind(0.0, Reach(), **options), lambda x, v, t: load * min(t, 1.0)]
    simulation = Simulation(network, dt=1 / 24, forces=forces, **EFFORTS[effort].settings)
    return network, np.array(list(simulation.frames(24 * seconds)))[-24:], rim


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ("STANDARD", pytest.param("FINE", marks=pytest.mark.nightly)))
@pytest.mark.parametrize("weight", (10.0, pytest.param(50.0, marks=pytest.mark.nightly)))
def test_a_parachute_holds_its_weight(weight, effort):
    network, frames, _rim = dropped(weight, effort, inertia=1.0)
    speed = (frames[0, -1, 2] - frames[-1, -1, 2]) * 24.0 / (len(frames) - 1)
    silhouette = np.mean([ConvexHull(x[:-1, :2]).volume for x in frames])
    assert silhouette > 0.75 * np.pi
    drag = (weight + GRAVITY * network.masses.sum()) / (0.5 * DENSITY * speed**2 * silhouette)
    assert 1.2 < drag < 1.5


@pytest.mark.nightly
def test_without_the_inertia_of_air_a_parachute_closes():
    # How far it does is as chaotic as what it tumbles into; of one that stands open this is more than 0.85 m.
    _network, frames, rim = dropped(10.0, "STANDARD", seconds=6)
    mouth = frames[:, rim, :2] - frames[:, rim, :2].mean(axis=1, keepdims=True)
    assert np.linalg.norm(mouth, axis=-1).mean() < 0.6


def test_what_half_a_ball_catches():
    network, _rim = bowl()
    (canopy,) = canopies(network.points, Cloth(network).triangles)
    x = np.ascontiguousarray(network.points.T)
    # 2/3 pi r^3 over (pi r^2)^(3/2), and a polygon of 24 corners for a circle.
    assert canopy.depth(x) == pytest.approx(2.0 / 3.0 / np.sqrt(np.pi), rel=0.03)
    falling = np.repeat([[0.0], [0.0], [-3.0]], x.shape[1], axis=1)
    caught = canopy.caught(x, falling)
    assert caught.mouth == pytest.approx(np.pi, rel=0.02)
    assert caught.flux == pytest.approx(-3.0) and caught.share == 1.0
    np.testing.assert_allclose(caught.areas.sum(axis=1), [0.0, 0.0, caught.mouth], atol=1e-12)
    # What meets the air with its back catches none, nor what moves across.
    assert canopy.caught(x, -falling).share == 0.0
    assert canopy.caught(x, np.roll(falling, 1, axis=0)).flux == pytest.approx(0.0, abs=1e-12)


def test_what_is_no_canopy():
    shallow, _rim = bowl(0.5)
    ball, _rim = bowl(np.pi - 0.05)
    tube = SpringNetwork.from_mesh(
        np.array([[np.cos(a), np.sin(a), z] for z in (0.0, 1.0) for a in 0.5 * np.pi * np.arange(4)]),
        faces=[[i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4] for i in range(4)],
    )
    flat = SpringNetwork.grid((4, 4), 0.2)
    for network in (shallow, tube, flat):
        assert canopies(network.points, Cloth(network).triangles) == []
    assert len(canopies(ball.points, Cloth(ball).triangles)) == 1


@pytest.mark.parametrize("dt", (1e-3, 1.0 / 72.0, 0.3))
@pytest.mark.parametrize("speed", (0.0, 5.0, 200.0))
def test_air_that_stands_gives_no_energy(speed, dt):
    network, _rim = bowl(radius=0.3)
    flow, rng = np.array([0.0, 0.0, speed]), np.random.default_rng(1)
    wind = Wind(speed, Reach(), inertia=1.0, lift=0.0, tangential=0.0).on(Cloth(network))
    air = ReactiveAir([wind.flow])
    x = network.points + 0.01 * rng.normal(size=network.points.shape)
    # Down, so that its inside meets the air.
    state = State(x, rng.normal(size=x.shape) - [0.0, 0.0, 3.0])
    air.begin(state, dt)

    def energy(v):
        own = 0.5 * np.sum(network.masses[:, None] * (v - flow) ** 2)
        return own + air.kinetic_energy(State(x, v - flow))

    (canopy,), before = canopies(network.points, Cloth(network).triangles), energy(state.v)
    assert canopy.caught(np.ascontiguousarray(x.T), np.ascontiguousarray((state.v - flow).T)).share == 1.0
    assert energy(air.passed(state, dt)) < before * (1.0 - 1e-9)


def test_a_parachute_goes_on_from_a_snapshot_to_the_same_bits():
    network, _rim = bowl(lines=12)
    forces, settings = [AirDrag(0.1), Wind(4.0, Reach(), inertia=1.0)], EFFORTS["STANDARD"].settings
    one, other = (Simulation(network, dt=1 / 24, forces=forces, **settings) for _ in range(2))
    for _ in range(4):
        one.step()
    other.restore(one.snapshot())
    for simulation in (one, other):
        for _ in range(4):
            simulation.step()
    np.testing.assert_array_equal(one.state.x, other.state.x)
