# SPDX-License-Identifier: GPL-3.0-or-later
"""Strands bend as beams do: elastica, vibration, knots of nets, and rest shapes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh
from theory.equilibrium import at_equilibrium

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.forces import spring_energy, spring_forces, stiffness_matrix
from hooke.core.material import Material
from hooke.core.stencils import strand_bending

G, LENGTH = 9.81, 0.2


def strand(count, rigidity, density=0.01, **more):
    """A level strand of LENGTH, clamped: two vertices are pinned, of which the second is where it begins."""
    x = np.arange(-1, count + 1) * LENGTH / count
    points = np.column_stack([x, 0 * x, 0 * x])
    edges = np.column_stack([np.arange(count + 1), np.arange(1, count + 2)])
    material = Material(line_stiffness=500.0, line_density=density, line_bending=rigidity, **more)
    return SpringNetwork.from_mesh(points, edges, material=material, pins=[0, 1])


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize(("count", "within"), [(10, 0.04), (20, 0.015), (40, 0.006)])
@pytest.mark.parametrize(("weight", "drop"), [(1.0, 0.1246), (5.0, 0.5857), (20.0, 1.8639)])
def test_a_clamped_strand_hangs_as_the_elastica(count, within, weight, drop):
    network = strand(count, 0.01 * G * LENGTH**3 / weight)
    x = at_equilibrium(network, np.outer(network.masses, [0, 0, -G]), network.points.copy())
    assert -x[-1, 2] / x[-1, 0] == pytest.approx(drop, rel=within)


@pytest.mark.parametrize(("count", "within"), [(10, 0.02), (40, 0.002)])
def test_it_vibrates_as_a_clamped_beam(count, within):
    rigidity, density = 1e-4, 0.01
    network = strand(count, rigidity, density)
    matrix = stiffness_matrix(network, network.points).toarray()[6:, 6:][2::3, 2::3]
    lowest = eigh(matrix, np.diag(network.masses[2:]), eigvals_only=True)[0]
    assert np.sqrt(lowest) == pytest.approx(1.8751**2 * np.sqrt(rigidity / (density * LENGTH**4)), rel=within)


def test_lengths_of_edges_do_not_matter():
    # A circle, drawn in uneven steps: the same energy, B/2 k^2 times the length.
    radius, rigidity = 0.5, 3.0
    for steps in (np.linspace(0, 1, 41), np.sort(np.random.default_rng(1).uniform(0, 1, 41))):
        angle = np.pi * (steps - steps[0]) / (steps[-1] - steps[0])
        points = radius * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
        edges = np.column_stack([np.arange(40), np.arange(1, 41)])
        stencils = strand_bending(points, edges, rigidity, np.zeros(41, dtype=bool))
        energy = 0.5 * np.sum(stencils.stiffness * stencils.lengths(points) ** 2)
        assert energy == pytest.approx(0.5 * rigidity / radius**2 * np.pi * radius, rel=0.04)


def test_yarns_go_on_through_the_knots_of_a_net():
    x, y = np.meshgrid(np.arange(5.0), np.arange(5.0), indexing="ij")
    points, i = np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()]), np.arange(25).reshape(5, 5)
    edges = np.concatenate(
        [
            np.column_stack([i[:-1].ravel(), i[1:].ravel()]),
            np.column_stack([i[:, :-1].ravel(), i[:, 1:].ravel()]),
        ]
    )
    stencils = strand_bending(points, edges, 1.0, np.zeros(25, dtype=bool))
    # Three of every five vertices along each of ten yarns; at the corners one turns into the other.
    assert len(stencils) == 30 + 4
    ends = points[stencils.vertices]
    straight = np.abs(ends[:, 1] + ends[:, 2] - 2.0 * ends[:, 0]).max(axis=1) == 0.0
    assert np.count_nonzero(straight) == 30


def test_a_hub_of_many_edges_takes_no_pairs():
    count = 2000
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    points = np.vstack([np.zeros(3), np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])])
    edges = np.column_stack([np.zeros(count, dtype=int), np.arange(1, count + 1)])
    assert len(strand_bending(points, edges, 1.0, np.zeros(count + 1, dtype=bool))) == 0


def test_a_bent_wire_keeps_its_shape():
    angle = np.linspace(0.0, 4.0, 30)
    points = np.column_stack([np.cos(angle), np.sin(angle), 0.1 * angle])
    edges = np.column_stack([np.arange(29), np.arange(1, 30)])
    wire = SpringNetwork.from_mesh(points, edges, material=Material(line_bending=1.0))
    straight = SpringNetwork.from_mesh(points, edges, material=Material(line_bending=1.0, keep_shape=False))
    assert spring_energy(wire, points) < 1e-12
    assert_allclose(spring_forces(wire, points), 0.0, atol=1e-6)
    assert spring_energy(straight, points) == pytest.approx(0.5 * 4.0, rel=0.1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ratio", [0.1, 0.5, 1.0])
def test_bending_is_damped_by_a_share_of_what_is_critical(ratio):
    # Three masses in line, free: bending is their one vibration, and u follows that of a damped oscillator.
    points = np.array([[-0.1, 0.0, 0.0], [0.0, 0.0, 0.0], [0.1, 0.0, 0.0]])
    material = Material(line_bending=1e-3, line_density=0.1, bending_damping_ratio=ratio, line_stiffness=1e3)
    network = SpringNetwork.from_mesh(points, [[0, 1], [1, 2]], material=material)
    weights, masses = network.stencils.weights[0], network.masses[network.stencils.vertices[0]]
    frequency = np.sqrt(network.stencils.stiffness[0] * np.sum(weights**2 / masses))
    simulation = Simulation(network, "RK4", dt=0.02 / frequency, gravity=(0, 0, 0))
    x = points.copy()
    x[:, 2] = [1e-6, 0.0, 1e-6]
    simulation.state = State(x, np.zeros_like(x), 0.0)
    start = network.stencils.lengths(x)[0]
    for _ in range(100):
        simulation.step()
    u = (network.stencils.weights[0] @ simulation.state.x[network.stencils.vertices[0]])[2]
    t, rate = 2.0, np.sqrt(1.0 - ratio**2)
    swing = 1.0 + t if ratio == 1.0 else np.cos(rate * t) + ratio / rate * np.sin(rate * t)
    assert u / start == pytest.approx(np.exp(-ratio * t) * swing, abs=2e-3)
