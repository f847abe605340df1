# SPDX-License-Identifier: GPL-3.0-or-later
"""What every force of the catalogue keeps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import FORCES, INTEGRATORS, Cloth, Simulation, SpringNetwork, State
from hooke.core.forces import Drag

RESISTING = [id for id, cls in FORCES.items() if cls.resists]
STILL = [id for id in RESISTING if not FORCES[id]().carries]


@pytest.fixture
def sheet():
    return SpringNetwork.grid((5, 4), 0.3, mass=0.4, pins=[0, 3])


@pytest.fixture
def v(sheet):
    return np.random.default_rng(1).normal(size=sheet.points.shape)


@pytest.mark.parametrize("id", FORCES)
def test_force_is_described_and_made_without_arguments(id, sheet, v):
    force = FORCES[id]()
    assert force.label and force.description
    on_sheet = force.on(Cloth(sheet))
    f = on_sheet(sheet.points, v, 0.0)
    assert f.shape == sheet.points.shape
    assert np.isfinite(f).all() and f.any()
    assert not hasattr(force, "body")


@pytest.mark.parametrize("id", [id for id, cls in FORCES.items() if hasattr(cls, "energy")])
def test_force_is_minus_the_gradient_of_its_energy(id, sheet, v):
    force, step = FORCES[id]().on(Cloth(sheet)), 1e-6
    x = sheet.points + 0.05 * v
    for place in ((0, 0), (7, 1), (19, 2)):
        there, back = x.copy(), x.copy()
        there[place] += step
        back[place] -= step
        slope = (force.energy(there) - force.energy(back)) / (2 * step)
        assert force(x, v, 0.0)[place] == pytest.approx(-slope, rel=1e-6, abs=1e-8)


@pytest.mark.combined
@pytest.mark.parametrize("id", FORCES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_one_force_or_several(id, integrator, sheet):
    runs = [Simulation(sheet, integrator, dt=1e-3, forces=given) for given in (FORCES[id](), [FORCES[id]()])]
    without = Simulation(sheet, integrator, dt=1e-3)
    for _ in range(5):
        for simulation in (*runs, without):
            simulation.step()
    assert_array_equal(runs[0].state.x, runs[1].state.x)
    assert np.abs(runs[0].state.x - without.state.x).max() > 1e-9


@pytest.mark.parametrize("id", RESISTING)
def test_what_resists_begins_as_its_force(id, sheet, v):
    force = FORCES[id]().on(Cloth(sheet))
    free = sheet.pins < 1.0
    v[~free] = 0.0
    dt = 1e-8
    change = sheet.masses[:, None] * (force.slowed(sheet.points, v, 0.0, dt) - v) / dt
    # What a step of 1e-8 s loses to what the velocity changes in it, and the rounding of v over dt.
    assert_allclose(change[free], force(sheet.points, v, 0.0)[free], rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("id", STILL)
def test_what_resists_adds_no_energy_at_any_step(id, sheet, v):
    force = FORCES[id]().on(Cloth(sheet))
    masses = sheet.masses[:, None]
    free = sheet.pins < 1.0
    v[~free] = 0.0
    for speed in (1e-3, 1.0, 1e3):
        for dt in (1e-6, 1e-2, 1e2, 1e6):
            after = force.slowed(sheet.points, speed * v, 0.0, dt)
            # A field that only turns velocities rounds.
            assert np.sum(masses * after**2) <= np.sum(masses * (speed * v) ** 2) * (1 + 1e-14)
            assert_array_equal(after[~free], speed * v[~free])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("id", STILL)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_resists_never_adds_energy_to_a_step(id, integrator, sheet):
    # Whatever the method made of a step, the force adds no kinetic energy to it: violent motion, at frame-long steps.
    network = SpringNetwork.grid((5, 4), 0.3, mass=0.004, stiffness=1e-4)
    simulation = Simulation(network, integrator, dt=1 / 24, forces=FORCES[id]())
    v = 50.0 * np.random.default_rng(2).normal(size=network.points.shape)
    simulation.state = State(network.points, v, 0.0)
    energies = []
    taken = simulation.system.resisted

    def recorded(state, dt):
        after = taken(state, dt)
        energies.append([float(np.sum(network.masses[:, None] * s.v**2)) for s in (state, after)])
        return after

    simulation.system.resisted = recorded
    for _ in range(24):
        simulation.step()
    before, after = np.array(energies).T
    assert (after <= before * (1 + 1e-14)).all()


def test_what_a_drag_varies_by_is_of_both_its_constants():
    network = SpringNetwork.grid((5, 4), 0.3, mass=0.4)
    v = np.tile([0.6, 0.0, 0.8], (network.vertex_count, 1))
    # Of unit speed, so that both constants count alike.
    force = Drag(10.0, linear=lambda t: -1e9, variation=3.0)
    alike = Drag(10.0, linear=10.0, variation=3.0)
    quadratic, both = (each.on(Cloth(network))(network.points, v, 1.0) for each in (force, alike))
    assert_allclose(both, 2.0 * quadratic, rtol=1e-12)
    assert np.ptp(quadratic[:, 0]) > 0.0
