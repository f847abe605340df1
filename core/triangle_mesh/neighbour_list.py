# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles may be closest to particles, remembered until these have moved too far to know."""

import numpy as np

from .triangles import least_of_runs

# Of distances and lengths of ways, beside coordinates.
_ROUNDING = 1e-6


class NeighbourList:
    """Triangles that may be closest to particles, each with how far away it was at least where the particle was then.

    What has moved by s since may have come closer by s, and nothing else can be closest: what is found is the same as
    without, only sooner. Verlet 1967, "Computer experiments on classical fluids", section II.

    triangles: Triangles; particle_count: of those that may ask.
    """

    def __init__(self, triangles, particle_count):
        self._triangles = triangles
        # Where they were, and how far from there nothing is that is not listed; of none anything is known yet.
        self._at = np.zeros((particle_count, 3))
        self._complete = np.full(particle_count, -np.inf)
        self._closest = np.zeros(particle_count, dtype=np.intp)
        # One entry a pair, by particles, which rise.
        self._particles = self._listed = np.zeros(0, dtype=np.intp)
        self._distances = np.zeros(0, dtype=np.float32)

    def closest(self, x, particles, search):
        """Closest to particles, each asked for once.

        x: their positions, shape (count, 3) [m]; particles: their indices, shape (count,); search: rows of x -> pairs
        of these and triangles as in `Triangles.closest`, and how far away, at least, others are, shape (row_count,).
        """
        rows = np.arange(len(x))
        first = self._triangles.each(x, rows, self._closest[particles])
        moved = x - self._at[particles]
        reach = first.distances + np.sqrt(np.einsum("ij,ij->i", moved, moved))
        rounding = _ROUNDING * max(np.abs(x).max(initial=0.0), np.abs(self._at).max(initial=0.0))
        unknown = np.flatnonzero(~(reach + rounding <= self._complete[particles]))
        if len(unknown):
            self._learn(x, particles, unknown, search)
            anew = self._triangles.each(x, unknown, self._closest[particles[unknown]])
            for known, better in zip(first[1:], anew[1:], strict=True):
                known[..., unknown] = better
            reach[unknown] = anew.distances
        row_of = np.full(len(self._at), -1)
        row_of[particles] = rows
        which, pairs = self._pairs(row_of, reach + rounding)
        found = self._triangles.improved(first, x, which, self._listed[pairs])
        self._closest[particles] = found.triangles
        return found

    def _pairs(self, row_of, reach):
        """Rows, rising, of those within their reach, and the entries."""
        most = np.full(len(row_of), -np.inf, dtype=np.float32)
        asked = np.flatnonzero(row_of >= 0)
        most[asked] = np.nextafter(reach[row_of[asked]].astype(np.float32), np.float32(np.inf))
        pairs = np.flatnonzero(self._distances <= most[self._particles])
        pairs = pairs[self._listed[pairs] != self._closest[self._particles[pairs]]]
        which = row_of[self._particles[pairs]]
        # Particles may be asked for in any order.
        order = np.argsort(which, kind="stable")
        return which[order], pairs[order]

    def _learn(self, x, particles, unknown, search):
        """List anew what may be closest to the particles of unknown rows."""
        which, triangles, others = search(unknown)
        distances = self._triangles.bounds(np.ascontiguousarray(x.T), which, triangles)
        learnt = particles[unknown]
        least = least_of_runs(distances, which)
        self._closest[particles[which[least]]] = triangles[least]
        self._at[learnt], self._complete[learnt] = x[unknown], others
        anew = np.zeros(len(self._at), dtype=bool)
        anew[learnt] = True
        kept = ~anew[self._particles]
        owners = np.concatenate([self._particles[kept], particles[which]])
        order = np.argsort(owners, kind="stable")
        self._particles = owners[order]
        self._listed = np.concatenate([self._listed[kept], triangles])[order]
        self._distances = np.concatenate([self._distances[kept], distances])[order]
