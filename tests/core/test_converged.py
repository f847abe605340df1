# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterations to a tolerance: reached by either method, at most the limit, and never claimed where not reached."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS, effort_of
from hooke.core.material import Material

DT = 0.04


def stepped(network, v, **options):
    """A simulation one step from the network's points with velocities v."""
    simulation = Simulation(network, dt=DT, **options)
    simulation.state = State(network.points, v)
    simulation.step()
    return simulation


@pytest.mark.combined
@pytest.mark.parametrize("damping", [0.0, 0.6])
@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "NEWTON", "LBFGS"])
@pytest.mark.parametrize("time_stepping", ["BACKWARD_EULER", "BDF2"])
@pytest.mark.parametrize("stiffness", [1e2, 1e6])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-8])
def test_the_tolerance_is_reached(
    taut_net, kicked, tolerance, stiffness, time_stepping, acceleration, damping
):
    # The stiff net needs thousands of iterations on the kept factor, so Newton's method has to finish.
    network = taut_net(stiffness=stiffness, damping=damping)
    simulation = Simulation(
        network,
        dt=DT,
        iterations=300,
        acceleration=acceleration,
        tolerance=tolerance,
        time_stepping=time_stepping,
    )
    simulation.state = State(network.points, kicked(network))
    for _ in range(3):
        simulation.step()
        assert simulation.diagnostics()["residual"] <= tolerance


@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "NEWTON", "LBFGS"])
@pytest.mark.parametrize("away", [0.0, 1e3])
def test_of_free_fall_nothing_is_left(acceleration, away):
    # Springs at rest and inertia alone: what rounding leaves is of both parts of the gradient, and no residual.
    network = SpringNetwork.grid((9, 9), 0.1)
    network = SpringNetwork(network.points + away, network.edges, masses=0.01, stiffness=1e4)
    falling = stepped(
        network,
        np.zeros((81, 3)),
        iterations=50,
        acceleration=acceleration,
        tolerance=1e-10,
        time_stepping="BDF2",
    )
    assert falling.diagnostics()["residual"] == 0.0
    assert_allclose(
        falling.state.x - network.points, [[0.0, 0.0, -9.81 * DT**2]] * 81, atol=1e-12 + 1e-15 * away
    )


@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "NEWTON", "LBFGS"])
def test_it_is_the_step_of_implicit_euler(taut_net, kicked, acceleration):
    network = taut_net(damping=0.3)
    converged = stepped(network, kicked(network), iterations=500, acceleration=acceleration, tolerance=1e-12)
    exact = Simulation(network, "IMPLICIT_EULER", dt=DT, newton_iterations=50, tolerance=1e-13)
    exact.state = State(network.points, kicked(network))
    exact.step()
    assert_allclose(converged.state.x, exact.state.x, rtol=0, atol=1e-10)


@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "LBFGS"])
def test_the_residual_tells_what_the_limit_left(taut_net, kicked, acceleration):
    network = taut_net(stiffness=1e6)
    short = stepped(network, kicked(network), iterations=5, acceleration=acceleration, tolerance=1e-10)
    assert short.diagnostics()["residual"] > 1e-10
    fixed = stepped(network, kicked(network), iterations=5, acceleration=acceleration)
    assert_allclose(short.state.x, fixed.state.x, rtol=0, atol=1e-12)


def test_a_loose_tolerance_saves_iterations(taut_net, kicked):
    network = taut_net()
    loose = stepped(network, kicked(network), iterations=200, tolerance=0.1)
    tight = stepped(network, kicked(network), iterations=200, tolerance=1e-9)
    assert 1e-9 < loose.diagnostics()["residual"] <= 0.1
    assert np.abs(loose.state.x - tight.state.x).max() > 1e-9


@pytest.mark.parametrize("tolerance", [-0.1, 1.0, np.nan])
def test_tolerance_out_of_range_is_named(taut_net, tolerance):
    with pytest.raises(ValueError, match=f"tolerance is {tolerance}: it must be at least 0 and below 1"):
        Simulation(taut_net(), dt=DT, tolerance=tolerance)


@pytest.mark.parametrize("name", EFFORTS)
def test_every_effort_runs_and_is_recognised(taut_net, kicked, name):
    network = taut_net()
    simulation = Simulation(network, dt=DT, **EFFORTS[name].settings)
    simulation.state = State(network.points, kicked(network))
    simulation.step()
    if EFFORTS[name].tolerance:
        assert simulation.diagnostics()["residual"] <= EFFORTS[name].tolerance

    class Settings:
        """Attributes, as Blender's settings have them."""

    for key, value in EFFORTS[name].settings.items():
        setattr(Settings, key, np.float32(value) if isinstance(value, float) else value)
    assert effort_of(Settings) == name
    Settings.substeps = 99
    assert effort_of(Settings) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [0.05, 0.3, 1.0])
def test_what_falls_free_is_solved_where_rounding_of_its_bending_is_more_than_its_energy(size):
    # Settling alone strains it, by ten-millionths: the energy that is left to gain is less than what rounding makes of
    # that of a flat sheet's bending.
    grid = SpringNetwork.grid((21, 21), size / 20)
    points = grid.points + np.array([0.0, 0.0, 0.36])
    network = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material())
    simulation = Simulation(network, dt=1 / 24, forces=Settling(), **EFFORTS["CONVERGED"].settings)
    for _ in range(6):
        simulation.step()
        assert simulation.diagnostics()["unsolved_substeps"] == 0
