# SPDX-License-Identifier: GPL-3.0-or-later
"""How far cloth begins from colliders and from itself is measured as geometry has it, up to what is kept."""

import numpy as np
import pytest

from core import Simulation, SpringNetwork
from core.contacts import RigidMesh, SelfCollision
from core.topology import lattice_faces, lattice_points

SIDE, SPACING, KEPT = 6, 0.02, 0.03
FACES = lattice_faces((SIDE, SIDE, 1))
# A floor of two triangles, far wider than the sheet.
FLOOR = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


def sheet(low, high):
    """Points of a sheet that rises along x from one height to another [m]."""
    points = lattice_points((SIDE, SIDE, 1), SPACING)
    points[:, 2] = np.interp(points[:, 0], (points[:, 0].min(), points[:, 0].max()), (low, high))
    return points


def measured(points, faces, contacts):
    network = SpringNetwork.from_mesh(points, faces=faces)
    simulation = Simulation(network, dt=1.0 / 24.0, contacts=contacts)
    return simulation.system.contacts.clearances.at(points, 0.0)


def test_heights_above_a_floor_are_measured_up_to_what_is_kept():
    points = sheet(0.01, 0.05)
    (found,) = measured(points, FACES, RigidMesh(FLOOR, TRIANGLES, thickness=KEPT))
    assert found.kept == pytest.approx(KEPT)
    # Edges and faces may be nearer by less than the slope over one of them.
    nearer = np.minimum(points[:, 2], KEPT) - found.distances
    assert (nearer > -1e-9).all() and nearer.max() <= 0.04 / (SIDE - 1) + 1e-9
    lowest = points[:, 2] < 0.01 + 1e-9
    assert found.distances[lowest] == pytest.approx(0.01)
    assert found.nearer(np.ones(len(points), dtype=bool)) == pytest.approx(np.mean(found.distances < KEPT))
    assert found.nearer(lowest) == 1.0 and found.nearer(np.zeros(len(points), dtype=bool)) == 0.0


def test_plies_are_as_far_from_each_other_as_they_are():
    one, other = sheet(0.0, 0.0), sheet(0.004, 0.004)
    points, faces = np.concatenate([one, other]), [*FACES.tolist(), *(FACES + len(one)).tolist()]
    (found,) = measured(points, faces, SelfCollision(0.01))
    assert found.distances == pytest.approx(0.004) and found.kept == pytest.approx(0.01)


def test_a_sheet_alone_is_not_near_itself():
    (found,) = measured(sheet(0.0, 0.0), FACES, SelfCollision(0.01))
    assert (found.distances == found.kept).all()
