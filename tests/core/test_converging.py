# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps to a tolerance on factors of the Hessian: the factor, every substep of hard scenes, and what contacts hold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from hooke.core import Plane, Simulation, SpringNetwork, State, forces
from hooke.core.assembly import BlockAssembly
from hooke.core.contact.sphere import Sphere
from hooke.core.effort import EFFORTS
from hooke.core.solvers.hessian import RecentHessian
from hooke.core.solvers.lumping import straightened

from .hanging_sheet import sheet
from .restoring import assert_restored_alike

DT = 0.02
CONVERGED = EFFORTS["CONVERGED"].settings


def dense_hessian(network, x, dt):
    """M/dt^2 + W + A^T diag(B) A without what compression takes, and the mask of free rows, dense."""
    blocks = forces.spring_blocks(network, x, compressed=0.0) + forces.damping_blocks(network, x) / dt
    diagonal = network.masses / dt**2
    diagonal[network.soft_pins] += forces.pin_weights(network)
    free = np.ones(network.vertex_count, dtype=bool)
    free[network.hard_pins] = False
    return BlockAssembly(network).matrix(blocks, diagonal).toarray(), np.repeat(free, 3)


@pytest.mark.parametrize("backend", ["AUTO", "SUPERLU"])
@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_the_factor_is_the_hessians_where_no_spring_leads_straight(taut_net, damping, backend):
    network = taut_net(damping=damping)
    recent = RecentHessian(network, DT, backend)
    recent.factorise(np.ascontiguousarray(network.points.T))
    matrix, free = dense_hessian(network, network.points, DT)
    g = np.random.default_rng(2).normal(size=network.points.shape)
    g[network.hard_pins] = 0.0
    exact = np.zeros(g.size)
    exact[free] = np.linalg.solve(matrix[np.ix_(free, free)], g.ravel()[free])
    assert_allclose(recent.solve(g.T.copy()).T.ravel(), exact, rtol=0, atol=1e-10 * np.abs(exact).max())


def test_straight_springs_are_carried_by_those_on_the_way():
    network = sheet(9)
    kept, carried = straightened(network.edges, network.stiffness, network.rest_lengths, network.vertex_count)
    # Sides and diagonals stay, what leads over a vertex does not.
    assert len(kept) == 2 * 9 * 8 + 2 * 8 * 8 < network.spring_count
    x = network.points + np.random.default_rng(3).uniform(-0.05, 0.05, network.points.shape)
    blocks = forces.spring_blocks(network, x, compressed=0.0)
    moved = (carried @ blocks.reshape(-1, 9)).reshape(-1, 3, 3)
    inertia = network.masses / DT**2
    full, less = (
        BlockAssembly(network, springs).matrix(of, inertia).toarray()
        for springs, of in ((None, blocks), (kept, moved))
    )
    # (a + b) B (a + b) <= 2 a B a + 2 b B b: nowhere below half.
    assert np.linalg.eigvalsh(2.0 * less - full).min() > -1e-9 * full.max()
    # A uniform strain shares a straight spring's displacement equally: the same energy to rounding.
    uniform = (network.points @ np.array([[0.3, -0.1, 0.2], [0.7, 0.4, -0.5], [0.0, 0.0, 0.0]])).ravel()
    assert uniform @ less @ uniform == pytest.approx(uniform @ full @ uniform, rel=1e-12)


def crumpled(network, share=0.5, seed=5):
    """The network with its points squeezed and moved at random, and its springs as they are."""
    noise = np.random.default_rng(seed).uniform(-0.05, 0.05, network.points.shape)
    return (
        share * network.points + noise * np.isin(np.arange(len(noise)), network.pinned, invert=True)[:, None]
    )


SCENES = {
    "let go": (lambda: sheet(10), None, ()),
    "soft": (lambda: sheet(10, stiffness=1e2), None, ()),
    "stiff": (lambda: sheet(10, stiffness=1e6), None, ()),
    "crumpled": (lambda: sheet(10), crumpled, ()),
    "solid, crumpled": (
        lambda: SpringNetwork.lattice((5, 5, 5), 0.2, masses=0.01, stiffness=1e4),
        crumpled,
        (),
    ),
    "on a ball": (
        lambda: sheet(10, pins="none"),
        None,
        (Sphere(0.5, (1.0, 0.9, -0.6), friction=0.4), Plane((0.0, 0.0, -1.1), friction=0.4)),
    ),
    "on a smooth ball": (
        lambda: sheet(10, pins="none"),
        None,
        (Sphere(0.5, (1.0, 0.9, -0.6), friction=0.0),),
    ),
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("scene", "swings"), [*((scene, False) for scene in SCENES), ("let go", True), ("crumpled", True)]
)
def test_every_substep_is_solved(scene, swings):
    build, start, contacts = SCENES[scene]
    network = build()
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, **CONVERGED)
    if start is not None:
        simulation.state = State(start(network), np.zeros_like(network.points))
    home = simulation.state.x[network.pinned]

    def targets(t):
        return home + np.array([0.0, 0.25 * (1.0 - np.cos(2.0 * np.pi * t)), 0.0])

    # It has struck the ball, and the pins are as far as they go.
    for _ in range(16):
        simulation.step(targets if swings else None)
        figures = simulation.diagnostics()
        assert figures["unsolved_substeps"] == 0.0
        assert figures["residual"] <= CONVERGED["tolerance"]


def test_what_is_not_solved_is_told():
    simulation = Simulation(
        sheet(13), dt=1 / 24, substeps=3, iterations=1, acceleration="NEWTON", tolerance=1e-9
    )
    assert simulation.diagnostics()["unsolved_substeps"] == 0.0
    simulation.step()
    assert simulation.diagnostics()["unsolved_substeps"] == 3.0


def test_a_smooth_floor_is_a_bound_of_the_minimisation():
    # Without friction the step is the least of the objective over z >= 0: SciPy's L-BFGS-B finds the same. The springs
    # are taut, so that there is one least.
    network = sheet(5, pins="none", stiffness=200.0)
    x = crumpled(network, 1.5)
    x[:, 2] -= x[:, 2].min()
    simulation = Simulation(
        network,
        dt=DT,
        iterations=2000,
        acceleration="NEWTON",
        tolerance=1e-9,
        contacts=Plane(friction=0.0),
    )
    v = np.array([0.3, 0.0, -2.0]) + np.random.default_rng(1).normal(size=x.shape)
    simulation.state = State(x, v)
    y = x + DT * v + DT**2 * np.array([0.0, 0.0, -9.81])
    inertia = network.masses[:, None] / DT**2

    def objective(flat):
        at = flat.reshape(-1, 3)
        value = 0.5 * np.sum(inertia * (at - y) ** 2) + forces.spring_energy(network, at)
        return value, (inertia * (at - y) - forces.spring_forces(network, at)).ravel()

    bounds = [(None, None), (None, None), (0.0, None)] * len(x)
    found = minimize(
        objective,
        np.maximum(y, [-np.inf, -np.inf, 0.0]).ravel(),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15, "gtol": 1e-9},
    )
    simulation.step()
    # But for how deep an impact of 2 m/s presses into what keeps no distance.
    assert_allclose(simulation.state.x, found.x.reshape(-1, 3), rtol=0, atol=8e-3)
    assert np.count_nonzero(found.x.reshape(-1, 3)[:, 2] == 0.0) > 2


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize(("slope", "friction"), [(0.3, 0.2), (0.3, 0.4), (0.6, 0.3)])
def test_a_sheet_slides_as_coulomb_has_it(slope, friction):
    # a = g (sin - mu cos) down the slope where that is above 0; BDF2 of a constant acceleration from rest is exact
    # to its first step, a dt^2 / 2. One that sticks may slip by 0.5 mm before anything presses (0.15 mm as measured).
    flat = sheet(7, pins="none")
    c, s = np.cos(slope), np.sin(slope)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    network = SpringNetwork(
        flat.points @ turn.T,
        flat.edges,
        masses=flat.masses,
        stiffness=flat.stiffness,
        rest_lengths=flat.rest_lengths,
    )
    plane = Plane(normal=turn[:, 2], friction=friction)
    simulation = Simulation(network, dt=1 / 24, contacts=plane, **CONVERGED)
    for _ in range(24):
        simulation.step()
        assert simulation.diagnostics()["unsolved_substeps"] == 0.0
    way = (simulation.state.x - network.points) @ turn
    expected = max(0.0, 0.5 * 9.81 * (s - friction * c))
    assert_allclose(way[:, 0], expected, rtol=0, atol=0.01 * max(expected, 0.01))
    assert_allclose(way[:, 1:], 0.0, rtol=0, atol=1e-4)


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("scene", ["crumpled", "on a ball"])
def test_a_snapshot_continues_bit_for_bit(scene):
    build, start, contacts = SCENES[scene]
    network = build()
    one, other = (Simulation(network, dt=1 / 24, contacts=contacts, **CONVERGED) for _ in range(2))
    if start is not None:
        one.state = State(start(network), np.zeros_like(network.points))
    assert_restored_alike(one, other, 9)
