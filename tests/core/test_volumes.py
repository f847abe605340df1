# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes: the energy of boxes, its gradient and second derivative, and the solid that they and springs make."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from theory.boxes import box

from hooke.core import Solid, forces
from hooke.core.stencils import VolumeOperators, Volumes

CORNERS = np.array(list(np.ndindex(2, 2, 2)), dtype=float) * [0.5, 0.4, 0.3]
BOX = Volumes(np.arange(8)[None], *(np.array([value]) for value in (0.06, 0.03, 2e5, 4e5)))


@pytest.fixture
def operators():
    return VolumeOperators(BOX, 8)


@pytest.mark.parametrize("share", [1.0, 0.7, 0.3, -0.2, 1.4])
def test_energy_is_that_of_the_share_of_volume(operators, share):
    x = CORNERS * [1.0, 1.0, share]
    expected = 0.03 * (1e5 * (share - 1.0) ** 2 + 2e5 * max(0.5 - share, 0.0) ** 2)
    assert operators.energy(x.T) == pytest.approx(expected)


def test_the_gradient_is_the_energy_s(operators):
    rng = np.random.default_rng(1)
    x, way = CORNERS.T + 0.1 * rng.normal(size=(3, 8)), rng.normal(size=(3, 8))
    gradient = np.zeros((3, 8))
    assert operators.add_gradient(x, gradient) == pytest.approx(operators.energy(x))
    change = operators.energy(x + 1e-6 * way) - operators.energy(x - 1e-6 * way)
    assert (gradient * way).sum() == pytest.approx(change / 2e-6, rel=1e-6)
    # Neither momentum nor angular momentum.
    assert_allclose(gradient.sum(axis=1), 0.0, atol=1e-9)
    assert_allclose(np.cross(x.T, gradient.T).sum(axis=0), 0.0, atol=1e-9)


def test_at_rest_the_second_derivative_is_whole(operators):
    way = np.random.default_rng(2).normal(size=(3, 8))
    ends = [np.zeros((3, 8)) for _ in range(3)]
    operators.add_gradient(CORNERS.T + 1e-6 * way, ends[0])
    operators.add_gradient(CORNERS.T - 1e-6 * way, ends[1])
    operators.add_gradient(CORNERS.T, ends[2], linearise=True)
    product = np.zeros((3, 8))
    operators.add_product(way, product)
    assert_allclose(product, (ends[0] - ends[1]) / 2e-6, rtol=1e-4, atol=1e-4 * np.abs(product).max())
    matrix = operators.hessian(CORNERS.T).toarray()
    assert_allclose(matrix @ way.T.ravel(), product.T.ravel(), atol=1e-9 * np.abs(product).max())
    blocks = np.zeros((6, 8))
    operators.add_blocks(blocks)
    for row, (one, other) in zip(blocks, ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)), strict=True):
        assert_allclose(row, [matrix[3 * i + one, 3 * i + other] for i in range(8)], atol=1e-6)


@pytest.mark.parametrize("poisson", [0.25, 0.35, 0.45])
@pytest.mark.parametrize(
    "strain",
    [
        np.diag([1.0, 0.0, 0.0]),
        np.diag([1.0, 1.0, 1.0]),
        np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        np.ones((3, 3)),
    ],
    ids=["along", "all round", "shear", "oblique"],
)
def test_uniform_strain_stores_the_energy_of_an_isotropic_solid(poisson, strain):
    points, faces = box((0.9, 0.7, 0.4), 0.3)
    network = Solid.from_mesh(points, faces=faces, modulus=1e5, poisson=poisson).network
    small = 1e-4 * strain
    shear = 1e5 / (2.0 * (1.0 + poisson))
    lame = 2.0 * shear * poisson / (1.0 - 2.0 * poisson)
    density = shear * (small**2).sum() + 0.5 * lame * np.trace(small) ** 2
    found = forces.spring_energy(network, network.points @ (np.eye(3) + small))
    assert found == pytest.approx(0.252 * density, rel=2e-3)
