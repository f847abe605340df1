# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind: how far it lifts a flag, what it carries along, and that no bound on energy holds it back."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq

from hooke.core import INTEGRATORS, AirDrag, Cloth, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

G, RHO = 9.81, 1.204

# Wind along x.
ALONG_X = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]])
BREEZE = Reach(ALONG_X)

SOLVED = {"iterations": 20, "acceleration": "LBFGS", "time_stepping": "BDF2"}


def flag(area_density, rows=5):
    """A sheet of 1 m that hangs from its upper edge, which is hinged along y."""
    heights, across = np.meshgrid(np.linspace(0.0, -1.0, rows), np.linspace(0.0, 1.0, rows), indexing="ij")
    points = np.column_stack([np.zeros(rows * rows), across.ravel(), heights.ravel()])
    corner = np.arange(rows * rows).reshape(rows, rows)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1)
    material = Material(area_density=area_density)
    return SpringNetwork.from_mesh(
        points, faces=faces.reshape(-1, 4), material=material, pins=list(range(rows))
    )


def angle(x):
    """Angle of the flag from the vertical, from its hinge to its lower edge."""
    rows = int(np.sqrt(len(x)))
    lower = x[-rows:].mean(axis=0)
    return np.degrees(np.arctan2(lower[0], -lower[2]))


def balance(speed, area_density, lift, normal=1.2):
    """The angle at which wind across the sheet carries what of its weight is across it, everywhere the same."""

    def excess(a):
        across, along = speed * np.cos(a), speed * np.sin(a)
        return 0.5 * RHO * across * np.hypot(normal * across, lift * along) - area_density * G * np.sin(a)

    return np.degrees(brentq(excess, 0.0, np.pi / 2))


def hung(speed, area_density=0.5, lift=1.2, frames=84, **options):
    """Mean angle over the last second of a flag in steady wind."""
    # More of it prolongs the last swings.
    forces = [AirDrag(swing_speed=0.5), Wind(speed, BREEZE, lift=lift)]
    simulation = Simulation(
        flag(area_density), dt=1 / 24, forces=forces, **({"substeps": 3} | SOLVED | options)
    )
    return np.mean([angle(x) for x in simulation.frames(frames)][-24:])


@pytest.mark.nightly
@pytest.mark.parametrize(("lift", "speeds"), [(0.0, (0.7, 4.5)), (1.2, (0.7, 4.5))])
def test_mean_angle_of_a_flag_grows_as_drag_and_weight_balance(lift, speeds):
    found = [hung(speed, lift=lift) for speed in speeds]
    assert_allclose(found, [balance(speed, 0.5, lift) for speed in speeds], rtol=0.05)
    assert (np.diff(found) > 0.0).all()


def test_the_inertia_of_air_leaves_a_heavy_flag_at_its_angle():
    pytest.importorskip("scipy")
    forces = [AirDrag(), Wind(3.0, BREEZE, inertia=1.0)]
    simulation = Simulation(flag(0.5, 9), dt=1 / 24, forces=forces, **EFFORTS["STANDARD"].settings)
    found = np.mean([angle(x) for x in simulation.frames(96)][-48:])
    assert found == pytest.approx(balance(3.0, 0.5, 1.2), rel=0.05)


@pytest.mark.nightly
def test_the_angle_converges_as_steps_do():
    # The step shortens; what is left is that few rows bulge at the hinge: a percent. It swings for four seconds.
    exact = balance(1.0, 0.136, 1.2)
    errors = [abs(hung(1.0, 0.136, frames=132, substeps=steps) / exact - 1.0) for steps in (1, 4)]
    assert errors[1] < 0.5 * errors[0] and errors[1] < 0.01


@pytest.mark.newest
def test_a_flag_at_the_default_effort_is_where_it_belongs():
    for speed in (1.5, 3.0):
        assert hung(speed, 0.5, **EFFORTS["STANDARD"].settings) == pytest.approx(
            balance(speed, 0.5, 1.2), rel=0.1
        )


def test_force_with_lift_by_hand():
    # 1 m^2 at 3 m/s across and 4 m/s along: C_n 3 and C_l 4 add up as the sides of a triangle, times 3.
    network = SpringNetwork.grid((5, 5), 0.25, mass=0.3)
    v = np.tile([0.0, 4.0, 3.0], (25, 1))
    f = AirDrag(1.2, 0.0, lift=0.9, swing_speed=0.0).on(Cloth(network))(network.points, v, 0.0)
    assert_allclose(f.sum(axis=0), [0, 0, -RHO / 2 * np.hypot(1.2 * 3, 0.9 * 4) * 3], rtol=1e-12, atol=1e-15)


def test_a_plate_at_any_angle_is_pressed_by_the_share_of_the_wind_across_it():
    # With C_l = C_n the force is C_n rho/2 A |u| u_n, as the cosine of the angle: Blender's law for cloth.
    network = SpringNetwork.grid((3, 3), 0.5, mass=0.3)
    for degrees in (0, 30, 60, 85):
        a = np.radians(degrees)
        wind = Wind(4.0, Reach(_facing([np.sin(a), 0, np.cos(a)])), tangential=0.0)
        f = wind.on(Cloth(network))(network.points, np.zeros((9, 3)), 0.0).sum(axis=0)
        assert_allclose(f, [0, 0, RHO / 2 * 1.2 * 16 * np.cos(a)], atol=1e-12)


def _facing(axis):
    """A pose with this z axis."""
    pose = np.eye(4)
    pose[:3, 2] = axis
    return pose


@pytest.mark.sampled(3)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_wind_takes_a_free_sheet_along_as_fast_as_its_law(integrator):
    # u' = -k |u| u, u = v - w: v = w - w/(1 + k w t), at any step; no energy budget may hold it back.
    flat = SpringNetwork.grid((4, 4), 0.25, stiffness=1.0)
    triangles = flat.surface.triangles
    masses = 0.2 * np.bincount(triangles.ravel()) / triangles.size
    network = SpringNetwork(flat.points, flat.edges, masses=masses, stiffness=1.0, surface=flat.surface)
    dt, steps, speed = 0.01, 80, 6.0
    simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0), forces=Wind(speed))
    for _ in range(steps):
        simulation.step()
    k = RHO / 2 * 1.2 * 0.75**2 / 0.2
    expected = speed - speed / (1 + k * speed * dt * steps)
    assert_allclose(simulation.state.v[:, 2], expected, rtol=1e-6)


@pytest.mark.newest
@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
def test_wind_takes_energy_in_the_frame_of_the_air(time_stepping):
    network = SpringNetwork.grid((5, 4), 0.3, mass=0.04, stiffness=30.0)
    wind = Wind(8.0, BREEZE, gusts=0.0).on(Cloth(network))
    rng = np.random.default_rng(2)
    for _ in range(50):
        x = network.points + 0.1 * rng.normal(size=network.points.shape)
        v = 20.0 * rng.normal(size=x.shape)
        dt = 10.0 ** rng.uniform(-6, 4)
        after = wind.slowed(x, v, 0.0, dt)
        before, left = (np.sum((u - [8.0, 0, 0]) ** 2) for u in (v, after))
        assert left < before
    simulation = Simulation(
        network, dt=1 / 24, gravity=(0, 0, 0), forces=Wind(8.0, BREEZE), time_stepping=time_stepping
    )
    for _ in range(100):
        simulation.step()
    assert_allclose(simulation.state.v.mean(axis=0), [8.0, 0, 0], atol=0.3)


@pytest.mark.nightly
def test_wind_on_a_rope_lifts_it_to_the_angle_of_its_balance():
    # A rope of 60 g/m and 10 mm: rho/2 C_n d w^2 cos^2 a = mu g sin a, everywhere the same.
    count, line_density, diameter, speed = 7, 0.06, 0.01, 12.0
    points = np.column_stack([np.zeros((count, 2)), -np.linspace(0.0, 1.0, count)])
    edges = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    material = Material(line_density=line_density)
    network = SpringNetwork.from_mesh(points, edges, material=material, pins=[0])
    wind = Wind(speed, BREEZE, diameter=diameter, tangential=0.0)
    simulation = Simulation(network, dt=1 / 24, substeps=4, forces=[AirDrag(0.5), wind], **SOLVED)
    x = list(simulation.frames(144))[-48:]
    pressure = RHO / 2 * 1.2 * diameter * speed**2 / (line_density * G)
    # pressure cos^2 a = sin a
    expected = np.degrees(np.arcsin((-1 + np.sqrt(1 + 4 * pressure**2)) / (2 * pressure)))
    # It swings for long: the mean over two seconds.
    lower = np.array(x)[:, -1]
    assert np.degrees(np.arctan2(lower[:, 0], -lower[:, 2])).mean() == pytest.approx(expected, rel=0.05)


@pytest.mark.newest
def test_wind_moves_a_net_and_leaves_what_it_does_not_reach():
    spacing = np.linspace(0.0, 1.0, 6)
    points = np.array([[0.0, y, -z] for z in spacing for y in spacing])
    corner = np.arange(36).reshape(6, 6)
    edges = [np.column_stack([corner[:-1].ravel(), corner[1:].ravel()])]
    edges.append(np.column_stack([corner[:, :-1].ravel(), corner[:, 1:].ravel()]))
    network = SpringNetwork.from_mesh(
        points, np.concatenate(edges), material=Material(line_density=0.003), pins=list(range(6))
    )
    away = ALONG_X.copy()
    away[:3, 3] = 0.0, 0.0, 5.0
    far = Reach(away, "POINT", maximum=3.0)
    moved, unmoved = (
        list(Simulation(network, dt=1 / 24, forces=Wind(8.0, reach, diameter=0.002), **SOLVED).frames(24))[-1]
        for reach in (BREEZE, far)
    )
    assert moved[-6:, 0].mean() > 0.15
    assert_allclose(unmoved[:, 0], 0.0, atol=1e-9)


@pytest.mark.nightly
def test_gusts_shake_a_flag_that_steady_wind_leaves_still():
    def sway(gusts):
        forces = [AirDrag(), Wind(3.0, BREEZE, gusts=gusts, seed=4)]
        simulation = Simulation(flag(0.3), dt=1 / 24, substeps=3, forces=forces, **SOLVED)
        return np.std([angle(x) for x in simulation.frames(96)][-36:])

    assert sway(1.0) > 3.0 * sway(0.0)


def test_gusts_are_carried_along_and_have_their_size():
    wind = Wind(5.0, BREEZE, gusts=2.0, gust_drift=3.0, gust_size=0.5, seed=2)
    x = np.random.default_rng(1).uniform(-8, 8, (20_000, 3))
    velocities, presence = wind.air(x, 0.0)
    assert presence is None
    # Half a size is about the distance at which places have gusts of their own: 16^3 lattice cells and more.
    assert_allclose(velocities.std(axis=0), 2.0, rtol=0.05)
    assert_allclose(velocities.mean(axis=0), [5, 0, 0], atol=0.15)
    later, _ = wind.air(x + np.array([6.0, 0, 0]), 2.0)
    assert_allclose(later, velocities, atol=1e-9)


def test_gusts_of_air_with_inertia_are_as_fine_as_the_mesh():
    pytest.importorskip("scipy")
    x = np.random.default_rng(1).uniform(-8, 8, (20_000, 3))

    def differing(rows, inertia):
        wind = Wind(5.0, BREEZE, gusts=2.0, gust_drift=0.0, inertia=inertia).on(Cloth(flag(0.3, rows)))
        near, far = (wind.air(x + distance * np.eye(3)[0], 0.0)[0] for distance in (0.0, 0.05))
        assert_allclose(near.std(axis=0), 2.0, rtol=0.05)
        return np.std(far - near)

    # Eddies down to twice the mesh's mean edge: five octaves at 1/40 m, one at 1/4 m; without inertia always two.
    fine, coarse = differing(41, 1.0), differing(5, 1.0)
    assert fine > 2.5 * coarse
    assert differing(41, 0.0) == differing(5, 0.0)
    # The same as last time, and at another place or time anew.
    wind = Wind(5.0, BREEZE, gusts=2.0)
    first = wind.air(x, 0.0)[0]
    assert_array_equal(wind.air(x, 0.0)[0], first)
    assert not np.allclose(wind.air(x, 0.5)[0], first) and not np.allclose(wind.air(x + 0.1, 0.0)[0], first)


@pytest.mark.parametrize("speed", [1e6, -1e6, 0.0])
@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
def test_no_storm_makes_a_number_that_is_none(speed, time_stepping):
    network = SpringNetwork.grid((5, 5), 0.25, mass=1e-3, pins=[0, 4], stiffness=1e5)
    simulation = Simulation(
        network, dt=1 / 24, forces=Wind(speed, BREEZE, gusts=abs(speed)), time_stepping=time_stepping
    )
    for _ in range(20):
        try:
            simulation.step()
        except ArithmeticError:
            break
    assert np.isfinite(simulation.state.x).all() and np.isfinite(simulation.state.v).all()


def test_snapshot_goes_on_bit_for_bit_in_gusts():
    def start():
        wind = Wind(lambda t: 5.0 + t, BREEZE, gusts=lambda t: 1.0 + t)
        options = {"substeps": 3, "iterations": 3, "acceleration": "NEWTON", "time_stepping": "BDF2"}
        return Simulation(flag(0.136), dt=1 / 24, forces=[AirDrag(), wind], **options)

    simulation = start()
    list(simulation.frames(5))
    resumed = start()
    resumed.restore(simulation.snapshot())
    for one, other in zip(simulation.frames(5), resumed.frames(5), strict=True):
        assert_array_equal(one, other)


def test_steady_uniform_wind_is_air_drag_in_moving_air():
    network = flag(0.2)
    rng = np.random.default_rng(5)
    x, v = network.points + 0.1 * rng.normal(size=(25, 3)), rng.normal(size=(25, 3))
    wind = Wind(4.0, BREEZE).on(Cloth(network))
    drag = AirDrag(1.2, lift=1.2, swing_speed=0.0, wind=(4.0, 0, 0)).on(Cloth(network))
    field = AirDrag(1.2, lift=1.2, swing_speed=0.0, wind=lambda x, t: np.tile([2.0 * t, 0, 0], (len(x), 1)))
    assert_array_equal(wind.slowed(x, v, 2.0, 0.1), drag.slowed(x, v, 2.0, 0.1))
    assert_array_equal(field.on(Cloth(network)).slowed(x, v, 2.0, 0.1), drag.slowed(x, v, 2.0, 0.1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": np.nan}, "speed of wind is nan m/s"),
        ({"gusts": np.inf}, "gusts is inf m/s"),
        ({"gust_size": 0.0}, "size of gusts is 0 m"),
        ({"lift": -1.0}, "lift is -1"),
    ],
)
def test_quantities_out_of_range_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Wind(**options)


def test_work_of_wind_is_known_to_the_budget():
    network = SpringNetwork.grid((4, 4), 0.25, mass=0.2)
    simulation = Simulation(network, dt=0.01, gravity=(0, 0, 0), forces=Wind(5.0))
    state = State(network.points, np.zeros_like(network.points), 0.0)
    after = simulation.system.resisted(state, 0.01)
    gained = 0.5 * float(network.masses @ np.sum(after.v**2, axis=1))
    assert simulation.system.work_of_resisting == pytest.approx(gained, rel=1e-12)
