# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing passes through anything: crossings on the way are told, and what would cross goes along."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.bodies import Cloth
from hooke.core.contacts import SelfCollision
from hooke.core.contacts.crossings import crosses
from hooke.core.contacts.pair_kinds import Faces, Strands
from hooke.core.contacts.tangles import Tangles
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points


def crosses_by_roots(kind, start, end):
    """Whether a pair meets on its way; start, end: shape (4, 3).

    Of determinants at four times a cubic, of that the roots, and there the point of both sides by least squares.
    """
    times = np.array([0.0, 1 / 3, 2 / 3, 1.0])
    ways = [start + time * (end - start) for time in times]
    volumes = [np.linalg.det(p[1:] - p[0]) for p in ways]
    for root in np.roots(np.polyfit(times, volumes, 3)):
        if abs(root.imag) > 1e-9 or not 0.0 < root.real < 1.0:
            continue
        p = start + root.real * (end - start)
        if kind is Faces:
            sides, to = (p[2] - p[1], p[3] - p[1]), p[0] - p[1]
        else:
            sides, to = (p[1] - p[0], p[2] - p[3]), p[2] - p[0]
        (s, t), *_ = np.linalg.lstsq(np.column_stack(sides), to, rcond=None)
        if min(s, t) > 0.0 and (s + t < 1.0 if kind is Faces else max(s, t) < 1.0):
            return True
    return False


@pytest.mark.parametrize("kind", [Faces, Strands])
def test_what_crosses_is_what_the_roots_of_the_cubic_say(kind):
    # Large turns: some pass twice, or beside each other first.
    rng = np.random.default_rng(1)
    start, end = rng.normal(size=(2, 3, 4 * 400))
    rows = np.arange(4 * 400).reshape(4, 400)
    found = crosses(kind, rows, start, end, 0.0)
    expected = [crosses_by_roots(kind, start[:, row].T, end[:, row].T) for row in rows.T]
    assert 20 < sum(expected) < 380
    assert_array_equal(found, expected)


@pytest.mark.parametrize(("height", "found"), [(1e-3, True), (0.02, False)])
def test_what_comes_too_close_for_a_side_counts_as_crossing(height, found):
    start = np.array([[0.2, 0.2, 0.1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]).T
    end = start.copy()
    end[2, 0] = height
    rows = np.arange(4)[:, None]
    assert crosses(Faces, rows, start, end, 0.01) == found
    # It may stay where it is, and go away.
    assert not crosses(Faces, rows, end, end, 0.01)
    assert not crosses(Faces, rows, end, start, 0.01)


def test_where_a_surface_lies_in_itself_is_told():
    # Two triangles, of which one stands in the other, and one that lies apart.
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    standing = [[0.2, 0.2, -0.5], [0.2, 0.3, 0.5], [0.2, 0.2, 0.5]]
    x = np.concatenate([flat, standing, flat + 5.0]).T
    tangles = Tangles(np.arange(9).reshape(3, 3))
    assert_array_equal(tangles.among(np.array([0, 3]), x), np.arange(6))
    assert len(tangles.among(np.array([6, 7]), x)) == 0
    x[0, 3:6] += 2.0
    assert len(tangles.among(np.arange(9), x)) == 0


@pytest.mark.parametrize("both", [False, True])
def test_what_would_pass_through_what_a_surface_holds_goes_with_it(both):
    # A triangle falls, with a corner of another beneath it that a floor then lifts through it.
    lower, upper = (
        [[0.3, 0.3, -0.01], [3, 0, -0.01], [0, 3, -0.01]],
        [[0, 0, 0.01], [1, 0, 0.01], [0, 1, 0.01]],
    )
    points = np.array(lower + upper)
    network = SpringNetwork.from_mesh(points, faces=[[0, 1, 2], [3, 4, 5]])
    contact = SelfCollision(0.005).on(Cloth(network))
    before, fallen = State(points, np.zeros_like(points), 0.0), points - [0.0, 0.0, 0.02]
    after = State(fallen, np.zeros_like(points), 0.1)
    assert contact.resolve(before, after) is after
    lifted = fallen.copy()
    lifted[0, 2] = 0.0
    # What surfaces hold on both sides has nowhere to go but along.
    lifted[3:, 2] += 1e-4 * both
    left = contact.keep_apart(before, State(lifted, after.v, after.t))
    assert not crosses(Faces, np.array([[0], [3], [4], [5]]), points.T, left.x.T, 0.0)
    if not both:
        assert_array_equal(left.x[0], lifted[0])
        assert_allclose(left.x[3:, 2] - left.x[0, 2], 0.02, rtol=1e-12)
        assert_allclose(left.v[3:, 2], 0.03 / 0.1, rtol=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize(("shape", "seed"), [((31, 4, 1), 0), ((41, 6, 1), 1)])
def test_no_edge_goes_through_a_triangle_in_a_ribbon_that_is_thrown_on_its_end(shape, seed):
    # Of 1 cm: it crumples within half a thickness, with folds as sharp as its mesh can be.
    points = lattice_points(shape, 0.01)
    along, across, _ = points.T
    noise = 1e-3 * np.random.default_rng(seed).standard_normal(shape[0]).repeat(shape[1])
    start = np.column_stack([2e-3 * np.sin(2.0 * np.pi * along / 0.12 + 1.0) + noise, across, along + 0.02])
    network = SpringNetwork.from_mesh(points, faces=lattice_faces(shape), material=Material())
    contacts = [Plane(), SelfCollision(0.005)]
    settings = EFFORTS["STANDARD"].settings
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, forces=Settling(), **settings)
    simulation.state = State(start, np.tile([0.0, 0.0, -4.0], (len(start), 1)), 0.0)
    tangles, everything = Tangles(network.surface.triangles), np.arange(len(points))
    for _ in range(6):
        simulation.step()
        assert len(tangles.among(everything, simulation.state.x.T)) == 0
