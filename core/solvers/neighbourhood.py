# SPDX-License-Identifier: GPL-3.0-or-later
"""Some particles of an implicit step on their own, while all others stay where they are."""

import numpy as np

from ..listed import ranges
from .enclosed_solve import EnclosedSolve
from .implicit_step import ImplicitStep


class Neighbours:
    """Connectivity: the springs and stencils of particles, and the particles about others.

    network: SpringNetwork, whose broken springs join nothing.
    springs, stencils, volumes, pleats: Joining of springs along edges, of stencils, of volumes, and of pleats.
    """

    def __init__(self, network):
        self._edges, count = network.edges, network.vertex_count
        self.springs = Joining(network.edges, np.flatnonzero(~network.broken), count)
        others = network.stencils, network.volumes, network.pleats
        self.stencils, self.volumes, self.pleats = (
            Joining(of.vertices, np.arange(len(of)), count) for of in others
        )

    def grown(self, chosen, rings):
        """The mask of particles no more than so many springs from those of a mask, shape (vertex_count,)."""
        grown, last = chosen.copy(), np.flatnonzero(chosen)
        for _ in range(rings):
            reached = self._edges[self.springs.at(last)].ravel()
            last = _distinct(reached[~grown[reached]])
            grown[last] = True
        return grown


class Joining:
    """Lists of what joins every particle.

    vertices: of all that join, shape (count, width); chosen: which of them count, indices.
    """

    def __init__(self, vertices, chosen, vertex_count):
        ends = vertices[chosen].ravel()
        order = np.argsort(ends, kind="stable")
        self._joining = np.repeat(chosen, vertices.shape[1])[order]
        self._bounds = np.searchsorted(ends[order], np.arange(vertex_count + 1))

    def at(self, particles):
        """Springs and stencils of some particles, in ascending order."""
        starts = self._bounds[particles]
        return _distinct(self._joining[ranges(starts, self._bounds[particles + 1] - starts)[1]])


class Neighbourhood:
    """The ImplicitStep of some particles and of all springs at them, where what these join them to are hard pins.

    problem: ImplicitStep of all; neighbours: Neighbours; free: mask of the particles; tensions: (SpringNetwork of the
    part, indices of its springs) -> its Tensions, or None for those of the network.
    springs, particles: indices in the network, with the pins; part: the ImplicitStep; free: which particles are.
    """

    def __init__(self, problem, neighbours, free, tensions=None):
        network = problem.network
        self._problem, self._enclosing = problem, network.enclosure_operators
        own = np.flatnonzero(free)
        of_each = neighbours.springs, neighbours.stencils, neighbours.volumes, neighbours.pleats
        self.springs, stencils, volumes, pleats = (joining.at(own) for joining in of_each)
        joined = (
            network.edges[self.springs].ravel(),
            network.stencils.vertices[stencils].ravel(),
            network.volumes.vertices[volumes].ravel(),
            network.pleats.vertices[pleats].ravel(),
        )
        self.particles = _distinct(np.concatenate(joined))
        self.free = free[self.particles]
        self._pins = np.where(self.free, network.pins[self.particles], 1.0)
        part = network.part(self.particles, self.springs, stencils, volumes, pleats, self._pins)
        self.part = ImplicitStep(part, problem.dt, tensions=tensions and tensions(part, self.springs))
        self._soft = np.isin(network.soft_pins, self.particles[part.soft_pins])

    def begin(self, x):
        """Set what the part's step is about, with all others at x [m]; returns where its own particles are."""
        problem, particles = self._problem, self.particles
        y, soft_targets = problem.aims
        at = np.ascontiguousarray(x[:, particles])
        start = np.ascontiguousarray(problem.start[:, particles])
        if self._enclosing is not None:
            self.part.enclosures.fix(at, self._enclosing.volumes(x))
        self.part.begin(np.where(self._pins < 1.0, y[:, particles], at), start, soft_targets[self._soft])
        return at

    def solver(self, solve):
        """A preconditioner of the part, which knows of what encloses it, by one of its springs: g -> the answer."""
        if self._enclosing is None:
            return solve
        enclosed = EnclosedSolve(self.part.network, solve)

        def solved(g):
            enclosed.about(self.part.enclosures)
            return enclosed.solve(g)

        return solved


def _distinct(numbers):
    """All of some numbers once, in ascending order: for few of them faster than np.unique."""
    numbers = np.sort(numbers)
    return numbers[np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]]
