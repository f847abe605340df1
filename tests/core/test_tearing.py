# SPDX-License-Identifier: GPL-3.0-or-later
"""Tearing: springs break beyond a strain, faces go with them, halves part, and no energy comes of it."""

import numpy as np
import pytest

from hooke.core import (
    INTEGRATORS,
    AirDrag,
    Material,
    Member,
    Plasticity,
    SelfCollision,
    Simulation,
    SpringNetwork,
    State,
    Together,
    Wind,
    Yield,
)
from hooke.core.strength_scatter import scattered
from hooke.core.topology import network_parts

DT = 1 / 24
TRUE = {"acceleration": "NEWTON", "time_stepping": "BDF2", "iterations": 3, "carried_stiffness": "ATTAINABLE"}
FREE = {"gravity": (0.0, 0.0, 0.0)}
SIDE = 9
# Always stable, and with an energy that is told.
TELLING = [name for name, of in INTEGRATORS.items() if of.stability_limit == np.inf and of.energy_told]


def sheet(tears_at=0.3, triangles=False, **more):
    """A sheet of 0.8 m, vertex (i, j) at 0.1 (i, j)."""
    along = 0.1 * np.arange(SIDE)
    points = np.array([(x, y, 0.0) for x in along for y in along])
    corner = np.array([i * SIDE + j for i in range(SIDE - 1) for j in range(SIDE - 1)])
    faces = np.column_stack([corner, corner + SIDE, corner + SIDE + 1, corner + 1])
    if triangles:
        faces = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    material = Material(stretch=200.0, shear=20.0, bending=1e-4, damping_ratio=0.1)
    return SpringNetwork.from_mesh(points, faces=faces, material=material, tears_at=tears_at, **more)


def ends():
    """Pin weights of the first and the last row."""
    pins = np.zeros(SIDE**2)
    pins[:SIDE] = pins[-SIDE:] = 1.0
    return pins


def pulled(simulation, frames=24, begin=0, by=0.05):
    """Pull the pinned ends apart, so far in every of the first 24 frames [m]."""
    points = simulation.network.points
    for frame in range(begin, begin + frames):
        targets = points.copy()
        targets[-SIDE:, 0] += by * min(frame + 1, 24)
        simulation.step(targets)


def energy(simulation):
    state = simulation.state
    return simulation.system.kinetic_energy(state) + simulation.integrator.elastic_energy(state.x, state.t)


def test_below_the_strain_nothing_breaks():
    simulation = Simulation(sheet(pins=ends()), dt=DT, substeps=7, **FREE, **TRUE)
    pulled(simulation, 4)
    assert 0.2 < simulation.network.strains(simulation.state.x).max() < 0.3
    assert not simulation.network.broken.any()


@pytest.mark.nightly
@pytest.mark.parametrize("triangles", [False, True])
def test_a_sheet_that_is_pulled_tears_in_two_and_its_halves_part(triangles):
    simulation = Simulation(sheet(pins=ends(), triangles=triangles), dt=DT, substeps=7, **FREE, **TRUE)
    pulled(simulation)
    network = simulation.network
    part = network_parts(network)
    assert part[0] != part[-1]
    # Most of it hangs on either end: it is no dust.
    assert np.isin(part, (part[0], part[-1])).mean() > 0.7
    x = simulation.state.x
    assert x[part == part[-1], 0].min() - x[part == part[0], 0].max() > 0.3
    # What nothing pulls any more has its own length again.
    pulled(simulation, 48, begin=24)
    assert network.strains(simulation.state.x).max() < 0.3


def test_the_faces_that_tear_are_those_with_a_broken_side_and_nothing_spans_them():
    simulation = Simulation(sheet(pins=ends()), dt=DT, substeps=7, **FREE, **TRUE)
    pulled(simulation)
    network, part = simulation.network, network_parts(simulation.network)
    polygons = network.tearing.surface.polygons
    quads = polygons.corners.reshape(-1, 4)
    torn = network.tearing.torn_faces(network.broken)
    assert torn.any() and (part[quads[~torn]] == part[quads[~torn]][:, :1]).all()
    assert len(network.surface.polygons.sizes) == (~torn).sum()
    left = {tuple(sorted(edge)) for edge in network.edges[~network.broken].tolist()}
    whole = {
        tuple(sorted((quad[a], quad[b])))
        for quad in quads[~torn].tolist()
        for a in range(4)
        for b in range(a)
    }
    assert left == whole
    joined = network.stencils.weights[:, :] != 0.0
    of = np.where(joined, part[network.stencils.vertices], -1)
    assert all(len(set(row[row >= 0])) <= 1 for row in of)


def test_of_a_strand_the_most_stretched_edge_breaks_alone():
    points = np.column_stack([np.arange(6), np.zeros(6), np.zeros(6)]) * 0.1
    edges = np.column_stack([np.arange(5), np.arange(1, 6)])
    pins = np.array([1.0, 0, 0, 0, 0, 1.0])
    network = SpringNetwork.from_mesh(
        points, edges, material=Material(line_stiffness=100.0), pins=pins, tears_at=0.2
    )
    simulation = Simulation(network, dt=DT, substeps=7, **FREE, **TRUE)
    for frame in range(12):
        targets = points.copy()
        targets[5, 0] += 0.02 * (frame + 1)
        simulation.step(targets)
    assert simulation.network.broken.sum() == 1
    assert len(simulation.network.surface.strands) == 4


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", TELLING)
def test_energy_only_falls_when_it_tears(integrator):
    options = TRUE if integrator == "PROJECTIVE_DYNAMICS" else {}
    network = sheet(tears_at=0.15)
    simulation = Simulation(network, integrator, dt=DT, substeps=7, **FREE, **options)
    x = network.points.copy()
    x[:, 0] += 0.6 * x[:, 0] ** 2
    simulation.state = State(x, np.zeros_like(x), 0.0)
    energies = [energy(simulation)]
    for _ in range(36):
        simulation.step()
        energies.append(energy(simulation))
    assert simulation.network.broken.any()
    assert (np.diff(energies) <= 0.01 * energies[0]).all()
    assert energies[-1] < 0.5 * energies[0]


def test_momentum_stays_when_it_tears():
    network = sheet(tears_at=0.15)
    simulation = Simulation(network, dt=DT, substeps=7, **FREE, **TRUE)
    x = network.points.copy()
    x[:, 0] += 0.6 * x[:, 0] ** 2
    simulation.state = State(x, np.zeros_like(x), 0.0)
    middle = network.masses @ x
    list(simulation.frames(24))
    assert simulation.network.broken.any()
    np.testing.assert_allclose(network.masses @ simulation.state.x, middle, atol=1e-9)


def made(**more):
    acting = {"forces": [AirDrag(), Wind(3.0)], "contacts": [SelfCollision(0.02)]}
    yields = Plasticity(Yield(0.1), Yield(1.0))
    network = sheet(pins=ends(), plasticity=yields)
    return Simulation(network, dt=DT, substeps=3, **acting, **TRUE, **more)


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize("at", [2, 12, 18])
def test_it_goes_on_from_a_snapshot_to_the_same_bits(at):
    whole = made()
    pulled(whole, at)
    snapshot = whole.snapshot()
    pulled(whole, 24 - at, begin=at)
    assert whole.network.broken.any()
    again = made()
    again.restore(snapshot)
    pulled(again, 24 - at, begin=at)
    assert np.array_equal(again.network.broken, whole.network.broken)
    assert np.array_equal(again.state.x, whole.state.x) and np.array_equal(again.state.v, whole.state.v)


@pytest.mark.newest
def test_it_is_whole_again_from_a_snapshot_of_before():
    simulation = made()
    pulled(simulation, 2)
    snapshot = simulation.snapshot()
    pulled(simulation, 22, begin=2)
    end = simulation.state.x
    simulation.restore(snapshot)
    assert not simulation.network.broken.any()
    assert len(simulation.network.surface.polygons.sizes) == (SIDE - 1) ** 2
    pulled(simulation, 22, begin=2)
    assert np.array_equal(simulation.state.x, end)


def test_what_is_torn_feels_no_wind_on_what_is_gone():
    network = sheet(pins=ends())
    simulation = Simulation(network, dt=DT, substeps=3, forces=[AirDrag()], **FREE, **TRUE)
    side = network.edges[:, 1] - network.edges[:, 0] == SIDE
    broken = side & (network.edges[:, 0] // SIDE == 4)
    simulation.change(broken=broken)
    faces = simulation.system.resisting[0].body.triangles
    assert len(faces) == 2 * (SIDE - 1) * (SIDE - 2)
    assert not ((faces // SIDE == 4).any(axis=1) & (faces // SIDE == 5).any(axis=1)).any()


def test_what_tears_is_not_simulated_with_others():
    with pytest.raises(ValueError, match="cannot tear"):
        Together([Member(sheet()), Member(sheet(None))], dt=DT)


@pytest.mark.parametrize("strain", [0.0, -0.1, np.nan])
def test_what_is_no_strain_is_refused(strain):
    with pytest.raises(ValueError, match="breaking strain"):
        sheet(strain)


def test_it_tears_where_it_bears_least_though_all_is_pulled_alike():
    bears = np.full(SIDE**2, 0.3)
    # The two columns of vertices to either side of the line between x = 0.5 and 0.6.
    bears[5 * SIDE : 7 * SIDE] = 0.15
    network = sheet(bears, pins=ends())
    along = network.edges[:, 1] - network.edges[:, 0] == SIDE
    weak = along & (network.edges[:, 0] // SIDE == 5)
    np.testing.assert_allclose(network.tearing.strain[weak], 0.15)
    np.testing.assert_allclose(network.tearing.strain[network.edges[:, 1] < 5 * SIDE], 0.3)
    simulation = Simulation(network, dt=DT, substeps=7, **FREE, **TRUE)
    pulled(simulation, 5)
    broken = simulation.network.broken
    assert broken[weak].all()
    # What is broken beside them only crosses the faces between these rows.
    rows = np.sort(network.edges[broken] // SIDE, axis=1)
    assert (rows >= 5).all() and (rows <= 6).all()
    part = network_parts(simulation.network)
    assert part[5 * SIDE] == part[0] != part[-1] == part[6 * SIDE]


@pytest.mark.parametrize("bears", [np.full(SIDE**2, 0.2), 0.2])
def test_one_strain_is_that_of_every_vertex(bears):
    np.testing.assert_allclose(sheet(bears).tearing.strain, 0.2)


def test_strains_of_other_vertices_are_refused():
    with pytest.raises(ValueError, match="breaking strain has shape"):
        sheet(np.full(4, 0.2))


@pytest.mark.parametrize("scatter", [0.05, 0.2, 0.5])
def test_strength_scatters_about_the_same_mean(scatter):
    edges = np.column_stack([np.arange(40_000), np.arange(40_000) + 1])
    strength = scattered(edges, scatter)
    # Standard errors of 40,000 draws: scatter / 200 of the mean, about as much of the scatter itself.
    assert abs(strength.mean() - 1.0) < 4.0 * scatter / 200.0
    assert abs(strength.std() / scatter - 1.0) < 0.03
    # Weibull's distribution: of those weaker than s the share is 1 - exp(-(s/s0)^m), a line in double logarithms.
    s = np.sort(strength)
    share = (np.arange(len(s)) + 0.5) / len(s)
    inner = slice(len(s) // 50, -len(s) // 50)
    line = np.polyfit(np.log(s[inner]), np.log(-np.log1p(-share[inner])), 1, full=True)
    assert line[1][0] / len(s) < 1e-3


def test_strength_is_the_same_whichever_way_round_and_each_time():
    edges = np.array([[0, 1], [7, 3], [2, 9]])
    strength = scattered(edges, 0.3)
    assert (scattered(edges[::-1, ::-1], 0.3)[::-1] == strength).all() and len(set(strength)) == 3


def test_without_scatter_every_spring_bears_what_is_set():
    network = sheet(0.3)
    assert (network.tearing.strain == 0.3).all()


def test_a_tear_begins_at_the_weakest_spring_and_leaves_the_line():
    simulation = Simulation(sheet(0.3, pins=ends(), tear_scatter=0.3), dt=DT, **FREE)
    first = simulation.network.tearing.strain
    pulled(simulation)
    broken = simulation.network.broken
    across = np.abs(np.diff(simulation.network.edges, axis=1)[:, 0]) == SIDE
    rows = simulation.network.edges[broken & across].min(axis=1) // SIDE
    assert len(set(rows.tolist())) > 1
    assert first[broken & across].mean() < first[across].mean()


@pytest.mark.parametrize("scatter", [-0.1, 1.5, np.nan])
def test_a_scatter_out_of_range_is_refused(scatter):
    with pytest.raises(ValueError, match="scatter of the strength"):
        sheet(0.3, tear_scatter=scatter)
