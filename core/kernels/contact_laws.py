# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of a contact: what it presses with, how deep that is, and what it rubs with."""

import numpy as np

# Stiffness of a light touch in parts of the inertia m/a^2 that a contact moves, and so that beside which obstacles hold
# what they touch; and in parts of that of the springs there. docs/contact_figures.md has tables of both.
INERTIAS, SPRINGS = 20.0, 0.1

# Depths, in parts of the one from which on a contact stiffens, up to which it does: deeper it goes on as stiff as that.
STIFFENS = 3.0

# Steps of Newton's method to the root of the cubic, from any share up to where it ends: seven leave rounding alone.
_TO_ROUNDING = 7

# Force [N] below which nothing presses or rubs: only to divide by.
_LEAST = 1e-300


def push(gaps, stiffness, depths):
    """Normal forces f [N], their energies [J] and second derivatives [N/m] for gaps [m], all none where gaps are open.

    f = k d (1 + (d/s)^2) at a depth d = -gap, with a straight line from d = 3 s on; depths: s [m]; stiffness: k [N/m].
    """
    deep = np.maximum(-gaps, 0.0)
    share = np.minimum(deep / depths, STIFFENS)
    beyond = deep - share * depths
    within = share * depths
    slope = stiffness * (1.0 + 3.0 * share**2)
    force = stiffness * within * (1.0 + share**2)
    energy = stiffness * within**2 * (0.5 + 0.25 * share**2) + (force + 0.5 * slope * beyond) * beyond
    return force + slope * beyond, energy, np.where(gaps < 0.0, slope, 0.0)


def depth(forces, stiffness, depths):
    """Depths d [m] at which `push` has normal forces [N]: the real root of its cubic, by Newton's method from above.

    Not by hyperbolic functions, whose last bits differ between systems.
    """
    share = forces / (stiffness * depths)
    within = np.minimum(share, STIFFENS)
    for _ in range(_TO_ROUNDING):
        square = within * within
        within = (2.0 * within * square + share) / (1.0 + 3.0 * square)
    most = STIFFENS * (1.0 + STIFFENS**2)
    beyond = STIFFENS + (share - most) / (1.0 + 3.0 * STIFFENS**2)
    return depths * np.where(share > most, beyond, within)


def friction(slid, before, stiffness, limits):
    """Friction F [N] for ways u along the surface [m], both (3, count), its energy [J] and its second derivative.

    F = before - k u, cut off at the limit, the coefficient times the normal force: Coulomb's law as a Huber potential.
    Below the limit it sticks, with the energy |F|^2/2k; beyond it slips, with limit |before - k u|/k less limit^2/2k.
    Where both are nought it slips. The second derivative is c (I - n n^T - t t^T): c = k and t = 0 where it sticks,
    else c = k limit/|before - k u| and t along F, 0 where the limit is. stiffness: k [N/m]; limits [N].
    """
    tried = before - stiffness * slid
    size = np.sqrt(np.einsum("ij,ij->j", tried, tried))
    slips = size >= limits
    share = np.where(slips, limits / np.maximum(size, _LEAST), 1.0)
    firm = np.where(stiffness > 0.0, stiffness, 1.0)
    energy = np.where(slips, limits * (size - 0.5 * limits), 0.5 * size**2) / firm
    along = np.where(slips & (limits > 0.0), 1.0 / np.maximum(size, _LEAST), 0.0) * tried
    return share * tried, np.where(stiffness > 0.0, energy, 0.0), share * stiffness, along
