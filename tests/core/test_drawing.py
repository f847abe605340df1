# SPDX-License-Identifier: GPL-3.0-or-later
"""How far springs may draw particles, and that surfaces as far away are seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import SpringNetwork
from hooke.core.bodies import Cloth
from hooke.core.contacts import Plane
from hooke.core.contacts.drawing import Drawing
from hooke.core.state import State


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def grid(side):
    """A sheet of side * side particles 1 cm apart, springs along both axes, one of which is broken."""
    points = 0.01 * np.stack(np.meshgrid(*[np.arange(side)] * 2, [0], indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(side * side).reshape(side, side)
    along = np.column_stack([number[:-1].ravel(), number[1:].ravel()])
    across = np.column_stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
    network = SpringNetwork(points, np.concatenate([along, across]))
    broken = np.zeros(network.spring_count, dtype=bool)
    broken[7] = True
    return network.changed(broken=broken)


@pytest.mark.parametrize("side", [3, 40])
def test_springs_draw_by_half_a_length_and_by_what_they_are_too_long(side, rng):
    network = grid(side)
    x = network.points + rng.normal(scale=2e-3, size=network.points.shape)
    drawing = Drawing(network)
    mean = network.rest_lengths.mean()
    more = network.spring_lengths(x) - network.rest_lengths
    expected = np.full(len(x), 0.5 * mean)
    for spring in np.flatnonzero((more > 0.25 * mean) & ~network.broken):
        for end in network.edges[spring]:
            expected[end] = max(expected[end], 0.5 * mean + more[spring])
    assert np.ptp(expected) > 0.0
    assert_allclose(drawing.ways(np.ascontiguousarray(x.T)), expected, rtol=1e-12)
    assert_allclose(drawing.ways(np.ascontiguousarray(network.points.T)), 0.5 * mean, rtol=1e-12)


@pytest.mark.parametrize(("stretch", "seen"), [(0.0, False), (0.8, True)])
def test_a_surface_that_a_long_spring_may_draw_to_is_seen(stretch, seen):
    """Of two particles a length above a floor one is on its way down, and may take the other along by the spring."""
    network = SpringNetwork([[0.0, 0.0, 0.1], [0.1, 0.0, 0.1]], [[0, 1]], masses=1.0)
    floor = Plane().on(Cloth(network))
    start = State(network.points.copy(), np.zeros((2, 3)), 0.0)
    x = network.points + np.array([[0.0, 0.0, 0.0], [0.1 * stretch, 0.0, -0.06]])
    touches = floor.find(start, np.ascontiguousarray(x.T), 0.01)
    assert touches
    assert (0 in floor.borne(np.ascontiguousarray(x.T))[0]) == seen
