# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab says of bending, by the simulation: elastica, vibration, buckling and 45 degrees."""

import pytest
from theory.bending_meshes import KINDS
from theory.strips import ELASTICA, critical_load, frequency, hung, moment


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.parametrize("kind", ["quads", "triangles", "alternating", "strand"])
@pytest.mark.parametrize("effort", ["STANDARD", "FINE"])
@pytest.mark.parametrize("weight", [0.5, 20.0])
def test_a_strip_comes_to_rest_as_the_elastica(kind, effort, weight):
    assert hung(kind, 0.01, weight, effort) == pytest.approx(ELASTICA[weight], rel=0.03)


def test_so_it_does_where_every_step_is_solved():
    assert hung("alternating", 0.02, 5.0, "CONVERGED") == pytest.approx(ELASTICA[5.0], rel=0.03)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [*KINDS, "strand"])
def test_a_strip_swings_and_buckles_as_a_beam(kind):
    # Quads that are not square are taken for such, see `sheet_bending`.
    within = 0.03 if kind == "irregular quads" else 0.01
    assert frequency(kind, 0.01) == pytest.approx(1.0, rel=within)
    assert critical_load(kind, 0.01) == pytest.approx(1.0, rel=within)


@pytest.mark.parametrize("kind", KINDS)
def test_moments_are_those_of_a_plate_along_the_mesh_and_askew(kind):
    assert [moment(kind, angle) for angle in (0, 45, -45)] == pytest.approx([1.0] * 3, rel=0.02)
