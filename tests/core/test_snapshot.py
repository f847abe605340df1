# SPDX-License-Identifier: GPL-3.0-or-later
"""A snapshot holds all that changes with time: what continues from it is the same, bit for bit."""

import io

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hooke.core import INTEGRATORS, Inside, Material, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.contact.plane import Plane

from .surfaces import octasphere


def variants():
    """Every method, and every other way a method has to step in time."""
    for id, method in INTEGRATORS.items():
        yield pytest.param(id, {}, id=id)
        if "time_stepping" in method.options:
            yield pytest.param(id, {"time_stepping": "BDF2"}, id=f"{id}-BDF2")
        if "acceleration" in method.options:
            secant = {"acceleration": "SECANT", "iterations": 1}
            yield pytest.param(id, secant, id=f"{id}-SECANT")
            yield pytest.param(id, secant | {"time_stepping": "BDF2"}, id=f"{id}-SECANT-BDF2")


def targets(network, t):
    """All pinned vertices on a curve."""
    return network.points[network.pinned] + 0.3 * np.array([np.sin(9 * t), t, 1 - np.cos(7 * t)])


def through_a_file(snapshot):
    """What is read back of a snapshot that was written to disk."""
    file = io.BytesIO()
    np.savez(file, **snapshot)
    file.seek(0)
    return dict(np.load(file))


@pytest.mark.combined
@pytest.mark.parametrize("number", [0, 1, 4])
@pytest.mark.parametrize(("integrator", "options"), list(variants()))
def test_continues_bit_for_bit(taut_net, kicked, integrator, options, number):
    network = taut_net(damping=0.05)

    def fresh():
        # The plane lies where the net's free edge strikes it.
        contacts = [Plane(point=(0, 0, -0.02))]
        return Simulation(network, integrator, dt=0.01, substeps=2, contacts=contacts, **options)

    def advance(simulation, count):
        frames = []
        for _ in range(count):
            simulation.step(targets(network, simulation.state.t + 0.01))
            frames.append((simulation.state.x, simulation.state.v, simulation.state.t))
        return frames

    whole = fresh()
    whole.state = State(network.points, kicked(network), 0.3)
    advance(whole, number)
    snapshot = through_a_file(whole.snapshot())
    assert all(isinstance(array, np.ndarray) for array in snapshot.values())
    expected = advance(whole, 3)
    resumed = fresh()
    advance(resumed, 2)
    resumed.restore(snapshot)
    for frame, again in zip(expected, advance(resumed, 3), strict=True):
        for one, other in zip(frame, again, strict=True):
            assert_array_equal(one, other)
    assert_array_equal(resumed.snapshot()["low"], whole.snapshot()["low"])


@pytest.mark.parametrize("acceleration", INTEGRATORS["PROJECTIVE_DYNAMICS"].choices["acceleration"])
def test_what_keeps_its_volume_continues_bit_for_bit(acceleration):
    points, faces = octasphere(1)
    ball = SpringNetwork.from_mesh(
        points, faces=faces, material=Material(), inside=Inside(20.0, 1e4), pins=[0]
    )
    how = {"acceleration": acceleration, "time_stepping": "BDF2"}
    whole, resumed = (Simulation(ball, dt=0.04, **how) for _ in range(2))
    whole.step()
    resumed.restore(through_a_file(whole.snapshot()))
    for expected, again in zip(whole.frames(2), resumed.frames(2), strict=True):
        assert_array_equal(again, expected)


@pytest.mark.parametrize(("integrator", "options"), list(variants()))
def test_snapshot_stays_as_it_was_taken(taut_net, integrator, options):
    simulation = Simulation(taut_net(), integrator, dt=0.005, **options)
    simulation.step()
    snapshot = simulation.snapshot()
    before = {name: array.copy() for name, array in snapshot.items()}
    simulation.step()
    simulation.restore(snapshot)
    simulation.step()
    for name, array in before.items():
        assert_array_equal(snapshot[name], array)


@pytest.mark.parametrize(("integrator", "options"), list(variants()))
def test_failed_step_leaves_nothing_behind(taut_net, integrator, options):
    network = taut_net()
    simulation = Simulation(network, integrator, dt=0.01, substeps=2, **options)
    simulation.step()
    simulation.step()
    before = simulation.snapshot()
    end = float(before["t"]) + 0.01

    def torn_apart_at_last(t):
        spread = 1e9 * np.arange(len(network.pinned))[:, None] if t > end - 1e-6 else 0.0
        return network.points[network.pinned] + spread

    with pytest.raises(SimulationDiverged):
        simulation.step(torn_apart_at_last)
    after = simulation.snapshot()
    assert before.keys() == after.keys()
    for name, array in before.items():
        assert_array_equal(after[name], array)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.zeros((3, 3))}, "positions of shape \\(3, 3\\): give finite numbers of shape \\(16, 3\\)"),
        ({"v": np.full((16, 3), np.nan)}, "velocities of vertex 0 are"),
        ({"targets": np.zeros((5, 3))}, "pin targets of shape \\(5, 3\\)"),
        ({"t": np.zeros(3)}, "t is .*: give finite numbers of shape \\(\\)"),
        ({"frame": np.array(np.nan)}, "frame is nan"),
        ({"bounded": np.zeros(2)}, "bounded is .*: give finite numbers of shape \\(\\)"),
        ({"low": np.zeros(2)}, "low is .*: give finite numbers of shape \\(3,\\)"),
        ({"history_0": np.zeros((16, 3))}, "keeps no history of 1 arrays"),
        ({"x": np.full((16, 3), 1e300)}, "positions holds numbers that are not finite or beyond 1e\\+77"),
        ({"high": np.full(3, 1e300)}, "high holds numbers"),
        ({"first_t": np.array(1e20)}, "after 1 frames from 1e\\+20 s on"),
        ({"first_t": np.array(1e20), "t": np.array(1e20)}, "after 1 frames from 1e\\+20 s on"),
        ({"frame": np.array(-1), "t": np.array(-0.01)}, "after -1 frames"),
        ({"frame": np.array(2**62)}, "after 4611686018427387904 frames"),
    ],
)
def test_snapshot_of_something_else_is_refused(taut_net, change, message):
    simulation = Simulation(taut_net(), dt=0.01)
    simulation.step()
    before = simulation.snapshot()
    with pytest.raises(ValueError, match=message):
        simulation.restore({**before, **change})
    for name, array in simulation.snapshot().items():
        assert_array_equal(array, before[name])


def test_missing_array_is_named(taut_net):
    simulation = Simulation(taut_net(), dt=0.01)
    snapshot = simulation.snapshot()
    del snapshot["first_t"]
    with pytest.raises(ValueError, match="the snapshot holds no 'first_t'"):
        simulation.restore(snapshot)
