# SPDX-License-Identifier: GPL-3.0-or-later
"""Pins: where they are at the end of a frame and in between, for every integrator."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Simulation, SpringNetwork, State

PINS = [1.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.3]
HARD, SOFT, PINNED = [0, 4], [2, 7], [0, 2, 4, 7]
DT = 0.02


class Recorder:
    """Contact that changes nothing and keeps what it sees."""

    def __init__(self):
        self.before, self.after = [], []

    def resolve(self, before, after):
        self.before.append(before)
        self.after.append(after)
        return after


@pytest.fixture
def net(random_net):
    return random_net(pins=PINS, pin_stiffness=30.0)


def path(net, rows):
    """Callable t -> where the vertices `rows` are to be."""
    return lambda t: net.points[rows] + np.array([np.sin(7 * t), 0.3 * t, 1 / 3 * t**2])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rows", [HARD, PINNED, slice(None)], ids=["hard", "pinned", "all"])
def test_hard_pins_are_exactly_on_their_targets(integrator, net, rows):
    simulation = Simulation(net, integrator, dt=DT, substeps=3)
    at = path(net, rows)
    for frame in range(1, 8):
        simulation.step(at(frame * DT))
        assert_array_equal(simulation.state.x[HARD], path(net, HARD)(frame * DT))


def test_no_rounding_between_near_and_far_targets(integrator):
    # start + (end - start) is not end where the two differ by orders of magnitude.
    rng = np.random.default_rng(4)
    simulation = Simulation(SpringNetwork(np.zeros((50, 3)), [], pins=1.0), integrator, dt=DT, substeps=3)
    for size in (1e3, 1e-3, 10.0, 1e-6):
        targets = size * rng.normal(size=(50, 3))
        simulation.step(targets)
        assert_array_equal(simulation.state.x, targets)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rows", [HARD, PINNED, slice(None)], ids=["hard", "pinned", "all"])
def test_callable_is_asked_for_the_end_of_every_substep(integrator, net, rows):
    asked = []

    def targets(t):
        asked.append(t)
        return path(net, rows)(t)

    simulation = Simulation(net, integrator, dt=DT, substeps=4)
    for number, x in enumerate(simulation.frames(6, targets), start=1):
        assert_array_equal(x[HARD], path(net, HARD)(asked[-1]))
        assert asked[-1] == number * DT
    assert_allclose(asked, np.arange(1, 25) * DT / 4, rtol=1e-14)


@pytest.mark.sampled(6)
def test_time_is_an_exact_multiple_of_the_step(integrator, net):
    simulation = Simulation(net, integrator, dt=0.01, substeps=7)
    for number in range(1, 41):
        simulation.step()
        assert simulation.state.t == number * 0.01


def test_pins_go_straight_from_target_to_target(integrator, net):
    recorder = Recorder()
    simulation = Simulation(net, integrator, dt=DT, substeps=5, contacts=[recorder])
    ends = [net.points[HARD], path(net, HARD)(0.1), path(net, HARD)(0.7)]
    for end in ends[1:]:
        simulation.step(end)
    seen = np.array([state.x[HARD] for state in [*recorder.before, simulation.state]])
    shares = np.arange(5)[:, None, None] / 5
    line = [start + shares * (end - start) for start, end in pairwise(ends)]
    assert_allclose(seen, np.concatenate([*line, ends[-1:]]), rtol=1e-14)
    velocities = np.array([state.v[HARD] for state in recorder.before])
    expected = np.repeat([(end - start) / DT for start, end in pairwise(ends)], 5, axis=0)
    assert_allclose(velocities, expected, rtol=1e-11, atol=1e-12)


def test_without_targets_pins_stay_at_the_last_ones(integrator, net):
    simulation = Simulation(net, integrator, dt=DT)
    simulation.step(path(net, PINNED)(0.3))
    simulation.step()
    assert_array_equal(simulation.state.x[HARD], path(net, HARD)(0.3))
    assert_array_equal(simulation.state.v[HARD], np.zeros((2, 3)))


def test_hard_pin_velocity_is_that_of_the_line(integrator, net):
    simulation = Simulation(net, integrator, dt=DT)
    simulation.step(net.points[HARD] + [0.1, 0.2, -0.3])
    assert_allclose(simulation.state.v[HARD], np.tile([5, 10, -15], (2, 1)), rtol=1e-12)


@pytest.mark.sampled(9)
def test_soft_pins_are_drawn_to_moved_targets(integrator):
    # A damped mass on a soft pin of 15 N/m ends where w (target - x) = m g.
    network = SpringNetwork(
        [[0, 0, 0], [0, 0, -1]],
        [[0, 1]],
        masses=0.1,
        damping=3.0,
        stiffness=40.0,
        pins=[1, 0.5],
        pin_stiffness=30,
    )
    simulation = Simulation(network, integrator, dt=DT, substeps=4)
    for _ in range(100):
        simulation.step(np.array([[0, 0, 0], [0, 0, -2.0]]))
    # k (1 - d) pulls up, w (2 - d) and m g pull down on the mass at depth d.
    depth = (40.0 + 15.0 * 2 + 0.1 * 9.81) / (40.0 + 15.0)
    if simulation.integrator.order is not None:
        assert_allclose(simulation.state.x[1], [0, 0, -depth], atol=1e-9)
    # Without a stated order: at least beyond the spring's rest length, as far as a strain limit lets it.
    assert simulation.state.x[1, 2] < -1.05


def test_targets_of_hard_pins_alone_leave_soft_pins_where_they_are(integrator, net):
    both = Simulation(net, integrator, dt=DT, substeps=2)
    alone = Simulation(net, integrator, dt=DT, substeps=2)
    moved = net.points + 0.1
    both.step(moved)
    alone.step(moved)
    for frame in range(1, 6):
        targets = moved.copy()
        targets[HARD] = path(net, HARD)(frame * DT)
        both.step(targets)
        alone.step(targets[HARD])
    assert_array_equal(both.state.x, alone.state.x)


def test_every_vertex_pinned(integrator, net):
    network = SpringNetwork(net.points, net.edges, damping=0.5, pins=1.0)
    simulation = Simulation(network, integrator, dt=DT, substeps=2)
    targets = path(network, slice(None))
    for frame, x in enumerate(simulation.frames(5, targets), start=1):
        assert_array_equal(x, targets(frame * DT))
    assert simulation.diagnostics()["stable_dt"] == np.inf


@pytest.mark.sampled(3)
def test_free_vertices_follow_moving_pins(integrator, random_net, kicked):
    # A drawn-along net in a steady frame: moving every target by the same line moves the rest the same way.
    net = random_net(pins=PINS, pin_stiffness=30.0, rest_lengths=None)
    still = Simulation(net, integrator, dt=DT, substeps=4, gravity=(0, 0, 0))
    drawn = Simulation(net, integrator, dt=DT, substeps=4, gravity=(0, 0, 0))
    speed = np.array([0.5, -1.0, 2.0])
    still.state = State(net.points, kicked(net), 0.0)
    drawn.state = State(net.points, kicked(net) + speed, 0.0)
    for frame in range(1, 11):
        still.step()
        drawn.step(net.points + frame * DT * speed)
        # Soft targets at the start or the end of the substep are both of the same line: Galilean invariance.
        assert_allclose(drawn.state.x - frame * DT * speed, still.state.x, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(3,), (1, 3), (3, 3), (5, 3), (4, 2), (2, 4, 3), (0, 3)])
def test_targets_of_another_shape_are_named(net, shape):
    simulation = Simulation(net, dt=DT)
    for targets in (np.zeros(shape), lambda t: np.zeros(shape)):
        with pytest.raises(
            ValueError, match="give x, y, z for the 2 hard pins, the 4 pinned vertices or all 8"
        ):
            simulation.step(targets)
    assert simulation.state.t == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_targets_that_are_not_finite_are_refused(net, value):
    simulation = Simulation(net, dt=DT, substeps=2)
    targets = net.points.copy()
    targets[4, 1] = value
    for given in (targets, lambda t: targets):
        with pytest.raises(ValueError, match="pin target is not finite"):
            simulation.step(given)
    assert_array_equal(simulation.state.x, net.points)
    simulation.step()
    assert np.isfinite(simulation.state.x).all()
