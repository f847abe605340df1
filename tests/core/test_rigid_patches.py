# SPDX-License-Identifier: GPL-3.0-or-later
"""The preconditioner of rigid patches, against the second derivative it stands for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Cloth, Plane, SpringNetwork, State
from hooke.core.contacts import SelfCollision
from hooke.core.contacts.seats import Seats
from hooke.core.solvers import rigid_patches
from hooke.core.solvers.block_jacobi import BlockJacobi
from hooke.core.solvers.conjugate_gradients import ConjugateGradients
from hooke.core.solvers.global_matrix import global_matrix
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.linear import factorise
from hooke.core.solvers.rigid_patches import RigidPatches

from .plies import sheets

DT = 1 / 72


class Nothing:
    """Seats in which nothing touches."""

    def filter_increment(self, increment):
        """Holds nothing."""

    def struts(self):
        """Presses nothing."""
        return []


def linearised(network):
    """ImplicitStep of a network about its points, and the points, one row an axis."""
    problem, x = ImplicitStep(network, DT), np.ascontiguousarray(network.points.T)
    problem.begin(x, x, network.points[network.soft_pins])
    problem.gradient(x, linearise=True)
    return problem, x


def rigidly(network, patch, rng):
    """Every patch shifted and turned a little at random; hard pins stay, shape (3, vertex_count)."""
    moved = np.zeros_like(network.points)
    for number in range(patch.max() + 1):
        own = patch == number
        arms = network.points[own] - network.points[own].mean(axis=0)
        moved[own] = rng.normal(size=3) + np.cross(rng.normal(size=3), arms)
    moved[network.hard_pins] = 0.0
    return moved.T


def seats_at(network, contacts, x):
    """Seats that looked at x, shape (3, vertex_count), in a step that begins there with no velocity."""
    seats = Seats(Cloth(network), contacts, np.array([0.0, 0.0, -9.81]))
    found = seats.before(State(x.T.copy(), np.zeros_like(x.T), 0.0), x - 1e-3 * np.eye(3)[2][:, None], DT)
    found.stiffen(global_matrix(network, DT).diagonal(), DT)
    found.place(x)
    return found


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_what_moves_patches_rigidly_is_answered_exactly(random_net, damping, monkeypatch):
    # Patches small enough that a net of the tests has several; unstrained, so that springs resist along themselves
    # alone, and a patch resists no turn.
    monkeypatch.setattr(rigid_patches, "_SIZE", 5)
    network = random_net(40, damping=damping, pins=np.repeat([1.0, 0.5, 0.0], [3, 4, 33]))
    network = network.changed(rest_lengths=network.spring_lengths(network.points))
    problem, x = linearised(network)
    coarse = RigidPatches(problem, np.ones(network.vertex_count))
    assert coarse.patch.max() > 2
    moved = rigidly(network, coarse.patch, np.random.default_rng(4))
    pulls = problem.product(moved, np.empty_like(moved))
    # But for a millionth of a patch's inertia against turning, which a patch of few particles in a line needs.
    assert_allclose(coarse.at(x, Nothing())(pulls), moved, rtol=0, atol=1e-3 * np.abs(moved).max())


def test_plies_that_press_are_answered_exactly(monkeypatch):
    monkeypatch.setattr(rigid_patches, "_SIZE", 20)
    network = sheets([(4, 4), (4, 4)], 0.1, [(0, 0, 0), (0.03, 0.04, 0.004)], mass=0.4, stiffness=500)
    problem, x = linearised(network)
    seats = seats_at(network, [SelfCollision(0.005, friction=0.0)], x)
    seats.filter_gradient(problem.g)
    coarse = RigidPatches(problem, np.ones(network.vertex_count))
    assert coarse.patch.max() == 1
    moved = rigidly(network, coarse.patch, np.random.default_rng(5))
    pulls = problem.product(moved, np.empty_like(moved))
    alone = pulls.copy()
    seats.add_product(moved, pulls)
    assert np.abs(pulls - alone).max() > 0.1 * np.abs(alone).max()
    assert_allclose(coarse.at(x, seats)(pulls), moved, rtol=0, atol=1e-3 * np.abs(moved).max())


def test_what_a_floor_holds_is_not_moved_into_it():
    network = SpringNetwork.grid((9, 9), 0.05, mass=0.2, stiffness=1e3)
    problem, x = linearised(network)
    seats = seats_at(network, [Plane(friction=0.5)], x)
    weight = np.zeros_like(x)
    weight[2] = network.masses * 9.81
    seats.filter_gradient(weight.copy())
    coarse = RigidPatches(problem, global_matrix(network, DT).diagonal())
    free, held = coarse.at(x, Nothing())(-weight), coarse.at(x, seats)(-weight)
    # Springs hold a particle 4 k dt^2/m times as firmly as inertia, all of them together.
    assert np.abs(held[2]).max() < np.abs(free[2]).max() / (4 * 1e3 * DT**2 / (0.2 / 81))


def test_momentum_is_kept(random_net, monkeypatch):
    monkeypatch.setattr(rigid_patches, "_SIZE", 5)
    network = random_net(40)
    problem, x = linearised(network)
    pulls = np.random.default_rng(6).normal(size=x.shape)
    pulls -= pulls.mean(axis=1, keepdims=True)
    moved = RigidPatches(problem, np.ones(network.vertex_count)).at(x, Nothing())(pulls)
    scale = np.abs(moved).max() * network.masses.sum()
    assert_allclose(moved @ network.masses, 0.0, atol=1e-10 * scale)


def accordion(plates, per_plate, across, slope):
    """An unstrained strip of plates that lean to and fro, of so many springs each, hung at its first border."""
    spacing = 0.01
    flat = SpringNetwork.grid((plates * per_plate + 1, across), spacing, mass=0.05, stiffness=1e4)
    along = flat.points[:, 0] / spacing
    plate = np.minimum(along.round().astype(int) // per_plate, plates - 1)
    into = along - plate * per_plate
    aside = np.where(plate % 2 == 0, into, per_plate - into) * spacing
    x = np.column_stack([aside * np.cos(slope), flat.points[:, 1], -along * spacing * np.sin(slope)])
    pins = np.flatnonzero(along < 0.5)
    network = SpringNetwork(x, flat.edges, masses=flat.masses, stiffness=flat.stiffness, pins=pins)
    return network


def test_folds_open_in_few_iterations():
    network = accordion(plates=12, per_plate=8, across=5, slope=0.6)
    problem, x = linearised(network)
    matrix = global_matrix(network, DT)
    factor = factorise(matrix, definite=True)
    alone = BlockJacobi(problem.diagonal_blocks(), problem.inertia)
    patches = RigidPatches(problem, matrix.diagonal()).at(x, Nothing())
    weight = np.zeros_like(x)
    weight[2] = network.masses * 9.81
    weight[:, network.hard_pins] = 0.0

    def gained(solve, iterations):
        gradients = ConjugateGradients(x.shape, solve)
        step, _ = gradients.direction(weight, problem.product, iterations, forcing=1e-12, solve=solve)
        step = step.copy()
        return -np.sum(weight * step) - 0.5 * np.sum(step * problem.product(step, np.empty_like(step)))

    all_of_it = gained(lambda r: alone.solve(r) + patches(r), 1000)
    # Plates turn on their folds and keep their shapes: patches know of that at once, S takes it for strain.
    assert gained(lambda r: alone.solve(r) + patches(r), 3) > 0.98 * all_of_it
    assert gained(lambda r: alone.solve(r) + factor.solve(r.T).T, 3) < 0.7 * all_of_it
