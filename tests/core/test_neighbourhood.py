# SPDX-License-Identifier: GPL-3.0-or-later
"""Some particles on their own: what springs join, and the equations of the whole."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import shortest_path

from hooke.core import SpringNetwork
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.neighbourhood import Neighbourhood, Neighbours

DT = 0.01


@pytest.mark.parametrize("rings", [0, 1, 3, 50])
def test_rings_are_those_of_the_shortest_path(random_net, rings):
    network = random_net()
    broken = np.arange(network.spring_count) % 5 == 0
    network = network.changed(broken=broken)
    incidence = network.incidence.matrix()[~broken]
    steps = shortest_path(abs(incidence).T @ abs(incidence), unweighted=True)
    chosen = np.zeros(network.vertex_count, dtype=bool)
    chosen[[0, 7]] = True
    assert_array_equal(Neighbours(network).grown(chosen, rings), steps[chosen].min(axis=0) <= rings)


@pytest.mark.parametrize("chosen", [[], [3], [0, 5, 7]])
def test_springs_of_particles(random_net, chosen):
    network = random_net()
    broken = np.arange(network.spring_count) % 5 == 0
    wanted = np.flatnonzero(np.isin(network.edges, chosen).any(axis=1) & ~broken)
    found = Neighbours(network.changed(broken=broken)).springs.at(np.array(chosen, dtype=int))
    assert_array_equal(found, wanted)


@pytest.mark.parametrize("damping", [0.0, 0.4])
@pytest.mark.parametrize("pin_stiffness", [30.0, 1e3])
def test_a_part_has_the_equations_of_the_whole(random_net, damping, pin_stiffness):
    net = random_net(damping=damping)
    weights = np.where(np.arange(net.vertex_count) % 4 == 0, 0.5, 0.0)
    network = SpringNetwork(
        net.points,
        net.edges,
        masses=net.masses,
        stiffness=net.stiffness,
        rest_lengths=net.rest_lengths,
        damping=net.damping,
        pins=weights,
        pin_stiffness=pin_stiffness,
    )
    y = np.ascontiguousarray(network.points.T) + 0.01
    problem = ImplicitStep(network, DT)
    problem.begin(y, np.ascontiguousarray(network.points.T), network.points[network.soft_pins] + 0.02)
    x = y + 0.02 * np.random.default_rng(4).normal(size=y.shape)
    free = np.arange(network.vertex_count) % 3 == 0
    neighbourhood = Neighbourhood(problem, Neighbours(network), free)
    at = neighbourhood.begin(x)
    assert_array_equal(at, x[:, neighbourhood.particles])
    found = neighbourhood.part.gradient(at)
    wanted = problem.gradient(x)[:, neighbourhood.particles]
    assert_allclose(
        found[:, neighbourhood.free],
        wanted[:, neighbourhood.free],
        rtol=0,
        atol=1e-12 * np.abs(wanted).max(),
    )
    assert_array_equal(found[:, ~neighbourhood.free], 0.0)
