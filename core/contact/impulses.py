# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses that contacts give at once, where a substep begins or ends."""

import numpy as np

# Sweeps over all contacts at most, and the share of the largest speed that is short by which they end: Newton's method
# finishes the rest. What presses on single particles alone takes two.
_SWEEPS, _ENOUGH = 12, 1e-2


def impulses(contacts, inverse_masses, least, shape):
    """Changes of velocity [m/s], shape (3, n), after which contacts part along their normals at least so fast.

    contacts: ContactSet; inverse_masses [1/kg], shape (n,); least: speeds that they are short of [m/s], shape (count,),
    as if nothing changed. Impulses push and never pull; those of both sides of a contact are opposite, so momentum is
    kept. By Jacobi's iterations on masses that are split among the contacts of a particle, which never overshoot
    (Tonge, Benevolenski and Voroshilov 2012, "Mass splitting for jitter-free parallel rigid body simulation").
    """
    rows, pushed = contacts.rows, np.zeros((3, shape))
    meant = (least > 0.0).astype(float)
    pulls = np.where(rows.weights != 0.0, meant[:, None], 0.0)
    among = np.bincount(rows.corners.ravel(), pulls.ravel(), shape)
    split = np.einsum("mk,mk->m", rows.weights**2, (inverse_masses * np.maximum(among, 1.0))[rows.corners])
    firm = (split > 0.0) & (meant > 0.0)
    split = np.where(firm, split, 1.0)
    total = np.zeros(len(least))
    for _ in range(_SWEEPS):
        before = total
        gained = np.einsum("am,am->m", rows.normals, contacts.differences(pushed))
        total = np.where(firm, np.maximum(total + (least - gained) / split, 0.0), 0.0)
        if (np.abs(total - before) * split <= _ENOUGH * least.max()).all():
            return pushed
        pushed[:] = 0.0
        contacts.scatter(total * rows.normals, pushed)
        pushed *= inverse_masses
    return pushed
