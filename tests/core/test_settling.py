# SPDX-License-Identifier: GPL-3.0-or-later
"""Settling: the closed form of its decay, its bounds, and what it leaves of a fall and of a swing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Cloth, Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

# rho/2 C U^2 with the defaults.
PRESSURE = 0.5 * 1.204 * 0.1 * 1.5**2


def triangle():
    """Half a square metre of 0.3 kg, whose corners have a third of both."""
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return SpringNetwork.from_mesh(points, faces=[[0, 1, 2]], mass=0.3, stiffness=1e-6)


def test_force_by_hand():
    # A corner has 1/6 m^2: at 0.2 m/s tanh(1) of the most, at 50 m/s all of it, against the velocity.
    network = triangle()
    v = np.array([[0.0, 0.12, 0.16], [-50.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    f = Settling().on(Cloth(network))(network.points, v, 0.0)
    expected = [[0.0, -0.6 * np.tanh(1.0), -0.8 * np.tanh(1.0)], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert_allclose(f, PRESSURE / 6.0 * np.array(expected), rtol=1e-12)


def test_a_strand_offers_its_side():
    # 2 m of 5 mm, of which either end has a half.
    network = SpringNetwork.from_mesh(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), [[0, 1]], mass=0.1)
    f = Settling().on(Cloth(network))(network.points, np.full((2, 3), [0.0, 9.0, 0.0]), 0.0)
    assert_allclose(f[:, 1], -PRESSURE * 0.005, rtol=1e-12)


def logarithm_of_sinh(ratio):
    return ratio + np.log(-np.expm1(-2.0 * ratio) / 2.0)


@pytest.mark.parametrize("dt", [1e-6, 0.1, 10.0])
@pytest.mark.parametrize("speed", [1e-12, 0.05, 1.0, 70.0, 1e4])
def test_decay_is_exact_at_any_step(speed, dt):
    # m v' = -p A tanh(v / v_0): sinh(v / v_0) decays with the rate p A / (m v_0), by logarithms since it overflows.
    network, steps, v0 = triangle(), 4, 0.2
    force = Settling().on(Cloth(network))
    v = np.tile([0.0, 0.6 * speed, 0.8 * speed], (3, 1))
    for _ in range(steps):
        v = force.slowed(network.points, v, 0.0, dt)
    expected = logarithm_of_sinh(speed / v0) - PRESSURE * 0.5 / 0.3 * steps * dt / v0
    assert_allclose(logarithm_of_sinh(np.linalg.norm(v, axis=1) / v0), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_method_lets_it_decay_alike(integrator):
    network, steps, dt = triangle(), 20, 0.05
    simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0), forces=Settling())
    simulation.state = State(network.points, np.tile([0.0, 0.6, 0.8], (3, 1)), 0.0)
    for _ in range(steps):
        simulation.step()
    left = np.arcsinh(np.sinh(1.0 / 0.2) * np.exp(-PRESSURE * 0.5 / 0.3 * steps * dt / 0.2))
    # What moves as one meets no springs; velocities are differences of positions of up to 1 m, over dt.
    assert_allclose(simulation.state.v, np.tile([0.0, 0.12 * left, 0.16 * left], (3, 1)), atol=1e-11)


def test_no_step_adds_energy():
    # Whatever the step, the speed or the mass, every vertex keeps its direction and loses speed.
    rng = np.random.default_rng(2)
    flat = SpringNetwork.grid((9, 9), 0.1)
    masses, pins = 10.0 ** rng.uniform(-9.0, 3.0, 81), np.eye(81)[0]
    network = SpringNetwork(flat.points, flat.edges, masses=masses, pins=pins, surface=flat.surface)
    force = Settling(1.2).on(Cloth(network))
    for dt in (1e-6, 1.0, 1e6):
        v = rng.normal(size=(81, 3)) * 10.0 ** rng.uniform(-12.0, 6.0, (81, 1))
        left = force.slowed(network.points, v, 0.0, dt)
        along = np.einsum("ij,ij->i", left, v) / np.einsum("ij,ij->i", v, v)
        assert along.min() >= 0.0
        assert along.max() <= 1.0 + 1e-14
        assert_allclose(left, along[:, None] * v, rtol=1e-12)
        assert_array_equal(left[0], v[0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_no_settling_is_none(integrator):
    network = SpringNetwork.grid((5, 5), 0.25, mass=0.3, stiffness=1e3, pins=[0, 4])
    with_none, without = (
        Simulation(network, integrator, dt=1e-3, forces=forces) for forces in (Settling(0.0), ())
    )
    for _ in range(20):
        with_none.step()
        without.step()
    assert_allclose(with_none.state.x, without.state.x, atol=1e-14)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficient": -1.0}, "coefficient of settling is -1: it must be finite, at least 0"),
        ({"flow_speed": np.nan}, "flow speed of settling is nan m/s"),
        ({"slow_speed": 0.0}, "slow speed of settling is 0 m/s: it must be finite, above 0"),
        ({"density": -1.2}, "density of the air is -1.2 kg/m"),
        ({"diameter": np.inf}, "diameter of strands is inf m"),
    ],
)
def test_quantities_out_of_range_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Settling(**options)


@pytest.mark.nightly
def test_cotton_falls_as_without_and_rests_within_ten_seconds():
    # At one effort: beside the solver's steps, what settling takes is exact at any, see above.
    def start(forces):
        network = SpringNetwork.grid((21, 21), 0.1, pins=[0, 20], material=Material())
        return Simulation(network, dt=1 / 24, forces=forces, **EFFORTS["STANDARD"].settings)

    simulation, without = start(Settling()), start(())
    heights, free_heights, energies = [], [], []
    for frame in range(264):
        simulation.step()
        heights.append(simulation.state.x[:, 2].mean())
        energies.append(simulation.diagnostics()["kinetic"])
        if frame < 24:
            without.step()
            free_heights.append(without.state.x[:, 2].mean())
    # A tenth of the weight at most is borne: after 0.5 s that is g/10 t^2/2, and less where pins hold.
    bound = 0.1 * 9.81 / 2.0
    assert abs(heights[11] - free_heights[11]) < bound * 0.5**2
    # Half of the swing back is there after a second, where quadratic drag leaves none of it.
    assert heights[23] - min(heights[:24]) > 0.5 * (free_heights[23] - min(free_heights))
    assert max(energies[240:]) < 1e-4 * max(energies)


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD"])
def test_what_hangs_at_its_corners_comes_to_rest_beside_its_pins(effort):
    side = 41
    grid = SpringNetwork.grid((side, side), 2.0 / (side - 1))
    points = (grid.points - grid.points.mean(axis=0))[:, [0, 2, 1]]
    # Two of the upper row at either end.
    pins = 1.0 * ((points[:, 2] > 1.0 - 1e-6) & (np.abs(points[:, 0]) > 0.9))
    sheet = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), pins=pins)
    simulation = Simulation(sheet, dt=1 / 24, forces=Settling(), **EFFORTS[effort].settings)
    moved = []
    for _ in range(300):
        before = simulation.state.x
        simulation.step()
        moved.append(np.linalg.norm(simulation.state.x - before, axis=1).max())
    # A thousandth of the sheet a second is what nobody sees.
    assert np.median(moved[-100:]) < 1e-3
