# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of what no pin holds as a whole."""

import numpy as np

from ..topology import network_parts


class Drift:
    """Means of fields by mass over each part of a network that no pin holds: how its centre of mass moves.

    Few iterations keep the momentum of a part only where nothing adds to it, and single precision rounds it.

    network: SpringNetwork. Fields are of shape (3, vertex_count).
    """

    def __init__(self, network):
        self._part, self._masses = network_parts(network), network.masses
        held = np.zeros(self._part.max(initial=-1) + 1, dtype=bool)
        held[self._part[network.pinned]] = True
        self._free = ~held
        self._of_part = np.bincount(self._part, self._masses)

    def remove(self, field, of=None):
        """Take from a field, in place, the drift of another one, of itself unless told; returns it."""
        if self._free.any():
            for row, other in zip(field, field if of is None else of, strict=True):
                mean = np.bincount(self._part, self._masses * other) / self._of_part
                row -= np.where(self._free, mean, 0.0)[self._part]
        return field
