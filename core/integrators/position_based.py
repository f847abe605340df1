# SPDX-License-Identifier: GPL-3.0-or-later
"""Position-based dynamics."""

from types import MappingProxyType

import numpy as np

from .. import forces
from ..directions import LEAST
from ..state import State
from ..topology import edge_batches
from .integrator import Integrator, whole_number


class PositionBased(Integrator):
    """A forward step, then every spring is pulled back into its limits, and velocities follow the move.

    A spring that the forward step can integrate stably acts as a force and is held below
    (1 + max_stretch) L; a stiffer one is projected to its rest length. Projections run over batches of
    springs that share no vertex (Gauss-Seidel between batches, vectorised within). Soft pins are
    constraints of their own stiffness among them, and damping along springs takes the share
    1 - exp(-mu dt (1/m_i + 1/m_j)) of the approach. Springs between weighted points do not act: what
    bends is neither soft enough for the forward step nor stiff enough to be projected.

    The sweeps run there and back, and end where they began. Together, P, they are then symmetric in the
    masses, with eigenvalues p from 0 to 1, and positions follow z^2 - 2 p z + p = 0, |z|^2 = p: no mode grows.
    Sweeps in one direction have complex p, for which |z| goes above 1, the farther the more springs meet at a
    vertex.

    What stencils alone hold, as a solid's skin, is put where they want it; other stencils, volumes and
    enclosures are left out.

    No order: a projection is a constraint, not the spring's force, and stores no energy, whatever length the
    sweeps leave the spring at. At steps so small that no spring is projected and no limit is reached, it is
    symplectic Euler. Unconditionally stable.
    iterations: sweeps over all springs; max_stretch: strain limit, 0.1 for ten percent. Few sweeps leave springs beyond
        it: `residual` is by how much. A cloth of 11 x 11 vertices that hangs at two corners, in steps of 1/480 s
        with a limit of 0.100, reaches 0.119, 0.110, 0.105, 0.102 and 0.101 with 5, 10, 20, 50 and 100 sweeps.

    Mueller, Heidelberger, Hennix, Ratcliff 2007, "Position Based Dynamics", sections 3.2-3.4;
    Macklin, Mueller, Chentanez 2016, "XPBD", eq. 18, for the soft pins; Provot 1995 for the strain limit.
    """

    label = "Position Based"
    number = 1_122_776_106
    description = (
        "Projects stiff springs to their rest length: always stable, but the stiffness you see depends on "
        "iterations and step, and nothing resists bending. For the real stiffness use Projective Dynamics"
    )
    energy_told = False
    bends = False
    moves_air = False
    options = MappingProxyType({"iterations": 10, "max_stretch": 0.1})
    iterations: int
    max_stretch: float

    def prepare(self):
        """Decide which springs are forces, and batch all of them."""
        whole_number("iterations", self.iterations)
        if not (np.isfinite(self.max_stretch) and self.max_stretch >= 0.0):
            raise ValueError(f"max_stretch is {self.max_stretch}: it must be finite and at least 0")
        network = self.system.network
        stiff = self._is_stiff(network)
        self._gentle = network.with_springs(~stiff)
        # Symplectic Euler's, by (1 + w dt/2)/(1 - w dt/2) at the largest w dt of gentle springs, which is 1.
        self.energy_swing = 0.0 if stiff.all() else 2.0
        rest = network.rest_lengths
        # A gentle spring of zero rest length has no length to limit a strain by.
        longest = np.where(stiff, rest, np.where(rest > 0.0, (1.0 + self.max_stretch) * rest, np.inf))
        shortest = np.where(stiff, rest, 0.0)
        self._carried = _Carried(network, self.system.inverse_masses)
        self._batches = []
        self._moving = self.system.inverse_masses[network.edges].any(axis=1) & ~network.broken
        moving = self._moving
        edges = network.edges[moving]
        for batch in edge_batches(edges, network.vertex_count):
            springs = np.flatnonzero(moving)[batch]
            ends = network.edges[springs]
            inverse = self.system.inverse_masses[ends]
            kept = np.exp(-network.damping[springs] * self.dt * inverse.sum(axis=1))
            shares = inverse / inverse.sum(axis=1, keepdims=True)
            limits = shortest[springs], longest[springs]
            self._batches.append((ends[:, 0], ends[:, 1], shares, *limits, 1.0 - kept))

        self._rest, self._beyond = np.maximum(rest, LEAST), 0.0
        self._limits = shortest, longest
        self._order = _there_and_back(len(self._batches), int(self.iterations), len(network.soft_pins) > 0)

    def step(self, state):
        """Forward step, projections, velocity from the move, damping."""
        system, dt = self.system, self.dt
        network = system.network
        force = system.external_forces(state.x, state.v, state.t) + forces.spring_forces(
            self._gentle, state.x
        )
        v = state.v + dt * system.inverse_masses[:, None] * force
        x = state.x + dt * v
        self.sweep(x, system.soft_targets(state.t + dt))
        self._beyond = self._excess(x)
        v = (x - state.x) / dt
        if network.damping.any():
            for i, j, shares, _, _, lost in self._batches:
                _damp(x, v, i, j, shares, lost)
        return State(x, v, state.t + dt)

    def residual(self):
        """How far the sweeps of the last step left the worst spring beyond its limits, over its length at rest."""
        return self._beyond

    def elastic_energy(self, x, t):
        """Energy of soft pins and of the springs that act as forces [J]."""
        pins = forces.pin_energy(self.system.network, x, self.system.soft_targets(t))
        return forces.spring_energy(self._gentle, x) + pins

    def _is_stiff(self, network):
        """Springs at a vertex where all springs together are too stiff for the forward step, as a mask."""
        ends, inverse = network.edges.ravel(), self.system.inverse_masses
        around = np.bincount(ends, np.repeat(network.stiffness, 2), network.vertex_count)
        # Gershgorin: w^2 <= 2 sum k / m; one keeps a factor of four below the limit (w dt)^2 = 4.
        too_stiff = 2.0 * around * inverse * self.dt**2 > 1.0
        return too_stiff[network.edges].any(axis=1)

    def sweep(self, x, soft_targets):
        """Project x over soft pins and batches of springs, there and back."""
        pulled = np.zeros_like(soft_targets)
        for number in self._order:
            if number < 0:
                self._pull_soft_pins(x, soft_targets, pulled)
            else:
                i, j, shares, shortest, longest, _ = self._batches[number]
                _project(x, i, j, shares, shortest, longest)
            if number == self._order[-1]:
                self._carried.project(x)

    def _excess(self, x):
        """Most that a spring is beyond its limits at x, over its length at rest."""
        network, (shortest, longest) = self.system.network, self._limits
        length = network.spring_lengths(x)
        beyond = np.maximum(length - longest, shortest - length)
        # Without a length at rest a strain means nothing, and nothing moves between two pins.
        counts = (network.rest_lengths > 0.0) & self._moving
        return float((beyond / self._rest)[counts].max(initial=0.0))

    def _pull_soft_pins(self, x, targets, pulled):
        """Move soft pins until dt^2/m times their force is how far they were pulled in this step in all."""
        soft = self.system.network.soft_pins
        ratio = forces.pin_weights(self.system.network) * self.dt**2 / self.system.network.masses[soft]
        move = (ratio[:, None] * (targets - x[soft]) - pulled) / (1.0 + ratio)[:, None]
        x[soft] += move
        pulled += move


class _Carried:
    """Particles that stencils of no rest length alone hold, each by one of them, to weighted sums of others.

    They weigh little beside what carries them, and are projected all at once.
    """

    def __init__(self, network, inverse_masses):
        stencils = network.stencils
        bare = np.bincount(network.edges.ravel(), minlength=network.vertex_count) == 0
        chosen = bare[stencils.vertices[:, 0]] & stencils.linear if len(stencils) else np.zeros(0, dtype=bool)
        self._vertices, self._weights = stencils.vertices[chosen], stencils.weights[chosen]
        moved = self._weights * inverse_masses[self._vertices]
        self._shares = moved / np.maximum((moved * self._weights).sum(axis=1, keepdims=True), LEAST)

    def project(self, x):
        """Move particles, and those that carry them against that, until they meet."""
        if len(self._vertices):
            away = np.einsum("ij,ijk->ik", self._weights, x[self._vertices])
            moves = self._shares[:, :, None] * away[:, None]
            for axis in range(3):
                x[:, axis] -= np.bincount(self._vertices.ravel(), moves[:, :, axis].ravel(), len(x))


def _there_and_back(batch_count, iterations, with_pins):
    """Numbers of the batches in the order of their projection, the same read backwards; -1 for the soft pins."""
    there = np.arange(-1 if with_pins else 0, batch_count)
    if len(there) < 2:
        return there
    back_and_forth = np.concatenate([there, there[-2:0:-1]])
    rounds = -(-(iterations * len(there) - 1) // len(back_and_forth))
    return np.append(np.tile(back_and_forth, rounds), there[0])


def _project(x, i, j, shares, shortest, longest):
    """Move the ends of springs that share no vertex until each length is within its limits."""
    u = x[i] - x[j]
    length = np.sqrt(np.einsum("ij,ij->i", u, u))
    excess = length - np.clip(length, shortest, longest)
    # Where the ends meet there is no direction to push along.
    move = (excess / np.where(length > 0.0, length, np.inf))[:, None] * u
    x[i] -= shares[:, :1] * move
    x[j] += shares[:, 1:] * move


def _damp(x, v, i, j, shares, lost):
    """Take the share `lost` of the ends' relative velocity along springs that share no vertex."""
    u = x[i] - x[j]
    squared = np.einsum("ij,ij->i", u, u)
    rate = np.einsum("ij,ij->i", v[i] - v[j], u)
    change = (lost * rate / np.where(squared > 0.0, squared, np.inf))[:, None] * u
    v[i] -= shares[:, :1] * change
    v[j] += shares[:, 1:] * change
