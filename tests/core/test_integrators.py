# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for every integrator in the catalogue; a new one is judged without an edit here."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.integrators.integrator import Integrator

G = 9.81
WITH_ORDER = [id for id, cls in INTEGRATORS.items() if cls.order is not None]
UNCONDITIONAL = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf]
WITHOUT_SCIPY = [id for id, cls in INTEGRATORS.items() if not cls.needs_scipy]


def run(simulation, count, pin_targets=None):
    for _ in range(count):
        simulation.step(pin_targets)
    return simulation.state


def test_catalogue_describes_every_integrator(integrator):
    cls = INTEGRATORS[integrator]
    assert issubclass(cls, Integrator)
    assert integrator == cls.label.upper().replace(" ", "_").replace("-", "_")
    assert cls.__name__.upper() == integrator.replace("_", "")
    assert len(cls.description) > 20
    assert cls.order is None or cls.order >= 1
    assert cls.__doc__ != Integrator.__doc__


def test_labels_differ():
    assert len({cls.label for cls in INTEGRATORS.values()}) == len(INTEGRATORS)


def test_unknown_option_is_named(integrator, random_net):
    with pytest.raises(ValueError, match="has no option 'colour': its options are"):
        Simulation(random_net(), integrator, dt=0.01, colour=1)


def test_options_become_attributes(integrator, random_net):
    made = Simulation(random_net(), integrator, dt=0.02, substeps=4).integrator
    for name, default in INTEGRATORS[integrator].options.items():
        assert getattr(made, name) == default
    assert made.dt == 0.005


def test_a_method_without_a_step_says_so(random_net, monkeypatch):
    class Unfinished(Integrator):
        label = "Unfinished"

    monkeypatch.setitem(INTEGRATORS, "UNFINISHED", Unfinished)
    with pytest.raises(TypeError, match="Unfinished defines no step"):
        Simulation(random_net(), "UNFINISHED", dt=0.01).step()


@pytest.mark.parametrize("integrator", ["SYMPLECTIC_EULER", "PROJECTIVE_DYNAMICS"])
def test_free_fall_is_exact(integrator, random_net):
    # Symplectic and backward Euler: after n steps g dt^2 n (n + 1) / 2.
    network = random_net(rest_lengths=None)
    simulation = Simulation(network, integrator, dt=0.01, gravity=(0, 0, -G))
    for n in range(1, 101):
        simulation.step()
        fallen = network.points - [0, 0, G * 0.01**2 * n * (n + 1) / 2]
        # Positions of up to 5 m rounded at every step, and what the velocities make of it: n^2 / 2 eps.
        assert_allclose(simulation.state.x, fallen, rtol=0, atol=5e-12)
        assert_allclose(simulation.state.v, np.tile([0, 0, -G * 0.01 * n], (8, 1)), rtol=0, atol=1e-10)


@pytest.mark.parametrize("integrator", WITH_ORDER)
def test_free_fall_is_at_most_half_a_step_off(integrator, random_net):
    # Every method of order 1 is within g t dt / 2, and those of higher order are exact.
    dt, n = 0.01, 50
    simulation = Simulation(random_net(rest_lengths=None), integrator, dt=dt, gravity=(0, 0, -G))
    fallen = simulation.network.points - run(simulation, n).x
    error = np.abs(fallen - [0, 0, G * (n * dt) ** 2 / 2]).max()
    limit = G * n * dt * dt / 2 if INTEGRATORS[integrator].order == 1 else 0.0
    assert error <= limit + 1e-12


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", WITH_ORDER)
def test_damped_chain_comes_to_rest_at_its_equilibrium(integrator):
    # u_j = (m g / k)(j n - j (j - 1) / 2), whatever the method and its step.
    n, m, k, mu = 3, 0.2, 50.0, 10.0
    points = np.column_stack([np.zeros((n + 1, 2)), -np.arange(n + 1.0)])
    edges = np.column_stack([np.arange(n), np.arange(1, n + 1)])
    network = SpringNetwork(points, edges, masses=m, stiffness=k, damping=mu, pins=[1.0] + n * [0.0])
    # The fastest damping rate is 3.25 mu / m, 0.97 a step: stable for explicit methods. The slowest mode,
    # w^2 = 4 k / m sin^2(pi / 14) = 49.5 / s^2, decays with mu w^2 / (2 k) = 4.95 / s: 6 s leave 1e-13.
    simulation = Simulation(network, integrator, dt=0.06, substeps=10)
    state = run(simulation, 100)
    j = np.arange(n + 1)
    hanging = points.copy()
    hanging[:, 2] -= m * G / k * (j * n - j * (j - 1) / 2)
    assert_allclose(state.x, hanging, rtol=0, atol=1e-10)
    assert_allclose(state.v, 0.0, atol=1e-9)


@pytest.mark.sampled(4)
def test_centre_of_mass_falls_as_a_point(integrator, random_net, kicked):
    # Springs, damping and crumpling never change what gravity does to the whole.
    network = random_net()
    simulation = Simulation(network, integrator, dt=0.005, gravity=(1.0, 2.0, -G))
    simulation.state = State(network.points, kicked(network), 0.0)
    point = SpringNetwork([[0, 0, 0]], [], masses=network.masses.sum())
    alone = Simulation(point, integrator, dt=0.005, gravity=(1.0, 2.0, -G))
    share = network.masses / network.masses.sum()
    alone.state = State((share @ network.points)[None], (share @ kicked(network))[None], 0.0)
    assert_allclose(share @ run(simulation, 100).x, run(alone, 100).x[0], rtol=0, atol=1e-12)


@pytest.mark.combined
@pytest.mark.parametrize("integrator", UNCONDITIONAL)
@pytest.mark.parametrize("factor", [10, 1e3, 1e5])
def test_unconditional_means_bounded_at_every_step(integrator, factor, taut_net, kicked):
    network = taut_net()
    dt = factor * Simulation(network, integrator, dt=1.0).diagnostics()["stable_dt"]
    simulation = Simulation(network, integrator, dt=dt, gravity=(0, 0, 0))
    # Displaced, not kicked: how far a kick goes before anything can hold it is up to the step.
    simulation.state = State(network.points + 0.5 * kicked(network), np.zeros_like(network.points), 0.0)
    for _ in range(50):
        simulation.step()
        assert np.abs(simulation.state.x - network.points).max() < 6.0
    assert np.abs(simulation.state.v).max() < 1.0


@pytest.mark.combined
@pytest.mark.parametrize("factor", [0.1, 10, 1e3])
def test_any_step_ends_in_finite_positions_or_an_error(integrator, factor, taut_net, kicked):
    network = taut_net(damping=0.5)
    dt = factor * Simulation(network, integrator, dt=1.0).diagnostics()["stable_dt"]
    simulation = Simulation(network, integrator, dt=dt)
    simulation.state = State(network.points, kicked(network), 0.0)
    try:
        run(simulation, 60)
    except SimulationDiverged:
        assert factor > 1
    assert np.isfinite(simulation.state.x).all()
    assert np.isfinite(simulation.state.v).all()


SCENE = """
import sys
import numpy as np
from hooke.core import Simulation, SpringNetwork

def swung(integrator):
    pins = [1.0, 0.5] + 34 * [0.0]
    network = SpringNetwork.lattice((4, 3, 3), 0.2, stiffness=2.0, damping=0.1, pins=pins, masses=0.01)
    simulation = Simulation(network, integrator, dt=0.04, substeps=20)
    swing = lambda t: network.points[:2] + [0.1 * np.sin(9 * t), 0, 0]
    *_, x = simulation.frames(3, swing)
    return x
"""
NO_SCIPY = 'import sys; sys.modules["scipy"] = None'
# Each integrator named, in hexadecimal that says every bit, or the error that it ends with.
SHOW = """
for integrator in sys.argv[1:]:
    try:
        print(*(number.hex() for number in swung(integrator).ravel().tolist()))
    except ImportError as error:
        print(f"ImportError: {error}")
"""


def in_another_process(first_line=""):
    """What an interpreter of its own says of every integrator, by id."""
    code = "\n".join([first_line, SCENE, SHOW])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run(
        [sys.executable, "-c", code, *INTEGRATORS],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=True,
    )
    return dict(zip(INTEGRATORS, told.stdout.splitlines(), strict=True))


@pytest.fixture(scope="module")
def elsewhere():
    """The scene in another process."""
    return in_another_process()


@pytest.fixture(scope="module")
def without_scipy():
    """The scene in a process that has no SciPy."""
    return in_another_process(NO_SCIPY)


def numbers(line):
    return np.array([float.fromhex(word) for word in line.split()]).reshape(-1, 3)


def scene_here(integrator):
    namespace = {}
    exec(SCENE, namespace)
    return namespace["swung"](integrator)


@pytest.mark.sampled(9)
@pytest.mark.newest
def test_same_bits_in_every_run_and_every_process(integrator, elsewhere):
    first, second = scene_here(integrator), scene_here(integrator)
    assert_array_equal(first, second)
    assert numbers(elsewhere[integrator]).tobytes() == first.tobytes()


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", WITHOUT_SCIPY)
def test_runs_where_scipy_is_missing(integrator, without_scipy):
    # Only the order of summation differs.
    assert_allclose(numbers(without_scipy[integrator]), scene_here(integrator), rtol=0, atol=1e-11)


@pytest.mark.newest
@pytest.mark.parametrize("integrator", [id for id, cls in INTEGRATORS.items() if cls.needs_scipy])
def test_missing_scipy_is_named(integrator, without_scipy):
    assert without_scipy[integrator].startswith("ImportError")
    assert "scipy" in without_scipy[integrator].lower()
