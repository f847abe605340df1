# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's drape test: its shadow and folds on shapes that are known, and presets within what is published."""

import numpy as np
import pytest
from theory.cusick import RADIUS, TABLE, Drape, draped, shadow
from theory.drape_meshes import KINDS, disc
from theory.preset_materials import material


@pytest.mark.parametrize("kind", KINDS)
def test_a_disc_is_whole_and_has_the_edge_of_the_table(kind):
    points, polygons = disc(RADIUS, TABLE, 0.01, kind)
    assert polygons.areas(points).sum() == pytest.approx(np.pi * RADIUS**2, rel=0.01)
    r = np.linalg.norm(points, axis=1)
    assert r.max() == pytest.approx(RADIUS, rel=1e-12)
    assert np.count_nonzero(np.abs(r - TABLE) < 1e-9) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_flat_it_covers_all_and_as_a_cone_what_cones_cover(kind):
    points, polygons = disc(RADIUS, TABLE, 0.01, kind)
    border = np.flatnonzero(np.linalg.norm(points, axis=1) > RADIUS - 1e-9)
    assert Drape(points, polygons, border).coefficient == pytest.approx(1.0, abs=0.02)
    narrow = points * [0.8, 0.8, 1.0]
    assert Drape(narrow, polygons, border).coefficient == pytest.approx((0.64 - 0.36) / (1 - 0.36), abs=0.02)


def test_a_shadow_counts_what_lies_over_itself_once():
    square = np.array(
        [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0], [0, 0, 1], [0.1, 0, 1], [0.1, 0.1, 1]]
    )
    triangles = np.array([[0, 1, 2], [0, 2, 3], [4, 6, 5]])
    assert shadow(square, triangles) == pytest.approx(0.01, rel=0.03)


@pytest.mark.parametrize("folds", [3, 7])
def test_folds_are_counted(folds):
    points, polygons = disc(RADIUS, TABLE, 0.01, "triangles")
    border = np.flatnonzero(np.linalg.norm(points, axis=1) > RADIUS - 1e-9)
    angle = np.arctan2(points[:, 1], points[:, 0])
    waved = points * (1.0 + 0.1 * np.cos(folds * angle))[:, None]
    assert Drape(waved, polygons, border).nodes == folds


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "low", "high"), [("Cotton", 60, 76), ("Denim", 70, 90), ("Leather", 47, 70)]
)
def test_presets_drape_as_such_fabrics_do(name, low, high, kind):
    assert low < 100.0 * draped(material(name), 0.01, kind, seconds=4).coefficient < high
