# SPDX-License-Identifier: GPL-3.0-or-later
"""What surfaces bear of stiff bodies and what friction takes with it, against a dense matrix of all unknowns."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.contacts.grips import Grips
from hooke.core.effort import EFFORTS
from hooke.core.solvers import turned_hessian
from hooke.core.solvers.contact_compliance import ContactCompliance
from hooke.core.solvers.elimination import eliminated
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.rigid_start import rotation
from hooke.core.solvers.turned_hessian import TurnedHessian

G, FPS, DT = 9.81, 24, 1e-2


def block(count, stiffness, turn=None):
    """A cube of 0.5 m and 1 kg on z = 0, or turned."""
    lattice = SpringNetwork.lattice((count,) * 3, 0.5 / (count - 1), "CORNER", stiffness=stiffness)
    points = lattice.points if turn is None else lattice.points @ turn.T
    return SpringNetwork(points, lattice.edges, masses=1.0 / count**3, stiffness=stiffness)


class Held:
    """Seats that only say what they hold."""

    def __init__(self, grips):
        self._grips = grips

    def grips(self):
        """What they hold."""
        return self._grips


def random_turn(rng):
    """A rotation."""
    return rotation(np.eye(3), np.linalg.qr(rng.normal(size=(3, 3)))[0])


def random_grips(particles, rng):
    """Particles held in random planes: in turns resting, slipping, and slipping without friction."""
    count = len(particles)
    n, way = rng.normal(size=(2, count, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    way -= np.einsum("ij,ij->i", way, n)[:, None] * n
    way /= np.linalg.norm(way, axis=1)[:, None]
    kinds = np.arange(count) % 3
    friction = np.where(kinds == 2, 0.0, 0.8)
    most = friction * rng.uniform(1.0, 2.0, count)
    return Grips(particles, n, way, kinds == 0, friction, most, rng.uniform(1e-4, 1e-3, count))


def dense(hessian, held, g):
    """Answer and changes of pushes by one matrix of all positions and contact forces, written down as it is defined."""
    count = g.shape[1]
    units = np.eye(3 * count).reshape(-1, count, 3)
    inverse = np.stack([hessian.solve(unit.T, None).T.ravel() for unit in units])
    h = np.linalg.inv(inverse)
    rows, columns, springs, pushes = [], [], [], []
    for particle, n, way, sticks, friction, most, slipped in zip(*held, strict=True):
        across = np.cross(n, way)
        pushes.append(len(rows))
        directions = [n, way, across] if sticks else [n, across] if most > 0.0 else [n]
        for number, direction in enumerate(directions):
            row = np.zeros((count, 3))
            row[particle] = direction
            column = row.copy()
            if number == 0 and not sticks:
                column[particle] -= friction * way
            rows.append(row.ravel())
            columns.append(column.ravel())
            springs.append(slipped / most if number and not sticks else 0.0)
    c, d = np.array(rows).T, np.array(columns).T
    matrix = np.block([[h, d], [c.T, -np.diag(springs)]])
    solved = np.linalg.solve(matrix, np.concatenate([g.T.ravel(), np.zeros(len(springs))]))
    return solved[: 3 * count].reshape(count, 3).T, solved[3 * count :][pushes]


@pytest.mark.parametrize("seed", range(3))
def test_the_answer_is_that_of_a_dense_matrix(seed):
    rng = np.random.default_rng(seed)
    network = block(4, 1e4)
    hessian = TurnedHessian(ImplicitStep(network, DT), [np.arange(network.vertex_count)])
    hessian.begin(np.ascontiguousarray((network.points @ random_turn(rng).T).T))
    held = random_grips(rng.permutation(network.vertex_count)[:9], rng)
    g = rng.normal(size=(3, network.vertex_count))
    answer, gained = ContactCompliance(hessian).answer(g, hessian.solve(g, None), None, Held(held))
    expected, pushes = dense(hessian, held, g)
    # As far as the share is that keeps the matrix regular.
    assert_allclose(answer, expected, atol=1e-6 * np.abs(expected).max())
    assert_allclose(gained, pushes, atol=1e-6 * np.abs(pushes).max())


@pytest.mark.parametrize("count", [1, 7, 120])
def test_elimination_solves_what_has_no_pivot_on_its_diagonal(count):
    rng = np.random.default_rng(count)
    matrix, b = rng.normal(size=(count, count)), rng.normal(size=count)
    matrix[np.diag_indices(count)] = 0.0 if count > 1 else 2.0
    found = eliminated(matrix, b)
    # Backward stable, but for the growth of the pivots.
    assert np.abs(matrix @ found - b).max() < 1e-12 * count * np.abs(found).max()


@pytest.mark.newest
def test_the_same_bits_on_one_thread_and_on_two():
    """36 contacts of three unknowns each, more than LAPACK leaves to one thread."""
    script = textwrap.dedent("""
        import hashlib
        from hooke.core import Plane, Simulation, SpringNetwork
        from hooke.core.effort import EFFORTS
        lattice = SpringNetwork.lattice((6, 6, 6), 0.1, "CORNER", stiffness=1e4)
        block = SpringNetwork(lattice.points, lattice.edges, masses=1 / 216, stiffness=1e4)
        settings = EFFORTS["STANDARD"].settings
        found = Simulation(block, dt=1 / 24, gravity=(4.0, 0.0, -9.0), contacts=Plane(friction=0.5), **settings)
        *_, x = found.frames(4)
        print(hashlib.sha256(x.tobytes()).hexdigest())
    """)
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    made = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | path | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in "12"
    ]
    assert made[0] == made[1]


def test_the_same_columns_whatever_was_asked_for_before(monkeypatch):
    network = block(3, 1e4)
    problem, bodies = ImplicitStep(network, DT), [np.arange(network.vertex_count)]
    asked, kept, little = (TurnedHessian(problem, bodies) for _ in range(3))
    expected = asked.compliance(np.array([5, 9, 1]))
    kept.compliance(np.array([1, 20]))
    assert_array_equal(kept.compliance(np.array([5, 9, 1])), expected)
    # Room for two only, and three are asked for.
    monkeypatch.setattr(turned_hessian, "_KEPT", 2.0 * turned_hessian._COLUMN * network.vertex_count)
    for _ in range(2):
        assert_array_equal(little.compliance(np.array([1, 20])), kept.compliance(np.array([1, 20])))
        assert_array_equal(little.compliance(np.array([5, 9, 1])), expected)


def test_friction_comes_with_the_pushes_that_are_expected():
    """A particle that slips on a plane: what is left of its gradient is what it pulls without the new friction."""
    network = SpringNetwork(np.array([[0.0, 0.0, 0.0]]), np.zeros((0, 2), dtype=int), masses=2.0)
    friction, way = 0.5, np.array([1e-3, 0.0, 0.0])
    found = Simulation(network, dt=DT, contacts=Plane(friction=friction))
    seats = found.system.contacts
    start = found.state
    x = np.ascontiguousarray((start.x + way - [0.0, 0.0, 1e-3]).T)
    assert seats.before(start, x, DT) is seats
    gradient = np.array([[0.0], [0.0], [3.0]])
    seats.filter_gradient(gradient)
    grips = seats.grips()
    assert_allclose(grips.most, friction * 3.0)
    seats.expect(gradient, np.array([4.0]))
    assert_allclose(gradient[:, 0], [friction * 7.0, 0.0, 0.0], atol=1e-12)
    assert_allclose(seats.energy(), friction * 7.0 * grips.slipped[0])
    # Nothing pulls.
    seats.expect(gradient, np.array([-9.0]))
    assert_allclose(gradient[:, 0], 0.0, atol=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_a_block_that_nearly_tips_slides_by_coulombs_law(effort, stiffness):
    """Few particles at its lower edge bear it, and press the more the more friction holds them back."""
    friction = 0.8
    slope = np.arctan(1.1 * friction)
    g = G * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    found = Simulation(
        block(5, stiffness),
        dt=1 / FPS,
        gravity=g,
        contacts=Plane(friction=friction),
        **EFFORTS[effort].settings,
    )
    ways = np.array([x[:, 0].mean() for x in found.frames(36)])[12:]
    acceleration = 2.0 * np.polyfit(np.arange(len(ways)) / FPS, ways, 2)[0]
    # 2 % of the slope's pull.
    assert abs(acceleration - (g[0] + friction * g[2])) < 0.02 * g[0]
