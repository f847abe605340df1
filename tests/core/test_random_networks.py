# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks nobody would draw: whatever goes in, finite numbers or one clear error come out."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.diagnostics import safe_dt

from .drawn import drawn


def variants():
    """Every method as it comes, and with Newton's method or a secant where it has it."""
    for id, cls in INTEGRATORS.items():
        yield pytest.param(id, {}, id=id)
        if "newton_iterations" in cls.options:
            yield pytest.param(id, {"newton_iterations": 8}, id=f"{id}-NEWTON")
        if "acceleration" in cls.options:
            yield pytest.param(id, {"acceleration": "SECANT", "iterations": 1}, id=f"{id}-SECANT")


VARIANTS = list(variants())
ALWAYS = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf]
LIMITED = [id for id, cls in INTEGRATORS.items() if 0 < cls.stability_limit < np.inf]

# A coarse raster, so that points coincide and springs have no length.
COORDINATES = st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0, 1e-9, 1e-170])
ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)


def lists(values, count):
    return st.lists(values, min_size=count, max_size=count)


@st.composite
def extreme_networks(draw):
    """Up to six vertices: masses over six orders of magnitude, stiffness and damping over eight."""
    vertex_count = draw(st.integers(1, 6))
    vertex = st.integers(0, vertex_count - 1)
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=10))
    edges = [pair for pair in pairs if pair[0] != pair[1]]
    count = len(edges)
    return SpringNetwork(
        draw(lists(st.tuples(COORDINATES, COORDINATES, COORDINATES), vertex_count)),
        edges,
        masses=10.0 ** np.array(draw(lists(st.integers(-3, 3), vertex_count))),
        stiffness=10.0 ** np.array(draw(lists(st.integers(-2, 6), count)), dtype=float),
        rest_lengths=draw(st.one_of(st.none(), lists(st.sampled_from([0.0, 1e-9, 0.5, 2.0]), count))),
        damping=draw(lists(st.sampled_from([0.0, 0.0, 1e-4, 1.0, 1e4]), count)),
        pins=draw(lists(st.sampled_from([0.0, 0.0, 1e-6, 0.5, 1.0]), vertex_count)),
        pin_stiffness=10.0 ** draw(st.integers(-2, 6)),
    )


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("integrator", "options"), VARIANTS)
@drawn(40)
@given(
    network=extreme_networks(),
    dt=st.sampled_from([1e-4, 1 / 24, 1.0, 100.0]),
    substeps=st.integers(1, 3),
    speed=st.sampled_from([0.0, 1.0, 1e3]),
    moved=st.sampled_from([None, 0.0, 1.0, 1e3]),
)
def test_extreme_networks_end_finite_or_diverged(integrator, options, network, dt, substeps, speed, moved):
    simulation = Simulation(network, integrator, dt=dt, substeps=substeps, **options)
    rng = np.random.default_rng(0)
    simulation.state = State(network.points, speed * rng.normal(size=network.points.shape), 0.0)
    targets = None if moved is None else network.points + moved
    try:
        for _ in range(6):
            simulation.step(targets)
            if targets is not None:
                np.testing.assert_array_equal(
                    simulation.state.x[network.hard_pins], targets[network.hard_pins]
                )
    except SimulationDiverged:
        pass
    assert np.isfinite(simulation.state.x).all()
    assert np.isfinite(simulation.state.v).all()
    assert not any(np.isnan(value) for value in simulation.diagnostics().values())


def assume_visible(network):
    """A net of nanometres stretches under its weight to what a simulation calls a runaway."""
    assume(max(np.ptp(network.points, axis=0).max(), network.rest_lengths.max(initial=0.0)) > 0.1)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("integrator", "options"), [v for v in VARIANTS if v.values[0] in ALWAYS])
@drawn(30)
@given(network=extreme_networks(), dt=st.sampled_from([1e-4, 1 / 24, 1.0]))
def test_unconditionally_stable_methods_never_diverge_from_rest(integrator, options, network, dt):
    assume_visible(network)
    simulation = Simulation(network, integrator, dt=dt, **options)
    for _ in range(6):
        simulation.step()
    assert np.isfinite(simulation.state.x).all()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", LIMITED)
@drawn(30)
@given(network=extreme_networks())
def test_below_its_stable_step_no_method_diverges(integrator, network):
    assume_visible(network)
    method = Simulation(network, integrator, dt=1.0).integrator
    dt = safe_dt(network, method.stability_limit, method.damping_limit)
    simulation = Simulation(network, integrator, dt=0.5 * min(dt, 1.0))
    for _ in range(25):
        simulation.step()
    assert np.isfinite(simulation.state.x).all()


@drawn(100)
@given(
    points=st.lists(st.tuples(ANY_FLOAT, ANY_FLOAT, ANY_FLOAT), max_size=4),
    edges=st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), max_size=4),
    masses=st.one_of(ANY_FLOAT, st.lists(ANY_FLOAT, max_size=4)),
    stiffness=st.one_of(ANY_FLOAT, st.lists(ANY_FLOAT, max_size=4)),
    pins=st.one_of(ANY_FLOAT, st.lists(ANY_FLOAT, max_size=4)),
)
def test_any_numbers_make_a_valid_network_or_an_error(points, edges, masses, stiffness, pins):
    try:
        with np.errstate(over="ignore"):
            network = SpringNetwork(points, edges, masses=masses, stiffness=stiffness, pins=pins)
    except ValueError as error:
        assert len(str(error)) > 20
        return
    assert np.isfinite(network.points).all()
    assert np.isfinite(network.rest_lengths).all()
    assert np.isfinite(network.masses).all()
    assert (network.masses > 0).all()
    assert (network.stiffness > 0).all()
    assert ((network.pins >= 0) & (network.pins <= 1)).all()
