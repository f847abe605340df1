# SPDX-License-Identifier: GPL-3.0-or-later
"""What closed surfaces enclose: pressure and the volume that is kept, their energy, and what they do to skins."""

from copy import copy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import (
    EFFORTS,
    INTEGRATORS,
    Inside,
    Material,
    Member,
    Plane,
    Settling,
    Simulation,
    SpringNetwork,
    Together,
    forces,
)
from hooke.core.stencils import Enclosures

from .surfaces import beside, octasphere

DT = 1.0 / 24.0
OPEN = octasphere(1)[0], octasphere(1)[1][1:]
COTTON = Material()
IMPLICIT = [id for id, cls in INTEGRATORS.items() if cls.stability_limit == np.inf and cls.bends]


def ball(inside, radius=0.25, levels=3, **quantities):
    points, faces = octasphere(levels)
    return SpringNetwork.from_mesh(
        radius * points, faces=faces, inside=inside, **{"material": COTTON, **quantities}
    )


# Of the vertices of a ball of 2 levels.
ONE_SIDED = (octasphere(2)[0][:, 0] > 0.0).astype(float)


def volume(network, x):
    return network.enclosure_operators.volumes(np.ascontiguousarray(x.T))[0]


def run(network, frames, effort="STANDARD", **arguments):
    simulation = Simulation(network, dt=DT, forces=Settling(), **EFFORTS[effort].settings, **arguments)
    return simulation, list(simulation.frames(frames))


@pytest.mark.parametrize(
    "inside",
    [Inside(300.0), Inside(-300.0), Inside(0.0, 1e5, 0.9), Inside(50.0, 1e4)],
    ids=["pressure", "suction", "kept", "both"],
)
@pytest.mark.parametrize("scale", [1.0, 2.2, 3.6, 0.2], ids=["rest", "blown", "beyond", "flat"])
def test_the_gradient_is_the_energy_s_and_keeps_momentum(inside, scale):
    operators = ball(inside, levels=1).enclosure_operators
    rng = np.random.default_rng(3)
    x = scale * (0.25 * octasphere(1)[0].T + 0.02 * rng.normal(size=(3, 18))) + [[5.0], [1.0], [-3.0]]
    way = rng.normal(size=x.shape)
    gradient = np.zeros_like(x)
    assert (
        operators.add_gradient(x, gradient) == pytest.approx(operators.energy(x))
        and operators.energy(x) >= 0.0
    )
    change = operators.energy(x + 1e-6 * way) - operators.energy(x - 1e-6 * way)
    assert (gradient * way).sum() == pytest.approx(change / 2e-6, rel=1e-5, abs=1e-5)
    size = np.abs(gradient).max()
    assert_allclose(gradient.sum(axis=1), 0.0, atol=1e-9 * size)
    assert_allclose(np.cross(x.T, gradient.T).sum(axis=0), 0.0, atol=1e-8 * size)


@pytest.mark.parametrize("inside", [Inside(3000.0), Inside(0.0, 1e5, 1.02)], ids=["pressure", "kept"])
def test_what_stands_for_the_second_derivative_bounds_it_with_half_of_the_springs(inside):
    network = ball(inside, levels=2)
    operators, count = network.enclosure_operators, network.vertex_count
    x = 1.01 * network.points.T
    operators.add_gradient(x, np.zeros_like(x))
    elsewhere, (whole, true) = copy(operators), np.zeros((2, 3 * count, 3 * count))
    for column in range(3 * count):
        p = np.zeros(3 * count)
        p[column] = 1.0
        p = p.reshape(3, count)
        product, ends = np.zeros_like(p), np.zeros((2, 3, count))
        operators.add_product(p, product)
        whole[column] = product.ravel()
        for sign, end in zip((1.0, -1.0), ends, strict=True):
            elsewhere.add_gradient(x + sign * 1e-6 * p, end)
        true[column] = ((ends[0] - ends[1]) / 2e-6).ravel()
    assert_allclose(whole, whole.T, atol=1e-9 * np.abs(whole).max())
    incidence = network.edge_incidence.matrix()
    springs = np.kron(np.eye(3), (incidence.T @ (network.stiffness[:, None] * incidence.toarray())))
    least = np.linalg.eigvalsh(whole + 0.5 * springs - 0.5 * (true + true.T))[0]
    # Rotations, which pressure alone turns with the surface: the skin's tension is what holds them.
    assert least > -0.05 * np.abs(whole).max()


@pytest.mark.newest
def test_a_balloon_s_skin_bears_what_its_pressure_presses_with():
    network = ball(Inside(1000.0), radius=0.5)
    simulation, _ = run(network, 36, gravity=(0, 0, 0))
    x = simulation.state.x
    # Blown up as a whole nothing is gained: 3 p V = sum of tension times length.
    lengths = network.spring_lengths(x)
    borne = float(np.sum(network.stiffness * (lengths - network.rest_lengths) * lengths))
    assert borne == pytest.approx(3.0 * 1000.0 * volume(network, x), rel=2e-3)
    assert volume(network, x) > 1.05 * volume(network, network.points)


def drum(weight, inside):
    """A cylinder of cloth that stands on its pinned bottom, with a lid of so much weight [N] per area."""
    around, rings, radius, height = 24, 7, 0.2, 0.3
    angle = 2.0 * np.pi * np.arange(around) / around
    ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(around)])
    levels = [np.add(ring, (0.0, 0.0, z)) for z in np.linspace(0.0, height, rings)]
    points = np.concatenate([*levels, [[0, 0, 0], [0, 0, height]]])
    bottom, lid = len(points) - 2, len(points) - 1
    faces = []
    for level in range(rings - 1):
        for i in range(around):
            a, b = level * around + i, level * around + (i + 1) % around
            faces += [[a, b, b + around], [a, b + around, a + around]]
    top = (rings - 1) * around
    faces += [[(i + 1) % around, i, bottom] for i in range(around)]
    faces += [[top + i, top + (i + 1) % around, lid] for i in range(around)]
    made = SpringNetwork.from_mesh(points, faces=faces, material=COTTON)
    masses = made.masses.copy()
    area = 0.5 * around * radius**2 * np.sin(2.0 * np.pi / around)
    # Of a triangle of the lid every corner has a third.
    masses[top : top + around] = 2.0 / 3.0 * weight * area / around / 9.81
    masses[lid] = weight * area / 3.0 / 9.81
    network = SpringNetwork(
        points,
        made.edges,
        masses=masses,
        stiffness=20.0 * made.stiffness,
        pins=[*range(around), bottom],
        surface=made.surface,
        enclosures=None if inside is None else Enclosures.of(points, made.surface.triangles, inside),
    )
    return network, slice(top, top + around), area


@pytest.mark.nightly
def test_pressure_times_area_balances_weight():
    heights = []
    for pressure in (495.0, 500.0, 505.0):
        network, rim, area = drum(500.0, Inside(pressure))
        simulation, frames = run(network, 48)
        x = frames[-1]
        assert np.abs(simulation.state.v).max() < 1e-2
        heights.append(x[-1, 2] - 0.3)
        if pressure == 500.0:
            # What the wall pulls the lid down, or presses it up, with.
            level = network.points[network.edges][:, :, 2]
            crossing = (level.min(axis=1) < 0.299) & (level.max(axis=1) > 0.299)
            u = np.diff(x[network.edges[crossing]], axis=1)[:, 0]
            lengths = np.linalg.norm(u, axis=1)
            tension = network.stiffness[crossing] * (lengths - network.rest_lengths[crossing])
            assert abs(float(np.sum(tension * np.abs(u[:, 2]) / lengths))) < 0.02 * 500.0 * area
            assert_allclose(x[rim, 2], 0.3, atol=1e-4)
    # The lid's middle is level at that pressure, and sinks or rises where it is one percent off.
    assert heights[0] < -1e-3 and abs(heights[1]) < 1e-4 and heights[2] > 1e-3


@pytest.mark.nightly
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
def test_a_ball_that_keeps_its_volume_keeps_it_where_it_falls(effort):
    points, faces = octasphere(3)
    network = SpringNetwork.from_mesh(
        0.25 * points + [0, 0, 0.4], faces=faces, material=COTTON, inside=Inside(0.0, 1e5)
    )
    rest = volume(network, network.points)
    _, frames = run(network, 30, effort, contacts=Plane((0, 0, 0)))
    shares = [volume(network, x) / rest for x in frames]
    assert max(abs(share - 1.0) for share in shares) < 0.02
    assert min(x[:, 2].min() for x in frames) < 0.01


@pytest.mark.nightly
@pytest.mark.parametrize(("share", "bulk"), [(0.6, 1e5), (1.3, 1e6)])
def test_a_share_of_the_volume_is_what_is_kept(share, bulk):
    network = ball(Inside(0.0, bulk, share))
    _, frames = run(network, 48, gravity=(0, 0, 0))
    assert volume(network, frames[-1]) == pytest.approx(share * volume(network, network.points), rel=0.02)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("integrator", [id for id, cls in INTEGRATORS.items() if cls.bends])
def test_all_methods_agree_on_a_balloon(integrator):
    network = ball(Inside(200.0), radius=0.5, levels=1, material=None, mass=1.0, stiffness=500.0)
    # Steps of 0.2 ms, of which a breath takes 500: to first order they are off by a phase of 2 pi / 500 each way.
    first_order = INTEGRATORS[integrator].order == 1
    fine, tolerance = (200, 0.15) if first_order else (60, 0.02)
    simulation = Simulation(network, integrator, dt=0.04, substeps=fine, gravity=(0, 0, 0))
    simulation.step()
    reference = Simulation(network, "RK4", dt=0.04, substeps=200, gravity=(0, 0, 0))
    reference.step()
    way = reference.state.x - network.points
    assert np.abs(way).max() > 0.005
    assert_allclose(simulation.state.x - network.points, way, atol=tolerance * np.abs(way).max())


def test_pressure_changes_without_a_new_factor_and_goes_on_from_a_snapshot_to_the_same_bits():
    network = ball(Inside(100.0))
    simulation, _ = run(network, 4)
    factor = simulation.integrator.matrix
    simulation.change(pressure=800.0)
    assert simulation.integrator.matrix is factor
    snapshot = simulation.snapshot()
    other = Simulation(ball(Inside(100.0)), dt=DT, forces=Settling(), **EFFORTS["STANDARD"].settings)
    other.restore(snapshot)
    for _ in range(4):
        simulation.step(), other.step()
    assert_array_equal(simulation.state.x, other.state.x)
    assert volume(network, simulation.state.x) > 1.03 * volume(network, network.points)


def test_pieces_have_each_their_own_pressure_together_and_alone():
    one = ball(Inside(400.0), levels=2)
    _, frames = run(one, 8, gravity=(0, 0, 0))
    both = Together(
        [Member(one), Member(ball(Inside(-100.0), radius=0.1, levels=2))],
        dt=DT,
        gravity=(0, 0, 0),
        **EFFORTS["FINE"].settings,
    )
    both.step()
    assert list(both.network.pressure) == [400.0, -100.0]
    points, faces = beside(octasphere(2), (octasphere(2)[0] + 5.0, octasphere(2)[1]))
    pair = SpringNetwork.from_mesh(0.25 * points, faces=faces, material=COTTON, inside=Inside(400.0))
    _, of_both = run(pair, 8, gravity=(0, 0, 0))
    half = len(points) // 2
    # One line search for both: alike within what few iterations leave.
    assert_allclose(of_both[-1][:half], frames[-1], atol=1e-5)


def test_faces_may_point_inwards():
    points, faces = octasphere(2)
    turned = SpringNetwork.from_mesh(points, faces=faces[:, ::-1], material=COTTON, inside=Inside(50.0))
    pushed = forces.spring_forces(turned, turned.points)
    assert (np.einsum("ij,ij->i", pushed, points) > 0.0).all()


@pytest.mark.parametrize(
    ("points", "faces", "inside", "told"),
    [
        (*OPEN, Inside(1.0), "the surface is open"),
        (*beside(OPEN, OPEN), Inside(1.0), "all 2 pieces are open"),
        (OPEN[0], (), Inside(1.0), "there are no faces"),
        (octasphere(1)[0] * [1, 1, 0], octasphere(1)[1], Inside(0.0, 1e5), "no volume to keep"),
    ],
    ids=["open", "pieces", "strands", "flat"],
)
def test_what_encloses_nothing_is_told(points, faces, inside, told):
    with pytest.raises(ValueError, match=told):
        SpringNetwork.from_mesh(points, faces=faces, inside=inside)


def test_faces_that_point_both_ways_are_told():
    points, faces = octasphere(1)
    faces = faces.copy()
    faces[0] = faces[0][::-1]
    with pytest.raises(ValueError, match="both ways"):
        SpringNetwork.from_mesh(points, faces=faces, inside=Inside(1.0))


@pytest.mark.parametrize("values", [(np.nan,), (0.0, -1.0), (0.0, 1.0, 0.0)])
def test_what_is_out_of_range_is_refused(values):
    with pytest.raises(ValueError, match="it must be finite"):
        Inside(*values)
