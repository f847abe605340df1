# SPDX-License-Identifier: GPL-3.0-or-later
"""Length-normalised stiffness: k = k_s / L, so that a finer mesh of the same thing hangs the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Simulation, SpringNetwork

G = 9.81
SHARE = 40.0  # k_s [N] per unit of fractional stretch
LENGTH, MASS = 2.0, 0.5


def strip(count, **options):
    """A line of `count` edges hanging from its first vertex."""
    points = np.column_stack([np.zeros((count + 1, 2)), -LENGTH * np.arange(count + 1) / count])
    edges = np.column_stack([np.arange(count), np.arange(1, count + 1)])
    return SpringNetwork.from_mesh(
        points, edges, structural=SHARE, mass=MASS, pins=[1.0] + count * [0.0], **options
    )


def extension(network):
    """How much lower the end hangs at rest [m]."""
    simulation = Simulation(network, dt=2.0, iterations=3)
    for _ in range(60):
        simulation.step()
    assert np.abs(simulation.state.v).max() < 1e-12
    return network.points[-1, 2] - simulation.state.x[-1, 2]


@pytest.mark.parametrize("count", [4, 8, 16])
def test_finer_strip_hangs_the_same(count):
    # Link j of n carries n - j + 1 masses M / (n + 1): the extensions sum to M g l / (2 k_s) for every n.
    found = extension(strip(count, length_normalised=True))
    assert found == pytest.approx(MASS * G * LENGTH / (2 * SHARE), rel=1e-11)


def test_without_it_twice_the_links_hang_twice_as_far():
    assert extension(strip(8)) == pytest.approx(2 * extension(strip(4)), rel=1e-11)


def test_every_kind_of_spring_is_normalised_by_its_own_length():
    # Two quads of 1 m by 2 m side by side; kinds tell themselves apart by their k_s.
    points = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 2, 0], [1, 2, 0], [2, 2, 0]]
    edges = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]]
    faces = [[0, 1, 4, 3], [1, 2, 5, 4]]
    kinds = {"structural": 30.0, "shear": 7.0, "bending": 0.5}
    plain = SpringNetwork.from_mesh(points, edges, faces, **kinds)
    normalised = SpringNetwork.from_mesh(points, edges, faces, length_normalised=True, **kinds)
    assert_array_equal(normalised.edges, plain.edges)
    assert_allclose(normalised.stiffness * normalised.rest_lengths, plain.stiffness, rtol=1e-15)
    lengths = np.array([1, 1, 1, 1, 2, 2, 2, *4 * [np.sqrt(5)], 2, 2])
    assert_allclose(normalised.stiffness, [*30 / lengths[:7], *7 / lengths[7:11], 0.25, 0.25], rtol=1e-15)


def test_scaled_mesh_keeps_its_fractional_stretch():
    # The same weight on the same strip at ten times the size: strains are the same.
    strains = []
    for scale in (1.0, 10.0):
        small = strip(4)
        network = SpringNetwork.from_mesh(
            scale * small.points,
            small.edges,
            structural=SHARE,
            mass=MASS,
            pins=small.pins,
            length_normalised=True,
        )
        strains.append(extension(network) / (scale * LENGTH))
    assert strains[0] == pytest.approx(strains[1], rel=1e-11)


def test_spring_of_zero_length_is_named():
    points = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    with pytest.raises(ValueError, match=r"spring 1 joins vertices \[1, 2\] at one place, .*merge them, or"):
        SpringNetwork.from_mesh(points, [[0, 1], [1, 2]], length_normalised=True)
    # Where its kind is left out there is nothing to divide.
    network = SpringNetwork.from_mesh(points, [[0, 1], [1, 2]], structural=0, length_normalised=True)
    assert network.spring_count == 0
