# SPDX-License-Identifier: GPL-3.0-or-later
"""The second derivative in single precision: as near as its rounding, exact in what it does to momentum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork
from hooke.core.solvers.tensions import Tensions

DT = 0.01
SINGLE = np.finfo(np.float32).eps


def sheet(stiffness=1e3, side=61):
    """More springs than are needed for single precision to be worth it, crumpled."""
    grid = SpringNetwork.grid((side, side), 0.02)
    points = grid.points + np.random.default_rng(1).normal(scale=0.004, size=grid.points.shape)
    springs = dict.fromkeys(("structural", "shear", "bending"), stiffness)
    return SpringNetwork.from_mesh(points, faces=grid.surface.polygons, mass=1.0, **springs)


def linearised(network, *, single):
    tensions, x = Tensions(network, DT, single=single), np.ascontiguousarray(network.points.T)
    x = 1.05 * x
    tensions.start_from(x)
    tensions.gradient(x, np.empty_like(x), linearise=True)
    return tensions


def products(network, p):
    """H p in double and in single precision."""
    return [linearised(network, single=single).product(p, np.empty_like(p)) for single in (False, True)]


@pytest.fixture
def p():
    return np.random.default_rng(2).normal(size=(3, 61**2))


def test_products_are_as_near_as_rounding(p):
    double, single = products(sheet(), p)
    # A dozen springs a vertex, of half a dozen roundings each.
    assert not np.array_equal(single, double)
    assert_allclose(single, double, rtol=0, atol=20 * SINGLE * np.abs(double).max())


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e200])
def test_no_increment_is_too_small_or_too_large(p, scale):
    double, single = products(sheet(), scale * p)
    assert_allclose(single, double, rtol=0, atol=20 * SINGLE * np.abs(double).max())


@pytest.mark.parametrize("stiffness", [1e-35, 1e35])
def test_what_single_precision_has_no_room_for_is_in_double(p, stiffness):
    double, single = products(sheet(stiffness), p)
    assert_array_equal(single, double)


def test_small_networks_are_in_double():
    p = np.random.default_rng(3).normal(size=(3, 21**2))
    assert_array_equal(*products(sheet(side=21), p))


def test_momentum_is_kept_to_round_off_of_double_precision(p):
    for product in products(sheet(), p):
        assert_allclose(product.sum(axis=1), 0.0, rtol=0, atol=1e-13 * np.abs(product).sum())


def test_nothing_moved_is_nothing_and_what_is_no_number_stays_none(p):
    tensions = linearised(sheet(), single=True)
    assert_array_equal(tensions.product(0.0 * p, np.empty_like(p)), 0.0)
    assert np.isnan(tensions.product(np.full_like(p, np.nan), np.empty_like(p))).all()


def test_diagonal_blocks_are_as_near_as_rounding():
    network = sheet()
    blocks = [
        linearised(network, single=single).diagonal_blocks(np.zeros((6, network.vertex_count)), 0.01)
        for single in (False, True)
    ]
    assert_allclose(*blocks, rtol=0, atol=20 * SINGLE * np.abs(blocks[0]).max())
