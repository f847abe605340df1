# SPDX-License-Identifier: GPL-3.0-or-later
"""Air drag: closed forms of the quadratic law, its order, what it takes and from where."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, AirDrag, Cloth, Simulation, SpringNetwork, State

G, RHO = 9.81, 1.204


def plate(**quantities):
    """A flat sheet of 1 m^2, whose springs stay at rest while all of it moves as one."""
    return SpringNetwork.grid((5, 5), 0.25, **{"mass": 0.3, "stiffness": 1e3, **quantities})


def rope():
    """A straight rope of 2 m in five pieces, without faces."""
    points = np.column_stack([np.linspace(0.0, 2.0, 6), np.zeros((6, 2))])
    edges = np.column_stack([np.arange(5), np.arange(1, 6)])
    return SpringNetwork.from_mesh(points, edges, mass=0.1)


def drag(network, *arguments, **options):
    return AirDrag(*arguments, **options).on(Cloth(network))


def test_force_of_a_plate_by_hand():
    # Across 1 m^2 at 3 m/s: rho/2 C_n 9 N against it; along it at 2 m/s: rho/2 C_t 4 N; corners share it all.
    network = plate()
    v = np.tile([0.0, 2.0, 3.0], (25, 1))
    f = drag(network, 1.2, 0.05, lift=0.0, swing_speed=0.0)(network.points, v, 0.0)
    assert_allclose(f.sum(axis=0), [0.0, -RHO / 2 * 0.05 * 4, -RHO / 2 * 1.2 * 9], rtol=1e-12)
    # Raised by 4 m/s at all speeds.
    f = drag(network, 1.2, 0.0, lift=0.0, swing_speed=4.0, steady=np.inf)(network.points, v, 0.0)
    assert_allclose(f.sum(axis=0), [0.0, 0.0, -RHO / 2 * 1.2 * 21], rtol=1e-12)


def test_force_of_a_rope_by_hand():
    # Across 2 m of 5 mm: rho/2 C_n d l u^2; along it pi d l meet the air.
    network = rope()
    force = drag(network, 1.2, 0.05, swing_speed=0.0, diameter=0.005)
    across = force(network.points, np.tile([0.0, 4.0, 0.0], (6, 1)), 0.0).sum(axis=0)
    along = force(network.points, np.tile([4.0, 0.0, 0.0], (6, 1)), 0.0).sum(axis=0)
    assert_allclose(across, [0.0, -RHO / 2 * 1.2 * 0.005 * 2 * 16, 0.0], rtol=1e-12)
    assert_allclose(along, [-RHO / 2 * 0.05 * np.pi * 0.005 * 2 * 16, 0.0, 0.0], rtol=1e-12)


@pytest.mark.parametrize("network", [plate(), rope()], ids=["plate", "rope"])
def test_force_is_minus_the_slope_of_its_dissipation(network):
    # C |u| u is the slope of C |u|^3 / 3, by central differences of the sum over elements written out.
    rng = np.random.default_rng(4)
    x, v = network.points + rng.normal(0.0, 0.1, network.points.shape), rng.normal(size=network.points.shape)
    normal, tangential, diameter = 1.1, 0.2, 0.01

    def dissipation(v):
        total = 0.0
        for a, b, c in network.surface.triangles:
            area = np.cross(x[b] - x[a], x[c] - x[a]) / 2
            size = np.linalg.norm(area)
            u = (v[a] + v[b] + v[c]) / 3
            along = u @ area / size
            beside = np.linalg.norm(u - along * area / size)
            total += RHO / 6 * size * (normal * abs(along) ** 3 + tangential * beside**3)
        for a, b in network.surface.strands:
            length = np.linalg.norm(x[b] - x[a])
            u = (v[a] + v[b]) / 2
            along = u @ (x[b] - x[a]) / length
            beside = np.linalg.norm(u - along * (x[b] - x[a]) / length)
            total += RHO / 6 * diameter * length * (np.pi * tangential * abs(along) ** 3 + normal * beside**3)
        return total

    f = drag(network, normal, tangential, lift=0.0, swing_speed=0.0, diameter=diameter)(x, v, 0.0)
    step = 1e-6
    for place in ((0, 0), (2, 1), (5, 2), (3, 0)):
        there, back = v.copy(), v.copy()
        there[place] += step
        back[place] -= step
        assert f[place] == pytest.approx(-(dissipation(there) - dissipation(back)) / (2 * step), abs=1e-8)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_terminal_velocity(integrator):
    # m g = rho/2 C A v^2; as the splitting leaves it, a step ends g dt/2 off.
    dt, mass, c = 0.005, 0.3, 1.2
    flat = plate()
    triangles = flat.surface.triangles
    # Each vertex weighs what the triangles at it have of the air, so that the sheet stays flat.
    masses = mass * np.bincount(triangles.ravel()) / triangles.size
    network = SpringNetwork(flat.points, flat.edges, masses=masses, stiffness=1.0, surface=flat.surface)
    simulation = Simulation(network, integrator, dt=dt, forces=AirDrag(c, swing_speed=0.0))
    # From rest it is within exp(-2 g t / v) of it.
    for _ in range(200):
        simulation.step()
    terminal = np.sqrt(2 * mass * G / (RHO * c))
    assert_allclose(-simulation.state.v[:, 2], terminal, atol=1.1 * G * dt / 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("dt", [1e-3, 0.1, 10.0])
def test_decay_of_a_triangle_is_exact_at_any_step(integrator, dt):
    # One triangle alone: u' = -k |u| u has u(t) = u_0 / (1 + k u_0 t), whatever the steps.
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    network = SpringNetwork.from_mesh(points, faces=[[0, 1, 2]], mass=0.2, stiffness=1e-3)
    force = AirDrag(0.8, swing_speed=0.0)
    simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0), forces=force)
    simulation.state = State(points, np.tile([0.0, 0.0, 7.0], (3, 1)), 0.0)
    for _ in range(8):
        simulation.step()
    k = RHO / 2 * 0.8 * 0.5 / 0.2
    assert_allclose(
        simulation.state.v, np.tile([0, 0, 7.0 / (1 + k * 7.0 * 8 * dt)], (3, 1)), rtol=1e-9, atol=1e-12
    )


@pytest.mark.nightly
def test_order_of_convergence_is_one():
    # A sheet that turns and deforms, against a much shorter step; order 1 as the splitting has.
    def after(steps):
        simulation = Simulation(
            plate(stiffness=5.0, pins=[0]),
            "VERLET",
            dt=0.4 / steps,
            forces=AirDrag(1.2, swing_speed=1.0, steady=np.inf),
        )
        for _ in range(steps):
            simulation.step()
        return simulation.state.x

    reference, counts = 1600, np.array([50, 100, 200])
    exact = after(reference)
    errors = np.array([np.abs(after(steps) - exact).max() for steps in counts])
    # Errors grow like the step; the reference has its own.
    assert_allclose(
        errors / errors[0], (1 / counts - 1 / reference) / (1 / counts[0] - 1 / reference), rtol=0.08
    )


@pytest.mark.parametrize("network", [plate(pins=[0, 4]), rope()], ids=["plate", "rope"])
def test_the_air_receives_the_momentum_that_is_lost(network):
    rng = np.random.default_rng(8)
    x, v = network.points + rng.normal(0.0, 0.1, network.points.shape), rng.normal(size=network.points.shape)
    force = drag(network, 1.2, swing_speed=3.0, steady=np.inf)
    impulses = force.impulses(x, v, 0.0, 0.05)
    free = network.pins < 1.0
    change = network.masses[:, None] * (force.slowed(x, v, 0.0, 0.05) - v)
    assert_allclose(change[free], impulses[free], atol=1e-15)
    # What it gives is in the elements' own direction: no more than a share of what they have.
    assert np.abs(impulses.sum(axis=0)).max() > 1e-3
    assert_array_equal(change[~free], 0.0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_momentum_of_sheet_and_air_is_conserved(integrator):
    network = plate(damping=0.1)
    simulation = Simulation(network, integrator, dt=1e-3, gravity=(0, 0, 0), forces=AirDrag(1.2))
    v = np.random.default_rng(3).normal(size=network.points.shape)
    simulation.state = State(network.points, v, 0.0)
    force, to_the_air = simulation.system.resisting[0], np.zeros(3)
    slowed = force.slowed

    def recorded(x, v, t, dt, begun):
        to_the_air[:] -= force.impulses(x, v, t, dt, begun).sum(axis=0)
        return slowed(x, v, t, dt, begun)

    force.slowed = recorded
    for _ in range(50):
        simulation.step()
    momentum = network.masses @ simulation.state.v
    assert np.abs(to_the_air).max() > 1e-4
    assert_allclose(momentum + to_the_air, network.masses @ v, atol=1e-12)


@pytest.mark.newest
def test_wind_carries_a_sheet_along_and_still_air_stops_it():
    network = plate(mass=0.01)
    wind = (3.0, 0.0, 4.0)
    simulation = Simulation(network, dt=1 / 24, gravity=(0, 0, 0), forces=AirDrag(1.2, 1.2, wind=wind))
    for _ in range(240):
        simulation.step()
    assert_allclose(simulation.state.v.mean(axis=0), wind, atol=0.04)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_no_drag_is_none(integrator):
    network = plate(pins=[0, 4])
    with_none, without = (
        Simulation(network, integrator, dt=1e-3, forces=forces) for forces in (AirDrag(0.0), ())
    )
    for _ in range(20):
        with_none.step()
        without.step()
    assert_allclose(with_none.state.x, without.state.x, atol=1e-14)


def test_at_rest_and_without_size_there_is_no_force():
    network = SpringNetwork.from_mesh(np.zeros((3, 3)), [[0, 1], [1, 2]], [[0, 1, 2]])
    force = drag(network)
    assert_array_equal(force(np.zeros((3, 3)), np.ones((3, 3)), 0.0), 0.0)
    assert_array_equal(drag(plate())(plate().points, np.zeros((25, 3)), 0.0), 0.0)


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("acceleration", ["NONE", "SECANT"])
@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
def test_a_light_sheet_in_a_storm_stays_bounded(acceleration, time_stepping):
    # 1 g/m^2 at 30 m/s and a frame-long step: k |u| dt is 900, where explicit drag explodes at once.
    network = plate(mass=1e-3, pins=[0, 4], stiffness=100.0)
    options = {"acceleration": acceleration, "time_stepping": time_stepping}
    simulation = Simulation(network, dt=1 / 24, forces=AirDrag(1.2, wind=(30.0, 5.0, 0.0)), **options)
    for _ in range(200):
        simulation.step()
        assert np.linalg.norm(simulation.state.v, axis=1).max() < 300.0
        assert np.abs(simulation.network.strains(simulation.state.x)).max() < 3.0


def test_snapshot_goes_on_bit_for_bit():
    def start():
        return Simulation(plate(pins=[0, 4]), dt=1 / 24, substeps=3, time_stepping="BDF2", forces=AirDrag())

    simulation = start()
    list(simulation.frames(5))
    resumed = start()
    resumed.restore(simulation.snapshot())
    for one, other in zip(simulation.frames(5), resumed.frames(5), strict=True):
        assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normal": -1.0}, "air drag is -1: it must be finite, at least 0"),
        ({"tangential": np.nan}, "tangential air drag is nan"),
        ({"swing_speed": -2}, "swing speed is -2 m/s"),
        ({"density": -1.2}, "density of the air is -1.2 kg/m"),
        ({"diameter": np.inf}, "diameter of strands is inf m"),
        ({"wind": (1.0, 2.0)}, "give three finite numbers"),
    ],
)
def test_quantities_out_of_range_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        AirDrag(**options)
