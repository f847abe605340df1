# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks are copied, and go to other processes, with all that was found of them."""

import copy
import pickle

import pytest
from numpy.testing import assert_array_equal

from hooke.core import Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.kernels import CHOSEN, Indices
from hooke.core.material import Material

COPIES = {"pickle": lambda one: pickle.loads(pickle.dumps(one)), "deepcopy": copy.deepcopy}


def frames(network):
    """Positions of some frames of Standard."""
    simulation = Simulation(network, dt=1 / 24, **EFFORTS["STANDARD"].settings)
    return [x.copy() for x in simulation.frames(4)]


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_network_moves_to_the_same_bits(copied):
    grid = SpringNetwork.grid((9, 9), 0.1)
    network = SpringNetwork.from_mesh(
        grid.points, faces=grid.surface.polygons, material=Material(), pins=[0, 8]
    )
    # Before and after kernels were told of it.
    fresh, expected = copied(network), frames(network)
    for other in (fresh, copied(network)):
        assert_array_equal(frames(other), expected)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_of_indices_stay_as_they_were_looked_at(copied):
    indices = copied(Indices([3, 1, 2], 4))
    assert_array_equal(indices.values, [3, 1, 2])
    assert indices.below == 4
    with pytest.raises(ValueError, match="read-only"):
        indices.values[0] = 9


@pytest.mark.parametrize("kernel", CHOSEN.kernels, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_kernel_is_itself(kernel, copied):
    assert copied(kernel) is kernel
