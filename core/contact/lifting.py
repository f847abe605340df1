# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy that particles pay for the displacement by a surface after a step."""

import numpy as np

from ..directions import LEAST
from ..state import State


def paid(network, gravity, returned, after, rebound):
    """The State after contacts, in which particles that rebound have no more energy than they and their springs had.

    A step that knows of no surface ends below it. What is put back above it, by as far as it went, moves against its
    springs, and stiff ones would gain by every impact. Each particle pays for its share of them, equal at
    all ends that were moved, with the speed it leaves with. In the frame of the surface, which does no work there.

    network: SpringNetwork; gravity [m/s^2]; returned: State before contacts; rebound: Rebound.
    """
    particles, surface_v, _ = rebound
    strained, sprung = _strained(network, returned.x, after.x, particles)
    masses = network.masses[particles]
    arriving, leaving = (
        0.5 * masses * np.einsum("ij,ij->i", u, u)
        for u in (state.v[particles] - surface_v for state in (returned, after))
    )
    weights = (1.0 - network.borne_weight[particles]) * masses
    fallen = weights * ((after.x - returned.x)[particles] @ gravity)
    owed = np.where(sprung, np.maximum(strained + leaving - arriving - fallen, 0.0), 0.0)
    share = np.sqrt(np.maximum(1.0 - owed / np.maximum(leaving, LEAST), 0.0))
    v = after.v.copy()
    v[particles] = surface_v + share[:, None] * (v[particles] - surface_v)
    return State(after.x, v, after.t)


def _strained(network, x, moved_x, particles):
    """Energy that moving particles from x put into the springs at each [J], and whether there are any."""
    moved = np.zeros(network.vertex_count, dtype=bool)
    moved[particles] = True
    sums, counts = np.zeros(network.vertex_count), np.zeros(network.vertex_count)
    moving = moved[network.edges]
    springs = np.flatnonzero(moving.any(axis=1) & ~network.broken)
    ends = network.edges[springs]
    before, then = (
        (np.linalg.norm(at[ends[:, 0]] - at[ends[:, 1]], axis=1) - network.rest_lengths[springs]) ** 2
        for at in (x, moved_x)
    )
    _share(0.5 * network.stiffness[springs] * (then - before), ends, moving[springs], sums, counts)
    if len(network.stencils):
        moving = moved[network.stencils.vertices] & (network.stencils.weights != 0.0)
        rows = np.flatnonzero(moving.any(axis=1))
        stencils = network.stencils.chosen(rows)
        _share(
            stencils.energies(moved_x) - stencils.energies(x), stencils.vertices, moving[rows], sums, counts
        )
    return sums[particles], counts[particles] > 0


def _share(energies, vertices, moving, sums, counts):
    """Add energies [J], shape (count,), in equal parts at those of their vertices that move, and how many do."""
    shares = energies[:, None] * moving / moving.sum(axis=1, keepdims=True)
    sums += np.bincount(vertices.ravel(), shares.ravel(), len(sums))
    counts += np.bincount(vertices.ravel(), moving.ravel(), len(sums))
