# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of self-collision: what their energy does, and how they part without springs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from hooke.core.contacts.pair_energy import PairEnergy
from hooke.core.contacts.parting import parted


def pairs_at_random(friction=0.4):
    """PairEnergy of 60 random pairs of 30 particles, their masses, and positions that some are too close in."""
    rng = np.random.default_rng(5)
    x, way = rng.normal(size=(2, 3, 30))
    particles = np.argsort(rng.random((60, 30)), axis=1)[:, :4].T
    weights = rng.dirichlet(np.ones(3), 60).T
    normals = rng.normal(size=(3, 60))
    pairs = PairEnergy(
        particles,
        np.concatenate([np.ones((1, 60)), -weights]),
        normals / np.linalg.norm(normals, axis=0),
        np.full(60, 0.5),
        np.full(60, friction),
        x + 0.1 * way,
    )
    masses = rng.uniform(0.1, 2.0, 30)
    pairs.stiffen(0.05 / masses, masses, 1.0)
    return pairs, masses, x


def test_gradient_and_product_are_the_derivatives_of_the_energy():
    # Central differences of a polynomial of order 4 err by h^2, where no pair comes or goes.
    pairs, _, x = pairs_at_random()
    pairs.place(x)
    g = np.zeros_like(x)
    pairs.add_gradient(g)
    assert 5 < pairs.pressing.sum() < 55
    rng = np.random.default_rng(6)
    h, p = 1e-6, rng.normal(size=x.shape)
    energies = []
    for side in (-h, h):
        pairs.place(x + side * p)
        energies.append(pairs.energy())
    assert_allclose((energies[1] - energies[0]) / (2.0 * h), np.sum(g * p), rtol=1e-6)
    pairs.place(x)
    product = pairs.add_product(p, np.zeros_like(x))
    other = rng.normal(size=x.shape)
    symmetric = pairs.add_product(other, np.zeros_like(x))
    assert_allclose(np.sum(other * product), np.sum(p * symmetric), rtol=1e-10)
    assert np.sum(p * product) >= 0.0


def test_parted_without_springs_momentum_is_kept_and_no_energy_gained():
    pairs, masses, x = pairs_at_random()
    pairs.place(x)
    before = pairs.energy()
    moved = parted(pairs, x, masses) - x
    assert_allclose(moved @ masses, 0.0, atol=1e-13)
    friction_less, _, _ = pairs_at_random(friction=0.0)
    moved = parted(friction_less, x, masses) - x
    friction_less.place(x + moved)
    assert friction_less.energy() + 0.5 * np.sum(masses * moved**2) < before


def test_forces_along_normals_part_pairs_by_what_they_move_particles():
    pairs, masses, x = pairs_at_random()
    masses[:5] = np.inf
    pairs.place(x)
    pushed = pairs.pressed(1.0 / masses)
    forces = np.random.default_rng(8).normal(size=pairs.pressing.sum())
    moved = pushed.moved(forces)
    assert_array_equal(moved[:, :5], 0.0)
    assert_allclose(pushed.parting(forces), pushed.along(moved), rtol=1e-12)
    # Virtual work: what forces do along a field is what they do to the particles.
    field = np.random.default_rng(9).normal(size=x.shape)
    field[:, :5] = 0.0
    assert_allclose(forces @ pushed.along(field), np.sum(masses[5:] * (moved * field)[:, 5:]), rtol=1e-12)


@pytest.mark.newest
def test_parted_without_springs_they_come_near_the_least_of_inertia_and_pairs():
    # SciPy's least, from positions alone, with particles 0 to 4 where they are; 4 steps come to a hundredth of it.
    pairs, masses, x = pairs_at_random(friction=0.0)
    masses[:5] = np.inf
    free = np.arange(5, 30)

    def total(ways):
        moved = np.zeros_like(x)
        moved[:, free] = ways.reshape(3, -1)
        pairs.place(x + moved)
        return pairs.energy() + 0.5 * np.sum(masses[free] * moved[:, free] ** 2)

    first = total(np.zeros(75))
    least = minimize(total, np.zeros(75), method="BFGS", options={"gtol": 1e-5}).fun
    moved = parted(pairs, x, masses) - x
    assert_array_equal(moved[:, :5], 0.0)
    assert 0.2 * first < first - least
    assert total(moved[:, free].ravel()) - least < 0.01 * (first - least)
