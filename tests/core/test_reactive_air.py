# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that surfaces move has inertia: it gives no energy of its own, and flags flutter in it."""

import numpy as np
import pytest

from hooke.core import Member, Simulation, SpringNetwork, State, Together
from hooke.core.air import ReactiveAir
from hooke.core.bodies import Cloth
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

from .flags import SILK, along_x, flag, pure, wind

pytest.importorskip("scipy")

# What takes many seconds.
LONG = pytest.mark.nightly
DENSITY = 1.204


def disc(radius, rings=12):
    """A flat disc of triangles about a middle vertex."""
    count = 6 * rings
    angles = 2.0 * np.pi * np.arange(count) / count
    around = [
        radius * (ring + 1) / rings * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
        for ring in range(rings)
    ]
    points, faces = np.concatenate([np.zeros((1, 3)), *around]), []
    for i in range(count):
        j = (i + 1) % count
        faces.append([0, 1 + i, 1 + j])
        for ring in range(rings - 1):
            at = 1 + ring * count
            faces += [[at + i, at + count + i, at + count + j], [at + i, at + count + j, at + j]]
    return SpringNetwork.from_mesh(points, faces=np.array(faces), material=SILK)


def test_a_disc_moves_the_air_that_potential_flow_says():
    # 8/3 rho r^3 (Lamb 1932, "Hydrodynamics", section 102); the size is told by one number, within 9 % of shapes.
    radius = 0.3
    air = ReactiveAir([pure(0.0).on(Cloth(disc(radius))).flow])
    state = State(disc(radius).points, np.tile([0.0, 0.0, 1.0], (disc(radius).vertex_count, 1)))
    air.begin(state, 1e-3)
    assert 2.0 * air.kinetic_energy(state) == pytest.approx(8.0 / 3.0 * DENSITY * radius**3, rel=0.09)


@pytest.mark.parametrize("dt", (1e-3, 1.0 / 72.0, 0.3))
@pytest.mark.parametrize("speed", (0.0, 5.0, 200.0))
def test_air_alone_adds_no_energy_in_its_own_frame(speed, dt):
    # Without pins, which move in that frame, and do work.
    network = disc(0.3, rings=6)
    body, rng, flow = Cloth(network), np.random.default_rng(1), np.array([speed, 0.0, 0.0])
    air = ReactiveAir([pure(speed).on(body).flow])
    x = network.points + 0.01 * rng.normal(size=network.points.shape)
    state = State(x, rng.normal(size=x.shape))
    air.begin(state, dt)

    def energy(v):
        own = 0.5 * np.sum(network.masses[:, None] * (v - flow) ** 2)
        return own + air.kinetic_energy(State(x, v - flow))

    before = energy(state.v)
    after = energy(air.passed(state, dt))
    assert after < before * (1.0 - 1e-9)
    assert np.ptp(air.normals, axis=1).max() > 0.01


def critical_speed(mass, bending, length, least):
    """Speed above which a strip that is clamped where the air comes from flutters [m/s], by eigenvalues.

    In one dimension, m h'' = -B D^4 h - G (d/dt + T) G (d/dt + U D) h, by finite differences and cosines: it shares no
    code with the core. least: the least wave number, for the strip's size [1/m].
    """
    count, waves = 120, 40
    step = length / count
    s, k = (np.arange(count) + 0.5) * step, np.pi * np.arange(waves) / length
    heights = np.sqrt(np.where(k > 0.0, 2.0, 1.0) / length)
    fields, slopes = heights * np.cos(k * s[:, None]), -heights * k * np.sin(k * s[:, None])
    g = fields * np.sqrt(2.0 * DENSITY / np.hypot(k, least))
    # Two cells beyond either end: as high as the first two where it is clamped, straight on where it is free.
    cells = np.zeros((count + 4, count))
    cells[2:-2] = np.eye(count)
    cells[1], cells[0] = cells[2], -cells[3]
    cells[-2] = 2.0 * cells[-3] - cells[-4]
    cells[-1] = 2.0 * cells[-2] - cells[-3]
    curvature = (np.diff(cells, 2, axis=0) / step**2)[1:-1]
    elastic = bending * curvature.T @ curvature
    elastic[0, 0] += 4.0 * bending / step**4
    slope = np.gradient(np.eye(count), step, axis=0)
    slope[0] = (np.eye(count)[0] + np.eye(count)[1]) / (2.0 * step)
    half, ends = 0.5 * step * fields.T @ slopes, (heights, heights * np.cos(k * length))
    passing = half - half.T + 0.5 * sum(np.outer(end, end) for end in ends)
    passing[0], passing[:, 0] = 0.0, 0.0
    inverse = np.linalg.inv(mass * np.eye(count) + step * g @ g.T)

    def grows(speed):
        rates = speed * step * (g @ g.T @ slope + g @ passing @ g.T)
        stiffness = elastic + speed**2 * step * g @ passing @ g.T @ slope
        none = np.zeros((count, count))
        equations = np.block([[none, np.eye(count)], [-inverse @ stiffness, -inverse @ rates]])
        values = np.linalg.eigvals(equations)
        # Waves of the grid's own length are not the strip's.
        return values[np.abs(values) < 12.0 * np.pi * speed / length].real.max() > 1e-3 * speed / length

    low, high = 0.1, 100.0
    while high > 1.02 * low:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if grows(middle) else (middle, high)
    return high


@pytest.mark.nightly
@pytest.mark.parametrize("mass_ratio", (pytest.param(0.3, marks=LONG), 1.0, pytest.param(3.0, marks=LONG)))
def test_a_flag_flutters_from_the_critical_speed_on(mass_ratio):
    length = width = 1.0
    mass = DENSITY * length / mass_ratio
    bending = 0.02 * mass
    material = Material(stretch=2e4, shear=2e3, bending=bending, area_density=mass)
    network, tip = flag(16, 4, length, width, material)
    critical = critical_speed(mass, bending, length, 1.2 * 2.0 * (1.0 / length + 1.0 / width))
    start = np.zeros_like(network.points)
    start[:, 1] = 0.01 * network.points[:, 0] ** 2

    def growth(speed):
        simulation = Simulation(
            network, dt=1 / 24, gravity=(0, 0, 0), forces=pure(speed), **EFFORTS["FINE"].settings
        )
        simulation.state = State(network.points, start)
        heights = [(simulation.step(), simulation.state.x[tip, 1].mean())[1] for _ in range(60)]
        return np.ptp(heights[-20:]) / np.ptp(heights[10:30])

    assert growth(critical / 1.3) < 0.8
    assert growth(critical * 1.3) > 1.5


def swing(network, tip, frames, speed=3.4, effort="STANDARD", **options):
    """A simulation of a flag in wind that was stepped, and the sideways motion of its free edge [m]."""
    simulation = Simulation(network, dt=1 / 24, forces=wind(speed, **options), **EFFORTS[effort].settings)
    return simulation, np.array(
        [(simulation.step(), simulation.state.x[tip, 1].mean())[1] for _ in range(frames)]
    )


@pytest.mark.nightly
@pytest.mark.parametrize("speed", (pytest.param(2.4, marks=LONG), 4.8, pytest.param(10.7, marks=LONG)))
def test_a_flag_of_silk_flutters_in_steady_wind(speed):
    network, tip = flag()
    _, motion = swing(network, tip, 84, speed)
    # Without inertia it moves by 2 to 16 mm. `dev.py lab flags` has the figures of a fine one: 0.1 of its length.
    assert np.ptp(motion[48:]) > 0.05 * 1.5
    # It is no cloth of rubber either.
    simulation, _ = swing(network, tip, 24, speed)
    assert simulation.diagnostics()["largest_strain"] < 0.25


def test_without_inertia_nothing_is_kept_of_the_air():
    network, _tip = flag()
    simulation = Simulation(network, dt=1 / 24, forces=Wind(5.0, Reach(along_x())))
    simulation.step()
    assert simulation.system.airs == () and simulation.state.normals is None
    assert "normals" not in simulation.snapshot()


@pytest.mark.parametrize("integrator", ("POSITION_BASED", "IMPLICIT_EULER"))
def test_methods_whose_steps_know_no_mass_of_air_leave_it_out(integrator):
    network, _tip = flag(6, 4)
    with_air, without = (
        Simulation(network, integrator, dt=1 / 24, forces=Wind(5.0, Reach(along_x()), inertia=inertia))
        for inertia in (1.0, 0.0)
    )
    for simulation in (with_air, without):
        simulation.step()
    np.testing.assert_array_equal(with_air.state.x, without.state.x)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("reach", (Reach(along_x()), Reach(along_x(), maximum=1.2, power=1.0, weight=0.7)))
def test_it_goes_on_from_a_snapshot_to_the_same_bits(reach):
    network, _tip = flag(9, 6)
    force, settings = Wind(5.0, reach, gusts=1.0, inertia=1.0), EFFORTS["STANDARD"].settings
    one, other = (Simulation(network, dt=1 / 24, forces=force, **settings) for _ in range(2))
    for _ in range(6):
        one.step()
    other.restore(one.snapshot())
    for simulation in (one, other):
        for _ in range(6):
            simulation.step()
    np.testing.assert_array_equal(one.state.x, other.state.x)
    np.testing.assert_array_equal(one.state.normals, other.state.normals)


def test_normals_that_no_simulation_has_are_refused():
    network, tip = flag(9, 6)
    simulation, _ = swing(network, tip, 2)
    snapshot, before = simulation.snapshot(), simulation.state
    with pytest.raises(ValueError, match="normals"):
        simulation.restore(snapshot | {"normals": 1e6 * snapshot["normals"]})
    assert simulation.state is before


@pytest.mark.nightly
def test_verlet_and_projective_dynamics_agree_on_how_air_resists_a_fall():
    # Of silk that falls flat in air without drag, the air weighs most: it falls far slower than by itself.
    network = disc(0.3, rings=3)
    soft = network.changed(stiffness=0.01 * network.stiffness)
    still = Wind(0.0, inertia=1.0, normal=0.0, lift=0.0, tangential=0.0)
    fallen = []
    for integrator, options in (("VERLET", {"substeps": 100}), ("PROJECTIVE_DYNAMICS", {"substeps": 4})):
        simulation = Simulation(soft, integrator, dt=1 / 24, forces=still, **options)
        for _ in range(6):
            simulation.step()
        fallen.append(simulation.state.x[:, 2].mean())
    assert fallen[0] == pytest.approx(fallen[1], rel=0.1)
    assert fallen[0] > 0.5 * -0.5 * 9.81 * 0.25**2


def test_a_flag_beside_another_body_feels_its_air_alone():
    network, tip = flag(9, 6)
    other = SpringNetwork.grid((3, 3), 0.2)
    alone, _ = swing(network, tip, 1)
    both, resumed = (
        Together([Member(other), Member(network, (wind(3.4),))], dt=1 / 24, **EFFORTS["STANDARD"].settings)
        for _ in range(2)
    )
    both.step()
    first, second = both.places
    np.testing.assert_allclose(both.state.x[second], alone.state.x, atol=0.005)
    assert not both.state.normals[first].any() and both.state.normals[second].any()
    resumed.restore(both.snapshot())
    for simulation in (both, resumed):
        simulation.step()
    np.testing.assert_array_equal(both.state.x, resumed.state.x)


@LONG
def test_frame_rates_agree_on_the_beat_of_a_flag():
    mass = DENSITY * 1.5
    material = Material(stretch=2e4, shear=2e3, bending=0.01 * mass, area_density=mass)
    network, tip = flag(12, 4, material=material)
    beats = []
    for rate, effort in ((24, "STANDARD"), (60, "STANDARD"), (24, "FINE")):
        simulation = Simulation(
            network, dt=1 / rate, gravity=(0, 0, 0), forces=wind(8.0), **EFFORTS[effort].settings
        )
        y = np.array([(simulation.step(), simulation.state.x[tip, 1].mean())[1] for _ in range(6 * rate)])
        beats.append(beat(y[2 * rate :], rate))
    np.testing.assert_allclose(beats, np.mean(beats), rtol=0.1)


def beat(y, rate):
    """Frequency by the times at which a signal goes up through its mean [1/s]."""
    y = y - y.mean()
    up = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    times = (up + y[up] / (y[up] - y[up + 1])) / rate
    return (len(times) - 1) / (times[-1] - times[0])
