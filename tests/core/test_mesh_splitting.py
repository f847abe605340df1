# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that come apart: doubles are with their vertices until they tear, and go on with one side of the tear."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core.mesh_splitting import NEVER, split
from hooke.core.topology import Polygons, connected_parts, lattice_faces, lattice_points

from .turns import turned

ROWS, COLUMNS = 7, 5
POINTS = lattice_points((ROWS, COLUMNS, 1), 0.1)
FACES = Polygons.from_faces(lattice_faces((ROWS, COLUMNS, 1)))
# Of every face the row of its first vertex.
ROW = FACES.corners.reshape(-1, 4).min(axis=1) // COLUMNS


def masks(since, count=6):
    return [since <= index for index in range(count)]


def torn(rows=(3,), columns=range(COLUMNS - 1), since=2):
    """Number of the frame from which on each face is torn: faces of some rows and columns, one after another."""
    found = np.full(len(FACES.sizes), NEVER)
    column = FACES.corners.reshape(-1, 4).min(axis=1) % COLUMNS
    chosen = np.isin(ROW, rows) & np.isin(column, columns)
    found[chosen] = since + column[chosen]
    return found


def parts_of(splitting):
    """Parts of the faces of a split mesh, by their corners."""
    faces = splitting.corners.reshape(-1, 4)
    links = np.concatenate([faces[:, :2], faces[:, 1:3], faces[:, 2:]])
    return connected_parts(links, len(POINTS) + len(splitting))[faces[:, 0]]


def test_nothing_that_is_whole_is_split():
    assert split(FACES, masks(np.full(len(FACES.sizes), NEVER)), POINTS) is None
    assert split(FACES, [None, None], POINTS) is None


def test_a_tear_across_leaves_two_halves_and_doubles_along_one_row():
    found = split(FACES, masks(torn(), 9), POINTS)
    assert_array_equal(found.sources, np.arange(4 * COLUMNS, 5 * COLUMNS))
    part = parts_of(found)
    assert len(np.unique(part)) == 2
    # The torn row stays with the side of the first vertices.
    assert (part[ROW <= 3] == part[0]).all() and (part[ROW > 3] == part[-1]).all()
    assert_array_equal(found.corners[FACES.corners < 4 * COLUMNS], FACES.corners[FACES.corners < 4 * COLUMNS])


def test_a_tear_that_ends_within_leaves_one_piece():
    found = split(FACES, masks(torn(columns=[0, 1])), POINTS)
    assert len(np.unique(parts_of(found))) == 1
    # The last face hangs on the whole ones beside it by all corners.
    assert_array_equal(found.sources, [4 * COLUMNS, 4 * COLUMNS + 1])


def test_doubles_are_with_their_vertices_until_the_last_of_their_faces_tears():
    found = split(FACES, masks(torn(), 9), POINTS)
    assert_array_equal(found.since, [2, 3, 4, 5, 5])
    moved = POINTS + np.where(np.arange(len(POINTS))[:, None] >= 4 * COLUMNS, [0.0, 0.0, 1.0], 0.0)
    for index in range(8):
        x = found.positions(index, moved)
        assert_array_equal(x[: len(POINTS)], moved)
        apart = found.since <= index
        assert_array_equal(x[len(POINTS) :][~apart], moved[found.sources[~apart]])
        assert_allclose(x[len(POINTS) :][apart], POINTS[found.sources[apart]], atol=1e-12)


def test_what_goes_on_turns_with_its_side():
    found = split(FACES, masks(torn(), 9), POINTS)
    turn, way = np.array([0.4, -1.1, 2.0]), np.array([3.0, -1.0, 2.0])
    moved = POINTS.copy()
    side = slice(0, 4 * COLUMNS)
    moved[side] = turned(POINTS[side].T, turn).T + way
    expected = turned(POINTS[found.sources].T, turn).T + way
    assert_allclose(found.positions(8, moved)[len(POINTS) :], expected, atol=1e-12)


def test_what_has_torn_on_all_sides_stays_by_itself():
    found = split(FACES, masks(torn(rows=range(ROWS - 1), since=0), 9), POINTS)
    assert found is not None and np.isfinite(found.positions(8, POINTS)).all()
    x = found.positions(8, 2.0 * POINTS)
    # Nothing turns, and no face is stretched by what has gone.
    assert np.isfinite(x).all() and x.shape == (len(POINTS) + len(found), 3)


@pytest.mark.parametrize("seed", range(5))
def test_no_face_spans_a_tear(seed):
    rng = np.random.default_rng(seed)
    since = np.where(rng.random(len(FACES.sizes)) < 0.3, 1, NEVER)
    found = split(FACES, masks(since), POINTS)
    # Blown apart: every vertex flies off, and what hangs on whole faces stays with them.
    whole = FACES.corners.reshape(-1, 4)[since == NEVER]
    links = np.concatenate([whole[:, :2], whole[:, 1:3], whole[:, 2:]])
    part = connected_parts(links, len(POINTS))
    moved = (POINTS + rng.normal(size=(len(POINTS), 3))[part] * 10.0).astype(np.float32)
    x = found.positions(3, moved)
    assert x.dtype == np.float32
    faces = x[found.corners.reshape(-1, 4)]
    sides = np.linalg.norm(faces - np.roll(faces, 1, axis=1), axis=2)
    # In single precision, of numbers of ten metres.
    assert_allclose(sides, 0.1, rtol=0, atol=1e-5)
