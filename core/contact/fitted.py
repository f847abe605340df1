# SPDX-License-Identifier: GPL-3.0-or-later
"""What fits an obstacle at the start, as clothes fit a body."""

import numpy as np

from ..quantities import frozen
from ..topology import connected_parts

# Share of particles that begin at an obstacle from which on all that hangs together with them fits it: of shirts,
# trousers and suits 0.6 to 0.95, of skirts, whose hems swing freely, 0.2.
_FITS = 0.5


def fitted_particles(search, network, *, between):
    """Mask of the particles of what fits an obstacle at the network's points, shape (n,).

    Parts that begin nearer to each other than they keep count as one, as layers of clothes do: a soft one between
    stiff ones would take all of the strain, and so would single soft springs.

    search: Search; network: SpringNetwork; between: whether particles keep a distance from each other.
    """
    count, points = network.vertex_count, network.points
    corners, distances = search.near_obstacles(points, 0.0)
    asked = np.append(search.asked_outside, 0.0)[np.minimum(corners, count)]
    beside = np.zeros(len(points) + len(search.obstacles), dtype=float)
    beside[corners[distances[:, None] < asked]] = 1.0
    firsts = np.unique(network.parts, return_index=True)[1][network.parts]
    joined = [np.column_stack([firsts, np.arange(count)])]
    if between and beside.any():
        corners, distances, keeps = search.near_each_other(np.ascontiguousarray(points.T))
        near = corners[distances < keeps]
        joined += [near[:, [0, other]] for other in (1, 2, 3)]
    of_all = connected_parts(np.concatenate(joined), count)
    return frozen(np.bincount(of_all, beside[:count])[of_all] > _FITS * np.bincount(of_all)[of_all])
