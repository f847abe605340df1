# SPDX-License-Identifier: GPL-3.0-or-later
"""Seams: which edges sew, that they close within their time and force, and what is sewn holds what is inside."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import (
    EFFORTS,
    Inside,
    Material,
    Member,
    Plane,
    SelfCollision,
    Settling,
    Sewing,
    Simulation,
    SpringNetwork,
    State,
    Together,
)
from hooke.core.stencils import seam_edges
from hooke.core.surface import Surface
from hooke.core.topology import Polygons, lattice_faces, lattice_points

DT, SIDE, GAP = 1.0 / 24.0, 9, 0.1
COTTON = Material()


def panels(*, turned=True):
    """Two squares of 0.4 m, one above the other, and the edges that join their rims: points, edges, faces, seams.

    turned: whether the lower one faces down.
    """
    flat, quads = lattice_points((SIDE, SIDE, 1), 0.05), lattice_faces((SIDE, SIDE, 1))
    count = len(flat)
    i, j = np.divmod(np.arange(count), SIDE)
    rim = np.flatnonzero((i % (SIDE - 1) == 0) | (j % (SIDE - 1) == 0))
    seams = np.column_stack([rim, rim + count])
    up = np.cross(flat[quads[0, 1]] - flat[quads[0, 0]], flat[quads[0, 2]] - flat[quads[0, 0]])[2] > 0.0
    quads = quads if up else quads[:, ::-1]
    faces = np.concatenate([quads, (quads[:, ::-1] if turned else quads) + count])
    edges = np.concatenate([Polygons.from_faces(faces).edges(), seams])
    return np.concatenate([np.add(flat, (0, 0, GAP)), flat]), edges, faces, seams


def pillow(sewing, inside=None, *, turned=True, **quantities):
    points, edges, faces, seams = panels(turned=turned)
    network = SpringNetwork.from_mesh(
        points, edges, faces, material=COTTON, sewing=sewing, inside=inside, **quantities
    )
    return network, seams


def simulated(network, frames, **arguments):
    how = {"forces": Settling(), "gravity": (0, 0, 0), **EFFORTS["STANDARD"].settings, **arguments}
    simulation = Simulation(network, dt=DT, **how)
    return simulation, list(simulation.frames(frames))


def gaps(x, seams):
    return np.linalg.norm(x[seams[:, 0]] - x[seams[:, 1]], axis=1)


def test_edges_sew_that_border_no_face_and_join_borders():
    points, edges, faces, seams = panels()
    inner = [[SIDE + 1, SIDE * SIDE + SIDE + 1], [0, len(points)]]
    surface = Surface(np.concatenate([edges, inner]), faces)
    assert_array_equal(surface.edges[seam_edges(surface)], seams)


def test_seams_close_evenly_within_their_time_and_stay_closed():
    network, seams = pillow(Sewing(0.5))
    _, frames = simulated(network, 24)
    # Six of twelve frames: half of the way, but for what the cloth's inertia leaves.
    assert_allclose(gaps(frames[5], seams), 0.5 * GAP, atol=2e-3)
    assert max(gaps(x, seams).max() for x in frames[12:]) < 1e-3
    # Pressed from both sides: the middle of the whole stays, but for single precision.
    assert_allclose(frames[-1].mean(axis=0), network.points.mean(axis=0), atol=5e-6)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("effort", ["DRAFT", "FINE"])
def test_what_was_sewn_holds_what_presses_it_open(effort):
    network, seams = pillow(Sewing(0.5), Inside(300.0))
    simulation, frames = simulated(network, 30, **EFFORTS[effort].settings)
    assert gaps(frames[-1], seams).max() < 1e-3
    operators = simulation.network.enclosure_operators
    assert operators.volumes(np.ascontiguousarray(frames[-1].T))[0] > 5e-3
    assert np.ptp(frames[-1][:, 2]) > 0.1


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize(("share", "closes"), [(0.9, False), (2.0, True)])
def test_a_seam_pulls_with_no_more_than_its_largest_force(share, closes):
    # Hung from the upper panel, the lower one's weight pulls at the seams.
    count = SIDE * SIDE
    weight = 9.81 * COTTON.area_density * 0.4**2
    seam_count = len(panels()[3])
    network, seams = pillow(Sewing(0.5, share * weight / seam_count), pins=list(range(count)))
    _, frames = simulated(network, 72, gravity=(0, 0, -9.81))
    assert (gaps(frames[-1], seams).max() < 1e-3) == closes
    assert (gaps(frames[-1], seams).mean() > GAP) != closes


@pytest.mark.parametrize("turned", [True, False])
def test_sewn_panels_enclose_what_is_between_them_whichever_way_they_face(turned):
    network, _ = pillow(Sewing(), Inside(1.0), turned=turned)
    assert_allclose(network.enclosures.volume, 0.4**2 * GAP)
    assert network.enclosures.left_out == (0, 0)


@pytest.mark.newest
def test_a_seam_goes_on_from_a_snapshot_to_the_same_bits():
    network, _ = pillow(Sewing(0.5, 1.0), Inside(50.0))
    simulation, _ = simulated(network, 7)
    other, _ = simulated(pillow(Sewing(0.5, 1.0), Inside(50.0))[0], 0)
    other.restore(simulation.snapshot())
    for _ in range(8):
        simulation.step(), other.step()
    assert_array_equal(simulation.state.x, other.state.x)


def test_closing_makes_no_new_factor():
    network, _ = pillow(Sewing(0.25))
    simulation, _ = simulated(network, 1)
    factor = simulation.integrator.matrix
    simulation.step()
    assert simulation.integrator.matrix is factor


@pytest.mark.nightly
def test_a_pillow_on_a_floor_closes_though_it_does_not_pass_through_itself():
    network, seams = pillow(Sewing(0.5), Inside(100.0))
    contacts = [Plane((0, 0, -0.01)), SelfCollision(0.005)]
    _, frames = simulated(network, 30, gravity=(0, 0, -9.81), contacts=contacts)
    assert gaps(frames[-1], seams).max() < 1e-3
    assert frames[-1][:, 2].min() > -0.011


def test_seams_of_one_body_beside_another_close_as_well():
    network, seams = pillow(Sewing(0.25))
    sheet = SpringNetwork.grid((4, 4), 0.1, material=COTTON)
    together = Together([Member(sheet), Member(network)], dt=DT, gravity=(0, 0, 0))
    for _ in range(10):
        together.step()
    assert gaps(together.state.x[16:], seams).max() < 1e-3


def test_seams_that_begin_closed_stay_so():
    network, seams = pillow(Sewing(2.0))
    simulation, _ = simulated(network, 0)
    x = network.points.copy()
    x[seams[:, 0]] = x[seams[:, 1]]
    simulation.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(4):
        simulation.step()
        assert gaps(simulation.state.x, seams).max() < 1e-3


def test_springs_of_seams_have_no_strain():
    network, _ = pillow(Sewing())
    assert len(network.strains(network.points)) == network.spring_count
    assert np.abs(network.strains(network.points)).max() < 1e-12


@pytest.mark.parametrize("values", [(-1.0,), (np.inf,), (1.0, -1.0)])
def test_what_is_out_of_range_is_refused(values):
    with pytest.raises(ValueError, match="it must be finite"):
        Sewing(*values)
