# SPDX-License-Identifier: GPL-3.0-or-later
"""What every shape is given: thickness, restitution, inside, pose, friction and thickness of every particle."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import CONTACTS, Plane, Simulation, SpringNetwork, State
from hooke.core.contacts import Collider, Sphere
from hooke.core.effort import EFFORTS

from .surfaces import octasphere

SHAPES = [id for id, cls in CONTACTS.items() if issubclass(cls, Collider)]
G = 9.81


@pytest.fixture
def cloud():
    """500 positions within 2 m of the origin, and velocities."""
    return np.random.default_rng(6).uniform(-2.0, 2.0, (2, 500, 3))


def turned(angle, origin=(0.0, 0.0, 0.0), axis=1):
    """Rigid matrix that turns about an axis through the origin, and moves."""
    pose, (i, j) = np.eye(4), [k for k in range(3) if k != axis]
    pose[i, i] = pose[j, j] = np.cos(angle)
    pose[i, j], pose[j, i] = np.sin(angle), -np.sin(angle)
    pose[:3, 3] = origin
    return pose


def flown(shape, x, v, steps=8):
    """Positions of dust after so many steps of 0.02 s without gravity."""
    simulation = Simulation(
        SpringNetwork(x, []), "SYMPLECTIC_EULER", dt=0.02, gravity=(0, 0, 0), contacts=shape
    )
    simulation.state = State(x, v, 0.0)
    *_, last = simulation.frames(steps)
    return last


@pytest.mark.parametrize("id", SHAPES)
@pytest.mark.parametrize("inside", [False, True])
def test_thickness_is_kept_on_either_side(id, inside, cloud):
    thickness = np.linspace(0.01, 0.05, 500)
    shape, side = CONTACTS[id](inside=inside), -1.0 if inside else 1.0
    x, v = cloud
    kept = side * shape.distances(x) > thickness
    shape = CONTACTS[id](thickness=thickness[kept], inside=inside)
    after = flown(shape, x[kept], v[kept])
    heights = side * shape.distances(after) - thickness[kept]
    # Distances inside a mesh are interpolated.
    least = 0.01 if inside and "MESH" in id else 1e-9
    assert (heights > -least * thickness[kept]).all()
    assert (side * shape.distances(x[kept] + 0.16 * v[kept]) < thickness[kept]).any()


@pytest.mark.parametrize("id", SHAPES)
def test_a_pose_moves_all_of_a_shape(id, cloud):
    pose = turned(0.7, (0.3, -0.2, 0.1))
    x, v = cloud
    still, moved = CONTACTS[id](), CONTACTS[id](pose=pose)

    outside = still.distances(x) > 0.01
    x, v = x[outside], v[outside]
    after = flown(still, x, v)
    there = flown(moved, x @ pose[:3, :3].T + pose[:3, 3], v @ pose[:3, :3].T)
    assert_allclose(there, after @ pose[:3, :3].T + pose[:3, 3], atol=1e-12)


@pytest.mark.parametrize("id", SHAPES)
def test_what_moves_bears_with_the_velocity_of_its_surface(id, cloud):
    # Translation and rotation, by what is pushed.
    spin, speed, dt = 0.4, np.array([0.1, 0.0, 0.3]), 1e-3
    shape = CONTACTS[id](pose=lambda t: turned(spin * t, speed * t))
    x = cloud[0]
    x = x - (shape.distances(x) - 1e-6)[:, None] * np.broadcast_to(shape.normals(x), x.shape)
    x = x[shape.distances(x) > 0.0]
    simulation = Simulation(
        SpringNetwork(x, []), "SYMPLECTIC_EULER", dt=dt, gravity=(0, 0, 0), contacts=shape
    )
    simulation.step()
    particles, velocities = simulation.system.contacts.driven()
    assert len(np.unique(particles)) > 20
    surface = speed + spin * np.cross(x[particles], [0.0, -1.0, 0.0])
    assert np.abs(velocities - surface).max() < 2.0 * spin**2 * dt


@pytest.mark.sampled(5)
@pytest.mark.combined
@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
def test_a_ball_keeps_its_restitution(integrator, restitution):
    # Dropped from 1 m, it rises to e^2 m: the step is far shorter than what a bounce takes.
    ball = SpringNetwork([[0.0, 0.0, 1.0]], [])
    floor = Plane(restitution=restitution)
    simulation = Simulation(ball, integrator, dt=1 / 240, contacts=floor)
    # It is as high as it comes after twice the time of the fall, at the most.
    heights = np.array([x[0, 2] for x in simulation.frames(225)])
    landed = int(np.argmax(simulation.dt * np.arange(1, 226) > np.sqrt(2.0 / G)))
    assert heights[landed + 1 :].max() == pytest.approx(restitution**2, abs=0.02)


def test_a_bounce_falls_between_the_ends_of_a_substep():
    # The parabolas before and after the impact, whatever the step: for a method that falls exactly.
    ball, v = SpringNetwork([[0.0, 0.0, 0.5]], []), np.sqrt(G)
    simulation = Simulation(ball, "VERLET", dt=0.01, contacts=Plane(restitution=0.8))
    hit = v / G
    for _ in range(77):
        simulation.step()
        t = simulation.state.t - hit
        expected = 0.5 - G * (t + hit) ** 2 / 2 if t < 0.0 else 0.8 * v * t - G * t**2 / 2
        # It lies as high as contacts bear it.
        assert simulation.state.x[0, 2] == pytest.approx(expected, abs=2.0 * G * simulation.dt**2)


def test_friction_of_every_particle():
    # Down a slope of 0.5 rad, each with its own s = g (sin - mu cos) t^2 / 2.
    friction = np.array([0.0, 0.2, 0.4, 0.7])
    angle, dt, steps = 0.5, 0.002, 250
    normal, down = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
    simulation = Simulation(
        SpringNetwork(np.zeros((4, 3)), []), "VERLET", dt=dt, contacts=Plane(normal=normal, friction=friction)
    )
    list(simulation.frames(steps))
    slid = np.maximum(np.sin(angle) - friction * np.cos(angle), 0.0) * G * (steps * dt) ** 2 / 2
    assert_allclose(simulation.state.x @ down, slid, atol=1.5 * G * steps * dt**2)


# How fast is every shape's alike: one of them for every method, and for one the other kind of distances.
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("id", "integrator"),
    [
        ("SPHERE", "PROJECTIVE_DYNAMICS"),
        ("SPHERE", "IMPLICIT_EULER"),
        ("SPHERE", "POSITION_BASED"),
        ("MESH", "PROJECTIVE_DYNAMICS"),
    ],
)
def test_what_begins_inside_comes_out_and_is_not_thrown(id, integrator):
    # A sheet of 2 m through a ball, 0.15 m under its top. It comes out at 0.25 m/s, in 16 frames of 10 mm: not in four.
    # All at once it would rise by 4 to 8 cm.
    ball = octasphere(3) if id == "MESH" else ()
    sheet = SpringNetwork.grid((9, 9), 2.0 / 8, mass=0.5, stiffness=1e3)
    points = sheet.points - sheet.points.mean(axis=0) + (0.03, 0.02, 0.85)
    sheet = SpringNetwork(points, sheet.edges, masses=sheet.masses, stiffness=sheet.stiffness)
    ball = CONTACTS[id](*ball, thickness=0.01)
    simulation = Simulation(sheet, integrator, dt=1 / 24, substeps=3, contacts=ball)
    # By the method that is slowest at it, it is out in the 17th.
    rows = np.array(list(simulation.frames(18)))
    assert rows[..., 2].max() < 1.01 + 0.02
    assert ball.distances(rows[3]).min() < 0.0 < ball.distances(rows[-1]).min()


@pytest.mark.newest
def test_what_begins_in_the_middle_is_not_torn_and_thrown():
    # The ways out part: with each particle on its own, the sheet is twice as long within, and flies metres high.
    sheet = SpringNetwork.grid((17, 17), 2.0 / 16, mass=0.5, stiffness=3e3)
    points = sheet.points - sheet.points.mean(axis=0) + (0.0, 0.0, 0.05)
    sheet = SpringNetwork(points, sheet.edges, masses=sheet.masses, stiffness=sheet.stiffness)
    simulation = Simulation(
        sheet, dt=1 / 24, **EFFORTS["STANDARD"].settings, contacts=Sphere(0.5, thickness=0.01)
    )
    rows = np.array(list(simulation.frames(40)))
    assert rows[..., 2].max() < 0.51 + 0.24


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"thickness": -1.0}, "plane's thickness is -1 m: it must be finite, at least 0"),
        ({"thickness": [0.1, np.nan]}, "plane's thickness of particle 1 is nan m"),
        ({"restitution": 1.5}, "plane's restitution is 1.5: it must be finite, at least 0 and at most 1"),
        ({"pose": np.eye(3)}, "plane's pose is .*: give a matrix of 4 by 4 finite numbers"),
        ({"pose": 2.0 * np.eye(4)}, "plane's pose scales, shears or mirrors"),
        ({"pose": np.diag([1.0, 1.0, -1.0, 1.0])}, "plane's pose scales, shears or mirrors"),
    ],
)
def test_what_is_out_of_range_is_named(how, message):
    with pytest.raises(ValueError, match=message):
        Plane(**how)


def test_one_number_or_as_many_as_particles():
    with pytest.raises(ValueError, match=r"plane's friction has shape \(2,\): .* one per particle, 3 in all"):
        Simulation(SpringNetwork(np.zeros((3, 3)), []), dt=0.1, contacts=Plane(friction=[0.1, 0.2]))


CONVEX = [id for id in SHAPES if CONTACTS[id].convex]


@pytest.mark.parametrize("id", CONVEX)
def test_the_distance_of_what_is_convex_is(id, cloud):
    # Rockafellar 1970, "Convex Analysis", section 4: no higher midway than the mean of both ends.
    shape, (a, b) = CONTACTS[id](), cloud
    midway, ends = shape.distances(0.5 * (a + b)), 0.5 * (shape.distances(a) + shape.distances(b))
    assert (midway <= ends + 1e-12).all()
    assert (midway < ends - 0.01).any() or id == "PLANE"
