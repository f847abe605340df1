# SPDX-License-Identifier: GPL-3.0-or-later
"""What bears on particles that end off the ways that were searched is known of, and all else is not."""

import numpy as np
import pytest

from hooke.core import Plane, Simulation, SpringNetwork
from hooke.core.contacts import RigidMesh, SelfCollision
from hooke.core.effort import EFFORTS

# Thickness of all, and the distance of what begins apart, beyond all margins [m].
KEPT, APART = 0.01, 0.2


def floor():
    corners = np.array([[-1.0, -1.0], [2.0, -1.0], [2.0, 2.0], [-1.0, 2.0]])
    return RigidMesh(np.column_stack([corners, np.full(4, -APART)]), [[0, 1, 2], [0, 2, 3]], thickness=KEPT)


def plane():
    return Plane((0.0, 0.0, -APART), thickness=KEPT)


def after_its_search(contact):
    """Contacts of a sheet that was searched where it stands still, and its places."""
    grid = SpringNetwork.grid((5, 5), 0.1)
    sheet = SpringNetwork.from_mesh(grid.points, faces=grid.surface.polygons)
    how = EFFORTS["STANDARD"].settings
    contacts = Simulation(sheet, dt=1 / 24, contacts=contact, **how).system.contacts
    contacts.begin()
    contacts.touching(sheet.points, sheet.points, 1 / 72, 1 / 72, np.full(len(sheet.points), 1e-3))
    return contacts, sheet.points


@pytest.mark.parametrize("contact", [floor, plane, lambda: SelfCollision(KEPT)])
def test_nothing_more_bears_where_it_was_searched(contact):
    contacts, x = after_its_search(contact())
    assert not contacts.unseen(x, x + 5e-4, 1 / 72, 1 / 72)


@pytest.mark.parametrize("contact", [floor, plane])
@pytest.mark.parametrize("way", [APART - 0.5 * KEPT, 2.0 * APART], ids=["pressed", "through"])
def test_what_went_to_a_collider_that_was_not_near_is_found(contact, way):
    contacts, x = after_its_search(contact())
    end = x.copy()
    end[12, 2] -= way
    assert contacts.unseen(x, end, 1 / 72, 1 / 72)


def test_a_particle_that_went_through_its_own_cloth_is_found():
    contacts, x = after_its_search(SelfCollision(KEPT))
    end = x.copy()
    # A corner folds over, to below the middle of a face that it was far from.
    end[0] = x[[12, 13, 18]].mean(axis=0) - [0.0, 0.0, 0.5 * KEPT]
    assert contacts.unseen(x, end, 1 / 72, 1 / 72)


def test_what_ends_above_all_distances_bears_nothing():
    contacts, x = after_its_search(floor())
    assert not contacts.unseen(x, x - [0.0, 0.0, APART - 2.0 * KEPT], 1 / 72, 1 / 72)
