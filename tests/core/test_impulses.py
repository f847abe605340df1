# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses of contacts, by themselves."""

import numpy as np
import pytest

from hooke.core.contact.contact_set import Rows
from hooke.core.contact.impulses import impact, impulses
from hooke.core.kernels import Indices


def rows_among(particles, count, random):
    """Contacts between two and two of some particles, weights of both sides summing to nought."""
    corners = np.array([random.permutation(particles)[:4] for _ in range(count)])
    shares = random.uniform(0.2, 0.8, (count, 2))
    weights = np.column_stack([shares[:, 0], 1.0 - shares[:, 0], -shares[:, 1], shares[:, 1] - 1.0])
    normals = random.normal(size=(3, count))
    normals /= np.linalg.norm(normals, axis=0)
    of_each = np.zeros(count), np.zeros((3, count)), np.zeros(count), np.ones(count), np.ones(count)
    return Rows(Indices(corners, particles.max() + 1), weights, normals, *of_each, np.zeros(count, dtype=int))


def joined(one, other):
    corners = np.concatenate([one.corners.values, other.corners.values])
    of_both = (np.concatenate([a, b], axis=-1) for a, b in zip(one[3:], other[3:], strict=True))
    weights = np.concatenate([one.weights, other.weights])
    normals = np.concatenate([one.normals, other.normals], axis=1)
    return Rows(Indices(corners, corners.max() + 1), weights, normals, *of_both)


@pytest.mark.parametrize("of", [impulses, impact])
def test_contacts_that_give_nothing_change_nothing_bit_for_bit(of):
    random = np.random.default_rng(0)
    struck = rows_among(np.arange(0, 40, 2), 12, random)
    # Far from being short of any speed, among the same particles and others.
    beside = rows_among(np.arange(60), 200, random)
    inverse_masses, least = random.uniform(0.5, 2.0, 60), random.uniform(0.1, 1.0, 12)
    alone = of(struck, inverse_masses, least)
    both = of(joined(struck, beside), inverse_masses, np.concatenate([least, np.full(200, -1e6)]))
    assert np.abs(alone).max() > 0.1
    assert np.array_equal(alone, both)
    assert not both[:, 1::2].any()


def test_nothing_is_given_where_nothing_is_short_of_a_speed():
    rows = rows_among(np.arange(8), 5, np.random.default_rng(1))
    assert not impulses(rows, np.ones(8), np.full(5, -1.0)).any()
    assert not impact(rows, np.ones(8), np.full(5, -1.0)).any()


def test_momentum_is_kept_and_all_part_as_fast_as_they_were_short_of():
    random = np.random.default_rng(2)
    rows, masses, least = rows_among(np.arange(60), 12, random), random.uniform(0.5, 2.0, 60), np.ones(12)
    gained = impact(rows, 1.0 / masses, least)
    assert np.abs(gained @ masses).max() < 1e-12
    assert np.einsum("ij,ij->j", rows.normals, rows.differences(gained)).min() > 0.95
