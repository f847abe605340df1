# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit steps that contacts hold."""

from functools import cached_property

import numpy as np

from .block_jacobi import BlockJacobi
from .held_descent import HeldDescent
from .held_start import HeldStart, placed, value_at
from .implicit_step import dot
from .kept_iteration import KeptIteration
from .lumping import stencils_that_count
from .pair_preconditioner import PairPreconditioner
from .relaxation import Relaxation, mean_lengths
from .whole_bodies import Wholes

# Quasi-Newton steps for three conjugate gradients of a step that nothing holds; and what one may promise to gain [J]
# for it to be the last, as a share of the inertia's part of the objective: at rest one is enough. A cloth of 1.5 m over
# a round table of 0.9 swings in below it; with four steps at Standard it stayed there, gathered to a bag, at 61 and 81
# vertices a side; with five, six and eight it comes out, in 1.15, 1.35 and 1.6 times the time.
# Solids, which have no folds, take four.
_STEPS, _ENOUGH = (5, 4), 0.025

# The same of stiff bodies, of which friction is to hold or to let go of all; and where particles press on each other:
# what rests in a heap always has some of that left in its folds.
_ENOUGH_SOLID, _ENOUGH_PAIRED = 0.0025, 0.1

# Share of its stiffness that a spring has across itself at least where a particle gives way alone: linearised it would
# have its tension's only, but what moves farther turns it and pulls it taut.
_FIRM = 0.01

# Mean lengths of its springs that a particle may give way alone by: beyond it, they have turned since.
_TURNED = 0.3

# Conjugate gradients for each of a step that nothing holds, at most, where particles press on each other: in the air,
# and where something holds them as well.
_PAIRED, _PILED = 3, 5

# The same of what bends stiffly, in steps of as many at once: a strip of a bending length that sticks out over a table
# hangs by 0.26 of its reach at Standard and Fine, by 0.32 converged; quasi-Newton steps leave it at 0.01 and 0.03.
_BENT = 2

# Times as many where they are solids: what an impact between them leaves unsolved is strain, and throws them.
_SOLID = 4
# Conjugate gradients a Newton step: of those, whose springs turn too far for more to be worth it, and where there are
# as many steps as a tolerance takes.
_AT_ONCE_PAIRED, _AT_ONCE = 5, 10

# Relative residual at which iterations to a tolerance have failed.
_FAILED = 0.1


class HeldStep:
    """Minimises an ImplicitStep where contacts hold particles, by line-searched steps.

    Where something is struck, what stops is displaced against what goes on, farther than linearised springs are
    right for: full steps would throw it away. So every step is searched along. Steps begin at the lowest place of a
    HeldStart. What ends higher than at rest in place is done again from there: a step of backward Euler that ends no
    higher gains no energy but by gravity's work and that of the contacts; BDF2 has been measured not to. Contacts and
    friction are decided anew by every gradient.

    problem: ImplicitStep; gradients: ConjugateGradients on the factor of `matrix`, SciPy CSC and symmetric; solve: of
    the same, r -> S^-1 r; converging: Converging for a tolerance, None where it costs too much; limit: StrainLimit.
    """

    def __init__(self, problem, gradients, matrix, solve, limit, converging=None):
        self._problem, self._gradients, self._solve = problem, gradients, solve
        self._kept = KeptIteration(problem, gradients, matrix)
        self._diagonal = matrix.diagonal()
        self._of_pairs = PairPreconditioner(problem, self._diagonal)
        self._descent = HeldDescent(problem)
        self.change(limit, converging)

    def change(self, limit, converging=None):
        """Take up rest lengths of the problem's that are others now; limit and converging as at first."""
        self._limit, self._converging = limit, converging
        lengths = mean_lengths(self._problem.network)
        self._far = (_TURNED * lengths) ** 2
        self._relaxation = Relaxation(self._problem, lengths, _FIRM)

    @cached_property
    def _bends(self):
        """Whether what holds one particle moves all about it: only conjugate gradients find what goes with it."""
        network = self._problem.network
        stiff = stencils_that_count(network.stencils, network.stiffness, network.edges)
        return bool(len(network.enclosures) or stiff.any())

    @cached_property
    def _wholes(self):
        return Wholes(self._problem)

    def minimise(self, x, contacts, iterations, tolerance=0.0):
        """Positions [m] after quasi-Newton steps, about as dear as so many conjugate gradients.

        With a tolerance they are Newton steps, of so many conjugate gradients in all; where particles press on each
        other, of several times as many, on a finer preconditioner.
        """
        problem = self._problem
        contacts.stiffen(self._diagonal, problem.dt)
        whole = self._whole = self._wholes.of(contacts)
        start = HeldStart(problem, x, contacts, led=whole.led)
        if not tolerance and whole.stiff is not None:
            x = whole.stiff.start(x, contacts, lambda at: value_at(problem, at, contacts))
        x, value = start.lowest(x)
        rests = x is start.here
        end, lowest = self._from(x, value, contacts, iterations, tolerance, None if rests else start)
        # Where friction leaves nothing to go down on the way from there, it may from where the particles are.
        failed = tolerance and problem.relative_residual() > _FAILED
        if rests or (start.allows(lowest) and not failed):
            return end
        here = start.here
        other, value = self._from(here, placed(problem, here, contacts), contacts, iterations, tolerance)
        if value > lowest and failed:
            placed(problem, end, contacts)
            contacts.filter_gradient(problem.g)
            return end
        return other

    def further(self, x, contacts, iterations):
        """Positions [m] after more steps of the same, about as dear as so many conjugate gradients."""
        return self._from(x.copy(), placed(self._problem, x, contacts), contacts, iterations, 0.0)[0]

    def _from(self, x, value, contacts, iterations, tolerance, enough=None):
        if tolerance and self._converging is not None:
            return self._converging.minimise_held(x, contacts, iterations, tolerance)
        if tolerance:
            return self._by_newton(x, value, contacts, iterations, _AT_ONCE, tolerance)
        if self._bends and not contacts.pressing and self._whole.stiff is None:
            x, value = self._by_newton(x, value, contacts, _BENT * iterations, iterations, 0.0)
            contacts.filter_gradient(self._problem.g)
            if not self._whole.solid:
                x, value = self._relaxation.balanced(x, value - contacts.stored(), contacts)
            return self._limit.shortened(x, contacts), value + contacts.stored()
        if contacts.pressing:
            # Pairs are stiffer than what quasi-Newton steps begin with.
            count = (_PILED if contacts.holding else _PAIRED) * iterations
            count *= _SOLID if self._whole.solid else 1
            return self._by_newton(x, value, contacts, count, _AT_ONCE_PAIRED, 0.0)
        return self._by_quasi_newton(x, value, contacts, _steps(iterations, self._whole.solid), enough)

    def _by_quasi_newton(self, x, value, contacts, count, enough):
        """Steps of one solve and one gradient each, and the objective [J] where they end.

        They go by the mean of what S and a block-Jacobi matrix answer. S answers the stop of a few particles as if it
        stretched every spring, and holds back the whole sheet; alone, every particle gives way, and what is to go far
        takes many steps. No two are linearised about one position: springs turn too far in a substep.

        value: objective at x; enough: HeldStart that up to twice as many steps are worth to get below, or None.
        """
        problem, descent, bodies = self._problem, self._descent, self._whole.stiff
        enough_of_inertia = _ENOUGH if bodies is None else _ENOUGH_SOLID
        descent.forget()
        if bodies is not None:
            bodies.begin(x, contacts)
        alone = self._alone()
        g, step, stuck = problem.g, np.zeros_like(x), False
        contacts.filter_gradient(g)
        if self._whole.soft is not None:
            x, value = self._slid(self._whole.soft, x, value, contacts)
        for number in range(2 * count):
            if number >= count and (enough is None or enough.allows(value + contacts.stored())):
                break
            answer = alone.solve(g)
            if number and (np.einsum("ij,ij->j", answer, answer) > self._far).any():
                descent.forget()
                contacts.filter_gradient(problem.gradient(x, linearise=True))
                alone = self._alone()
                answer = alone.solve(g)
            answer = self._answer(g, answer, alone, contacts)
            # With friction as the gradient, or the answer, decided it.
            before = value + contacts.energy()
            direction, slope = descent.direction(step, answer, contacts)
            promised, inertia = -0.5 * slope, problem.inertial_there()
            found = self._searched(x, direction, slope, before, contacts, kept=bodies is None)
            if found is not None:
                step, (x, value) = found[0] - x, found
            elif bodies is not None:
                # What rests may be pulled at from many sides: with all of it at rest there is a way down.
                contacts.stick()
                descent.forget()
                step = np.zeros_like(x)
            contacts.filter_gradient(g)
            if promised <= enough_of_inertia * inertia or (found is None and (stuck or bodies is None)):
                break
            stuck = stuck or found is None
        x, value = self._relaxation.balanced(x, value, contacts)
        return self._limit.shortened(x, contacts), value + contacts.stored()

    def _slid(self, soft, x, value, contacts):
        """x and the objective there, but for the contacts' energy, after what is soft has slid as a whole."""
        g = self._problem.g
        step = soft.step(g, contacts)
        before = value + contacts.energy()
        found = self._searched(x, step, dot(g, step), before, contacts, kept=False) if step.any() else None
        contacts.filter_gradient(g)
        return found or (x, value)

    def _answer(self, g, answer, alone, contacts):
        """The mean of what S and every particle alone, `answer`, answer to g; stiff bodies answer as a whole."""
        if self._whole.stiff is None:
            answer += self._solve(g)
            answer *= 0.5
            return answer
        return self._whole.stiff.answer(g, lambda r: 0.5 * (alone.solve(r) + self._solve(r)), contacts)

    def _alone(self):
        return BlockJacobi(self._problem.diagonal_blocks(_FIRM), self._problem.inertia)

    def _by_newton(self, x, value, contacts, left, at_once, tolerance):
        """Newton steps of some conjugate gradients at once and so many in all, or until the residual is small enough.

        tolerance: of the relative residual; 0 takes what a step promises to gain for it.
        """
        problem, g = self._problem, self._problem.g
        contacts.filter_gradient(g)
        pairs = self._of_pairs if contacts.pressing else None
        if pairs is not None:
            pairs.begin(x, contacts)
        while left > 0 and not (tolerance and problem.relative_residual() <= tolerance):
            # Without pairs the kept matrix serves, filtered.
            solve = None if pairs is None else pairs.linearised(contacts, _FIRM)
            step, used = self._gradients.direction(
                g, problem.product, min(left, at_once), contacts=contacts, solve=solve
            )
            slope, inertia = dot(g, step), problem.inertial_there()
            before = value + contacts.energy()
            found = self._searched(x, step.copy(), slope, before, contacts, linearise=True)
            x, value = found or (x, value)
            contacts.filter_gradient(g)
            ends = not (tolerance or -0.5 * slope > (_ENOUGH if pairs is None else _ENOUGH_PAIRED) * inertia)
            left = left - used if found and used and not ends else 0
        return x, value + contacts.stored()

    def _searched(self, x, step, slope, before, contacts, *, linearise=False, kept=True):
        """Positions along a step, or by the kept matrix, where all is lower than `before`; None without.

        Second the objective there but for the contacts' energy. The gradient there, or at x, is in its buffer;
        linearise: whether products will be asked for there.
        """
        problem = self._problem
        found = self._descent.searched(x, step, slope, before, contacts, linearise=linearise)
        if found is not None:
            return found
        if kept:
            tried = self._kept.iterated(x, contacts)
            contacts.place(tried)
            found = problem.objective(tried, linearise=linearise)[0]
            if found + contacts.energy() < before:
                return tried, found
        contacts.place(x)
        problem.gradient(x, linearise=linearise)
        return None


def _steps(iterations, solid):
    """Quasi-Newton steps that so many iterations come to."""
    return -(-_STEPS[solid] * iterations // 3)
