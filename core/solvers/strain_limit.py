# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs that a substep leaves too long, shortened where they are by the stiffness that the whole does not carry."""

from functools import cached_property

import numpy as np

from ..kernels.springs import TOGETHER, largest_excess
from ..spring_ends import ends_of
from ..topology import network_parts
from .descent import Descent
from .drift import Drift
from .global_matrix import global_matrix
from .linear import factorise
from .neighbourhood import Neighbourhood, Neighbours
from .tensions import LimitedTensions

# Strain from which on springs have all of their stiffness, and the one from which on they are too long. Cotton of 1,681
# vertices that hangs at two corners takes 8.1 ms a frame where 0.04 is too long, and 2.6 with this; both are stretched
# by about 11 %.
_LIMIT, _TOO_LONG = 0.04, 0.07

# Springs from what is too long to what stays where it is; with 24 a frame of 10,201 vertices takes 16 ms, and 13 so.
_RINGS = 6

# Particles that are moved at most, by the root of how many a part has, which is how many stand across a sheet: what
# is too long everywhere is for steps of the whole. With a quarter of it pins that jerk a sheet of 161^2 stretch it by
# 0.36 in place of 0.13, a net's knots one of 201^2 by 0.12 in place of 0.09, and a swung flag of 201^2 by 0.10 in place
# of 0.23; smaller ones are the same.
_MOST = 30.0

# Quasi-Newton steps of a neighbourhood.
_STEPS = 4


class StrainLimit:
    """Shortens the springs that a step leaves too long, in their neighbourhoods, while all others stay.

    What few iterations of the whole carry of the stiffness is too little where tension gathers: at a pin, at a corner
    that a sheet hangs over, at the end of a fold that whips. There, beyond a strain of _LIMIT, springs have all of it,
    see LimitedTensions: they end no shorter than the equations want them, and what they hold turns as fast as before,
    since S is the same.

    problem: ImplicitStep with the stiffness that is carried; stiffness: the springs' own [N/m]. Needs SciPy.

    Lanzkron, Rose and Wilkes 1996, "An analysis of approximate nonlinear elimination", for what is far from linear in
    few unknowns; Provot 1995, "Deformation constraints in a mass-spring model to describe rigid cloth behavior".
    """

    def __init__(self, problem, stiffness):
        network = problem.network
        self._problem, self._stiffness = problem, stiffness
        self._beyond = np.where(network.broken, 0.0, stiffness - network.stiffness)
        limited = (self._beyond > 0.0) & (network.rest_lengths > 0.0)
        self._most = np.where(limited, (1.0 + _TOO_LONG) * network.rest_lengths, np.inf)
        self._idle = not limited.any()
        # Of parts, which know nothing of each other, by their numbers.
        self._last: dict[int, _Neighbourhood] = {}

    def shortened(self, x):
        """Positions [m], shape (3, vertex_count), without springs that are too long; x itself where there is none.

        Nothing is held but by pins: what nothing holds at all keeps its momentum, which a neighbourhood on its own does
        not.
        """
        if self._idle:
            return x
        springs = self._pinned.too_long(x)
        if len(springs) == 0:
            return x
        short, part = x, self._problem.parts.part[self._problem.network.edges[springs, 0]]
        for number in np.unique(part):
            short = self._about(number, springs[part == number]).lowered(short)
        return short

    def _about(self, number, springs):
        """The neighbourhood of springs of one part."""
        free, last = self._around(springs, number), self._last.get(number)
        if last is None or not np.array_equal(free, last.mask):
            last = _Neighbourhood(self._problem, self._neighbours, free, self._beyond, self._matrix)
            self._last[number] = last
        return last

    @cached_property
    def _neighbours(self):
        return Neighbours(self._problem.network)

    @cached_property
    def _matrix(self):
        """S with all of the stiffness."""
        own = self._problem.network.changed(stiffness=self._stiffness)
        return global_matrix(own, self._problem.dt).tocsr()

    @cached_property
    def _all(self):
        network = self._problem.network
        return _Watch(np.arange(network.spring_count), network.ends, self._most)

    @cached_property
    def _pinned(self):
        """Of what is joined to a pin."""
        network, part = self._problem.network, network_parts(self._problem.network)
        held = Drift.held_parts(network, part)
        springs = np.flatnonzero(held[part[network.edges[:, 0]]])
        return self._all if len(springs) == network.spring_count else self._watch(springs)

    def _watch(self, springs):
        network = self._problem.network
        return _Watch(springs, ends_of(network.edges[springs], network.vertex_count), self._most[springs])

    def _around(self, springs, number):
        """Mask of the particles about springs of a part, of which the longest come first."""
        network = self._problem.network
        most = _MOST * np.sqrt(np.count_nonzero(self._problem.parts.part == number))
        while True:
            chosen = np.zeros(network.vertex_count, dtype=bool)
            chosen[network.edges[springs]] = True
            free = self._neighbours.grown(chosen, _RINGS)
            springs = springs[: len(springs) // 4]
            if len(springs) == 0 or np.count_nonzero(free) <= most:
                return free


class _Watch:
    """Finds what of some springs is longer than it should be.

    springs: their indices in the network; ends: Ends of these alone; most: lengths [m].
    """

    def __init__(self, springs, ends, most):
        self._springs, self._ends = springs, ends
        self._squares = ends.row(most) ** 2
        self._excess = np.empty(-(-ends.size // TOGETHER))

    def too_long(self, x):
        """Indices in the network of those that are, the longest for their limit first."""
        ends, x = self._ends, np.ascontiguousarray(x)
        largest_excess(x, ends.vertices, ends.weights, self._squares, self._excess)
        if self._excess.max(initial=-1.0) <= 0.0:
            return np.empty(0, dtype=np.intp)
        u = np.empty((3, ends.size))
        ends.differences(x, u)
        square = np.einsum("ij,ij->j", u, u)
        square /= self._squares
        long = np.flatnonzero(square > 1.0)
        springs = self._ends.springs[long]
        return self._springs[springs[np.lexsort((springs, -square[long]))]]


class _Neighbourhood(Neighbourhood):
    """With the springs' two slopes, and a factor of S with all of the stiffness: the objective curves nowhere more.

    mask: of the particles that are free; beyond: stiffness that is not carried [N/m]; matrix: S, SciPy CSR.
    """

    def __init__(self, problem, neighbours, mask, beyond, matrix):
        def tensions(part, springs):
            return LimitedTensions(part, problem.dt, beyond[springs], _LIMIT)

        super().__init__(problem, neighbours, mask, tensions)
        self.mask = mask
        rows = self.particles[self.free]
        self._factor = factorise(matrix[rows][:, rows], "SUPERLU", definite=True)
        self._descent = Descent(self.part)

    def lowered(self, x):
        """x [m], with the neighbourhood where quasi-Newton steps lead."""
        at, solve = self.begin(x), self.solver(self._solved)
        self._descent.begin(at)
        for _ in range(_STEPS):
            at = self._descent.step(at, solve)
        x = x.copy()
        x[:, self.particles] = at
        return x

    def _solved(self, g):
        solved = np.zeros_like(g)
        solved[:, self.free] = self._factor.solve(np.ascontiguousarray(g[:, self.free].T)).T
        return solved
