# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that begins exactly level or round falls and folds, the same every time; without an imperfection it stands."""

import numpy as np
import pytest

from hooke.core import AirDrag, Material, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.imperfection import SLIGHT, imperfection
from hooke.core.topology import lattice_faces, lattice_points

COTTON = Material(stretch=5e3, shear=100.0, bending=13e-6, area_density=0.136)


def flag():
    """A flag of 1.5 x 1 m, level in the plane of gravity, held by an edge."""
    points = lattice_points((25, 17, 1), 1 / 16)[:, [0, 2, 1]]
    return points, lattice_faces((25, 17, 1)), np.flatnonzero(points[:, 0] == 0.0)


def skirt(around=48, down=20):
    """A cone of 0.6 m, held by its narrow end."""
    angles = 2.0 * np.pi * np.arange(around) / around
    share = np.linspace(0.0, 1.0, down + 1)[:, None]
    radii = 0.12 + 0.28 * share
    points = np.stack(
        [radii * np.cos(angles), radii * np.sin(angles), np.broadcast_to(-0.6 * share, (down + 1, around))],
        axis=-1,
    )
    number = np.arange((down + 1) * around).reshape(down + 1, around)
    beside = np.roll(number, -1, axis=1)
    faces = np.stack([number[:-1], number[1:], beside[1:], beside[:-1]], axis=-1)
    return points.reshape(-1, 3), faces.reshape(-1, 4), number[0]


def simulation(made, size, effort="STANDARD"):
    points, faces, pins = made
    network = SpringNetwork.from_mesh(points, faces=faces, material=COTTON, pins=pins.tolist())
    return Simulation(network, dt=1 / 24, forces=AirDrag(), imperfection=size, **EFFORTS[effort].settings)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("effort", ["STANDARD", "FINE"])
def test_a_level_flag_is_down_within_a_second(effort):
    pytest.importorskip("scipy")
    made = flag()
    hung = simulation(made, SLIGHT, effort)
    frames = list(hung.frames(24))
    sideways = np.abs(frames[11][:, 1]).max()
    assert sideways > 0.03
    # The free edge below the held one, by more than half of the way that a limp cloth falls.
    free = made[0][:, 0] == 1.5
    assert (frames[-1] - made[0])[free, 2].mean() < -0.5


def test_without_one_it_stands_level():
    pytest.importorskip("scipy")
    for x in simulation(flag(), 0.0).frames(24):
        assert np.abs(x[:, 1]).max() == 0.0


@pytest.mark.parametrize("effort", ["STANDARD", "FINE"])
def test_a_round_skirt_folds_within_half_a_second(effort):
    pytest.importorskip("scipy")
    for x in simulation(skirt(), SLIGHT, effort).frames(12):
        radii = np.linalg.norm(x[:, :2], axis=1).reshape(-1, 48)
    assert radii.std(axis=1).max() > 5e-3


def test_it_is_the_same_every_time_and_goes_on_from_a_snapshot():
    pytest.importorskip("scipy")
    first, again, resumed = (simulation(skirt(6, 4), SLIGHT) for _ in range(3))
    frames = list(first.frames(6))
    np.testing.assert_array_equal(frames[-1], list(again.frames(6))[-1])
    resumed.restore(again.snapshot())
    np.testing.assert_array_equal(list(first.frames(3))[-1], list(resumed.frames(3))[-1])


def test_it_is_smooth_along_normals_and_none_at_pins():
    points, faces, pins = flag()
    network = SpringNetwork.from_mesh(points, faces=faces, material=COTTON, pins=pins.tolist())
    off = imperfection(network, SLIGHT)
    assert not off[pins].any() and not off[:, [0, 2]].any()
    assert np.abs(off).max() == pytest.approx(SLIGHT)
    across = off[network.edges[:, 0], 1] - off[network.edges[:, 1], 1]
    assert np.sqrt(np.mean(across**2)) < 0.6 * off[:, 1].std()


def test_another_part_and_its_place_change_nothing():
    points, faces, pins = flag()
    alone = imperfection(SpringNetwork.from_mesh(points, faces=faces, pins=pins.tolist()), SLIGHT)
    # Numbers of the other part come before, and its surface is smaller.
    small = np.add(points[: 17 * 3], (0.0, 5.0, 0.0))
    own = lattice_faces((3, 17, 1))
    both = SpringNetwork.from_mesh(
        np.concatenate([small, points]),
        faces=np.concatenate([own, faces + len(small)]),
        pins=(pins + len(small)).tolist(),
    )
    np.testing.assert_allclose(imperfection(both, SLIGHT)[len(small) :], alone, atol=1e-2 * SLIGHT)


def test_strands_and_solids_begin_at_their_points():
    rope = SpringNetwork(np.c_[np.zeros(5), np.zeros(5), np.arange(5.0)], [[i, i + 1] for i in range(4)])
    block = SpringNetwork.lattice((3, 3, 3), 0.1, reach="CORNER")
    assert not imperfection(rope, SLIGHT).any() and not imperfection(block, SLIGHT).any()


@pytest.mark.parametrize("size", [-1e-6, np.inf, [1e-6, 1e-6]])
def test_a_size_out_of_range_is_refused(size):
    with pytest.raises(ValueError, match="imperfection"):
        simulation(skirt(6, 4), size)
