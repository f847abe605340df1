# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies are stiffer than a step resolves."""

import numpy as np

from ..directions import LEAST, lengths
from ..topology import network_parts
from .attainable import solid_particles

# Times as fast as the slowest that three of the six vibrations of a box are; of solids they are 1.3 times.
_BOX = 2.0


def stiff_bodies(network, least, most=np.inf, *, boxes=False):
    """Particles of every free solid whose slowest affine vibration has so many radians a second, a list.

    What a surface stops moves on as a whole before a step of few iterations knows of its strain. Vibrations are those
    of the springs along themselves, at rest, with the masses that are moved.

    network: SpringNetwork; least [rad/s], which is too little, and most; boxes: whether what shears far more easily
    than it stretches, as a box of cloth, counts by what stretches it: it is pressed as hard as a solid.
    """
    part = network_parts(network)
    count = int(part.max(initial=-1)) + 1
    # More than half of its particles are a solid's.
    solid = 2.0 * np.bincount(part, solid_particles(network), count) > np.bincount(part, minlength=count)
    solid[part[network.pinned]] = False
    found = []
    for number in np.flatnonzero(solid):
        body = np.flatnonzero(part == number)
        shearing, _, _, stretching, *_ = _vibrations(network, body)
        slowest = stretching if boxes and stretching > _BOX * shearing else shearing
        if least < slowest <= most:
            found.append(body)
    return found


def _vibrations(network, body):
    """Angular frequencies [1/s] of the six vibrations in which the body is strained alike everywhere, ascending."""
    among = np.zeros(network.vertex_count, dtype=bool)
    among[body] = True
    springs = among[network.edges[:, 0]] & ~network.broken
    i, j = network.edges[springs].T
    u = network.points[i] - network.points[j]
    n = u / np.maximum(lengths(u), LEAST)[:, None]
    along = np.einsum("ij,ik->ijk", n, u).reshape(-1, 9)
    at = network.points[body] - network.points[body].mean(axis=0)
    moment = np.einsum("i,ij,ik->jk", network.masses[body], at, at)
    # Of the motions G x with the kinetic energy of G x, which a change of axes makes |G|^2.
    values, axes = np.linalg.eigh(moment)
    if values[0] <= 0.0:
        return np.zeros(6)
    scaled = along.reshape(-1, 3, 3) @ (axes / np.sqrt(values))
    scaled = scaled.reshape(-1, 9)
    stiffness = np.einsum("i,ij,ik->jk", network.stiffness[springs], scaled, scaled)
    # Three of the nine are turns.
    return np.sqrt(np.maximum(np.linalg.eigvalsh(stiffness)[3:], 0.0))
