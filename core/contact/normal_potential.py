# SPDX-License-Identifier: GPL-3.0-or-later
"""What presses: a penalty of the gap, as stiff as the particles' inertia and springs ask for."""

import numpy as np

# Stiffness in parts of the inertia m/a^2 that a contact moves, and of the springs there: docs/contacts.md has the table.
INERTIAS, SPRINGS = 20.0, 0.1


def push(gaps, stiffness):
    """Normal forces max(0, -k gap) [N] and their energies f^2/2k [J]."""
    force = np.maximum(-stiffness * gaps, 0.0)
    return force, 0.5 * force * np.maximum(-gaps, 0.0)


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
