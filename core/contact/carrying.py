# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that begin so deep inside something that their particles' ways out part: they are carried out as wholes."""

from typing import NamedTuple

import numpy as np

from ..directions import LEAST, lengths
from ..solvers.drift import Drift
from ..topology import network_parts

# Time [s] in which a depth becomes less by a factor of e, and the least speed [m/s]: a metre takes 0.8 s.
_TIME, SLOWEST = 0.2, 0.25

# Share of the distance that a surface keeps below which a particle is in it: between those who are out by less its
# corners would be through the cloth, and where two surfaces that keep the same are three quarters as far apart as both
# together want, half of it is left.
HALFWAY = 0.5

# Strain of springs that ways out may leave: by more they tear. A sheet of 2 m with a ball of 0.4 m in its middle is
# stretched by 2 % with it, by 24 without; from 0.05 to 0.8 what the tests lead out comes out alike.
_STRETCH = 0.2

# Share of its particles from which on a part that is inside is carried until it is out.
_MUCH = 0.05

# As a whole a part comes out by so many times the depth of its deepest particle, or it is no way out.
_HARDLY_FARTHER = 2.0

# Particles that ways are tried with.
_TRIED = 32

# Advances along a way at most, each by how deep something still is, or how far off: no surface is nearer.
ADVANCES = 64


def speeds_out(depths):
    """Speeds with which what is so deep inside [m] comes out [m/s]."""
    return np.maximum(depths / _TIME, SLOWEST)


class Carried(NamedTuple):
    """Parts that are carried out of something: their particles and velocities, shape (count, 3) [m/s]."""

    particles: np.ndarray
    velocities: np.ndarray


class Carrying:
    """Finds what is carried, of a network's parts without a pin, and carries it.

    Every particle's own way out leads what begins in the middle to all sides, which tears it apart, and what springs
    hold together stays inside. As a whole it comes out without any strain, where it comes out at all: a sleeve with a
    finger in its sheet does not. How it was carried is no motion: it goes on at rest along that way.
    """

    def __init__(self, network):
        self._network = network
        self._parts = network_parts(network)
        self._loose = ~Drift.held_parts(network, self._parts)

    def found(self, x, deep, depths, normals, depths_at):
        """Carried, or None of none.

        x: positions of all [m], shape (particle_count, 3); deep: particles inside, how deep [m], and normals of their
        ways out; depths_at: callable particles, positions -> how deep they are there [m].
        """
        found = [
            self._of_part(part, x, deep, depths, normals, depths_at)
            for part in self._torn(x, deep, depths, normals)
        ]
        found = [of_part for of_part in found if of_part is not None]
        return Carried(*map(np.concatenate, zip(*found, strict=True))) if found else None

    def stopped(self, carried, v):
        """Changes, (count, 3), of a field of all, (n, 3), by which the mean of a part has nothing along its way."""
        which, velocities = carried
        n = velocities / np.maximum(lengths(velocities), LEAST)[:, None]
        part, masses = self._parts[which], self._network.masses[which]
        along = np.bincount(part, masses * np.einsum("ij,ij->i", v[which], n))
        mean = along / np.maximum(np.bincount(part, masses), LEAST)
        return -mean[part, None] * n

    def _torn(self, x, deep, depths, normals):
        """Loose parts, numbers, of which springs would be torn by their ends' own ways out, or much is inside."""
        out = np.zeros_like(x)
        out[deep] = depths[:, None] * normals
        edges = self._network.edges[~self._network.broken]
        edges = edges[np.isin(edges, deep).any(axis=1)]
        i, j = edges.T
        before = lengths(x[i] - x[j])
        torn = lengths(x[i] + out[i] - x[j] - out[j]) > (1.0 + _STRETCH) * before
        within = np.bincount(self._parts[deep], minlength=len(self._loose))
        much = np.flatnonzero(within > _MUCH * np.bincount(self._parts, minlength=len(self._loose)))
        parts = np.union1d(self._parts[edges[torn, 0]], much)
        return parts[self._loose[parts]]

    def _of_part(self, part, x, deep, depths, normals, depths_at):
        """Particles of a part and their velocities, or None where it does not come out as a whole."""
        own = np.flatnonzero(self._parts[deep] == part)
        members = np.flatnonzero(self._parts == part)
        deepest = own[np.argmax(depths[own])]
        few = np.unique(np.append(_spread(deep[own]), deep[deepest]))
        most = _HARDLY_FARTHER * depths[deepest]
        ways = _ways(x[deep[own]], normals[deepest])
        lengths_out = _ways_out(few, x[few], ways, depths_at, most)
        far, n = lengths_out.min(), ways[lengths_out.argmin()]
        if not far < most:
            return None
        # What is outside must not come in on the way.
        others = _spread(members)
        if (depths_at(others, x[others] + far * n) > max(SLOWEST * _TIME, 0.1 * far)).any():
            return None
        return members, np.broadcast_to(speeds_out(far) * n, (len(members), 3))


def _spread(particles):
    """Some of them, evenly."""
    return particles[np.unique(np.linspace(0, len(particles) - 1, _TRIED).astype(int))]


def _ways(x, normal):
    """Directions that a part may come out along: that of its deepest particle, and both ways along its axes."""
    away = x - x.mean(axis=0)
    _, axes = np.linalg.eigh(away.T @ away)
    return np.concatenate([normal[None], axes.T, -axes.T])


def _ways_out(particles, x, ways, depths_at, most):
    """How far all have to go along each way to be outside [m], infinite where that is more than the most."""
    far, every = np.zeros((len(ways), len(x))), np.tile(particles, len(ways))
    for _ in range(ADVANCES):
        at = x + far[..., None] * ways[:, None]
        deep = depths_at(every, at.reshape(-1, 3)).reshape(far.shape)
        still = (deep > 0.0) & (far <= most)
        if not still.any():
            break
        # No surface is nearer than as deep as it is.
        far += np.where(still, np.maximum(deep, most / ADVANCES), 0.0)
    return np.where((far <= most).all(axis=1), far.max(axis=1), np.inf)
