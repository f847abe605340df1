# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts on the ways that particles went which were not found on the ways that were searched."""

import numpy as np


def bears_more(actual, known, x):
    """Whether anything of a Touching, but not of a known one, meets on its way to x, or is pressed there.

    actual: of the ways that particles went; known: of those that were searched, or None; x: shape (3, n) [m].
    """
    shapes = () if known is None else known.shapes
    if any(shape.bears_more([of for of in shapes if of.owner == shape.owner], x) for shape in actual.shapes):
        return True
    if actual.candidates is None:
        return False
    corners = actual.candidates.corners
    if (corners[:, 0] == corners[:, 1]).any():
        # Particles that nothing is joined to have no side to be on: those that stray are always solved again.
        return True
    keys = () if known is None or known.candidates is None else known.candidates.keys
    more = np.flatnonzero(~np.isin(actual.candidates.keys, keys, assume_unique=True))
    if len(more) == 0:
        return False
    pressed = actual.distances(more, x) < actual.candidates.reach[more]
    return bool(pressed.any() or (actual.impacts(x)[more] < 1.0).any())
