# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points: one law for all, in blocks, in one matrix where it is constant, and in parts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import block_diag
from theory.bending_meshes import flat

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State
from hooke.core.axes import axes_of
from hooke.core.forces import (
    damping_forces,
    spring_directions,
    spring_energy,
    spring_forces,
    stiffness_matrix,
)
from hooke.core.material import Material
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.neighbourhood import Neighbourhood, Neighbours
from hooke.core.solvers.tensions import Tensions
from hooke.core.stencils import Stencils


def drawn(rest=(0.0, 0.3, 1.0), damping=0.0, count=9, seed=1):
    """Random points, springs along edges and stencils of three to five vertices whose weights sum to zero."""
    rng = np.random.default_rng(seed)
    several = []
    for width in (3, 4, 5):
        weights = rng.normal(size=(len(rest), width))
        weights -= weights.mean(axis=1, keepdims=True)
        vertices = np.array([rng.permutation(count)[:width] for _ in rest])
        several.append(Stencils(vertices, weights, rng.uniform(5, 20, len(rest)), np.array(rest), damping))
    edges = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    return SpringNetwork(
        rng.normal(size=(count, 3)),
        edges,
        stiffness=rng.uniform(5, 20, count - 1),
        rest_lengths=0.5,
        masses=rng.uniform(0.5, 2.0, count),
        stencils=Stencils.joined(several),
    )


def moved(network, seed=2):
    """Positions and velocities of its vertices."""
    rng = np.random.default_rng(seed)
    return network.points + 0.3 * rng.normal(size=network.points.shape), rng.normal(size=network.points.shape)


def test_forces_are_the_slope_of_the_energy():
    network = drawn()
    x, _ = moved(network)
    step, f = 1e-6, spring_forces(network, x)
    for vertex, axis in np.ndindex(x.shape):
        there = x.copy(), x.copy()
        there[0][vertex, axis] += step
        there[1][vertex, axis] -= step
        slope = (spring_energy(network, there[0]) - spring_energy(network, there[1])) / (2.0 * step)
        assert f[vertex, axis] == pytest.approx(-slope, abs=1e-7)


def test_the_stiffness_matrix_is_the_slope_of_the_forces():
    network = drawn()
    x, _ = moved(network)
    change = 1e-6 * np.random.default_rng(4).normal(size=x.shape)
    slope = (spring_forces(network, x + change) - spring_forces(network, x - change)) / 2.0
    assert_allclose(
        -(stiffness_matrix(network, x) @ change.ravel()).reshape(-1, 3), slope, rtol=1e-5, atol=1e-11
    )


def test_the_forces_are_tension_along_each_spring():
    network = drawn()
    x, _ = moved(network)
    n, lengths = spring_directions(network, x)
    tension = network.springs.stiffness * (lengths - network.springs.rest_lengths)
    wanted = -network.incidence.sums(tension[:, None] * n)
    assert_allclose(spring_forces(network, x), wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


def test_an_edge_is_the_stencil_of_plus_and_minus_one():
    network = drawn()
    along = Stencils.of_edges(network.edges, network.stiffness, network.rest_lengths, network.damping)
    same = SpringNetwork(
        network.points,
        np.empty((0, 2), dtype=int),
        masses=network.masses,
        stencils=Stencils.joined([along, network.stencils]),
    )
    x, _ = moved(network)
    f = spring_forces(network, x)
    assert_allclose(spring_forces(same, x), f, rtol=1e-13, atol=1e-13 * np.abs(f).max())
    assert spring_energy(same, x) == pytest.approx(spring_energy(network, x), rel=1e-13)


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_gradients_energies_and_products_in_blocks_are_those_of_the_formulas(damping):
    network = drawn(damping=damping)
    x, before = (axes_of(array) for array in moved(network))
    tensions, dt, out = Tensions(network, 0.1), 0.1, np.empty_like(x)
    tensions.start_from(before)
    tensions.gradient(x, out, linearise=True)
    wanted = spring_forces(network, x.T) + damping_forces(network, x.T, (x - before).T / dt)
    assert_allclose(out, -wanted.T, rtol=1e-12, atol=1e-12)
    if damping == 0.0:
        assert tensions.energy(x) == pytest.approx(spring_energy(network, x.T), rel=1e-12)
        assert tensions.energies(x, out)[0] == pytest.approx(spring_energy(network, x.T), rel=1e-12)
        assert (network.stencil_operators.linear_matrix is not None) and network.stencil_operators.ends.size


def test_the_product_is_that_of_the_second_derivative_where_nothing_is_compressed():
    network = drawn(rest=(0.0, 0.0, 1e-3))
    x = axes_of(50.0 * network.points)
    tensions, p, out = Tensions(network, 0.1), axes_of(moved(network)[1]), np.empty_like(x)
    tensions.gradient(x, out, linearise=True)
    wanted = stiffness_matrix(network, x.T) @ p.T.ravel()
    # Directions of springs are kept in single precision.
    atol = 1e-6 * np.abs(wanted).max()
    assert_allclose(tensions.product(p, out).T.ravel(), wanted, rtol=0, atol=atol)
    # Twice the blocks of every vertex alone bound it, as those of springs along edges do.
    xx, yy, zz, xy, yz, zx = tensions.diagonal_blocks(np.zeros((6, network.vertex_count)))
    blocks = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]).transpose(2, 0, 1)
    matrix = stiffness_matrix(network, x.T).toarray()
    assert np.linalg.eigvalsh(2.0 * block_diag(*blocks) - matrix).min() > -1e-6 * np.abs(matrix).max()


def test_far_from_the_origin_the_energy_of_what_hardly_bends_is_the_same():
    points, polygons = flat(20, 20, 0.01, "quads")
    network = SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=1e-6))
    x = points + np.outer(2e-3 * np.sin(30 * points[:, 0]), [0, 0, 1])
    near, far = (Tensions(network, 0.1).energy(axes_of(x + way)) for way in (0.0, 1e3))
    springs = 0.5 * np.sum(network.stiffness * (network.spring_lengths(x) - network.rest_lengths) ** 2)
    bent = spring_energy(network, x) - springs
    assert bent > 1e-8
    assert far - near == pytest.approx(0.0, abs=1e-2 * bent)


@pytest.mark.parametrize("shape", ["flat", "curved"])
def test_a_neighbourhood_on_its_own_has_the_gradient_of_the_whole(shape):
    points, polygons = flat(12, 12, 0.1, "quads")
    if shape == "curved":
        points[:, 2] = np.sin(points[:, 0])
    network = SpringNetwork.from_mesh(points, faces=polygons, material=Material(bending=5.0), pins=[0])
    problem = ImplicitStep(network, 0.01)
    x, y = (axes_of(points + 0.01 * np.random.default_rng(seed).normal(size=points.shape)) for seed in (1, 2))
    problem.begin(y, y, np.zeros((0, 3)))
    free = np.zeros(len(points), dtype=bool)
    free[60:75] = True
    part = Neighbourhood(problem, Neighbours(network), free)
    at = part.begin(x)
    own, all_of_it = part.part.gradient(at)[:, part.free], problem.gradient(x)[:, free]
    assert_allclose(own, all_of_it, rtol=1e-9, atol=1e-9)
    # Energies differ by what does not depend on what is free.
    change = np.zeros_like(x)
    change[:, free] = 1e-3 * np.random.default_rng(3).normal(size=(3, np.count_nonzero(free)))
    wanted = problem.value(x + change) - problem.value(x)
    assert part.part.value(at + change[:, part.particles]) - part.part.value(at) == pytest.approx(
        wanted, rel=1e-6
    )


@pytest.mark.sampled(8)
@pytest.mark.parametrize("integrator", [name for name, method in INTEGRATORS.items() if method.energy_told])
def test_what_bends_swings_at_its_frequency_by_every_method(integrator):
    # Three masses in a row, the middle one twice as heavy, about their centre of mass: omega^2 = k (1/m + 4/2m + 1/m).
    mass, stiffness, amplitude = 1.0, 40.0, 0.01
    network = SpringNetwork(
        [[-1, 0, 0], [0, 0, 0], [1, 0, 0]],
        np.empty((0, 2), dtype=int),
        masses=[mass, 2 * mass, mass],
        stencils=Stencils(np.array([[0, 1, 2]]), [[1.0, -2.0, 1.0]], [stiffness]),
    )
    omega = np.sqrt(stiffness * (1 / mass + 4 / (2 * mass) + 1 / mass))
    period = 2.0 * np.pi / omega
    options = {"PROJECTIVE_DYNAMICS": {"iterations": 20}}.get(integrator, {})
    found = Simulation(network, integrator, dt=period / 8, substeps=500, gravity=(0, 0, 0), **options)
    bent = network.points + amplitude * np.array([[0, 0, 1], [0, 0, -1], [0, 0, 1]])
    found.state = State(bent, np.zeros_like(bent), 0.0)
    for _ in range(2):
        found.step()
    # A quarter of the period: flat.
    assert_allclose(found.state.x[:, 2], 0.0, atol=0.02 * amplitude)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.array([[0, 1]]), [[1.0, -1.0, 0.0]], 1.0), "one shape"),
        ((np.array([[0.5, 1]]), [[1.0, -1.0]], 1.0), "whole numbers"),
        ((np.array([[0, 1]]), [[np.inf, -1.0]], 1.0), "not finite"),
        ((np.array([[0, 1]]), [[1.0, -1.0]], [-2.0]), "stiffness of stencil|stiffness is -2"),
        ((np.array([[0, 1]]), [[1.0, -1.0]], [[1.0]]), "shape"),
    ],
)
def test_what_is_no_stencil_is_told(arguments, words):
    with pytest.raises(ValueError, match=words):
        Stencils(*arguments)


def test_a_vertex_that_there_is_none_of_is_told():
    with pytest.raises(ValueError, match="stencil 0 names vertex 7"):
        SpringNetwork(
            np.zeros((3, 3)), [[0, 1]], stencils=Stencils(np.array([[0, 1, 7]]), [[1, -2, 1]], [1.0])
        )
