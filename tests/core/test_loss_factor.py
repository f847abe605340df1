# SPDX-License-Identifier: GPL-3.0-or-later
"""The loss factor of solids: how fast the first vibration dies, and what else it leaves alone."""

import numpy as np
import pytest
from theory.boxes import box

from hooke.core import Simulation, Solid, State
from hooke.core.effort import EFFORTS

MODULUS, DENSITY, SIDE, LENGTH = 4e4, 1000.0, 0.2, 1.0
# Cantilever of Euler and Bernoulli: (beta L)^2 = 3.516; thick as it is it is a few hundredths slower.
FREQUENCY = 3.516 * np.sqrt(MODULUS * SIDE**2 / 12.0 / DENSITY) / LENGTH**2


def cantilever(loss_factor, poisson=0.25):
    points, faces = box((LENGTH, SIDE, SIDE), 0.1)
    pins = np.flatnonzero(points[:, 0] == 0.0)
    how = {"modulus": MODULUS, "poisson": poisson, "density": DENSITY, "cells": 160, "pins": pins}
    return Solid.from_mesh(points, faces=faces, loss_factor=loss_factor, **how)


def rings(body, effort, seconds):
    """Times and heights of the tip [s, m] of a bar that begins with the velocity of its first vibration."""
    network = body.network
    along = network.points[:, 0] / LENGTH
    v = np.zeros((network.vertex_count, 3))
    # Near enough: the static shape of an end load.
    v[:, 2] = 0.2 * 0.5 * along**2 * (3.0 - along)
    simulation = Simulation(body, dt=1 / 24, gravity=(0.0, 0.0, 0.0), **EFFORTS[effort].settings)
    simulation.state = State(network.points, v, 0.0)
    tip = np.flatnonzero(body.network.points[: body.vertex_count, 0] == LENGTH)
    heights = [frame[tip, 2].mean() - SIDE / 2.0 for frame in simulation.frames(int(24 * seconds))]
    return (np.arange(len(heights)) + 1) / 24.0, np.array(heights)


def fitted(t, heights):
    """Decay rate [1/s] and angular frequency [rad/s] of a damped sine, by least squares of its recurrence."""
    one, two, three = heights[:-2], heights[1:-1], heights[2:]
    (p, q), *_ = np.linalg.lstsq(np.column_stack([two, one]), three, rcond=None)
    # z^2 = p z + q of z = exp((-rate + i w) dt).
    z = np.roots([1.0, -p, -q])[0]
    return -np.log(abs(z)) * 24.0, abs(np.angle(z)) * 24.0


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ["FINE", "CONVERGED"])
@pytest.mark.parametrize("loss_factor", [0.1, 0.3])
def test_the_first_vibration_dies_by_the_loss_factor(loss_factor, effort):
    rate, w = fitted(*rings(cantilever(loss_factor), effort, 3.0))
    assert w == pytest.approx(FREQUENCY, rel=0.06)
    assert rate == pytest.approx(0.5 * loss_factor * w, rel=0.1)


def test_without_a_loss_factor_nothing_changes():
    points, faces = box((LENGTH, SIDE, SIDE), 0.1)
    plain, given = (
        Solid.from_mesh(points, faces=faces, damping_ratio=0.1, **how) for how in ({}, {"loss_factor": 0.0})
    )
    np.testing.assert_array_equal(plain.network.damping, given.network.damping)


def test_a_loss_factor_below_0_is_refused():
    with pytest.raises(ValueError, match="loss factor"):
        cantilever(-0.1)
