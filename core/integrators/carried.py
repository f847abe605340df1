# SPDX-License-Identifier: GPL-3.0-or-later
"""The stiffness that few iterations of projective dynamics carry."""

import numpy as np

from ..solvers.attainable import attainable_stiffness


def carried(method, iterations):
    """The network with the stiffness that so many iterations of a ProjectiveDynamics carry, itself where it is all."""
    network, gravity = method.system.network, method.system.gravity
    # Strains decide on what tears and yields: they have to be true.
    by_strain = network.tearing is not None or network.yielding is not None
    if method.carried_stiffness == "ALL" or method.tolerance > 0.0 or by_strain:
        return network
    how = method.dt, iterations, gravity, method.system.pulls
    # Rest lengths count as they are at the start, so that what goes on from a snapshot carries the same.
    start = method.system.body.network
    whole = np.where(network.broken, start.stiffness, network.stiffness)
    # What `Simulation.change` breaks where nothing tears is carried as when it was whole: there it is known already.
    at_start = start if np.array_equal(whole, start.stiffness) else start.changed(stiffness=whole)
    known, iterations_of, attained = method.attained
    if known is not at_start or iterations_of != iterations:
        attained = attainable_stiffness(at_start, *how)
        method.attained = at_start, iterations, attained
    return softened(network, np.where(network.broken, 0.0, attained))


def softened(network, stiffness):
    """The network with another stiffness [N/m], itself where that is its own."""
    return network if np.array_equal(stiffness, network.stiffness) else network.changed(stiffness=stiffness)


def same_matrix(network, other):
    """Whether two networks that differ in their springs alone have the same S, and the same stencils are linear."""
    same, others = (
        (of.springs.stiffness, of.springs.damping, of.stencils.linear, of.goal_stiffness)
        for of in (network, other)
    )
    return all(map(np.array_equal, same, others))
