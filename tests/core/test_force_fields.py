# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields: closed forms, falloffs, and what no number may break."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import FORCES, Cloth, Simulation, SpringNetwork
from hooke.core.forces import CentralForce, Charge, Drag, Field, Harmonic, Magnetic, Reach, Turbulence, Vortex

FIELDS = [id for id, cls in FORCES.items() if issubclass(cls, Field)]

# The z axis of a field along x.
ALONG_X = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]])


def sheet(**quantities):
    return SpringNetwork.grid((5, 4), 0.3, **{"mass": 0.4, **quantities})


def particle(place, mass=1.0):
    """Three corners of a triangle of 3 m^2 that count as one: each has 1 m^2; the first is at a place."""
    points = np.array([[0, 0, 0], [np.sqrt(6), 0, 0], [0, np.sqrt(6), 0]]) + place
    return SpringNetwork.from_mesh(points, faces=[[0, 1, 2]], mass=3 * mass, stiffness=1e-6)


def of_first(force, network, v=(0, 0, 0), t=0.0):
    """Force on the first corner."""
    return force.on(Cloth(network))(network.points, np.tile(np.array(v, dtype=float), (3, 1)), t)[0]


@pytest.mark.parametrize(
    ("force", "place", "v", "expected"),
    [
        # Away from the centre at (0, 3, 4), of a constant size; with gravitation over 25.
        (CentralForce(10.0), (0, 3, 4), (0, 0, 0), (0, 6, 8)),
        (CentralForce(-10.0), (0, 3, 4), (0, 0, 0), (0, -6, -8)),
        (CentralForce(10.0, gravitation=True), (0, 3, 4), (0, 0, 0), (0, 0.24, 0.32)),
        # The triangle's normal is along z.
        (CentralForce(10.0, across=0.75), (0, 3, 4), (0, 0, 0), (0, 1.5, 8)),
        (CentralForce(10.0, Reach(shape="LINE")), (0, 3, 4), (0, 0, 0), (0, 10, 0)),
        (CentralForce(10.0, Reach(shape="PLANE")), (0, 3, 4), (0, 0, 0), (0, 0, 10)),
        (CentralForce(10.0, Reach(power=2)), (0, 3, 4), (0, 0, 0), (0, 6 / 36, 8 / 36)),
        (Harmonic(2.0), (0, 3, 4), (0, 0, 0), (0, -6, -8)),
        (Harmonic(2.0, rest_length=6.0), (0, 3, 4), (0, 0, 0), (0, 1.2, 1.6)),
        (Harmonic(2.0, rest_length=lambda t: 6.0 + t), (0, 3, 4), (0, 0, 0), (0, 1.2, 1.6)),
        (Charge(2.0, charge=-0.5), (0, 3, 4), (0, 0, 0), (0, -3, -4)),
        (Drag(2.0), (0, 3, 4), (0, 0, 3), (0, 0, -18)),
        (Drag(0.0, linear=2.0), (0, 3, 4), (0, 0, 3), (0, 0, -6)),
        (Drag(2.0, Reach(power=1)), (0, 3, 4), (0, 0, 3), (0, 0, -3)),
        (Drag(2.0, Reach(power=1, weight=0.5), fading=False), (0, 3, 4), (0, 0, 3), (0, 0, -18)),
        (Drag(2.0, Reach(maximum=4.9), fading=False), (0, 3, 4), (0, 0, 3), (0, 0, 0)),
        # About z with 2 rad/s at 3 m: 6 m/s across, and 4 times 3 inwards.
        (Vortex(2.0, Reach(shape="LINE")), (0, 3, 4), (0, 0, 1), (-6, -12, -1)),
        (Vortex(2.0), (0, 3, 4), (0, 0, 1), (-10, 0, 0)),
        # Its air falls off in how it turns, and ends where nothing of it arrives.
        (Vortex(2.0, Reach(shape="LINE", weight=0.5)), (0, 3, 4), (0, 0, 1), (-3, -3, -1)),
        (Vortex(2.0, Reach(shape="LINE", maximum=2.9)), (0, 3, 4), (0, 0, 1), (0, 0, 0)),
        (Vortex(2.0, Reach(shape="LINE", side="NEGATIVE")), (0, 3, 4), (0, 0, 1), (0, 0, 0)),
        (Vortex(2.0, Reach(shape="LINE", weight=0.0)), (0, 3, 4), (0, 0, 1), (0, 0, 0)),
        # B of a plane is along its axis; of a line about it.
        (Magnetic(2.0, Reach(shape="PLANE")), (0, 3, 4), (1, 0, 0), (0, -2, 0)),
        (Magnetic(2.0, Reach(shape="LINE")), (0, 3, 4), (0, 0, 1), (0, -2, 0)),
    ],
)
def test_force_by_hand(force, place, v, expected):
    assert_allclose(of_first(force, particle(place), v), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("reach", "share"),
    [
        # At (3, 0, 4) from the centre: 5 m away, 4 along the axis, 3 beside it.
        (Reach(), 1.0),
        (Reach(power=1.5), 6.0**-1.5),
        (Reach(power=1.5, minimum=2.0), 4.0**-1.5),
        (Reach(power=1.5, minimum=5.5), 1.0),
        (Reach(power=1.5, maximum=4.9), 0.0),
        (Reach(falloff="TUBE", power=1, radial_power=2), 1 / 5 / 16),
        (Reach(falloff="TUBE", power=1, radial_power=2, radial_minimum=2), 1 / 5 / 4),
        (Reach(falloff="TUBE", radial_maximum=2.9), 0.0),
        (Reach(falloff="CONE", radial_maximum=37.0), 1.0),
        (Reach(falloff="CONE", radial_maximum=36.0), 0.0),
        (Reach(falloff="CONE", power=1, radial_minimum=37.0, radial_power=3), 1 / 5),
        (Reach(side="POSITIVE"), 1.0),
        (Reach(side="NEGATIVE"), 0.0),
        (Reach(shape="PLANE", power=1), 1 / 5),
        (Reach(shape="LINE", power=1), 1 / 4),
        (Reach(weight=0.25, power=1), 1 / 24),
        (Reach(power=lambda t: t), 36.0**-1),
    ],
)
def test_falloff_by_hand(reach, share):
    assert_allclose(reach.near(np.array([[3.0, 0.0, 4.0]]), 2.0).share, share, rtol=1e-12)


@pytest.mark.parametrize("quadratic", [0.0, 0.7])
@pytest.mark.parametrize("linear", [0.0, 1.3])
@pytest.mark.parametrize("dt", [1e-3, 0.5, 100.0])
def test_drag_decays_as_its_law_has_it(quadratic, linear, dt):
    # 1/u (1/u' = -(a u + b)): b/u + a = (b/u_0 + a) e^(b t), and 1/u = 1/u_0 + a t without b.
    network = particle((0, 0, 0), mass=2.0)
    force = Drag(quadratic, linear=linear).on(Cloth(network))
    v = force.slowed(network.points, np.tile([0.0, 3.0, 4.0], (3, 1)), 0.0, dt)
    a, b = quadratic / 2.0, linear / 2.0
    expected = b / ((b / 5 + a) * np.exp(b * dt) - a) if b else 1 / (1 / 5 + a * dt)
    assert_allclose(np.linalg.norm(v, axis=1), expected, rtol=1e-12)


def test_a_magnetic_field_turns_by_the_angle_of_its_strength():
    network = particle((0, 0, 0), mass=2.0)
    force = Magnetic(3.0, Reach(shape="PLANE")).on(Cloth(network))
    v = force.slowed(network.points, np.tile([1.0, 0.0, 0.5], (3, 1)), 0.0, 0.4)
    # v' = v x B B_z/m: clockwise about z by 3/2 times 0.4.
    assert_allclose(v, np.tile([np.cos(0.6), -np.sin(0.6), 0.5], (3, 1)), atol=1e-14)


def test_a_vortex_takes_what_is_light_around_at_its_rate():
    # With drag the particle ends on the whirl's own motion: w x r is left where the pull inwards holds it.
    network = particle((1.0, 0.0, 0.0), mass=1e-6)
    force = Vortex(2.0, Reach(shape="LINE"), drag=5.0).on(Cloth(network))
    v = force.slowed(network.points, np.zeros((3, 3)), 0.0, 10.0)
    assert_allclose(v[0], [-4.0, 2.0, 0.0], atol=1e-9)


@pytest.mark.parametrize("id", FIELDS)
@pytest.mark.parametrize("strength", [1e6, -1e6, 0.0])
def test_no_strength_and_no_place_makes_a_number_that_is_none(id, strength):
    network = sheet()
    cls = FORCES[id]
    strength = abs(strength) if cls is Drag else strength
    for shape in ("POINT", "LINE", "PLANE"):
        for falloff in ("SPHERE", "TUBE", "CONE"):
            pose = np.eye(4)
            # At a vertex, and a subnormal distance from another.
            pose[:3, 3] = network.points[3] + [0.0, 1e-310, 0.0]
            reach = Reach(pose, shape, falloff, power=3, radial_power=10)
            force = cls(strength, reach, variation=10.0).on(Cloth(network))
            v = 1e3 * np.random.default_rng(1).normal(size=network.points.shape)
            assert np.isfinite(force(network.points, v, 1.0)).all()
            if force.resists:
                for dt in (1e-9, 1 / 24, 1e9):
                    assert np.isfinite(force.slowed(network.points, v, 1.0, dt)).all()


@pytest.mark.parametrize("id", FIELDS)
def test_pose_strength_and_variation_may_change_in_time(id):
    network = sheet()
    cls = FORCES[id]

    def pose(t):
        moved = ALONG_X.copy()
        moved[:3, 3] = 0.0, t, 1.0
        return moved

    v = np.random.default_rng(1).normal(size=network.points.shape)
    moving = cls(lambda t: 3.0 * t, Reach(pose, "LINE"), variation=lambda t: t).on(Cloth(network))
    still = cls(6.0, Reach(pose(2.0), "LINE"), variation=2.0).on(Cloth(network))
    assert_array_equal(moving(network.points, v, 2.0), still(network.points, v, 2.0))


def test_strands_feel_fields_by_length_and_diameter():
    points = np.column_stack([np.linspace(0.0, 2.0, 6), np.zeros((6, 2))])
    network = SpringNetwork(points, np.column_stack([np.arange(5), np.arange(1, 6)]))
    for across in (0.0, 1.0):
        reach = Reach(shape="PLANE", pose=ALONG_X)
        f = CentralForce(10.0, reach, diameter=0.01, across=across).on(Cloth(network))
        assert_allclose(f(points + 1.0, points, 0.0).sum(axis=0), [10.0 * 2.0 * 0.01, 0, 0], atol=1e-15)


def test_work_of_a_field_that_changes_in_time_is_no_gain_the_budget_forbids():
    # Uniform acceleration a = p A/m from t = 0.5 s on; projective dynamics at few iterations is always bounded.
    network = sheet(pins=None)
    far = np.eye(4)
    far[2, 3] = -1e9
    push = CentralForce(lambda t: 2.0 * (t >= 0.5), Reach(far))
    simulation = Simulation(
        network, dt=1 / 24, substeps=2, iterations=1, gravity=(0, 0, 0), forces=push, time_stepping="BDF2"
    )
    for _ in range(48):
        simulation.step()
    expected = 2.0 * 1.2 * 0.9 / 0.4 * 1.5
    assert (network.masses @ simulation.state.v)[2] / 0.4 == pytest.approx(expected, rel=0.02)


def test_turbulence_stays_with_its_field_or_with_the_world():
    network = sheet()
    pose = np.eye(4)
    pose[:3, 3] = 0.3, 0.0, 0.0
    x, v = network.points, np.zeros_like(network.points)
    here, moved = (Turbulence(1.0, Reach(p), size=0.4).on(Cloth(network)) for p in (None, pose))
    assert_allclose(moved(x + pose[:3, 3], v, 0.0), here(x, v, 0.0), atol=1e-12)
    growing = Turbulence(1.0, size=lambda t: 0.2 * t).on(Cloth(network))
    assert_array_equal(growing(x, v, 2.0), here(x, v, 0.0))
    fixed = Turbulence(1.0, Reach(pose), size=0.4, fixed=True).on(Cloth(network))
    assert_array_equal(fixed(x, v, 0.0), here(x, v, 0.0))


def test_snapshot_goes_on_bit_for_bit_with_every_field():
    def start():
        forces = [FORCES[id](0.5, Reach(lambda t: np.diag([1, 1, 1, 1.0]) * 1.0)) for id in FIELDS]
        return Simulation(sheet(pins=[0]), dt=1 / 24, substeps=2, forces=forces, time_stepping="BDF2")

    simulation = start()
    list(simulation.frames(4))
    resumed = start()
    resumed.restore(simulation.snapshot())
    for one, other in zip(simulation.frames(4), resumed.frames(4), strict=True):
        assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CentralForce(np.nan), "strength of a force field is nan"),
        (lambda: CentralForce(1.0, variation=np.inf), "variation of a force field is inf"),
        (lambda: CentralForce(1.0, across=1.5), "share of a force field across triangles is 1.5"),
        (lambda: CentralForce(1.0, diameter=-1), "diameter of strands of a force field is -1 m"),
        (lambda: Drag(-1.0), "drag of a force field is -1"),
        (lambda: Drag(1.0, linear=np.nan), "linear drag of a force field is nan"),
        (lambda: Harmonic(rest_length=-2.0), "rest length of a force field is -2 m"),
        (lambda: Charge(charge=np.inf), "charge is inf"),
        (lambda: Turbulence(size=-1.0), "size of turbulence is -1 m"),
        (lambda: Vortex(drag=-1.0), "drag of a vortex is -1"),
        (lambda: Reach(shape="SURFACE"), "shape of a force field is 'SURFACE': use POINT, LINE, PLANE"),
        (lambda: Reach(power=-1.0), "must be at least 0"),
        (lambda: Reach(np.eye(3)), "pose is .*: give a matrix of 4 by 4 finite numbers"),
    ],
)
def test_quantities_out_of_range_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
