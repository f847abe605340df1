# SPDX-License-Identifier: GPL-3.0-or-later
"""How far edges are stretched and folded, on shapes whose strains and angles are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import SpringNetwork
from hooke.core.deformation import edge_bends, edge_strains
from hooke.core.topology import Polygons

TWO_SQUARES = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]], dtype=float)
EDGES = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [4, 1], [5, 4], [2, 5]])


def folded(angle):
    """The second square folded about the edge from 1 to 2."""
    x = TWO_SQUARES.copy()
    x[4:, 0], x[4:, 2] = 1.0 + np.cos(angle), np.sin(angle)
    return x


@pytest.mark.combined
@pytest.mark.parametrize("second", [(1, 4, 5, 2), (2, 5, 4, 1)], ids=["wound alike", "wound otherwise"])
@pytest.mark.parametrize("begun", [0.0, 0.4, -1.2])
@pytest.mark.parametrize("angle", [0.0, 0.3, -0.3, 2.0, -2.5])
def test_a_fold_is_told_by_its_angle_from_rest(angle, begun, second):
    bends = edge_bends(
        EDGES, Polygons.from_faces([(0, 1, 2, 3), second]), folded(begun + angle), folded(begun)
    )
    expected = np.zeros(len(EDGES))
    # The shorter way round.
    expected[1] = abs(np.remainder(angle + np.pi, 2 * np.pi) - np.pi)
    assert_allclose(bends, expected, atol=1e-12)
    strains = edge_strains(EDGES, folded(begun + angle), folded(begun))
    assert_allclose(strains, 0.0, atol=1e-12)


def test_strains_are_those_of_the_network_s_springs():
    sheet, random = SpringNetwork.grid((5, 6), 0.1), np.random.default_rng(1)
    x = sheet.points + random.normal(scale=0.01, size=sheet.points.shape)
    assert_allclose(edge_strains(sheet.edges, x, sheet.points), sheet.strains(x), atol=1e-12)


def test_what_turns_and_moves_is_neither_stretched_nor_folded():
    sheet, turn = SpringNetwork.grid((5, 6), 0.1), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    x, faces = sheet.points @ turn + [3.0, 2.0, 1.0], sheet.surface.polygons
    assert_allclose(edge_strains(sheet.edges, x, sheet.points), 0.0, atol=1e-12)
    assert_allclose(edge_bends(sheet.edges, faces, x, sheet.points), 0.0, atol=1e-7)


def test_without_faces_and_without_length_there_is_none():
    assert edge_bends(np.array([[0, 1]]), Polygons.from_faces([]), TWO_SQUARES, TWO_SQUARES).tolist() == [0.0]
    assert edge_strains(np.array([[0, 0]]), TWO_SQUARES, TWO_SQUARES).tolist() == [0.0]
