# SPDX-License-Identifier: GPL-3.0-or-later
"""Where what holds cloth moves fast against it, substeps are divided: as taut as in far shorter steps, no tauter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork, State
from hooke.core.contacts import Sphere
from hooke.core.material import Material

from .curtains import FRAME, G, curtain, made

# The ball begins in front of the cloth and comes to it in the third frame.
RADIUS, THICKNESS, COMES = 0.25, 0.005, 2.25 * FRAME


def ball(speed):
    """A ball that flies along y at a speed [m/s]."""

    def pose(t):
        matrix = np.eye(4)
        matrix[:3, 3] = 0.05, speed * (t - COMES) - RADIUS - THICKNESS, -0.1
        return matrix

    return Sphere(RADIUS, (0.0, 0.0, 0.0), pose=pose, thickness=THICKNESS, friction=0.3)


def worst_tension(simulation, frames, pin_targets=None):
    """The largest strain of the edges of the mesh in so many frames, and the steps that each frame took."""
    network, worst, counts = simulation.network, 0.0, []
    edges = network.rest_lengths < 1.1 * network.rest_lengths.min()
    for _ in range(frames):
        simulation.step(pin_targets)
        worst = max(worst, network.strains(simulation.state.x)[edges].max())
        counts.append(round(FRAME / simulation.integrator.dt))
    return worst, counts


@pytest.mark.nightly
@pytest.mark.parametrize("speed", [20.0, 10.0])
def test_a_fast_ball_stretches_cloth_no_more_than_in_short_steps(speed):
    worst, counts = worst_tension(made(curtain(), contacts=ball(speed)), 7)
    truth, _ = worst_tension(made(curtain(), contacts=ball(speed), substeps=48), 7)
    # At 20 m/s 22 percent in place of 11.
    assert worst < 2.2 * truth
    assert counts[0] == 3
    assert max(counts) > 6


def test_so_do_pins_that_are_jerked():
    network = curtain()
    pins = network.points[network.pinned]

    def jerked(t):
        return pins + np.array([0.0, 0.0, 10.0 * max(t - 2.0 * FRAME, 0.0)])

    worst, counts = worst_tension(made(network), 6, jerked)
    # What is thrown into a wave is the speed over that of the wave, twice at the free edge, which stops it.
    waves = np.sqrt(network.stiffness / network.masses.mean()) * network.rest_lengths
    assert worst < 2.0 * 10.0 / waves.max()
    assert counts[:2] == [3, 3]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE", "CONVERGED"])
def test_what_is_slow_or_carries_all_its_stiffness_has_its_usual_substeps(effort):
    speed = 20.0 if effort == "CONVERGED" else 2.0
    simulation = made(curtain(11), effort, contacts=ball(speed))
    _, counts = worst_tension(simulation, 5)
    assert counts == [simulation.substeps] * 5


def test_what_swings_or_falls_has_its_usual_substeps():
    swinging = curtain(11, size=0.5)
    level = swinging.points[:, [0, 2, 1]]
    hung = SpringNetwork.from_mesh(
        level, faces=swinging.surface.polygons, material=Material(), pins=swinging.pins
    )
    assert worst_tension(made(hung), 24)[1] == [3] * 24
    assert worst_tension(made(curtain(11, pinned=False)), 12)[1] == [3] * 12


def test_what_division_adds_to_the_energy_of_springs_is_paid_for():
    # Stiffer in parts, they hold more at the same length: it is taken out of the motion.
    simulation = made(curtain(11))
    for _ in range(6):
        simulation.step()
    budget, state = simulation.budget, simulation.state
    before, ceiling = budget.energy(state), budget.ceiling
    simulation.steps.divide(4)
    assert budget.energy(state) > before + 1e-4 * abs(before)
    simulation.steps.next_parts = 4
    simulation.step()
    assert simulation.integrator.dt == pytest.approx(simulation.dt / 12)
    assert budget.energy(simulation.state) <= ceiling


@pytest.mark.nightly
def test_a_frame_in_parts_goes_on_bit_for_bit_from_a_snapshot():
    whole = made(curtain(11), contacts=ball(15.0))
    frames, snapshots = [], []
    for _ in range(14):
        snapshots.append(whole.snapshot())
        whole.step()
        frames.append(whole.state)
    parts = [tuple(snapshot["parts"]) for snapshot in snapshots]
    # In parts, to be in fewer, and in as many as usual again.
    assert any(now > 1 for now, _ in parts)
    assert any(now > following for now, following in parts)
    for begin in range(2, 14):
        resumed = made(curtain(11), contacts=ball(15.0))
        resumed.restore(snapshots[begin])
        resumed.step()
        assert_array_equal(resumed.state.x, frames[begin].x)
        assert_array_equal(resumed.state.v, frames[begin].v)


@pytest.mark.parametrize("parts", [(0, 1), (1, 9), (1.5, 1), (1,), (np.nan, 1)])
def test_a_snapshot_of_other_parts_is_refused(parts):
    simulation = made(curtain(5))
    simulation.step()
    before = simulation.snapshot()
    with pytest.raises(ValueError, match="parts"):
        simulation.restore(before | {"parts": np.array(parts)})
    after = simulation.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_a_snapshot_that_tells_no_parts_goes_on_in_usual_substeps():
    simulation, other = made(curtain(5)), made(curtain(5))
    simulation.step()
    snapshot = simulation.snapshot()
    del snapshot["parts"]
    other.restore(snapshot)
    simulation.step()
    other.step()
    assert_array_equal(other.state.x, simulation.state.x)


def test_a_frame_in_parts_that_fails_changes_nothing():
    simulation, other = (made(curtain(11), contacts=ball(15.0)) for _ in range(2))
    for _ in range(2):
        simulation.step()
        other.step()
    calls = []

    def fails(t):
        calls.append(t)
        if len(calls) > 6:
            raise KeyError("gone")
        return simulation.network.points[simulation.network.pinned]

    with pytest.raises(KeyError):
        simulation.step(fails)
    # More of them than the frame has: it was in parts by then.
    assert len(calls) > 6
    before, after = other.snapshot(), simulation.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    simulation.step()
    other.step()
    assert_array_equal(simulation.state.x, other.state.x)


def test_into_parts_and_back_momentum_is_that_of_gravity():
    network = curtain(11, pinned=False)
    simulation = made(network)
    start = np.random.default_rng(0).normal(0.0, 0.3, network.points.shape)
    simulation.state = State(network.points, start, 0.0)
    masses = network.masses[:, None]
    begun = (masses * start).sum(axis=0)
    for parts in (1, 4, 2, 5, 1, 1):
        simulation.steps.next_parts = parts
        simulation.step()
        fallen = masses.sum() * np.array([0.0, 0.0, -G]) * simulation.state.t
        assert_allclose((masses * simulation.state.v).sum(axis=0), begun + fallen, atol=1e-12)


@pytest.mark.newest
def test_back_in_usual_substeps_nothing_is_gained():
    network = curtain(21)
    pins = network.points[network.pinned]
    simulation, energies, counts = made(network), [], []

    def jerked(t):
        return pins + np.array([0.0, 10.0 * min(t, 4.0 * FRAME), 0.0])

    for _ in range(40):
        simulation.step(jerked)
        figures = simulation.diagnostics()
        energies.append(figures["total"])
        counts.append(round(FRAME / simulation.integrator.dt))
    # The pins rest from here on.
    at_rest = slice(5, None)
    assert counts[5] > counts[-1] == 3
    lowest = np.minimum.accumulate(energies[at_rest])
    size = network.masses.sum() * G * 2.0
    assert np.max(energies[at_rest] - lowest) < 0.01 * size


@pytest.mark.parametrize(("strain", "parts"), [(0.005, 1), (0.02, 2)])
def test_what_is_taut_stays_in_parts(strain, parts):
    # In half as many parts springs are carried with a quarter of their stiffness, and tension strains them four times.
    network = curtain(11, pinned=False)
    simulation = made(network)
    steps = simulation.steps
    steps.next_parts = 2
    simulation.step()
    steps.begin()
    steps.end(State((1.0 + strain) * network.points, np.zeros_like(network.points), 0.0))
    assert (steps.parts, steps.next_parts) == (2, parts)


@pytest.mark.parametrize(("held", "parts"), [(False, 1), (True, 2)])
def test_what_is_held_stays_in_parts_while_a_single_spring_is_far_too_long(held, parts):
    # A corner that is drawn off by a fifth of an edge: all springs together are hardly strained.
    network = curtain(31, pinned=False)
    steps = made(network).steps
    steps.divide(2)
    steps.begin()
    steps.holds = held
    x = network.points.copy()
    x[-1] += 0.2 * (x[-1] - x[-2])
    steps.end(State(x, np.zeros_like(x), 0.0))
    assert steps.next_parts == parts
