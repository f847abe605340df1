# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids stretch, sag and swing as beam theory says, whatever the mesh of their surface and however they lie."""

import numpy as np
import pytest
from theory.boxes import turn
from theory.solid_beam import ratios

SIZE = (1.0, 0.2, 0.2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("spacing", [0.2, 0.1, 0.05, 0.025])
def test_a_beam_is_as_stiff_as_it_should_be_at_every_resolution_of_its_surface(spacing):
    assert ratios(SIZE, spacing) == pytest.approx([1.0] * 3, rel=0.05)


@pytest.mark.newest
def test_the_surface_makes_no_difference():
    coarse, fine = (np.array(ratios(SIZE, spacing)) for spacing in (0.2, 0.04))
    assert coarse == pytest.approx(fine, rel=2e-3)


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize("angles", [(0.35, 0.5, 0.7), (0.7854, 0.0, 0.0), (0.0, 0.7854, 0.0)])
def test_however_it_is_turned_it_is_the_same_beam(angles):
    assert ratios(SIZE, 0.1, turn(*angles)) == pytest.approx(ratios(SIZE, 0.1), rel=5e-3)


@pytest.mark.sampled(4)
@pytest.mark.newest
@pytest.mark.parametrize("size", [(1.0, 0.3, 0.2), (1.0, 0.1, 0.1), (1.0, 0.5, 0.05), (1.0, 0.17, 0.13)])
def test_so_are_others(size):
    # Two cells across a plate of 5 cm are what 1500 allow.
    assert ratios(size, 0.1) == pytest.approx([1.0] * 3, rel=0.05)


@pytest.mark.parametrize("poisson", [0.35, 0.45])
def test_with_any_poisson_s_ratio(poisson):
    # What is clamped cannot narrow there, which theory leaves out.
    assert ratios(SIZE, 0.1, poisson=poisson) == pytest.approx([1.0] * 3, rel=0.05)


def test_few_cells_are_enough():
    assert ratios(SIZE, 0.1, cells=100) == pytest.approx([1.0] * 3, rel=0.05)
