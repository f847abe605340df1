# SPDX-License-Identifier: GPL-3.0-or-later
"""Plasticity: what is strained beyond its yield stays so, below it nothing does, and no energy comes of it."""

import numpy as np
import pytest

from hooke.core import (
    BODIES,
    INTEGRATORS,
    Material,
    Member,
    Plasticity,
    Simulation,
    SpringNetwork,
    State,
    Together,
    Yield,
)
from hooke.core.topology import lattice_faces, lattice_points

DT = 1 / 24
TRUE = {"acceleration": "NEWTON", "time_stepping": "BDF2", "iterations": 3}
FREE = {"gravity": (0.0, 0.0, 0.0)}
AT_ONCE = 1e3


def strand(count=2, length=1.0, pin=1.0, **yields):
    """A strand along x, of edges of one length, all of it pinned."""
    points = np.zeros((count, 3))
    points[:, 0] = length * np.arange(count)
    edges = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    material = Material(line_stiffness=100.0, line_bending=1.0, damping_ratio=0.5)
    plasticity = Plasticity(**yields) if yields else None
    return SpringNetwork.from_mesh(
        points, edges, material=material, pins=np.full(count, pin), pin_stiffness=1e6, plasticity=plasticity
    )


def stretched_by(strain, hardening=0.0, rate=AT_ONCE, frames=12):
    """Strain that stays of a spring that pins stretch, hold and bring back."""
    network = strand(stretch=Yield(0.1, rate, hardening))
    simulation = Simulation(network, dt=DT, substeps=3, **FREE, **TRUE)
    out = network.points * [[1.0 + strain, 1.0, 1.0]]
    for _ in range(frames):
        simulation.step(out)
    return simulation


@pytest.mark.parametrize("strain", [0.05, 0.099, -0.05, -0.099])
def test_below_the_yield_nothing_stays(strain):
    simulation = stretched_by(strain)
    assert np.array_equal(simulation.network.rest_lengths, [1.0])
    assert np.array_equal(simulation.network.plastic, [1.0])


@pytest.mark.combined
@pytest.mark.parametrize("hardening", [0.0, 0.5])
@pytest.mark.parametrize("strain", [0.3, 1.0, -0.3])
def test_beyond_it_stays_what_the_yield_and_hardening_leave_and_so_it_does_unloaded(strain, hardening):
    simulation = stretched_by(strain, hardening, frames=80)
    rest, length = simulation.network.rest_lengths[0], 1.0 + strain
    assert abs(length - rest) == pytest.approx(0.1 + hardening * abs(rest - 1.0), rel=1e-6)
    for _ in range(24):
        simulation.step(simulation.network.points * [[rest, 1.0, 1.0]])
    assert simulation.network.rest_lengths[0] == rest
    assert simulation.system.elastic_energy(simulation.state.x, 0.0) == pytest.approx(0.0, abs=1e-9)


def test_it_flows_with_its_rate():
    rate, frames = 3.0, 12
    simulation = stretched_by(0.5, rate=rate, frames=frames)
    left = (1.4 - simulation.network.rest_lengths[0]) / 0.4
    # It is seen from the second frame on.
    assert left == pytest.approx(np.exp(-rate * (frames - 1) * DT), rel=1e-9)


def bent_by(radius, frames=40):
    """A strand of five points that pins lay on a circle."""
    network = strand(5, 0.1, 0.9, bending=Yield(1.0, AT_ONCE))
    simulation = Simulation(network, dt=DT, substeps=3, **FREE, **TRUE)
    angle = 0.1 / radius * (np.arange(5) - 2.0)
    arc = radius * np.column_stack([np.sin(angle), 0.0 * angle, 1.0 - np.cos(angle)]) + [0.2, 0.0, 0.0]
    for _ in range(frames):
        simulation.step(arc)
    return simulation


def test_what_is_bent_less_than_the_yield_is_straight_again():
    assert bent_by(1.2).network.stencils.rest_lengths.max() < 1e-8


@pytest.mark.sampled(2)
@pytest.mark.parametrize("radius", [0.5, 0.25])
def test_what_is_bent_more_stays_bent_by_what_is_beyond(radius):
    simulation = bent_by(radius)
    bent = simulation.network.stencils.lengths(simulation.state.x)
    assert bent == pytest.approx(1.0 / radius, rel=0.03)
    np.testing.assert_allclose(simulation.network.stencils.rest_lengths, bent - 1.0, rtol=5e-3)
    for _ in range(10):
        simulation.step(simulation.network.points)
    # Laid straight, but for what soft pins give way, it is bent back, and keeps what is within the yield of it.
    laid = simulation.network.stencils.lengths(simulation.state.x)
    assert laid.max() < 0.02
    np.testing.assert_allclose(
        simulation.network.stencils.rest_lengths, np.minimum(bent - 1.0, laid + 1.0), rtol=5e-3
    )


def test_no_factor_is_made_by_what_yields():
    simulation = bent_by(0.25, frames=3)
    factor = simulation.integrator.matrix
    for _ in range(3):
        simulation.step(simulation.network.points)
    assert simulation.integrator.matrix is factor


def sheet(plasticity, **more):
    along = np.linspace(0.0, 1.0, 7)
    points = np.array([(x, y, 0.0) for x in along for y in along])
    corner = [i * 7 + j for i in range(6) for j in range(6)]
    faces = [(i, i + 1, i + 8, i + 7) for i in corner]
    material = Material(stretch=200.0, shear=50.0, bending=1e-3)
    return SpringNetwork.from_mesh(points, faces=faces, material=material, plasticity=plasticity, **more)


SOFT = Plasticity(Yield(0.02, 20.0, 0.1), Yield(2.0, 20.0, 0.1))


def crumpled(network):
    """Positions of a sheet that is pulled and folded."""
    rng = np.random.default_rng(1)
    return network.points * [1.3, 0.8, 1.0] + rng.normal(scale=0.05, size=network.points.shape)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "integrator",
    [name for name, of in INTEGRATORS.items() if of.stability_limit == np.inf and of.energy_told],
)
def test_energy_only_falls(integrator):
    options = TRUE if integrator == "PROJECTIVE_DYNAMICS" else {}
    network = sheet(SOFT)
    simulation = Simulation(network, integrator, dt=DT, substeps=3, **FREE, **options)
    simulation.state = State(crumpled(network), np.zeros_like(network.points), 0.0)
    energies = []
    for _ in range(48):
        state = simulation.state
        energies.append(
            simulation.system.kinetic_energy(state) + simulation.integrator.elastic_energy(state.x, state.t)
        )
        simulation.step()
    assert (np.diff(energies) <= 0.01 * energies[0]).all()
    assert energies[-1] < 0.9 * energies[0]
    assert np.abs(simulation.network.plastic - 1.0).max() > 0.01


def test_no_flow_raises_the_energy_of_any_spring():
    network = sheet(Plasticity(Yield(0.02, AT_ONCE), Yield(2.0, AT_ONCE)))
    x = crumpled(network)
    simulation = Simulation(network, dt=DT)
    flowed = network.changed(**simulation.changing.of_frame(network, x, DT, DT))
    assert (flowed.springs.energies(x) <= network.springs.energies(x) * (1.0 + 1e-12)).all()
    assert flowed.springs.energies(x).sum() < 0.9 * network.springs.energies(x).sum()


def test_it_goes_on_from_a_snapshot_to_the_same_bits():
    def made():
        return Simulation(sheet(SOFT, pins=[0, 6]), dt=DT, substeps=3, **TRUE)

    whole = made()
    whole.state = State(crumpled(whole.network), np.zeros_like(whole.network.points), 0.0)
    list(whole.frames(5))
    snapshot = whole.snapshot()
    list(whole.frames(5))
    again = made()
    again.restore(snapshot)
    assert np.array_equal(again.network.plastic, snapshot["plastic"])
    list(again.frames(5))
    assert np.array_equal(again.state.x, whole.state.x)
    assert np.array_equal(again.network.stencils.rest_lengths, whole.network.stencils.rest_lengths)


def test_lengths_that_are_keyed_and_what_yields_multiply():
    network = strand(stretch=Yield(0.1, AT_ONCE))
    keyed = {"rest_lengths": lambda t: np.array([1.0 if t < 1.0 else 2.0])}
    simulation = Simulation(network, dt=DT, substeps=3, quantities=keyed, **FREE, **TRUE)
    for _ in range(20):
        simulation.step(network.points * [[1.5, 1.0, 1.0]])
    stays = simulation.network.plastic[0]
    assert simulation.network.rest_lengths[0] == stays == pytest.approx(1.4, rel=1e-6)
    for _ in range(8):
        simulation.step(network.points * [[2.0 * stays, 1.0, 1.0]])
    assert simulation.network.rest_lengths[0] == pytest.approx(2.0 * simulation.network.plastic[0])


def test_together_each_yields_as_it_does_alone():
    own, other = sheet(SOFT, pins=[0, 6]), sheet(None, pins=[0])
    together = Together([Member(other), Member(own)], dt=DT, substeps=3, **TRUE)
    start = np.concatenate([other.points, crumpled(own)])
    together.state = State(start, np.zeros_like(start), 0.0)
    list(together.frames(6))
    assert (together.network.plastic[: other.spring_count] == 1.0).all()
    assert np.abs(together.network.plastic[other.spring_count :] - 1.0).max() > 0.01
    assert together.network.stencils.rest_lengths[: len(other.stencils)].max() == 0.0
    assert together.network.stencils.rest_lengths[len(other.stencils) :].max() > 0.1


@pytest.mark.parametrize("kind", ["CLOTH", "SOLID"])
def test_sheets_and_solids_yield(kind):
    side = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    more = {"modulus": 1e4, "cells": 64} if kind == "SOLID" else {"material": Material()}
    body = BODIES[kind].from_mesh(side, faces=faces, plasticity=SOFT, **more)
    simulation = Simulation(body, dt=DT, substeps=3, **FREE, **TRUE)
    network = simulation.network
    simulation.state = State(network.points * [1.0, 1.0, 0.6], np.zeros_like(network.points), 0.0)
    list(simulation.frames(24))
    assert simulation.network.plastic.min() < 0.95


@pytest.mark.parametrize("values", [(-0.1,), (0.1, -1.0), (0.1, 1.0, -1.0), (np.nan,)])
def test_what_is_no_yield_is_refused(values):
    with pytest.raises(ValueError, match="of a yield"):
        Yield(*values)


def test_what_is_bent_for_good_vibrates_no_faster_where_it_lies_flat():
    # How long a stencil is there is rounding, and the length at rest that it keeps 1e15 times that.
    points, faces = lattice_points((21, 21, 1), 0.05), lattice_faces((21, 21, 1))
    network = SpringNetwork.from_mesh(points, faces=faces, material=Material(), plasticity=Plasticity())
    bent = np.array(network.stencils.rest_lengths)
    bent[network.yielding.bent] = 5.0
    flat = network.changed(stencil_rest_lengths=bent).spectrum.frequency
    elastic = SpringNetwork.from_mesh(points, faces=faces, material=Material())
    assert flat == pytest.approx(elastic.spectrum.frequency, rel=0.01)
