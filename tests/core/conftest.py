# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks that several files of the specification simulate; the lab's are importable as the package `lab`, and
`energies`."""

import sys
from pathlib import Path

import numpy as np
import pytest

from hooke.core import INTEGRATORS, SpringNetwork

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / room) for room in ("scripts", "tests")]


@pytest.fixture(params=INTEGRATORS)
def integrator(request):
    """Id of every integrator in turn."""
    return request.param


@pytest.fixture
def random_net():
    """Factory of a connected network of random points, masses and springs; keywords override quantities."""

    def build(vertex_count=8, seed=20, **quantities):
        rng = np.random.default_rng(seed)
        ring = np.column_stack([np.arange(vertex_count), np.roll(np.arange(vertex_count), -1)])
        chords = np.column_stack([np.arange(vertex_count), np.roll(np.arange(vertex_count), -3)])
        edges = np.concatenate([ring, chords])
        defaults = {
            "masses": rng.uniform(0.05, 0.2, vertex_count),
            "stiffness": rng.uniform(20.0, 80.0, len(edges)),
            "rest_lengths": rng.uniform(0.3, 0.9, len(edges)),
            "damping": rng.uniform(0.1, 0.5, len(edges)),
        }
        return SpringNetwork(rng.uniform(-0.5, 0.5, (vertex_count, 3)), edges, **{**defaults, **quantities})

    return build


@pytest.fixture
def taut_net():
    """Factory of a small sheet under tension, two corners hard and one soft pinned; keywords override."""

    def build(side=4, **quantities):
        rng = np.random.default_rng(7)
        indices = np.arange(side * side).reshape(side, side)
        edges = np.concatenate(
            [
                np.column_stack([a.ravel(), b.ravel()])
                for a, b in (
                    (indices[:, :-1], indices[:, 1:]),
                    (indices[:-1], indices[1:]),
                    (indices[:-1, :-1], indices[1:, 1:]),
                    (indices[1:, :-1], indices[:-1, 1:]),
                )
            ]
        )
        points = np.zeros((side * side, 3))
        points[:, :2] = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1).reshape(
            -1, 2
        )
        points[:, 2] = rng.uniform(-0.05, 0.05, side * side)
        lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
        pins = np.zeros(side * side)
        pins[[0, side - 1, -1]] = 1.0, 1.0, 0.4
        defaults = {
            "masses": rng.uniform(0.05, 0.15, side * side),
            "stiffness": rng.uniform(50.0, 150.0, len(edges)),
            "rest_lengths": 0.8 * lengths,
            "pins": pins,
            "pin_stiffness": 200.0,
        }
        return SpringNetwork(points, edges, **{**defaults, **quantities})

    return build


@pytest.fixture
def kicked():
    """Velocities of vertex_count vertices in all directions [m/s]."""
    return lambda network: np.random.default_rng(3).normal(0.0, 0.5, (network.vertex_count, 3))
