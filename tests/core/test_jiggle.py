# SPDX-License-Identifier: GPL-3.0-or-later
"""Goal springs ring as a damped oscillator about where the animation has them, on cloth and on what is filled."""

import numpy as np
import pytest

from hooke.core import INTEGRATORS, Jiggle, Member, Simulation, Solid, SpringNetwork, Together
from hooke.core.effort import EFFORTS

DT, FRAMES = 1 / 24, 36
FREE = {"gravity": (0.0, 0.0, 0.0)}
TRUE = {"acceleration": "NEWTON", "time_stepping": "BDF2", "iterations": 3}

# Steps a frame with which a method of its order is within one hundredth of the amplitude, f = 2 Hz: w dt = 0.52.
FINE = {1: 80, 2: 12, 4: 8}


def oscillator(t, frequency, ratio):
    """Where what was let go at 1 is after t [s], x'' = -w^2 x - 2 z w x'."""
    w = 2.0 * np.pi * frequency
    turn = w * np.sqrt(1.0 - ratio**2)
    return np.exp(-ratio * w * t) * (np.cos(turn * t) + ratio * w / turn * np.sin(turn * t))


def sheet(jiggle, side=5, **more):
    return SpringNetwork.grid((side, side), 0.1, stiffness=100.0, mass=2.0, jiggle=jiggle, **more)


def cube(side=0.4):
    corners = side * np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, faces


def solid(jiggle, **more):
    points, faces = cube()
    return Solid.from_mesh(points, faces=faces, modulus=2e4, density=1000.0, cells=100, jiggle=jiggle, **more)


def let_go(body, away=0.1, **how):
    """A Simulation whose particles are all so far above their goals [m]."""
    simulation = Simulation(body, dt=DT, **FREE, **how)
    start = simulation.network.points
    simulation.state = type(simulation.state)(start + np.array([0.0, 0.0, away]), np.zeros_like(start), 0.0)
    return simulation


def heights(simulation, count=FRAMES):
    """Of the centre of mass above its goal, in every frame [m]."""
    masses = simulation.network.masses / simulation.network.masses.sum()
    middle = masses @ simulation.network.points[:, 2]
    return np.array([masses @ simulation.state.x[:, 2] - middle for _ in simulation.frames(count)])


@pytest.mark.nightly
@pytest.mark.parametrize("frequency, ratio", [(2.0, 0.1), (1.0, 0.5), (2.0, 0.0)])
@pytest.mark.parametrize("integrator", [name for name, of in INTEGRATORS.items() if of.stability_limit > 0.0])
def test_it_rings_with_its_frequency_and_damping_ratio(integrator, frequency, ratio):
    method = INTEGRATORS[integrator]
    order = method.order or 1
    options = TRUE if integrator == "PROJECTIVE_DYNAMICS" else {}
    substeps = FINE[2] if options else FINE[order]
    network = sheet(Jiggle(frequency, ratio), side=3)
    simulation = let_go(network, integrator=integrator, substeps=substeps, **options)
    t = DT * np.arange(1, 25)
    # What backward Euler damps by itself in time t, (w dt)^2/2 a step; BDF2's error is of second order.
    step = 2.0 * np.pi * frequency * DT / substeps
    own = 0.5 * step * 2.0 * np.pi * frequency * t[-1] if order == 1 and not options else 0.0
    off = np.abs(heights(simulation, 24) / 0.1 - oscillator(t, frequency, ratio)).max()
    assert off < 0.02 + own


@pytest.mark.nightly
def test_halving_the_step_quarters_the_error():
    t = DT * np.arange(1, FRAMES + 1)
    exact = oscillator(t, 2.0, 0.1)
    errors = []
    for substeps in (10, 20):
        simulation = let_go(sheet(Jiggle(2.0, 0.1)), substeps=substeps, **TRUE)
        errors.append(np.abs(heights(simulation) / 0.1 - exact).max())
    assert errors[1] < 0.3 * errors[0]


@pytest.mark.nightly
def test_what_is_filled_rings_as_one():
    simulation = let_go(solid(Jiggle(2.0, 0.1)), substeps=20, **TRUE)
    t = DT * np.arange(1, FRAMES + 1)
    np.testing.assert_allclose(heights(simulation) / 0.1, oscillator(t, 2.0, 0.1), atol=0.01)


def test_it_hangs_by_gravity_over_its_frequency_squared():
    simulation = Simulation(sheet(Jiggle(2.0, 1.0, sags=True)), dt=DT, substeps=3, **TRUE)
    assert heights(simulation, 72)[-1] == pytest.approx(-9.81 / (4.0 * np.pi) ** 2, rel=1e-3)


@pytest.mark.nightly
@pytest.mark.parametrize("make", [sheet, solid])
def test_what_is_turned_and_moved_evenly_is_unstrained_at_its_goals(make):
    body = Simulation(make(Jiggle(20.0, 1.0)), dt=DT, substeps=3, **FREE, **TRUE)
    mesh = body.vertices
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = mesh @ turn.T + (1.0, 2.0, 3.0)
    for share in np.linspace(0.05, 1.0, 20):
        angle = share * np.pi / 2.0
        c, s = np.cos(angle), np.sin(angle)
        body.step(
            mesh @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T
            + share * np.array([1.0, 2.0, 3.0])
        )
    for _ in range(20):
        body.step(moved)
    np.testing.assert_allclose(body.vertices, moved, atol=2e-4)
    assert abs(body.diagnostics()["largest_strain"]) < 2e-3


def test_dampers_resist_motion_against_the_goal_alone():
    # What moves along with its goal evenly feels none of them.
    network = sheet(Jiggle(1.0, 1.0))
    simulation = Simulation(network, dt=DT, substeps=3, **FREE, **TRUE)
    v = np.tile([0.5, 0.0, 0.0], (network.vertex_count, 1))
    simulation.state = type(simulation.state)(network.points, v, 0.0)
    for frame in range(1, 13):
        simulation.step(network.points + frame * DT * v)
        np.testing.assert_allclose(simulation.state.x, network.points + frame * DT * v, atol=1e-9)


def test_what_a_hard_pin_holds_does_not_jiggle():
    network = sheet(Jiggle(1.0, 0.1, sags=True), pins=[0])
    assert network.hard_pins.tolist() == [0] and len(network.soft_pins) == 24 and len(network.pinned) == 25
    simulation = Simulation(network, dt=DT, substeps=3, **TRUE)
    list(simulation.frames(12))
    assert np.array_equal(simulation.state.x[0], network.points[0])
    assert simulation.state.x[24, 2] < -0.05


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("make", [sheet, solid])
@pytest.mark.parametrize("ratio", [0.0, 0.3])
def test_where_goals_rest_energy_only_falls(make, ratio):
    simulation = let_go(make(Jiggle(3.0, ratio)), substeps=3, **TRUE)
    system, energies = simulation.system, []
    for _ in range(48):
        state = simulation.state
        energies.append(system.kinetic_energy(state) + system.elastic_energy(state.x, state.t))
        simulation.step()
    assert (np.diff(energies) <= 1e-3 * energies[0]).all()
    assert energies[-1] < energies[0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("make", [sheet, solid])
def test_it_goes_on_from_a_snapshot_to_the_same_bits(make):
    def run(simulation, begin, end):
        mesh = make(Jiggle(3.0, 0.2))
        mesh = mesh.points if isinstance(mesh, SpringNetwork) else cube()[0]
        for frame in range(begin, end):
            simulation.step(mesh + np.array([0.1 * np.sin(frame), 0.0, 0.0]))

    whole = Simulation(make(Jiggle(3.0, 0.2)), dt=DT, substeps=3, **TRUE)
    run(whole, 0, 6)
    snapshot = whole.snapshot()
    run(whole, 6, 12)
    again = Simulation(make(Jiggle(3.0, 0.2)), dt=DT, substeps=3, **TRUE)
    again.restore(snapshot)
    run(again, 6, 12)
    assert np.array_equal(again.state.x, whole.state.x) and np.array_equal(again.state.v, whole.state.v)


def test_a_frequency_that_changes_makes_a_new_factor_and_goes_on():
    network = sheet(Jiggle(1.0, 0.2, sags=True))
    simulation = Simulation(network, dt=DT, substeps=3, **TRUE)
    list(simulation.frames(3))
    factor = simulation.integrator.matrix
    simulation.change(**Jiggle(4.0, 0.2, sags=True).goals(network.masses))
    list(simulation.frames(48))
    assert simulation.integrator.matrix is not factor
    assert heights(simulation, 1)[0] == pytest.approx(-9.81 / (8.0 * np.pi) ** 2, rel=0.02)


@pytest.mark.parametrize("values", [(0.0, 0.1), (-1.0, 0.1), (np.inf, 0.1), (1.0, -0.1), (1.0, np.nan)])
def test_what_is_no_oscillator_is_refused(values):
    with pytest.raises(ValueError, match="jiggle"):
        Jiggle(*values)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("make", [sheet, solid])
def test_where_nothing_moves_it_keeps_the_modelled_pose_with_gravity_on(make, effort):
    body = make(Jiggle(2.0, 0.2))
    modelled = Simulation(body, dt=DT).vertices
    for vertices in Simulation(body, dt=DT, **EFFORTS[effort].settings).frames(FRAMES):
        np.testing.assert_allclose(vertices, modelled, atol=1e-9)


def test_what_is_simulated_together_keeps_its_own_weight():
    kept, hanging = (sheet(Jiggle(2.0, 1.0, sags=sags)) for sags in (False, True))
    both = Together([Member(kept), Member(hanging)], dt=DT, substeps=3, **TRUE)
    for _ in range(72):
        both.step()
    one, other = (both.state.x[place, 2].mean() for place in both.places)
    assert one == pytest.approx(0.0, abs=1e-9)
    assert other == pytest.approx(-9.81 / (4.0 * np.pi) ** 2, rel=1e-3)
