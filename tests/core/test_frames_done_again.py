# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that stretch single springs far too long where something holds cloth are done again in shorter steps."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hooke.core import Plane, SpringNetwork, State
from hooke.core.contacts import Box
from hooke.core.divided_steps import MOST_PARTS
from hooke.core.material import Material

from .curtains import FRAME, G, curtain, made


def dropped():
    """A cloth of 2 m that falls at 8 m/s onto a plate of 4 mm, in the frame before it meets it."""
    grid = SpringNetwork.grid((51, 51), 0.04)
    points = grid.points - grid.points.mean(axis=0) + [0.0, 0.0, 3.2]
    cotton = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    contacts = Box((0.8, 0.8, 0.004), thickness=0.005), Plane((0.0, 0.0, -0.8), thickness=0.005)
    simulation = made(cotton, contacts=contacts)
    time = 18.0 * FRAME
    fallen = points - [0.0, 0.0, 0.5 * G * time**2]
    simulation.state = State(fallen, np.full(points.shape, [0.0, 0.0, -G * time]), 0.0)
    return simulation


@pytest.mark.nightly
def test_a_frame_that_stretches_springs_far_too_long_is_done_again():
    # At the corners of the plate; nothing tells before.
    simulation = dropped()
    snapshots, states = [], []
    worst = 0.0
    edges = simulation.network.rest_lengths < 1.1 * simulation.network.rest_lengths.min()
    for _ in range(7):
        snapshots.append(simulation.snapshot())
        simulation.step()
        states.append(simulation.state)
        worst = max(worst, simulation.network.strains(simulation.state.x)[edges].max())
    assert worst < 0.1
    for snapshot, state in zip(snapshots, states, strict=True):
        resumed = dropped()
        resumed.restore(snapshot)
        resumed.step()
        assert_array_equal(resumed.state.x, state.x)
        assert_array_equal(resumed.state.v, state.v)


def held(network):
    """DividedSteps of a network in a frame in which a surface holds some of it."""
    steps = made(network, contacts=Plane((0.0, 0.0, network.points[:, 2].min()))).steps
    steps.begin()
    steps.holds = True
    return steps


def test_only_what_a_frame_itself_stretches_far_too_long_is_done_again():
    network = curtain(11, pinned=False)
    steps = held(network)
    at_rest, long = (State(scale * network.points, 0.0 * network.points, 0.0) for scale in (1.0, 1.2))
    assert not steps.stretches(at_rest, at_rest)
    assert not steps.stretches(long, long)
    parts = [1]
    while steps.stretches(at_rest, long):
        parts.append(steps.next_parts)
        steps.divide(parts[-1])
        steps.begin()
        steps.holds = True
    # In twice as many each time, as far as that makes them stiffer.
    assert parts[:2] == [1, 2]
    assert all(now < following <= 2 * now for now, following in pairwise(parts))
    assert parts[-1] <= MOST_PARTS
    assert np.median(steps.method.stiffness_share()) == 1.0


@pytest.mark.parametrize(("height", "held"), [(0.0, True), (-1.0, False)])
def test_only_where_a_surface_holds_something(height, held):
    network = curtain(11, pinned=False)
    floor = Plane((0.0, 0.0, network.points[:, 2].min() + height))
    simulation = made(network, contacts=floor)
    simulation.step()
    at_rest, long = (State(scale * network.points, 0.0 * network.points, 0.0) for scale in (1.0, 1.2))
    assert simulation.steps.stretches(at_rest, long) == held


def test_what_is_as_long_as_its_own_stiffness_leaves_it_is_not_done_again():
    # Half of the springs are so soft that usual substeps carry all of them, and the others are as long as at rest.
    network = curtain(11, pinned=False)
    soft = np.arange(network.spring_count) % 2 == 0
    stretched = State(1.2 * network.points, 0.0 * network.points, 0.0)
    at_rest = State(network.points, 0.0 * network.points, 0.0)
    lengths = np.where(soft, 1.0, 1.2) * network.rest_lengths
    mixed = network.changed(stiffness=np.where(soft, 1e-3, network.stiffness), rest_lengths=lengths)
    assert not held(mixed).stretches(at_rest, stretched)
    assert held(network).stretches(at_rest, stretched)
