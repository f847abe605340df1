# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random networks by every method: the compiled kernels and their definitions in NumPy give the same motion.

Where a push far below what anybody sees moves one implementation by itself, as where a particle just touches or just
misses, no two are compared: rounding decides. Most networks are not such.
"""

import numpy as np
import pytest

from hooke.core import EFFORTS, INTEGRATORS, Plane, Simulation, SimulationDiverged, Sphere, SpringNetwork
from hooke.core.kernels import CHOSEN
from hooke.core.solvers.conjugate_gradients import ConjugateGradients

STEPS = 4
# A push [m], how far it moves what is steady at most, and how far implementations may be apart there. Of the 120, 103
# are steady, and there they are 3.5e-8 m apart at most.
PUSH, STEADY, SAME = 1e-12, 1e-7, 1e-6
# The first is a step of an explicit method, the last two are of nobody who looks at frames.
TIME_STEPS = (1e-6, 1e-3, 1 / 24, 1 / 24, 1 / 24, 1.0, 10.0)


def drawn(seed, push=0.0):
    """A Simulation of 3 to 29 particles of any size, stiffness and mass; push: [m] that each is off by at random."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 30))
    points = rng.uniform(-1.0, 1.0, (count, 3)) * 10.0 ** rng.integers(-2, 2)
    points[:, 2] += 1.0
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count) if rng.random() < 0.3]
    edges = np.array(pairs or [(0, 1)])
    pins = rng.choice([0.0, 0.0, 0.0, 0.5, 1.0], count)
    quantities = {
        "masses": 10.0 ** rng.uniform(-3.0, 1.0, count),
        "stiffness": 10.0 ** rng.uniform(0.0, 5.0, len(edges)),
        "damping": rng.choice([0.0, 1e-2]),
        "pins": pins if rng.random() < 0.6 else None,
    }
    if rng.random() < 0.3:
        quantities["rest_lengths"] = rng.uniform(0.0, 1.0, len(edges))
    method = str(rng.choice(list(INTEGRATORS)))
    effort = EFFORTS[rng.choice(list(EFFORTS))].settings if method == "PROJECTIVE_DYNAMICS" else {}
    dt = float(rng.choice(TIME_STEPS))
    around = [each for each in (Plane((0, 0, 0)), Sphere(0.5, (0.0, 0.0, 0.3))) if rng.random() < 0.5]
    points = points + push * rng.normal(size=points.shape)
    return Simulation(SpringNetwork(points, edges, **quantities), method, dt=dt, contacts=around, **effort)


def motion(seed, push=0.0):
    """Positions after each step, m, and what it refuses or diverges with."""
    seen: list = []
    try:
        simulation = drawn(seed, push)
        for _ in range(STEPS):
            simulation.step()
            seen.append(simulation.state.x.copy())
        unknown = [name for name, value in simulation.diagnostics().items() if np.isnan(value)]
        assert not unknown, f"network {seed}"
        return seen, ""
    except (SimulationDiverged, ValueError) as error:
        return seen, str(error)


def apart(some, others):
    """Largest distance of two motions [m]."""
    return max((np.abs(a - b).max() for a, b in zip(some, others, strict=True)), default=0.0)


@pytest.mark.parametrize(
    ("count", "least"), [(12, 9), pytest.param(120, 100, marks=pytest.mark.nightly)], ids=["few", "many"]
)
def test_compiled_kernels_move_random_networks_as_their_definitions_do(count, least):
    if CHOSEN.library is None:
        pytest.skip("there is one implementation")
    steady = 0
    for seed in range(count):
        compiled, refused = motion(seed)
        with CHOSEN.definitions():
            defined, refused_too = motion(seed)
        assert refused == refused_too, f"network {seed}"
        pushed, _ = motion(seed, PUSH)
        if len(pushed) == len(compiled) and apart(compiled, pushed) < STEADY:
            steady += 1
            assert apart(compiled, defined) < SAME, f"network {seed}"
    assert steady >= least


@pytest.mark.nightly
def test_a_step_of_ten_seconds_to_convergence_ends_in_some_hundred_directions(monkeypatch):
    directions = []
    seek = ConjugateGradients.direction
    monkeypatch.setattr(
        ConjugateGradients,
        "direction",
        lambda self, *args, **options: directions.append(1) or seek(self, *args, **options),
    )
    rng = np.random.default_rng(5)
    points = rng.uniform(-1.0, 1.0, (20, 3)) + np.array([0.0, 0.0, 0.9])
    edges = [(i, j) for i in range(20) for j in range(i + 1, 20) if rng.random() < 0.3]
    network, effort = SpringNetwork(points, edges, masses=0.05, stiffness=1e3), EFFORTS["CONVERGED"].settings
    simulation = Simulation(network, dt=10.0, contacts=[Plane((0, 0, 0))], **effort)
    for _ in range(3):
        simulation.step()
    assert 0 < len(directions) < 3000
