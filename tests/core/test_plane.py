# SPDX-License-Identifier: GPL-3.0-or-later
"""The plane: nothing below it, no rebound, Coulomb's friction, with every integrator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State
from hooke.core.contacts import Plane

G = 9.81
# How high what rests lies on what keeps no distance [m].
TOUCH = 2e-4
ALWAYS = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf]


def particle(integrator, contacts, *, dt=0.01, x=(0, 0, 0), v=(0, 0, 0), masses=0.3, **settings):
    simulation = Simulation(
        SpringNetwork([[0, 0, 0]], [], masses=masses), integrator, dt=dt, contacts=contacts, **settings
    )
    simulation.state = State([x], [v], 0.0)
    return simulation


def incline(angle):
    """Normal of a plane tilted by angle about y, and the direction down it."""
    return np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])


@pytest.mark.sampled(3)
def test_slide_without_friction_at_the_analytic_acceleration(integrator):
    # s = g sin(angle) t^2 / 2. A step's error is g t dt / 2 for methods of order 1, along and off the plane.
    normal, down = incline(0.5)
    dt, steps = 0.005, 100
    simulation = particle(integrator, [Plane(normal=normal, friction=0.0)], dt=dt)
    for _ in range(steps):
        simulation.step()
        assert simulation.state.x[0] @ normal > -1e-9
    t = steps * dt
    assert simulation.state.x[0] @ down == pytest.approx(G * np.sin(0.5) * t**2 / 2, abs=1.1 * G * t * dt / 2)
    assert simulation.state.v[0] @ down == pytest.approx(G * np.sin(0.5) * t, abs=G * dt)
    assert abs(simulation.state.x[0, 1]) < 1e-14


@pytest.mark.sampled(6)
@pytest.mark.combined
@pytest.mark.parametrize("friction", [0.2, 0.4])
def test_slide_with_friction(integrator, friction):
    # s = g (sin - mu cos) t^2 / 2 above the angle of friction.
    normal, down = incline(0.5)
    dt, steps = 0.005, 100
    simulation = particle(integrator, [Plane(normal=normal, friction=friction)], dt=dt)
    for _ in range(steps):
        simulation.step()
    t = steps * dt
    acceleration = G * (np.sin(0.5) - friction * np.cos(0.5))
    assert simulation.state.x[0] @ down == pytest.approx(acceleration * t**2 / 2, abs=1.5 * G * t * dt)
    assert simulation.state.v[0] @ down == pytest.approx(acceleration * t, abs=2 * G * dt)


@pytest.mark.sampled(4)
def test_no_slide_below_the_angle_of_friction(integrator):
    # tan(0.4) = 0.42 < 0.5: it holds at once, and does not creep. Until a vertex is below the plane there is
    # no contact, so methods that look late are allowed the free fall of two steps.
    normal, down = incline(0.4)
    dt = 0.02
    simulation = particle(integrator, [Plane(normal=normal, friction=0.5)], dt=dt)
    for _ in range(60):
        simulation.step()
        assert abs(simulation.state.x[0] @ down) < 2 * G * dt**2


@pytest.mark.sampled(9)
def test_sliding_stops_after_the_distance_of_coulomb(integrator):
    # v^2 / (2 mu g) on the level, to within the way of a step.
    v, mu, dt = 2.0, 0.4, 0.005
    simulation = particle(integrator, [Plane(friction=mu)], dt=dt, v=(1.6, 1.2, 0))
    for _ in range(120):
        simulation.step()
    assert_allclose(simulation.state.v[0, :2], 0.0, atol=2 * G * dt)
    distance = np.linalg.norm(simulation.state.x[0])
    assert distance == pytest.approx(v**2 / (2 * mu * G), abs=2 * v * dt)
    assert_allclose(simulation.state.x[0, :2] / distance, [0.8, 0.6], atol=1e-3)


@pytest.mark.sampled(2)
def test_no_rebound(integrator):
    # Dropped from 0.2 m: the height reached after the impact is what one step of gravity can throw.
    dt = 0.005
    simulation = particle(integrator, [Plane()], dt=dt, x=(0, 0, 0.2))
    heights = []
    for _ in range(80):
        simulation.step()
        heights.append(simulation.state.x[0, 2])
    landed = next(i for i, height in enumerate(heights) if height <= TOUCH)
    assert landed * dt == pytest.approx(np.sqrt(2 * 0.2 / G), abs=3 * dt)
    assert min(heights) > -1e-9
    assert max(heights[landed:]) < 2 * G * dt**2 + TOUCH


def box(angle):
    """A damped box of twelve vertices, tilted, and its positions with the lowest 2 cm above z = 0."""
    network = SpringNetwork.lattice((2, 2, 3), 0.1, masses=0.02, stiffness=200.0, damping=1.0)
    c, s = np.cos(angle), np.sin(angle)
    x = network.points @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return network, x - [0, 0, x[:, 2].min() - 0.02]


@pytest.mark.sampled(9)
def test_box_comes_to_rest_on_the_floor(integrator):
    network, x = box(0.0)
    # Explicit methods that gain energy are held by damping: c dt > (w dt)^2 for every mode, as mu / k > dt.
    dt = 0.002
    simulation = Simulation(network, integrator, dt=5 * dt, substeps=5, contacts=[Plane(friction=0.6)])
    simulation.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(50):
        simulation.step()
        assert simulation.state.x[:, 2].min() > -1e-9
    # At rest, but for the fall of a step or two of methods that look late.
    assert np.abs(simulation.state.v).max() < 3.2 * G * dt
    # Four vertices on the floor, four at the top; the weight on a layer's springs takes a millimetre or two.
    heights = np.sort(simulation.state.x[:, 2])
    assert heights[3] < 1e-3
    assert heights[-4:] == pytest.approx(0.2, abs=4e-3)


@pytest.mark.nightly
def test_tilted_box_falls_on_its_side():
    # Tilted by 0.9 with sides of 1 to 2, its centre is beyond the edge it lands on: it ends on its long side.
    network, x = box(0.9)
    simulation = Simulation(network, dt=0.01, substeps=2, contacts=[Plane(friction=0.6)])
    simulation.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(200):
        simulation.step()
        assert simulation.state.x[:, 2].min() > -1e-9
    heights = np.sort(simulation.state.x[:, 2])
    assert heights[5] < 2e-3
    assert heights[6:] == pytest.approx(0.1, abs=4e-3)
    assert np.abs(simulation.state.v).max() < 0.05


@pytest.mark.newest
def test_resting_weight_is_what_the_plane_takes():
    # What it presses with is M g at rest.
    network, x = box(0.0)
    simulation = Simulation(network, "SYMPLECTIC_EULER", dt=0.001, contacts=[Plane(friction=0.0)])
    simulation.state = State(x, np.zeros_like(x), 0.0)
    taken = []
    for _ in range(1000):
        simulation.step()
        taken.append(simulation.system.contacts.forces.fields[0, 2].sum())
    assert np.mean(taken[-300:]) == pytest.approx(12 * 0.02 * G, rel=3e-3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("integrator", ALWAYS)
def test_soft_sheet_on_a_tilted_plane_at_a_large_step(integrator):
    normal, _ = incline(0.3)
    network = SpringNetwork.lattice((5, 5, 1), 0.1, masses=0.01, stiffness=1e4, damping=1.0)
    simulation = Simulation(network, integrator, dt=1 / 24, contacts=[Plane((0, 0, -0.2), normal)])
    for _ in range(60):
        simulation.step()
        assert ((simulation.state.x - [0, 0, -0.2]) @ normal).min() > -1e-9
    assert np.isfinite(simulation.state.x).all()


@pytest.mark.parametrize("normal", [(0, 0, 0), (np.nan, 0, 1), (np.inf, 0, 0)])
def test_normal_out_of_range_is_named(normal):
    with pytest.raises(ValueError, match=r"plane's normal is .*: give three finite numbers"):
        Plane(normal=normal)


@pytest.mark.parametrize("friction", [-0.1, np.nan, np.inf])
def test_friction_out_of_range_is_named(friction):
    with pytest.raises(ValueError, match=f"friction is {friction}: it must be finite, at least 0"):
        Plane(friction=friction)


@pytest.mark.parametrize("point", [(0, np.nan, 0), (0, 0), 3.0])
def test_point_out_of_range_is_named(point):
    with pytest.raises(ValueError, match=r"plane's point is .*: give three finite numbers"):
        Plane(point=point)


@pytest.mark.parametrize("normal", [(0, 1), 1.0, (0, 0, 0, 1)])
def test_normal_of_another_shape_is_named(normal):
    with pytest.raises(ValueError, match=r"plane's normal is .*: give three finite numbers"):
        Plane(normal=normal)
