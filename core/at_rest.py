# SPDX-License-Identifier: GPL-3.0-or-later
"""Rest lengths with which a body keeps its modelled shape under gravity."""

from dataclasses import replace

import numpy as np

from .bodies import Body
from .contact.collider import Collider, of_particles
from .forces import Gravity, spring_forces
from .quantities import check_kind
from .solvers.linear import factorise
from .topology import network_parts

# Stiffness, in parts of its own, of what no length at rest can strain, as bending about straight lines and volumes: it
# bears what springs cannot. A jelly of Poisson's ratio 0.45 leaves that share of its sag.
_GIVEN = 1e-6
# Rate [1/s^2] that keeps what moves without strain from having no solution: far below any vibration's square.
_HELD = 1e-4
# Least length at rest of a spring, in parts of its length: with none it would pull the same at any length.
_SHORTEST = 0.05
# How far above where a collider keeps it a particle may be to stand on it, in parts of the body's largest side.
_TOUCHES = 1e-3
# Solves, each of which leaves a thirtieth of what the one before left, where weights change.
_SOLVES = 4
# Rounds in which what would pull at a collider is let go.
_ROUNDS = 20


def at_rest(body, gravity, contacts=()):
    """The body's network with other rest lengths, so that it stays at its points, and how many are too short.

    Among all spring forces that balance the load, those of least energy are chosen: u is the displacement of linear
    springs under the load, sum of k w n (n . w u) = m g + the spring forces at the points, and each rest length
    shrinks by n . w u. Stencils that hold the skin of a solid have no length. They are displaced instead, by as much
    as bears the skin. Hard pins hold. Colliders push outwards only. A part that nothing holds falls, so it is
    unchanged.

    body: Body, as it is modelled; gravity: [m/s^2]; contacts: only Colliders among them count. Needs SciPy.

    Twigg and Kacic-Alesic 2011, "Optimization for sag-free simulations"; Hsu et al. 2022, "A general two-stage
    initialization for sag-free deformable simulations".
    Raises ValueError for what is no Body.
    """
    check_kind("body", body, Body, needed=True)
    network, supports = body.network, _Supports(body, contacts)
    free = np.repeat((network.pins < 1.0) & _standing(network, supports), 3)
    weight = Gravity(gravity).on(body)(network.points, None, 0.0)
    load = weight + spring_forces(network, network.points)
    if not load.ravel()[free].any():
        return network, 0
    strained = _Strained(network)
    stiff = strained.along.T.multiply(network.springs.stiffness) @ strained.along
    supports.solve((stiff + _others(network, ~strained.mask)).tocsr(), load.ravel(), free)
    outer = body.outside.network.vertex_count if body.outside is not None else 0
    for _ in range(_SOLVES):
        load = weight + spring_forces(network, network.points) + supports.forces
        network, short = strained.answering(network, supports.answer(load.ravel()), outer)
    if len(supports.particles):
        network.pushes = supports.forces
    return network, short


def _standing(network, supports):
    """Mask of the vertices in parts that are held somewhere."""
    held = np.zeros(network.vertex_count, dtype=bool)
    held[network.pinned] = held[supports.particles] = True
    part = network_parts(network)
    return np.bincount(part, held)[part] > 0.0


def _riding_beside(stencils, points, moved, count):
    """Stencils; those that hold a solid's skin, the first so many vertices, pull with the force of the linear solution.

    Their weights on the lattice's nodes change by the least squares that shift the weighted sum, so they turn with it.
    """
    holds = (
        (stencils.width == 9)
        & (stencils.vertices[:, 0] < count)
        & (stencils.vertices[:, 1:] >= count).all(axis=1)
    )
    rows = np.flatnonzero(holds)
    vertices, weights = stencils.vertices[rows], np.array(stencils.weights)
    beside = _GIVEN * np.einsum("ij,ijc->ic", weights[rows], moved.reshape(-1, 3)[vertices])
    away = points[vertices[:, 1:]]
    away = away - away.mean(axis=1, keepdims=True)
    spread = np.einsum("ijc,ijd->icd", away, away)
    weights[rows, 1:] += np.einsum("ijc,ic->ij", away, np.linalg.solve(spread, beside[:, :, None])[:, :, 0])
    return replace(stencils, weights=weights)


class _Strained:
    """Springs with a rest length and a direction, which other rest lengths can strain.

    mask: which; lengths [m] of all; along: how much longer they get by displacements in rows, SciPy CSR.
    """

    def __init__(self, network):
        springs = network.springs
        u = springs.incidence(network.vertex_count).differences(network.points)
        self.lengths = np.sqrt(np.einsum("ij,ij->i", u, u))
        self.mask = (springs.rest_lengths > 0.0) & (self.lengths > 0.0) & (springs.stiffness > 0.0)
        directions = np.where(self.mask[:, None], u / np.where(self.mask, self.lengths, 1.0)[:, None], 0.0)
        self.along = _along(network, directions)

    def answering(self, network, moved, outer):
        """The network whose springs pull as if displaced, by rows [m], and how many would be too short.

        outer: how many vertices are the skin of a solid, the first of all.
        """
        springs, edges = network.springs, network.spring_count
        wanted = springs.rest_lengths - self.along @ moved
        least = np.where(self.mask, np.minimum(_SHORTEST * self.lengths, springs.rest_lengths), 0.0)
        rest = np.maximum(wanted, least)
        stencils = network.stencils.changed(rest_lengths=rest[edges:])
        if outer:
            stencils = _riding_beside(stencils, network.points, moved, outer)
        changed = network.changed(rest_lengths=rest[:edges]).with_stencils(stencils)
        before = 0.0 if network.preload is None else network.preload
        changed.preload = before + network.stiffness * (network.rest_lengths - changed.rest_lengths)
        return changed, int(np.count_nonzero(wanted < least))


def _along(network, directions):
    """How much longer springs get along their directions, as a matrix on displacements in rows, SciPy CSR."""
    from scipy import sparse

    springs = network.springs
    entries = springs.weights[:, :, None] * directions[:, None]
    columns = 3 * springs.vertices[:, :, None] + np.arange(3)
    count, width, _ = entries.shape
    rows = np.repeat(np.arange(count), 3 * width)
    return sparse.csr_matrix(
        (entries.ravel(), (rows, columns.ravel())), shape=(count, 3 * network.vertex_count)
    )


def _others(network, unstrained):
    """A little of the stiffness of all other stencils, and of the masses, SciPy CSR."""
    from scipy import sparse

    few = network.springs.chosen(unstrained)
    given = few.second_derivative(network.vertex_count) + sparse.diags(_pinned(network))
    of_all = _GIVEN * sparse.kron(given, sparse.eye(3)) + sparse.diags(np.repeat(_HELD * network.masses, 3))
    if network.element_operators is not None:
        of_all = of_all + _GIVEN * network.element_operators.hessian(np.ascontiguousarray(network.points.T))
    return of_all


def _pinned(network):
    """Stiffness of the soft pins at every vertex [N/m]."""
    return np.where(network.pins < 1.0, network.pins * network.pin_stiffness + network.goal_stiffness, 0.0)


class _Supports:
    """Where particles of a body stand on colliders.

    particles: their numbers, one more than once if several hold it; normals: away from the colliders.
    """

    def __init__(self, body, contacts):
        touched = body.outside or body
        points = touched.network.points
        near = _TOUCHES * np.ptp(points, axis=0).max()
        particles, normals = [np.empty(0, dtype=np.intp)], [np.empty((0, 3))]
        for given in contacts:
            if not isinstance(given, Collider) or not given.acts(0.0):
                continue
            collider = given.on(touched)
            distances, outwards, _ = collider.look(points, 0.0, 0.0)
            numbers = np.arange(len(points))
            stands = distances - of_particles(collider.thickness, numbers) < near
            stands &= ~collider.held_particles
            particles.append(numbers[stands])
            normals.append(outwards[stands])
        self.particles, self.normals = np.concatenate(particles), np.concatenate(normals)
        self.forces = np.zeros_like(body.network.points)

    def solve(self, stiff, load, free):
        """Find which supports push under a load [N], by rows, with a stiffness [N/m]; none pulls; free: mask."""
        self._free, self._firm = free, stiff.diagonal().max()
        self._stays = np.ones(len(self.particles), dtype=bool)
        for _ in range(_ROUNDS):
            self._matrix = (stiff + self._held(len(load)))[free][:, free].tocsc()
            self._factor = factorise(self._matrix)
            pulled = self._stays & (self._heights(self._moved(load)) > 0.0)
            if not pulled.any():
                return
            self._stays &= ~pulled

    def answer(self, load):
        """Displacements under a load [N], by rows; supports push against it from now on."""
        moved = self._moved(load)
        pushes = np.where(self._stays, -self._firm * self._heights(moved), 0.0)
        np.add.at(self.forces, self.particles, pushes[:, None] * self.normals)
        return moved

    def _moved(self, load):
        load, moved = load[self._free], np.zeros(len(load))
        found = self._factor.solve(load[:, None])[:, 0]
        # What moves without strain makes the matrix nearly singular.
        found += self._factor.solve((load - self._matrix @ found)[:, None])[:, 0]
        moved[self._free] = found
        return moved

    def _heights(self, moved):
        """Displacements away from the supports [m]."""
        return np.einsum("ij,ij->i", moved.reshape(-1, 3)[self.particles], self.normals)

    def _held(self, count):
        """Stiffness of supports along their normals, as a SciPy matrix."""
        from scipy import sparse

        normals, particles = self.normals[self._stays], self.particles[self._stays]
        columns = (3 * particles[:, None] + np.arange(3)).ravel()
        rows = np.repeat(np.arange(len(particles)), 3)
        across = sparse.csr_matrix((normals.ravel(), (rows, columns)), shape=(len(particles), count))
        return self._firm * (across.T @ across)
