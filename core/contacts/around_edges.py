# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction of what springs pull around an edge of a surface, through which they go straight."""

import numpy as np

from ..axes import dot

# Strain from which on a spring counts: what only hangs is strained by a tenth of that at most.
TAUT = 0.03

# Cosine of the angle to the way into the surface from which on a spring goes through an edge: around what is round
# over several springs none is as steep.
_STEEP = 0.7

# [N], [m]: only to divide by.
_LEAST = 1e-300


def friction_around_edges(network, springs, x, met, friction):
    """Coefficients of friction of all particles, less for those of a Meeting that taut springs pull around an edge.

    Next to an edge cloth pulls along the surface. A spring cuts the edge off, and presses its end against the surface
    with nearly all of its tension: within the angle of friction the end would stick whatever the tension is, though a
    cloth slides from where it is pulled exp(friction * angle) times as much (Euler, Eytelwein). So what tension beyond
    TAUT leads into the surface in place of along it is taken off friction, as a share of what the springs press with.

    springs: indices of those that may be taut; x: positions of all particles [m], shape (particle_count, 3); friction:
    one number or one for every particle, returned as it is where nothing lacks.
    """
    if len(springs) == 0:
        return friction
    row = np.full(len(x), -1)
    row[met.particles] = np.arange(len(met.particles))
    ends = network.edges[springs]
    at, to = np.concatenate([ends, ends[:, ::-1]]).T
    pulled = np.flatnonzero(row[at] >= 0)
    at, to, springs = at[pulled], to[pulled], np.concatenate([springs, springs])[pulled]
    way = (x[to] - x[at]).T
    length = np.sqrt(dot(way, way)) + _LEAST
    into = -dot(way, met.n[row[at]].T) / length
    steep = np.flatnonzero(into > _STEEP)
    if len(steep) == 0:
        return friction
    at, springs, length, into = row[at[steep]], springs[steep], length[steep], into[steep]
    stiffness, rest, count = network.stiffness[springs], network.rest_lengths[springs], len(met.particles)
    beyond = stiffness * np.maximum(length - (1.0 + TAUT) * rest, 0.0)
    # What is along the surface of a pull that has so much into it.
    along = np.sqrt(np.maximum(1.0 - into**2, 0.0))
    pressing = np.bincount(at, stiffness * np.maximum(length - rest, 0.0) * into, count)
    lacking = np.bincount(at, beyond * (1.0 - along), count)
    less = np.broadcast_to(friction, len(x)).copy()
    less[met.particles] = np.maximum(less[met.particles] - lacking / (pressing + _LEAST), 0.0)
    return less
