# SPDX-License-Identifier: GPL-3.0-or-later
"""What only springs may draw to a surface waits: within the iterations nothing tells it from what touches."""

from copy import copy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork, State
from hooke.core.bodies import Cloth
from hooke.core.contacts import Plane, Sphere
from hooke.core.topology import lattice_faces, lattice_points

DT = 0.01


def found(contact, rng):
    """A sheet close over a contact, of which some fall onto it and others wait: with and without any that waits."""
    points = lattice_points((20, 20, 1), 0.05) - [0.475, 0.475, 0.0]
    network = SpringNetwork.from_mesh(points, faces=lattice_faces((20, 20, 1)))
    start = State(points + rng.uniform(0.0, 0.02, (400, 1)) * [0.0, 0.0, 1.0], np.zeros((400, 3)), 0.0)
    own = contact.on(Cloth(network))
    x = np.ascontiguousarray((start.x - rng.uniform(0.0, 0.01, (400, 1)) * [0.3, 0.0, 1.0]).T)
    assert own.find(start, x, DT)
    every = copy(own)
    every._gather()
    assert 20 < len(own._touching.particles) < len(every._touching.particles) - 20
    return own, every, x


def pushed(contact, x, g):
    """What becomes of a place and a gradient, and then of the gradient as an increment."""
    x, g = x.copy(), g.copy()
    contact.place(x)
    contact.filter_gradient(g)
    moved = g.copy()
    contact.filter_increment(moved)
    return x, g, moved, contact.energy(), np.sort(contact.pressed())


@pytest.mark.parametrize("drawn", [0.0, 0.002, 0.03])
@pytest.mark.parametrize("contact", [Plane(), Sphere(radius=50.0, center=(0.0, 0.0, -50.0), thickness=0.001)])
def test_what_waits_touches_as_soon_as_it_is_there(contact, drawn):
    rng = np.random.default_rng(4)
    own, every, x = found(contact, rng)
    for _ in range(3):
        at = x + rng.uniform(-1.0, 0.5, x.shape) * drawn
        g = rng.normal(size=x.shape)
        for one, other in zip(pushed(own, at, g), pushed(every, at, g), strict=True):
            assert_allclose(one, other, rtol=1e-12, atol=1e-15)
    assert bool(own._waiting) == (drawn == 0.0)


def test_some_of_what_waits_waits_on_its_own():
    rng = np.random.default_rng(5)
    own, every, x = found(Plane(), rng)
    few = np.sort(rng.permutation(400)[:60])
    numbers = np.full(400, -1)
    numbers[few] = np.arange(60)
    of_own, of_every = own.among(numbers), every.among(numbers)
    g = rng.normal(size=(3, 60))
    for depth in (0.0, 0.03):
        at = x[:, few] - [[0.0], [0.0], [depth]]
        for one, other in zip(pushed(of_own, at, g), pushed(of_every, at, g), strict=True):
            assert_allclose(one, other, rtol=1e-12, atol=1e-15)
    # The whole still waits.
    assert own._waiting


def test_all_that_may_touch_is_borne():
    own, every, x = found(Plane(), np.random.default_rng(6))
    order = np.argsort(own.borne(x)[0])
    for one, other in zip(own.borne(x), every.borne(x), strict=True):
        assert_array_equal(one[order], other[np.argsort(every.borne(x)[0])])
