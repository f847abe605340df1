# SPDX-License-Identifier: GPL-3.0-or-later
"""Local/global iterations: one implicit step as a minimisation on a matrix that is factorised once."""

from functools import cached_property
from typing import Any

import numpy as np

from .conjugate_gradients import ConjugateGradients
from .converging import REFRESHED, converging_where_it_fits
from .descent import Descent
from .implicit_step import ImplicitStep, dot, values_of_parts
from .kept_factor import KeptFactor
from .kept_solve import KeptSolve
from .newton import Newton
from .newton_pcg import NewtonPCG
from .single_gradients import FEW, SingleGradients
from .strain_limit import StrainLimit

# Relative residual that rounding leaves.
_CLOSEST = 1e-13


class LocalGlobal:
    """Minimises 1/(2 dt^2) |M^(1/2) (x - y)|^2 + V(x), with damping as in `ProjectiveDynamics`.

    The matrix S = M/dt^2 + A^T (K + diag(mu)/dt) A + W is factorised once, with the hard pins' rows and
    columns replaced by the identity; W has the soft pins' weights. An iteration is x -= S^-1 gradient(x).

    network: SpringNetwork; dt: of the formula [s]; backend: see `linear.factorise`; lump: whether long springs
    are lumped in S, see `lumping`: a preconditioner, with which plain iterations still lower the objective of sheets;
    few: see `KeptFactor`; stiffness: the springs' own [N/m], for `limit`, a StrainLimit; airs: see ImplicitStep.
    """

    def __init__(self, network, dt, backend="AUTO", *, lump=False, few=False, stiffness=None, airs=()):
        self.network, self.dt, self.backend = network, dt, backend
        self._problem = ImplicitStep(network, dt, airs=airs)
        self._contacts: Any = None
        self.factor = KeptFactor(network, dt, backend, lump=lump, few=few and self._problem.of_springs_alone)
        self._solved = KeptSolve(self.factor, self._problem, airs)
        self._stiffness = network.stiffness if stiffness is None else stiffness
        self.limit = StrainLimit(self._problem, self._stiffness)
        shape = 3, network.vertex_count
        self._gradients = ConjugateGradients(shape, self._solved, bounded=self._solved.bounded)
        self._descent: Descent | None = None
        self._single = self.factor.single and SingleGradients(self._problem, self.factor.single, airs)
        self._newton: Newton | None = None
        self._x: np.ndarray | None = None  # where the last step ended

    def minimise(
        self,
        y,
        start,
        soft_targets,
        *,
        iterations,
        acceleration="NONE",
        tolerance=0.0,
        secant=None,
        first=None,
        contacts=None,
        free=(),
    ):
        """Positions after the iterations, or earlier where the relative residual is at most the tolerance.

        y: position without internal forces, with the hard pins on their targets; start: positions damping
        counts from; both [m], shape (3, vertex_count). soft_targets [m], shape (soft count, 3).
        acceleration: "NONE", "NEWTON" or "LBFGS"; secant: Secant for the first of plain iterations. With a
        tolerance, factors of Newton's own matrix finish what thirty iterations leave.
        first: where all but L-BFGS without contacts start, y unless told; contacts: a PotentialStep, whose contacts are
        minimised as well where anything may touch, by Newton's method, or None.
        free: conjugate gradients of every truncated Newton step where nothing touches; one of `iterations` unless told.
        """
        self._problem.begin(y, start, soft_targets)
        self._contacts = contacts
        x = y.copy() if first is None else first
        x[:, self.network.hard_pins] = y[:, self.network.hard_pins]
        if contacts is not None and contacts.touches:
            pass
        elif acceleration == "LBFGS":
            x = self._accelerated(y.copy(), iterations, tolerance)
        elif acceleration != "NEWTON" and not self._solved.bounded:
            # S bounds springs alone.
            x = self._accelerated(x, iterations, tolerance)
        elif acceleration == "NEWTON" and tolerance:
            x = self.limit.shortened(self._finished(x, iterations, tolerance))
        elif acceleration == "NEWTON":
            x = self.limit.shortened(self._newton_steps(x, free or (iterations,)))
        else:
            x = self._plain(x, iterations, tolerance, secant)
        self._x = x if contacts is None else contacts.settled(self, x, iterations, tolerance)
        return self._x

    def right_side(self, y, start, soft_targets, x=None):
        """b of S x = b, shape (vertex_count, 3), with spring directions at x, or at y; see `minimise`."""
        self._problem.begin(y, start, soft_targets)
        at = y.copy() if x is None else np.ascontiguousarray(np.asarray(x, dtype=np.float64).T)
        at[:, self.network.hard_pins] = y[:, self.network.hard_pins]
        # An iteration is x - S^-1 gradient(x).
        return self.factor.matrix @ at.T - self._problem.gradient(at).T

    @cached_property
    def newton_pcg(self):
        """The NewtonPCG of this step."""
        return NewtonPCG(self._problem, self._gradients, self._solved, self._single, self.backend)

    @cached_property
    def _converging(self):
        return converging_where_it_fits(self._problem, self.backend)

    def best(self, places, first, y, start, soft_targets, touching=None):
        """The place with the lowest objective, an earlier one of equals; y and more as in `minimise`.

        Without contacts of every part. first: the number of the one whose gradient is kept for Newton's iterations.
        """
        problem = self._problem
        problem.begin(y, start, soft_targets)
        if touching is None and problem.parts.several:
            return problem.parts.chosen(places, [values_of_parts(problem, place) for place in places])
        values, more = [np.inf] * len(places), [touching(place) if touching else 0.0 for place in places]
        values[first] = least = problem.linearised_value(places[first]) + more[first]
        for number, place in enumerate(places):
            if number != first:
                values[number] = problem.value(place, least - more[number]) + more[number]
                least = min(least, values[number])
        return places[int(np.argmin(values))]

    def linearised(self, x, start, soft_targets):
        """The ImplicitStep linearised about x [m], and its ConjugateGradients; start and more as in `minimise`."""
        self._problem.begin(x, start, soft_targets)
        self._problem.gradient(x, linearise=True)
        return self._problem, self._gradients

    def refined(self, iterations):
        """Positions after so many quasi-Newton iterations more, or None where rounding leaves nothing to gain.

        None in contact too, through which more iterations without it would lead.
        """
        if self.residual() < _CLOSEST or (self._contacts is not None and self._contacts.touches):
            return None
        self._x = self._accelerated(self._x, iterations, 0.0)
        return self._x

    def change(self, network):
        """Take up a network whose springs have other rest lengths, and are the same in all else."""
        self.network, self._newton = network, None
        self._problem.change(network)
        self.limit = StrainLimit(self._problem, self._stiffness)
        self.__dict__.pop("_converging", None)
        self._solved.change(network)
        if "newton_pcg" in self.__dict__:
            self.newton_pcg.change()

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        if self._x is None:
            return 0.0
        g = self._problem.gradient(self._x)
        if self._contacts is not None:
            self._contacts.add_gradient(self._x, g)
            g[:, self.network.hard_pins] = 0.0
        return self._problem.relative_residual()

    def _plain(self, x, iterations, tolerance, secant):
        """x -= S^-1 gradient(x), again and again: never raises the objective. The first may be a Secant's."""
        problem = self._problem
        for number in range(iterations):
            g = problem.gradient(x)
            if tolerance and problem.relative_residual() <= tolerance:
                break
            if tolerance and number == REFRESHED:
                return self._finished(x, iterations - number, tolerance)
            if secant is not None and number == 0:
                x += secant.direction(x, g, g - problem.pull, problem.pulled, self._solved)
            else:
                x -= self._solved(g)
        return x

    def _newton_steps(self, x, gradients):
        """A step for every number of conjugate gradients.

        Nocedal and Wright 2006, algorithm 7.1; Dembo and Steihaug 1983, "Truncated-Newton algorithms for large-scale
        unconstrained optimization".
        """
        for number in gradients:
            x = self._newton_step(x, number)
        return x

    def _newton_step(self, x, iterations):
        problem = self._problem
        if self._solved.enclosing:
            # With more than springs in the objective a whole step may not lower it.
            before, _ = problem.objective(x, linearise=True)
            step, _ = self._gradients.direction(problem.g, problem.product, iterations)
            return x + problem.search(x, step, dot(problem.g, step), before)[0] * step
        g = problem.gradient(x, linearise=True)
        if self._single and iterations <= FEW:
            return x + self._single.direction(g, iterations)
        return x + self._gradients.direction(g, problem.product, iterations, parts=problem.parts)[0]

    def _accelerated(self, x, iterations, tolerance):
        """L-BFGS with a line search: never raises the objective."""
        self._descent = self._descent or Descent(self._problem)
        self._descent.begin(x)
        for number in range(iterations):
            if tolerance and self._problem.relative_residual() <= tolerance:
                break
            if tolerance and number == REFRESHED and self._converging is not None:
                return self._finished(x, iterations - number, tolerance)
            before, x = x, self._descent.step(x, self._solved)
            if x is before:
                break
        return x

    def _finished(self, x, left, tolerance):
        """Where the residual is at most the tolerance from x on, by factors of Newton's own matrix."""
        if self._converging is None:
            return self._accelerated(x, left, tolerance)
        x, _ = self._converging.minimise(x, left, tolerance)
        if self._problem.residual(x) <= tolerance:
            return x
        self._newton = self._newton or Newton(self.network, self.dt, self.backend)
        return self._newton.minimise(self._problem, x, left, tolerance)[0]
