# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that lie on others are moved as wholes to where nothing pulls at them so."""

import numpy as np

from hooke.core import Simulation
from hooke.core.contacts import Plane, SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.solvers import whole_parts
from hooke.core.solvers.newton_pcg import NewtonPCG

from .plies import sheets


def three_plies(frames):
    """Three plies of different sizes that slide on each other and on a floor for so many frames, a Simulation."""
    places = [(0, 0, 0.012), (0.013, 0.011, 0.024), (0.031, 0.027, 0.036)]
    network = sheets([(9, 9), (8, 7), (5, 6)], 0.02, places, material=Material())
    contacts = Plane(friction=0.3, thickness=0.01), SelfCollision(0.01, 0.3)
    gravity = 4.0, 1.0, -9.0
    simulation = Simulation(
        network, dt=1 / 24, gravity=gravity, contacts=contacts, **EFFORTS["STANDARD"].settings
    )
    for _ in range(frames):
        simulation.step()
    return simulation


def balanced(monkeypatch, before, check):
    """Have a Simulation call check(newton, x, after, contacts) wherever parts were balanced; how often they were."""
    original, calls = NewtonPCG.balanced, []

    def checked(self, x, contacts):
        after = original(self, x, contacts)
        if after is not x:
            calls.append(check(self, x, after, contacts))
        return after

    monkeypatch.setattr(NewtonPCG, "balanced", checked)
    before.step()
    return len(calls)


def test_parts_move_as_wholes_and_to_less_energy(monkeypatch):
    def check(newton, x, after, contacts):
        way, part = after - x, newton.wholes.part
        for number in range(3):
            of_part = way[:, part == number]
            # To the rounding of positions of a tenth of a metre.
            assert np.abs(of_part - of_part[:, :1]).max() < 1e-15
        energies = [newton._problem.objective(at)[1] + contacts.value(at) for at in (x, after)]
        assert energies[1] < energies[0] + 1e-12 * abs(energies[0])

    assert balanced(monkeypatch, three_plies(6), check)


def test_springs_know_nothing_of_it(monkeypatch):
    def check(newton, x, after, contacts):
        problem = newton._problem
        own = [problem.gradient(at) - problem.pull for at in (x.copy(), after)]
        # Of springs as stiff as these 1e-16 of a coordinate is a pull.
        pull = newton._problem.network.stiffness.max() * np.finfo(float).eps
        assert np.abs(own[1] - own[0]).max() < 32.0 * pull

    assert balanced(monkeypatch, three_plies(6), check)


def test_a_dense_matrix_and_a_sparse_one_give_the_same(monkeypatch):
    differences = []
    original = whole_parts.WholeParts._solved

    def both(self, contacts, pulls):
        ways = original(self, contacts, pulls)
        with monkeypatch.context() as patch:
            patch.setattr(whole_parts, "_FEW", 0)
            sparse = original(self, contacts, pulls)
        differences.append(np.abs(sparse - ways).max() / np.abs(ways).max())
        return ways

    simulation = three_plies(6)
    monkeypatch.setattr(whole_parts.WholeParts, "_solved", both)
    simulation.step()
    assert differences
    # Rounding, times a condition of stiffnesses over inertias below 1e4.
    assert max(differences) < 1e-11


def test_what_is_on_a_part_is_known_by_its_sides(monkeypatch):
    simulation, found, original = three_plies(6), [], whole_parts.WholeParts.on_parts

    def checked(self, contacts):
        answer = original(self, contacts)
        if contacts is not None:
            corners, weights = contacts.rows.corners.values, contacts.rows.weights
            sides = [
                [set(self.part[row[of]]) for row, of in zip(corners, signed, strict=True)]
                for signed in (weights > 0.0, weights < 0.0)
            ]
            on_parts = any(one and other and one != other for one, other in zip(*sides, strict=True))
            found.append(answer == on_parts)
        return answer

    monkeypatch.setattr(whole_parts.WholeParts, "on_parts", checked)
    simulation.step()
    assert found
    assert all(found)
