# SPDX-License-Identifier: GPL-3.0-or-later
"""No library writes to the console in normal use, where inertia drowns beside springs included."""

import numpy as np
import pytest

from hooke.core import Simulation, SimulationDiverged, SpringNetwork, State

SOLVED = [
    ("PROJECTIVE_DYNAMICS", {"acceleration": "NONE"}),
    ("PROJECTIVE_DYNAMICS", {"acceleration": "LBFGS", "iterations": 60, "tolerance": 1e-6}),
    ("IMPLICIT_EULER", {"newton_iterations": 1}),
    ("IMPLICIT_EULER", {"newton_iterations": 8}),
]


@pytest.mark.combined
@pytest.mark.parametrize("backend", ["CHOLMOD", "SUPERLU"])
@pytest.mark.parametrize(("integrator", "options"), SOLVED)
@pytest.mark.parametrize(("mass", "stiffness"), [(1e-3, 1e5), (1e-12, 1e3), (1e-12, 1e15)])
@pytest.mark.parametrize("crumpled", [1e-3, 1.0])
def test_the_console_stays_empty(capfd, integrator, options, backend, mass, stiffness, crumpled):
    if backend == "CHOLMOD":
        pytest.importorskip("cholespy", reason="cholespy is not installed")
    rng = np.random.default_rng(0)
    edges = [(i, j) for i in range(12) for j in range(i) if rng.random() < 0.5]
    points = crumpled * rng.normal(size=(12, 3))
    network = SpringNetwork(points, edges, masses=mass, stiffness=stiffness, rest_lengths=1.0, damping=0.1)
    try:
        simulation = Simulation(network, integrator, dt=1 / 24, backend=backend, **options)
        simulation.state = State(points, 1e5 * rng.normal(size=points.shape))
        for _ in range(3):
            simulation.step()
    except (SimulationDiverged, np.linalg.LinAlgError):
        # Told in words, to whoever called.
        pass
    assert capfd.readouterr() == ("", "")
