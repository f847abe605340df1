# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiff solids on surfaces: they slide, stick, tip over and stop as rigid ones do, at every effort."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hooke.core import Plane, Simulation, Solid, SpringNetwork
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.solvers.stiff_bodies import stiff_bodies

from .surfaces import octasphere

G, FRICTION, FPS = 9.81, 0.5, 24
PLAYED = ["DRAFT", "STANDARD", "FINE"]


def block(side, count, stiffness, angles=(0.0, 0.0), height=0.0):
    """A cube of 1 kg turned about y and x, its lowest point at a height."""
    lattice = SpringNetwork.lattice((count,) * 3, side / (count - 1), "CORNER", stiffness=stiffness)
    (c, s), (d, t) = ((np.cos(angle), np.sin(angle)) for angle in angles)
    turns = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, d, t], [0, -t, d]])
    points = lattice.points @ turns
    points[:, 2] += height - points[:, 2].min()
    return SpringNetwork(points, lattice.edges, masses=1.0 / count**3, stiffness=stiffness)


def simulation(network, effort, gravity=(0.0, 0.0, -G)):
    """It on a plane."""
    return Simulation(
        network, dt=1 / FPS, gravity=gravity, contacts=Plane(friction=FRICTION), **EFFORTS[effort].settings
    )


def sloped(steepness):
    """Gravity on a slope so many times as steep as the friction's angle."""
    slope = np.arctan(steepness * FRICTION)
    return G * np.array([np.sin(slope), 0.0, -np.cos(slope)])


def slipped(network, g, seconds=0.5, dt=1e-4):
    """Ways [m] of a body that is put on z = 0, by symplectic Euler with Coulomb's impulses on every particle there."""
    x, v, low = network.points.copy(), np.zeros_like(network.points), network.points[:, 2] == 0.0
    one, other = network.edges.T
    for _ in range(round(seconds / dt)):
        way = x[other] - x[one]
        length = np.linalg.norm(way, axis=1)
        pull = (network.stiffness * (1.0 - network.rest_lengths / length))[:, None] * way
        force = np.zeros_like(x)
        np.add.at(force, one, pull)
        np.add.at(force, other, -pull)
        v += dt * (force / network.masses[:, None] + g)
        stopped = np.where(low, np.maximum(-(v[:, 2] + x[:, 2] / dt), 0.0), 0.0)
        v[:, 2] += stopped
        speed = np.maximum(np.linalg.norm(v[:, :2], axis=1), 1e-300)
        v[:, :2] *= np.maximum(1.0 - FRICTION * stopped / speed, 0.0)[:, None]
        x += dt * v
    return x - network.points


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize("effort", PLAYED)
def test_a_soft_block_slips_as_far_as_its_springs_swing_and_stays(effort):
    # Put there without strain it has no friction yet, and swings by twice what it gives way in the end: it slips by
    # half a millimetre until that is over. Each substep decides on it once: a tenth of what is fallen in one.
    g = sloped(0.9)
    found = simulation(block(0.3, 4, 1e4), effort, g)
    *_, before, last = found.frames(12)
    fall = G / (FPS * EFFORTS[effort].substeps) ** 2
    assert np.abs(last - before)[:, 0].max() < 1e-5
    bottom = found.network.points[:, 2] == 0.0
    way, expected = ((x[bottom, 0]).mean() for x in (last - found.network.points, slipped(found.network, g)))
    assert way == pytest.approx(expected, abs=0.1 * fall)


@pytest.mark.sampled(5)
@pytest.mark.combined
@pytest.mark.parametrize("effort", PLAYED)
@pytest.mark.parametrize(
    ("stiffness", "steepness"), [(1e4, 0.98), (1e4, 1.1), (1e6, 0.98), (1e6, 1.1), (1e6, 1.5)]
)
def test_a_stiff_block_slides_at_coulombs_speed(effort, stiffness, steepness):
    found = simulation(block(0.3, 4, stiffness), effort, sloped(steepness))
    frames = 12
    *_, last = found.frames(frames)
    g = sloped(steepness)
    expected = max(g[0] + FRICTION * g[2], 0.0) * frames / FPS
    if expected == 0.0:
        # As far as its springs give way, to within a substep's fall: soft ones swing it as far as Coulomb lets them.
        slips = 0.0 if stiffness > 1e5 else np.abs(slipped(found.network, g)).max()
        fall = G / (FPS * EFFORTS[effort].substeps) ** 2
        assert np.abs(last - found.network.points).max() < 1.25 * slips + fall
    else:
        # 2 % of the friction.
        allowed = 0.02 * FRICTION * abs(g[2]) * frames / FPS
        assert abs(found.state.v[:, 0].mean() - expected) < allowed


@pytest.mark.nightly
@pytest.mark.parametrize("effort", PLAYED)
@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_a_block_that_nearly_tips_slides_by_coulombs_law(effort, stiffness):
    """Few particles at its lower edge bear it, and press the more the more friction holds them back."""
    friction = 0.8
    slope = np.arctan(1.1 * friction)
    g = G * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    how = EFFORTS[effort].settings
    found = Simulation(
        block(0.5, 5, stiffness), dt=1 / FPS, gravity=g, contacts=Plane(friction=friction), **how
    )
    ways = np.array([x[:, 0].mean() for x in found.frames(36)])[12:]
    acceleration = 2.0 * np.polyfit(np.arange(len(ways)) / FPS, ways, 2)[0]
    # As closely as they are solved, of the slope's pull.
    assert abs(acceleration - (g[0] + friction * g[2])) < 1e-3 * g[0]


def hollow():
    """A box of cotton of eight corners, flat and wide, at rest on z = 0."""
    corners = np.array(list(product((-1.0, 1.0), (-1.0, 1.0), (0.0, 0.5))))
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return SpringNetwork.from_mesh(corners, faces=faces, material=Material())


@pytest.mark.nightly
@pytest.mark.parametrize("steepness", [0.98, 1.1])
@pytest.mark.parametrize(
    "made",
    [partial(block, 0.5, 3, 1e3), partial(block, 0.5, 6, 300.0), partial(block, 0.5, 10, 100.0), hollow],
    ids=["3", "6", "10", "hollow"],
)
def test_a_soft_body_slides_at_coulombs_acceleration(made, steepness):
    network, g = made(), sloped(steepness)
    if network.vertex_count == 1000 and steepness < 1.0:
        pytest.xfail(
            "jelly of a thousand particles is left to two Newton steps, and creeps by a centimetre a second"
        )
    found = simulation(network, "STANDARD", g)
    bottom, weights = network.points[:, 2] == 0.0, network.masses / network.masses.sum()
    frames = [network.points, *found.frames(48)]
    if steepness < 1.0:
        # In the last half a second what bears it goes on by less than a fall of one substep.
        fall = G / (FPS * EFFORTS["STANDARD"].substeps) ** 2
        assert np.abs(frames[-1] - frames[-13])[bottom, 0].mean() < fall
    else:
        # 2 % of the slope's pull. It sways: a parabola through all of the last second and a half tells.
        ways = np.array([weights @ x[:, 0] for x in frames[12:]])
        acceleration = 2.0 * np.polyfit(np.arange(len(ways)) / FPS, ways, 2)[0]
        assert abs(acceleration - (g[0] + FRICTION * g[2])) < 0.02 * g[0]


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.combined
@pytest.mark.parametrize("effort", PLAYED)
@pytest.mark.parametrize("steepness", [0.98, 1.02, 1.1])
def test_a_box_of_cloth_that_shears_easily_slides_as_a_solid(effort, steepness):
    """The cube that everybody begins with: eight corners of cotton, whose walls hardly resist shear."""
    corners = SpringNetwork.lattice((2, 2, 2), 0.5, "EDGE")
    stiffness = np.where(corners.rest_lengths < 0.6, 4900.0, 100.0)
    box = SpringNetwork(corners.points, corners.edges, masses=0.2 / 8, stiffness=stiffness)
    g = sloped(steepness)
    ways = [x[:, 0].mean() for x in simulation(box, effort, g).frames(2 * FPS)]
    # After a second it has come to rest in itself. Of steady acceleration the second difference is a t^2.
    found = ways[-1] - 2.0 * ways[-1 - FPS // 2] + ways[-1 - FPS]
    assert found == pytest.approx(0.25 * max(g[0] + FRICTION * g[2], 0.0), rel=0.1, abs=2e-3)
    if steepness < 1.0:
        assert ways[-1] - ways[-1 - FPS] < 2e-3


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("effort", PLAYED)
@pytest.mark.parametrize("angles", [(0.3, 0.3), (0.5, 0.5), (0.2, 0.0)])
def test_a_stiff_block_tips_over_and_rests_on_a_face(effort, angles):
    found = simulation(block(1.0, 4, 1e5, angles, 0.3), effort)
    begun = found.diagnostics()["total"]
    gained = 0.0
    # It lies after 28 if it falls back, after 45 if it goes on over the next edge, and stays.
    for _ in range(48):
        found.step()
        gained = max(gained, found.diagnostics()["total"] - begun)
    x, v = found.state.x, found.state.v
    # Pressed by its weight it is lower by far less than this.
    assert abs(x[:, 2].mean() - 0.5) < 1e-3
    assert np.abs(v).max() < 1e-2
    # In parts of m g L, as everything that is called always stable.
    assert gained < 0.01 * G


@pytest.mark.nightly
@pytest.mark.parametrize("effort", PLAYED)
def test_balls_of_jelly_that_meet_gain_nothing(effort):
    # Solved by half, such an impact left nearly as much strain as there was energy, and threw them.
    points, triangles = octasphere(2)
    both = np.concatenate([0.5 * points + [0, 0, 0.55], 0.5 * points + [0.15, 0.1, 1.62]])
    upper = np.repeat([0, 1], len(points))
    faces = np.concatenate([triangles, triangles + len(points)])
    jelly = Solid.from_mesh(both, faces=faces, modulus=3e5, poisson=0.45, damping_ratio=0.05)
    bodies = jelly.of_particles(upper).astype(int)
    contacts = [Plane(friction=FRICTION), SelfCollision(0.03, bodies=bodies)]
    found = Simulation(jelly, dt=1 / FPS, contacts=contacts, **EFFORTS[effort].settings)
    energies = [found.diagnostics()["total"]]
    heights = []
    # The upper one is lowest in the ninth.
    for _ in range(14):
        found.step()
        heights.append(found.vertices[upper == 1, 2].mean())
        energies.append(found.diagnostics()["total"])
    weight, size = G * jelly.network.masses.sum(), np.ptp(both, axis=0).max()
    assert max(energies) < energies[0] + 0.01 * weight * size
    # They have met: what lies below bears the other, as high as closely solved but for what few iterations leave.
    assert min(heights) == pytest.approx(1.178, abs=0.05)


@pytest.mark.newest
def test_stiff_is_what_is_free_solid_and_faster_than_a_step():
    soft, stiff = block(1.0, 5, 1e2), block(1.0, 5, 1e5)
    assert stiff_bodies(soft, 1000.0) == []
    [body] = stiff_bodies(stiff, 1000.0)
    assert np.array_equal(body, np.arange(125))
    pinned = SpringNetwork(
        stiff.points, stiff.edges, masses=stiff.masses, stiffness=stiff.stiffness, pins=[0]
    )
    assert stiff_bodies(pinned, 1.0) == stiff_bodies(SpringNetwork.grid((5, 5), 0.1), 1.0) == []
    # The frequency goes with the root of stiffness over mass.
    one, four = (block(1.0, 5, k) for k in (1e4, 4e4))
    limits = np.geomspace(1.0, 1e5, 400)
    slowest = [max(limit for limit in limits if stiff_bodies(of, limit)) for of in (one, four)]
    assert slowest[1] / slowest[0] == pytest.approx(2.0, rel=0.06)


def test_rest_lengths_that_change_go_on_with_the_same_bits_when_taken_up_again():
    network = block(0.3, 4, 1e5)

    def played(found, frames):
        for frame in frames:
            found.change(rest_lengths=network.rest_lengths * (1.0 + 0.02 * np.sin(frame)))
            found.step()
        return found

    found = played(simulation(network, "STANDARD"), range(3))
    kept = found.snapshot()
    played(found, range(3, 8))
    again = simulation(network, "STANDARD")
    again.restore(kept)
    assert_array_equal(played(again, range(3, 8)).state.x, found.state.x)
