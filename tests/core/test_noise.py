# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: the same bits everywhere, smooth, and of the size it says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core.forces.noise import Noise


@pytest.mark.newest
def test_noise_is_the_same_everywhere_smooth_and_of_unit_size():
    noise = Noise(seed=5)
    place = np.array([[0.25, 1.5, -3.125], [100.5, 0.0, 7.75]])
    # Sums and products of exact numbers: these digits are those of any machine.
    assert [value.hex() for value in noise(place).ravel()[:2]] == [
        "-0x1.32764e349e55dp-1",
        "-0x1.4933085c9f333p+0",
    ]
    rng = np.random.default_rng(3)
    x = rng.uniform(-16, 16, (200_000, 3))
    values = noise(x)
    # Means of 32^3 random values, four standard deviations wide.
    assert_allclose(values.mean(axis=0), 0.0, atol=4 / 32**1.5)
    assert_allclose(values.std(axis=0), 1.0, rtol=0.02)
    assert_allclose(np.corrcoef(values.T), np.eye(3), atol=0.03)
    # The second difference over h of a function with bounded second derivatives goes with h^2.
    h = 1e-3
    for axis in np.eye(3):
        curvature = np.abs(noise(x + h * axis) - 2 * values + noise(x - h * axis)).max() / h**2
        assert curvature < 100.0


def test_turbulence_has_unit_size_and_the_spectrum_of_kolmogorov():
    noise, x = Noise(seed=7), np.random.default_rng(4).uniform(-16, 16, (60_000, 3))
    values = noise.turbulence(x, 7)
    assert_allclose(values.std(axis=0), 1.0, rtol=0.03)
    # Velocities differ by the cube root of the distance, between the largest eddies and the smallest, of 1/52.
    axis, distances = np.eye(3)[0], np.array([0.08, 0.16, 0.32, 0.64])
    differences = [np.std(noise.turbulence(x + far * axis, 7) - values) for far in distances]
    slope = np.polyfit(np.log(distances), np.log(differences), 1)[0]
    assert slope == pytest.approx(1.0 / 3.0, abs=0.05)
    # Two octaves are smooth: there differences go with the distance.
    smooth = [np.std(noise(x + far * axis) - noise(x)) for far in distances[:2]]
    assert np.log2(smooth[1] / smooth[0]) > 0.85


def test_noise_of_places_too_far_to_tell_is_finite():
    assert np.isfinite(Noise()(np.array([[1e300, -1e18, 1e15]]))).all()
