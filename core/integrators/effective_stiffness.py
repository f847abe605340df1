# SPDX-License-Identifier: GPL-3.0-or-later
"""The stiffness that few iterations of projective dynamics carry."""

from hashlib import blake2b

import numpy as np

from ..solvers.attainable import Attainable


def carried(method, iterations):
    """The network with the stiffness that so many iterations of a ProjectiveDynamics carry, itself where it is all."""
    system, network = method.system, method.system.network
    # Strains decide on what tears and yields: they have to be true.
    by_strain = network.tearing is not None or network.yielding is not None
    if method.carried_stiffness == "ALL" or method.tolerance > 0.0 or by_strain:
        return network
    # Of the start, so that what goes on from a snapshot carries the same; of another stiffness it is the same limit.
    start, fitted = system.body.network, system.contacts.fitted
    how = method.dt, iterations, system.gravity, system.pulls, fitted
    key = _digest(start.stiffness, start.rest_lengths, start.pinned, *how)
    attainable = start.found.get(key)
    if attainable is None:
        attainable = Attainable(start, *how)
        start.remember(key, attainable)
    return softened(network, attainable.of(network.stiffness))


def _digest(*arrays):
    """A digest of numbers and arrays of them."""
    digest = blake2b(digest_size=16)
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


def softened(network, stiffness):
    """The network with another stiffness [N/m], itself where that is its own; what it bears at rest, it bears so."""
    # Made once, of all that have the same stencils.
    _ = network.stencil_operators.linear
    if np.array_equal(stiffness, network.stiffness):
        return network
    if network.preload is None:
        return network.changed(stiffness=stiffness)
    more = network.preload * (1.0 / network.stiffness - 1.0 / stiffness)
    return network.changed(stiffness=stiffness, rest_lengths=np.maximum(network.rest_lengths + more, 0.0))


def same_matrix(network, other):
    """Whether two networks that differ in their springs alone have the same S, and the same stencils are linear."""
    same, others = (
        (of.springs.stiffness, of.springs.damping, of.stencils.linear, of.goal_stiffness)
        for of in (network, other)
    )
    return all(map(np.array_equal, same, others))
