# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of what nothing holds as a whole, which no iteration may change: its momentum."""

import numpy as np


class ContactDrift:
    """The mean motion of every group of parts that touch each other, but neither pins nor obstacles.

    network: SpringNetwork; part: of every particle, see `network_parts`; contacts: ContactSet, or None.
    """

    def __init__(self, network, part, contacts):
        from scipy import sparse
        from scipy.sparse import csgraph

        count = int(part.max(initial=-1)) + 1
        held = np.zeros(count, dtype=bool)
        held[part[network.pinned]] = True
        joined = np.zeros((2, 0), dtype=np.intp)
        if contacts is not None:
            corners, weights = contacts.rows.corners, contacts.rows.weights
            held[part[corners[np.abs(weights.sum(axis=1)) > 0.5, 0]]] = True
            # A corner without weight stands for nothing.
            joined = part[corners[:, [0, 3]]].T if count > 1 else joined
        if held.all():
            self._group = None
            return
        graph = sparse.coo_matrix((np.ones(joined.shape[1]), joined), (count, count))
        _, group = csgraph.connected_components(graph, directed=False)
        stays = np.zeros(group.max() + 1, dtype=bool)
        stays[group[held]] = True
        self._group, self._masses = group[part], network.masses
        self._share = np.where(stays, 0.0, 1.0 / np.bincount(self._group, self._masses))

    def without(self, way):
        """A way, shape (3, n), changed in place, less the mean of every group."""
        if self._group is not None:
            for row in way:
                mean = np.bincount(self._group, self._masses * row, len(self._share)) * self._share
                row -= mean[self._group]
        return way
