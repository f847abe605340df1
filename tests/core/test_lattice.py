# SPDX-License-Identifier: GPL-3.0-or-later
"""Box lattices: reach, counts and rest lengths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import SpringNetwork

LEVELS = ("FACE", "EDGE", "CORNER")


def counts(nx, ny, nz):
    """Springs of each level: how often each neighbour step fits into the box, times its directions."""
    a, b, c = nx - 1, ny - 1, nz - 1
    return {
        "FACE": a * ny * nz + nx * b * nz + nx * ny * c,
        "EDGE": 2 * (a * b * nz + a * ny * c + nx * b * c),
        "CORNER": 4 * a * b * c,
    }


@pytest.mark.parametrize("shape", [(2, 2, 2), (4, 4, 4), (3, 4, 5), (1, 3, 4), (5, 1, 1), (1, 1, 1)])
@pytest.mark.parametrize("reach", LEVELS)
def test_reach_includes_the_levels_before_it(shape, reach):
    network = SpringNetwork.lattice(shape, reach=reach)
    levels = LEVELS[: LEVELS.index(reach) + 1]
    assert network.vertex_count == np.prod(shape)
    assert network.spring_count == sum(counts(*shape)[level] for level in levels)
    assert len({frozenset(edge) for edge in network.edges.tolist()}) == network.spring_count


@pytest.mark.parametrize("spacing", [1.0, 0.25])
def test_rest_lengths_are_spacing_times_1_sqrt2_sqrt3(spacing):
    network = SpringNetwork.lattice((3, 4, 5), spacing)
    lengths, found = np.unique(np.round(network.rest_lengths / spacing, 12), return_counts=True)
    assert_allclose(lengths, np.sqrt([1.0, 2.0, 3.0]), rtol=1e-11)
    assert_array_equal(found, list(counts(3, 4, 5).values()))


@pytest.mark.parametrize("levels", [("EDGE",), ("FACE", "CORNER"), ["CORNER", "EDGE"], {"FACE"}, ()])
def test_each_level_can_be_left_out(levels):
    network = SpringNetwork.lattice((3, 3, 3), reach=levels)
    wanted = {round(np.sqrt(LEVELS.index(level) + 1), 9) for level in levels}
    assert set(np.round(network.rest_lengths, 9)) == wanted
    assert network.spring_count == sum(counts(3, 3, 3)[level] for level in levels)


def test_default_reach_is_the_rigid_one():
    assert SpringNetwork.lattice((3, 3, 3)).spring_count == sum(counts(3, 3, 3).values())


def test_points_start_at_the_origin_with_z_fastest():
    points = SpringNetwork.lattice((2, 2, 3), 0.5).points
    assert_array_equal(points[:4], [[0, 0, 0], [0, 0, 0.5], [0, 0, 1], [0, 0.5, 0]])
    assert_array_equal(points[-1], [0.5, 0.5, 1.0])


def test_quantities_are_passed_on():
    network = SpringNetwork.lattice((2, 2, 2), masses=0.1, stiffness=50, damping=2, pins=0.5, pin_stiffness=9)
    assert set(network.masses) == {0.1}
    assert set(network.stiffness) == {50}
    assert set(network.damping) == {2}
    assert set(network.pins) == {0.5}
    assert network.pin_stiffness == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": (2, 2)}, r"lattice shape is \(2, 2\): give three whole counts of at least 1"),
        ({"shape": (2, 0, 2)}, r"lattice shape is \(2, 0, 2\)"),
        ({"shape": (2, 2, 2), "spacing": 0.0}, r"lattice spacing is 0.0 m: it must be above 0"),
        ({"shape": (2, 2, 2), "spacing": np.nan}, r"lattice spacing is nan m"),
        ({"shape": (2, 2, 2), "spacing": np.inf}, r"lattice spacing is inf m"),
        ({"shape": (2, 2, 2), "reach": "FAR"}, r"lattice reach is 'FAR': use FACE, EDGE, CORNER"),
        ({"shape": (2, 2, 2), "reach": ("FACE", "FAR")}, r"lattice reach is \('FACE', 'FAR'\)"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SpringNetwork.lattice(**arguments)
