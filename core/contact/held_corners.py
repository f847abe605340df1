# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of what pins hold a part of: pins win."""

import numpy as np

from ..directions import LEAST


def asked(corners, weights, held):
    """Share of what each contact lacks that it asks of its free corners, shape (count,), or None for all of all.

    Next to a pin a free corner would have to go as far as the contact lacks over its weight there, which has no bound.
    As if what is held on its side were free, it goes no farther than that: what it leaves is between pins and what
    comes to them. Where the other side is free, that gives way. corners: indices, and weights, shape (count, 4), 0 of
    obstacles; held: a mask of the particles.
    """
    if not held.any():
        return None
    held = held[corners] & (weights != 0.0)
    which = np.flatnonzero(held.any(axis=1))
    if len(which) == 0:
        return None
    weights, held = weights[which], held[which]
    free, beside = (weights != 0.0) & ~held, np.zeros_like(held)
    for side in (weights > 0.0, weights < 0.0):
        gives = (side & free).any(axis=1, keepdims=True) & ~(~side & free).any(axis=1, keepdims=True)
        beside |= side & held & gives
    own, others = ((weights**2 * of).sum(axis=1) for of in (free, beside))
    shares = np.ones(len(corners))
    shares[which] = own / np.maximum(own + others, LEAST)
    return shares
