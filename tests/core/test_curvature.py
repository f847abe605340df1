# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of the second derivative keep momentum."""

import numpy as np
from numpy.testing import assert_allclose

from hooke.core import SpringNetwork
from hooke.core.solvers.tensions import Tensions

DT = 0.01


def test_momentum_is_kept_to_round_off():
    grid = SpringNetwork.grid((61, 61), 0.02)
    random = np.random.default_rng(1)
    points = grid.points + random.normal(scale=0.004, size=grid.points.shape)
    network = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, mass=1.0)
    tensions, x = Tensions(network, DT), 1.05 * np.ascontiguousarray(points.T)
    tensions.start_from(x)
    tensions.gradient(x, np.empty_like(x), linearise=True)
    product = tensions.product(random.normal(size=x.shape), np.empty_like(x))
    assert_allclose(product.sum(axis=1), 0.0, rtol=0, atol=1e-13 * np.abs(product).sum())
