# SPDX-License-Identifier: GPL-3.0-or-later
"""What presses: a penalty of the gap that stiffens, as stiff as the particles' inertia and springs ask for."""

import numpy as np

# Stiffness of a light touch in parts of the inertia m/a^2 that a contact moves, and of the springs there;
# docs/contacts.md has a table.
INERTIAS, SPRINGS = 20.0, 0.1

# Depth from which on it stiffens, in parts of the distance that is kept.
STIFF = 0.1

# Depths, in parts of the one from which on it stiffens, up to which it does: deeper it goes on as stiff as that.
_STIFFENS = 3.0


def push(gaps, stiffness, depths):
    """Normal forces f [N], their energies [J] and second derivatives [N/m] for gaps [m], all none where gaps are open.

    f = k d (1 + (d/s)^2) at a depth d = -gap, with a straight line from d = 3 s on; depths: s [m]; stiffness: k [N/m].
    """
    deep = np.maximum(-gaps, 0.0)
    share = np.minimum(deep / depths, _STIFFENS)
    beyond = deep - share * depths
    within = share * depths
    slope = stiffness * (1.0 + 3.0 * share**2)
    force = stiffness * within * (1.0 + share**2)
    energy = stiffness * within**2 * (0.5 + 0.25 * share**2) + (force + 0.5 * slope * beyond) * beyond
    return force + slope * beyond, energy, np.where(gaps < 0.0, slope, 0.0)


def contact_stiffness(rows, a, inverse_masses, springs):
    """k of contacts [N/m], 0 of those whose particles are all held.

    k = INERTIAS/(a^2 sum of w^2/m) + SPRINGS sum of w^2 K, times the rows' firmness. a: of the step's formula [s];
    inverse_masses: 0 of what is held [1/kg]; springs: K, the sum of the springs' stiffness at each particle [N/m].
    """
    squares = rows.weights**2
    moved = np.einsum("mk,mk->m", squares, inverse_masses[rows.corners])
    free = moved > 0.0
    inertia = INERTIAS / (a**2 * np.where(free, moved, 1.0))
    stiffness = inertia + SPRINGS * np.einsum("mk,mk->m", squares, springs[rows.corners])
    return np.where(free, rows.firmness * stiffness, 0.0)
