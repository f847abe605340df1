# SPDX-License-Identifier: GPL-3.0-or-later
"""What rubs: Coulomb's law as the Huber potential of a way along a surface."""

import numpy as np

# Stiffness of what sticks, in parts of that of what presses. In a Newton step that begins where it slips, what should
# stop goes back by as much as inertia lets it: with more than twice the inertia m/a^2 it would slip backwards there.
STICKING = 0.1

# Force [N] below which nothing rubs: only to divide by.
_LEAST = 1e-300


def friction(slid, before, stiffness, limits):
    """Friction F [N] for ways u along the surface [m], both (3, count), its energy [J] and its second derivative.

    F = before - k u, cut off at the limit, the coefficient times the normal force. Below the limit it sticks, with the
    energy |F|^2/2k; beyond it slips, with limit |before - k u|/k less limit^2/2k. Where both are nought it slips. The
    second derivative is c (I - n n^T - t t^T): c = k and t = 0 where it sticks, else
    c = k limit/|before - k u| and t along F. stiffness: k [N/m]; limits [N].
    """
    tried = before - stiffness * slid
    size = np.sqrt(np.einsum("ij,ij->j", tried, tried))
    slips = size >= limits
    share = np.where(slips, limits / np.maximum(size, _LEAST), 1.0)
    firm = np.where(stiffness > 0.0, stiffness, 1.0)
    energy = np.where(slips, limits * (size - 0.5 * limits), 0.5 * size**2) / firm
    along = np.where(slips, 1.0 / np.maximum(size, _LEAST), 0.0) * tried
    return share * tried, np.where(stiffness > 0.0, energy, 0.0), share * stiffness, along
