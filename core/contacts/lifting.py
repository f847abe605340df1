# SPDX-License-Identifier: GPL-3.0-or-later
"""What particles pay for where a surface puts them after a step."""

import numpy as np

from ..state import State

# Only to divide by.
_LEAST = 1e-300


def paid(network, gravity, returned, after, rebound):
    """The State after contacts, in which particles that rebound have no more energy than they and their springs had.

    A step that knows of no surface ends below it. What is put back above it, by as far as it went, moves against its
    springs, and stiff ones would gain by every impact. Each particle pays for its share of them, a spring's half at
    each end that was moved, with the speed it leaves with. In the frame of the surface, which does no work there.

    network: SpringNetwork; gravity [m/s^2]; returned: State before contacts; rebound: Rebound.
    """
    particles, surface_v, _ = rebound
    strained, sprung = _strained(network, returned.x, after.x, particles)
    masses = network.masses[particles]
    arriving, leaving = (
        0.5 * masses * np.einsum("ij,ij->i", u, u)
        for u in (state.v[particles] - surface_v for state in (returned, after))
    )
    fallen = masses * ((after.x - returned.x)[particles] @ gravity)
    owed = np.where(sprung, np.maximum(strained + leaving - arriving - fallen, 0.0), 0.0)
    share = np.sqrt(np.maximum(1.0 - owed / np.maximum(leaving, _LEAST), 0.0))
    v = after.v.copy()
    v[particles] = surface_v + share[:, None] * (v[particles] - surface_v)
    return State(after.x, v, after.t)


def _strained(network, x, moved_x, particles):
    """Energy that moving particles from x put into the springs at each [J], and whether there are any."""
    moved = np.zeros(network.vertex_count, dtype=bool)
    moved[particles] = True
    moving = moved[network.edges]
    springs = np.flatnonzero(moving.any(axis=1) & ~network.broken)
    i, j = network.edges[springs].T
    before, then = (
        (np.linalg.norm(at[i] - at[j], axis=1) - network.rest_lengths[springs]) ** 2 for at in (x, moved_x)
    )
    energy = 0.5 * network.stiffness[springs] * (then - before) / moving[springs].sum(axis=1)
    ends = np.concatenate([i, j])
    sums = np.bincount(ends, np.tile(energy, 2), network.vertex_count)
    counts = np.bincount(ends, minlength=network.vertex_count)
    return sums[particles], counts[particles] > 0
