# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that keep an angle: its sign, its energy and its torque, and that nothing else bends there."""

import numpy as np
import pytest

from hooke.core import EFFORTS, Material, Pleating, Simulation, SpringNetwork

DT = 1.0 / 24.0
K = 0.01  # [N]
# Two squares of 0.1 m that share the edge along y at x = 0; the first vertex of each row is on the left.
POINTS = 0.1 * np.array([[x, y, 0.0] for x in (-1.0, 0.0, 1.0) for y in (0.0, 1.0)])
QUADS = [[0, 2, 3, 1], [2, 4, 5, 3]]
TRIANGLES = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]]
EDGE = [[2, 3]]


def folded(angle, points=POINTS):
    """The right side turned about the edge, towards the normals where the angle is above 0 [degrees]."""
    turned, a = points.copy(), np.radians(angle)
    right = points[:, 0] > 0.0
    turned[right] = np.column_stack(
        [points[right, 0] * np.cos(a), points[right, 1], points[right, 0] * np.sin(a)]
    )
    return turned


def network(angle, faces=QUADS, points=POINTS, time=0.0, **how):
    pleating = Pleating(EDGE, np.radians(angle), K, time)
    return SpringNetwork.from_mesh(points, faces=faces, pleating=pleating, **how)


@pytest.mark.parametrize("faces", [QUADS, TRIANGLES, [face[::-1] for face in QUADS]])
@pytest.mark.parametrize("angle", [-170.0, -95.0, -30.0, 0.0, 60.0, 120.0, 175.0])
def test_the_angle_and_its_energy(faces, angle):
    found = network(40.0, faces, stiffness=0.1)
    sign = -1.0 if faces[0] == QUADS[0][::-1] else 1.0
    angles = np.degrees(found.pleats.found(folded(angle)))
    np.testing.assert_allclose(angles, sign * angle, atol=1e-9)
    away = np.radians(sign * angle - 40.0)
    energy = found.element_operators.energy(np.ascontiguousarray(folded(angle).T))
    assert energy == pytest.approx(0.5 * K * 0.1 * away**2)


@pytest.mark.parametrize("faces", [QUADS, TRIANGLES])
def test_the_gradient_is_that_of_the_energy_and_turns_and_moves_nothing(faces):
    own = network(-70.0, faces).element_operators
    x = np.ascontiguousarray((folded(50.0) + 0.01 * np.random.default_rng(3).normal(size=(6, 3))).T)
    gradient, step = np.zeros_like(x), 1e-6
    own.add_gradient(x, gradient, linearise=True)
    for place in np.ndindex(x.shape):
        more, less = x.copy(), x.copy()
        more[place] += step
        less[place] -= step
        slope = (own.energy(more) - own.energy(less)) / (2.0 * step)
        assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-9)
    np.testing.assert_allclose(gradient.sum(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cross(x.T, gradient.T).sum(axis=0), 0.0, atol=1e-12)


def test_products_blocks_and_matrix_are_of_one_second_derivative():
    own = network(-70.0).element_operators
    x = np.ascontiguousarray(folded(50.0).T)
    own.add_gradient(x, np.zeros_like(x), linearise=True)
    matrix, p = own.hessian(x).toarray(), np.random.default_rng(5).normal(size=x.shape)
    product, blocks = np.zeros_like(x), np.zeros((6, 6))
    own.add_product(p, product)
    np.testing.assert_allclose(product.T.ravel(), matrix @ p.T.ravel(), rtol=1e-12)
    own.add_blocks(blocks)
    for vertex in range(6):
        block = matrix[3 * vertex : 3 * vertex + 3, 3 * vertex : 3 * vertex + 3]
        upper = block[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]
        np.testing.assert_allclose(blocks[:, vertex], upper, rtol=1e-9, atol=1e-12)
    bound = np.kron(own.bound().toarray(), np.eye(3))
    assert np.linalg.eigvalsh(bound - matrix).min() > -1e-9 * np.abs(bound).max()


@pytest.mark.sampled(10)
@pytest.mark.parametrize("angle", [-160.0, -120.0, -45.0, 45.0, 120.0, 160.0])
@pytest.mark.parametrize("method", ["PROJECTIVE_DYNAMICS", "IMPLICIT_EULER"])
def test_a_flat_sheet_folds_to_its_angle_and_to_its_side(angle, method):
    material = Material(area_density=0.15, bending=1e-5)
    own = network(angle, material=material, time=0.05)
    how = EFFORTS["STANDARD"].settings if method == "PROJECTIVE_DYNAMICS" else {"substeps": 4}
    simulation = Simulation(own, method, dt=DT, gravity=0, **how)
    for _ in simulation.frames(36):
        pass
    assert np.degrees(own.pleats.found(simulation.state.x))[0] == pytest.approx(angle, abs=2.0)


def test_light_panels_come_to_the_angle_in_the_time():
    """What has hardly a mass turns at the rate (a_0 - a)/time."""
    own = network(60.0, material=Material(area_density=1e-5, bending=1e-6), time=0.2)
    simulation = Simulation(own, "IMPLICIT_EULER", dt=0.01, substeps=2, gravity=0)
    angles = [own.pleats.found(x)[0] for x in simulation.frames(20)]
    assert angles[-1] == pytest.approx(np.radians(60.0) * (1.0 - np.exp(-1.0)), rel=0.03)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("effort", ["STANDARD", "CONVERGED"])
def test_it_rests_where_its_torque_bears_the_weight(effort):
    # The left side lies and is held, the right side hangs from the pleat: k l (a - a_0) = m g w/2 cos a, down is < 0.
    material = Material(area_density=0.05, bending=1e-3, damping_ratio=0.2, bending_damping_ratio=0.2)
    own = network(0.0, material=material, pins=[0, 1, 2, 3], time=0.1)
    simulation = Simulation(own, dt=DT, **EFFORTS[effort].settings)
    for _ in simulation.frames(48):
        pass
    angle = own.pleats.found(simulation.state.x)[0]
    torque = 0.05 * 0.1 * 0.1 * 9.81 * 0.05 * np.cos(angle)
    assert angle == pytest.approx(-torque / (K * 0.1), rel=0.02)


def test_only_the_pleat_resists_over_its_edge():
    """A sheet bends over a pleat by the torque of that alone: its own curvature there has no energy."""
    plain = SpringNetwork.from_mesh(POINTS, faces=TRIANGLES, material=Material(bending=1.0))
    pleated = network(0.0, TRIANGLES, material=Material(bending=1.0))
    turned = folded(30.0)
    assert plain.stencils.energies(turned).sum() > 1e-3
    assert pleated.stencils.energies(turned).sum() < 1e-12


@pytest.mark.parametrize("count", [9, 10])
def test_lines_of_quads_end_at_a_pleat(count):
    at = np.arange(2 * count).reshape(count, 2)
    faces = np.column_stack([at[:-1, 0], at[1:, 0], at[1:, 1], at[:-1, 1]])
    points = np.array([[0.02 * x, 0.02 * y, 0.0] for x in range(count) for y in range(2)])
    middle = at[count // 2]
    pleating = Pleating([middle], np.radians(90.0), K)
    own = SpringNetwork.from_mesh(points, faces=faces, material=Material(bending=1.0), pleating=pleating)
    fold, right = points.copy(), points[:, 0] > points[middle[0], 0]
    fold[right, 2] = points[right, 0] - points[middle[0], 0]
    fold[right, 0] = points[middle[0], 0]
    assert own.stencils.energies(fold).sum() < 1e-12
    assert own.element_operators.energy(np.ascontiguousarray(fold.T)) < 1e-12


def test_keyed_angles_are_followed_and_restored_bit_for_bit():
    def angles(t):
        return np.array([min(t, 1.0) * 2.0])

    def made():
        own = network(0.0, material=Material(bending=1e-5), time=0.05)
        how = {"quantities": {"pleat_angles": angles}, **EFFORTS["STANDARD"].settings}
        return Simulation(own, dt=DT, gravity=0, **how)

    whole, first, second = made(), made(), made()
    shown = list(whole.frames(30))
    for _ in first.frames(11):
        pass
    second.restore(first.snapshot())
    for x, y in zip(second.frames(19), shown[11:], strict=True):
        np.testing.assert_array_equal(x, y)
    assert whole.network.pleats.found(shown[-1])[0] == pytest.approx(2.0, abs=0.05)


def test_angles_beyond_half_a_turn_are_refused():
    with pytest.raises(ValueError, match="angle of 190 degrees"):
        network(190.0)
