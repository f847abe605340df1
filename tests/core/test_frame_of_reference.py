# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes of a sheet does not depend on how it is turned, where it is, nor on the numbers of its vertices."""

import numpy as np
import pytest
from theory.boxes import turn

from hooke.core import EFFORTS, AirDrag, Material, Simulation, SpringNetwork
from hooke.core.topology import lattice_faces, lattice_points

SIDE, SHIFT = 21, 1e4
COTTON = Material(stretch=5e3, shear=100.0, bending=1e-5, area_density=0.136)
POINTS, FACES = lattice_points((SIDE, SIDE, 1), 1.0 / (SIDE - 1)), lattice_faces((SIDE, SIDE, 1))
PINS = np.array([0, SIDE * (SIDE - 1)])
# Of the size of the sheet, 1 m, after so many frames.
WITHIN = {6: 1e-6, 30: 1e-3}


def played(effort, points, numbers=None, beside=None):
    """Positions after the frames of WITHIN of a sheet that hangs at two corners, in the order of its vertices.

    beside: points, faces and pins of another sheet, or None.
    """
    numbers = np.arange(len(points)) if numbers is None else numbers
    points, faces, pins = points[np.argsort(numbers)], numbers[FACES], numbers[PINS]
    if beside is not None:
        faces = np.concatenate([faces, beside[1] + len(points)])
        pins = np.concatenate([pins, beside[2] + len(points)])
        points = np.concatenate([points, beside[0]])
    network = SpringNetwork.from_mesh(points, faces=faces, material=COTTON, pins=pins)
    simulation = Simulation(network, dt=1 / 24, forces=AirDrag(), **EFFORTS[effort].settings)
    frames = list(simulation.frames(max(WITHIN)))
    return {frame: frames[frame - 1][numbers] for frame in WITHIN}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "effort",
    [pytest.param(name, marks=pytest.mark.nightly if name == "CONVERGED" else ()) for name in EFFORTS],
)
def test_turned_shifted_and_renumbered_it_moves_alike(effort):
    as_it_is, turned = played(effort, POINTS), turn(0.0, 0.0, np.pi / 6)
    numbers = np.random.default_rng(3).permutation(len(POINTS))
    others = (
        {frame: x @ turned.T for frame, x in played(effort, POINTS @ turned).items()},
        {
            frame: x - [SHIFT, 0.0, 0.0]
            for frame, x in played(effort, np.add(POINTS, (SHIFT, 0.0, 0.0))).items()
        },
        played(effort, POINTS, numbers),
    )
    for other in others:
        for frame, within in WITHIN.items():
            assert np.abs(other[frame] - as_it_is[frame]).max() < within


SMALL = lattice_points((9, 9, 1), 0.05), lattice_faces((9, 9, 1))
BESIDE = {
    "hangs alike": (POINTS, FACES, PINS),
    "falls": (POINTS, FACES, PINS[:0]),
    "hangs at a corner": (*SMALL, PINS[:1]),
}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("effort", ["DRAFT", "STANDARD", "FINE"])
@pytest.mark.parametrize("beside", BESIDE)
def test_another_part_far_away_changes_nothing(beside, effort):
    points, *rest = BESIDE[beside]
    alone, other = (
        played(effort, POINTS, beside=of) for of in (None, (np.add(points, (0.0, 50.0, 3.0)), *rest))
    )
    for frame, within in WITHIN.items():
        assert np.abs(other[frame] - alone[frame]).max() < within
