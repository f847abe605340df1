# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulation: its arguments, its state, its frames, and the forces and contacts it takes."""

import re
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import INTEGRATORS, Plane, Simulation, SpringNetwork, State, Together


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dt": 0.0}, "dt is 0.0 s: it must be finite and above 0"),
        ({"dt": -0.04}, "dt is -0.04 s"),
        ({"dt": np.nan}, "dt is nan s"),
        ({"dt": np.inf}, "dt is inf s"),
        ({"dt": 0.04, "substeps": 0}, "substeps is 0: give a whole number of at least 1"),
        ({"dt": 0.04, "substeps": -2}, "substeps is -2"),
        ({"dt": 0.04, "substeps": 1.5}, "substeps is 1.5"),
        ({"dt": 0.04, "substeps": np.nan}, "substeps is nan"),
        ({"dt": 0.04, "substeps": np.inf}, "substeps is inf"),
        ({"dt": 0.04, "integrator": "EULER"}, f"integrator is 'EULER': use one of {', '.join(INTEGRATORS)}"),
        ({"dt": 0.04, "gravity": (0, 0)}, "gravity is (0, 0): give three finite numbers in m/s^2"),
        ({"dt": 0.04, "gravity": (0, 0, np.nan)}, "gravity is (0, 0, nan)"),
    ],
)
def test_arguments_out_of_range_are_named(random_net, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Simulation(random_net(), **arguments)


def test_step_is_a_keyword_without_default(random_net):
    with pytest.raises(TypeError, match="dt"):
        Simulation(random_net())


def test_defaults_are_those_of_the_documentation(random_net):
    network = random_net(rest_lengths=None)
    simulation = Simulation(network, dt=0.1)
    assert (simulation.integrator_id, simulation.substeps, simulation.dt) == ("PROJECTIVE_DYNAMICS", 1, 0.1)
    simulation.step()
    assert_allclose(simulation.state.x - network.points, np.tile([0, 0, -0.0981], (8, 1)), atol=1e-15)


def test_starts_at_rest_on_the_points(integrator, random_net):
    network = random_net()
    state = Simulation(network, integrator, dt=0.04).state
    assert_array_equal(state.x, network.points)
    assert_array_equal(state.v, np.zeros((8, 3)))
    assert state.t == 0.0


def test_frames_are_as_many_as_asked_and_all_kept(integrator, random_net):
    simulation = Simulation(random_net(), integrator, dt=0.01, substeps=2)
    frames = list(simulation.frames(5))
    again = Simulation(random_net(), integrator, dt=0.01, substeps=2)
    assert len(frames) == 5
    for x in frames:
        again.step()
        assert x.dtype == np.float64
        assert x.shape == (8, 3)
        assert_array_equal(x, again.state.x)
    assert simulation.state.t == 0.05
    assert list(simulation.frames(0)) == []


def test_frames_go_on_where_the_last_ended(integrator, random_net):
    split = Simulation(random_net(), integrator, dt=0.01)
    whole = Simulation(random_net(), integrator, dt=0.01)
    assert_array_equal([*split.frames(3), *split.frames(4)], list(whole.frames(7)))


@pytest.mark.sampled(2)
def test_substeps_are_steps_of_their_own(integrator, random_net):
    # The budget of energy is looked at where a frame ends: here it never steps in.
    network = random_net(rest_lengths=None, pins=[1.0] + 7 * [0.0])
    parts = Simulation(network, integrator, dt=0.04, substeps=8)
    alone = Simulation(network, integrator, dt=0.005)
    for _ in range(3):
        parts.step()
    for _ in range(24):
        alone.step()
    assert_allclose(parts.state.x, alone.state.x, rtol=0, atol=1e-13)


def test_assigned_state_is_where_it_starts(integrator, random_net, kicked):
    network = random_net()
    first = Simulation(network, integrator, dt=0.01)
    first.state = State(network.points, kicked(network), 0.0)
    list(first.frames(3))
    second = Simulation(network, integrator, dt=0.01)
    second.state = first.state
    assert_array_equal(list(first.frames(3)), list(second.frames(3)))
    assert second.state.t == pytest.approx(0.06, rel=1e-15)


def test_assigned_state_is_copied_and_may_be_of_any_number_type(integrator, random_net):
    network = random_net(damping=0.5)
    x, v = network.points.astype(np.float32), np.zeros((8, 3), dtype=int)
    simulation = Simulation(network, integrator, dt=0.01)
    simulation.state = State(x, v, 0)
    x[:] = np.nan
    simulation.step()
    assert simulation.state.x.dtype == np.float64
    assert np.isfinite(simulation.state.x).all()
    # Read-only arrays, as the network's own points are, are as good as any.
    simulation.state = State(network.points, network.points, 1.0)
    simulation.step()
    assert simulation.state.t == 1.01


@pytest.mark.parametrize(
    ("x", "v", "message"),
    [
        (
            np.zeros((7, 3)),
            np.zeros((8, 3)),
            "positions of shape (7, 3): give finite numbers of shape (8, 3)",
        ),
        (np.zeros((8, 3)), np.zeros(3), "velocities of shape (3,)"),
        (np.full((8, 3), np.nan), np.zeros((8, 3)), "positions of vertex 0 are [nan, nan, nan]: give finite"),
        (
            np.zeros((8, 3)),
            np.full((8, 3), np.inf),
            "velocities of vertex 0 are [inf, inf, inf]: give finite",
        ),
    ],
)
def test_assigned_state_out_of_range_is_named(random_net, x, v, message):
    simulation = Simulation(random_net(), dt=0.01)
    with pytest.raises(ValueError, match=re.escape(message)):
        simulation.state = State(x, v, 0.0)


def test_state_can_not_be_changed_by_name(random_net):
    with pytest.raises(FrozenInstanceError):
        Simulation(random_net(), dt=0.01).state.t = 3.0


def test_external_forces_see_state_and_time(integrator):
    seen = []

    def push(x, v, t):
        seen.append((x.copy(), v.copy(), t))
        return np.array([[0.0, 0.0, 4.0]])

    particle = SpringNetwork([[1, 2, 3]], [], masses=2.0)
    simulation = Simulation(particle, integrator, dt=0.1, gravity=(0, 0, 0), forces=[push])
    simulation.step()
    x, v, t = seen[0]
    assert_array_equal(x, [[1, 2, 3]])
    assert_array_equal(v, [[0, 0, 0]])
    assert t == 0.0
    # Constant acceleration of 2 m/s^2.
    assert_allclose(simulation.state.v, [[0, 0, 0.2]], rtol=1e-12)


def test_forces_add_to_gravity(integrator, random_net):
    # A force m a on every vertex is gravity by another name, as long as no budget of energy steps in.
    network = random_net(rest_lengths=None, pins=[1.0] + 7 * [0.0])

    def lift(x, v, t):
        return network.masses[:, None] * [0.0, 1.0, 5.0]

    both = Simulation(network, integrator, dt=0.01, gravity=(0, 0, -9), forces=[lift, lift])
    alone = Simulation(network, integrator, dt=0.01, gravity=(0, 2, 1))
    assert_allclose(list(both.frames(10)), list(alone.frames(10)), rtol=0, atol=1e-13)


class Floor:
    """No position below z = height, no velocity into it."""

    def __init__(self, height):
        self.height = height
        self.calls = []

    def resolve(self, before, after):
        self.calls.append((before, after))
        x, v = after.x.copy(), after.v.copy()
        v[x[:, 2] < self.height, 2] = 0.0
        x[:, 2] = np.maximum(x[:, 2], self.height)
        return replace(after, x=x, v=v)


@pytest.mark.sampled(4)
def test_contacts_act_in_order_after_every_substep(integrator, random_net):
    # Of what begins strained, frames beyond the budget of energy are stepped again.
    network = random_net(rest_lengths=None)
    low, high = Floor(-0.7), Floor(-0.6)
    simulation = Simulation(network, integrator, dt=0.02, substeps=4, contacts=[low, high])
    assert min(x[:, 2].min() for x in simulation.frames(20)) == -0.6
    assert len(low.calls) == len(high.calls) == 80
    for (before, after), (before_high, after_high) in zip(low.calls, high.calls, strict=True):
        assert before_high is before
        assert after_high is not after
    # Each substep starts from where the contacts left the one before.
    for (_, _), (before, _), (_, resolved) in zip(low.calls, low.calls[1:], high.calls, strict=False):
        assert_array_equal(before.x, np.maximum(resolved.x, [-np.inf, -np.inf, -0.6]))


def test_contacts_do_not_move_hard_pins(integrator, random_net):
    pins = np.zeros(8)
    pins[3] = 1.0
    network = random_net(pins=pins)
    simulation = Simulation(network, integrator, dt=0.02, contacts=[Floor(5.0)])
    simulation.step()
    assert_array_equal(simulation.state.x[3], network.points[3])
    assert_array_equal(np.delete(simulation.state.x, 3, axis=0)[:, 2], np.full(7, 5.0))


def test_contact_may_hand_back_the_state_before(integrator, random_net):
    class Frozen:
        def resolve(self, before, after):
            return before

    pins = np.zeros(8)
    pins[3] = 1.0
    network = random_net(pins=pins)
    simulation = Simulation(network, integrator, dt=0.02, substeps=2, contacts=[Frozen()])
    start = simulation.state
    targets = network.points[[3]] + 1.0
    simulation.step(targets)
    expected = network.points.copy()
    expected[3] = targets
    assert_array_equal(simulation.state.x, expected)
    assert_array_equal(start.x, network.points)
    assert simulation.state.t == 0.02


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"contacts": [3]}, "contact 0 is 3: give a Contact, or an object with resolve"),
        ({"contacts": [Plane(), Plane]}, "contact 1 is <class .*Plane'>: give a Contact"),
        ({"forces": 9.81}, "force 0 is 9.81: give a Force, or a callable"),
    ],
)
def test_what_is_no_force_or_contact_is_refused_in_a_sentence(arguments, said):
    with pytest.raises(ValueError, match=said):
        Simulation(SpringNetwork.grid((3, 3), 0.1), dt=0.04, **arguments)


def test_forces_of_others_than_the_vertices_are_refused_in_a_sentence():
    simulation = Simulation(SpringNetwork.grid((3, 3), 0.1), dt=0.04, forces=lambda x, v, t: np.zeros((4, 3)))
    with pytest.raises(
        ValueError, match=r"gave forces of shape \(4, 3\): give x, y, z for all of the 9 vertices"
    ):
        simulation.step()


def test_a_state_that_is_not_finite_names_its_vertex():
    simulation = Simulation(SpringNetwork.grid((3, 3), 0.1), dt=0.04)
    x = simulation.state.x.copy()
    x[4, 1] = np.nan
    with pytest.raises(ValueError, match=r"positions of vertex 4 are \[0.1, nan, 0.0\]: give finite numbers"):
        simulation.state = State(x, simulation.state.v, 0.0)


def test_networks_alone_are_members_and_there_must_be_one():
    network = SpringNetwork.grid((3, 3), 0.1)
    assert Together([network, network], dt=0.04).places == (slice(0, 9), slice(9, 18))
    with pytest.raises(ValueError, match="there are no members: give at least one Member"):
        Together([], dt=0.04)
