# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method by conjugate gradients on an incremental potential: inertia, springs, contacts and friction."""

from functools import cached_property
from typing import Any

import numpy as np

from ..kernels.contact_laws import INERTIAS
from ..topology import network_parts
from .attainable import solid_particles
from .block_jacobi import BlockJacobi
from .conjugate_gradients import MOST
from .drift import Drift
from .implicit_step import backtracked, dot
from .newton_to_tolerance import NewtonToTolerance
from .single_gradients import FEW, Touched
from .stiff_bodies import stiff_bodies
from .turned_hessian import TurnedHessian
from .whole_parts import WholeParts

# Share of its stiffness that a spring has across itself in the blocks at least: what moves farther turns them taut.
_ACROSS = 0.01

# Share of the gradient at which conjugate gradients end.
_FORCING = 1e-4

# Way of a step, in parts of the least depth from which on contacts stiffen, after which none follows: with ten times
# that a rope that is drawn against a ball goes on by 0.04 mm/s, with this by 1e-11.
_STILL = 1e-4

# Depths from which on contacts stiffen that a step moves anything by, and another step is taken: the distance that is
# kept. A sheet of 51^2 on the corner of a box is stretched by 16, 12 and 16 % with 1, 10 and 30, a curtain of 41^2 that
# a box strikes at 6 m/s by 30, 26 and 42 %, medians of six starts.
_FAR = 10.0

# Radians of its slowest vibration in a step from which on a body is stiff; its Newton steps at most, and the share of
# the gradient at which the conjugate gradients of each end. Few particles bear all of it: what two steps leave unsolved
# is its weight. docs/contact_figures.md has a table. Where stiff bodies are the lesser part, all takes the steps that
# cloth takes: a frame of dungarees with buckles takes 7 s so, and 60 with those of a body.
_STIFF, _STEPS, _ENOUGH = 2.0, 8, 0.1

# What is pressed harder, or moved as a whole, meets or leaves others by that: so often at most. With two plies that
# should slide on plies by 1.0 of a way go 0.9 of it.
ROUNDS = 4

# Relative residual at which they end where the second derivative is factorised in every substep, and conjugate
# gradients in all at most.
_SOLVED, GRADIENTS = 3e-4, _STEPS * MOST


def held_by_obstacles(blocks, inertia):
    """P^-1 of a preconditioner D^-1 + P S^-1 P, shape (6, n), or None where P is the identity.

    S knows nothing of contacts: P = (I + C/b)^-1, b = INERTIAS m/a^2, takes from what goes into it, and from what comes
    out, what obstacles hold. blocks: C, the contacts' at obstacles, shape (6, n) [N/m]; inertia: m/a^2 [N/m].
    """
    if not blocks.any():
        return None
    bearing = blocks / (INERTIAS * inertia)
    bearing[:3] += 1.0
    return bearing


class NewtonPCG:
    """Minimises an ImplicitStep with contacts, which are linearised anew in every step.

    Each step's direction is that of a few conjugate gradients, preconditioned by P S^-1 P + D^-1: the kept factor
    answers for the whole, but for what obstacles hold, the blocks D of single particles, contacts in them, for what few
    particles alone do. A line search on the energy goes along it. Few of them are in single precision. Where stiff
    bodies touch, what answers for them is the second derivative at rest, turned as they are, and where they are most of
    all, steps are as many as it takes.

    problem: ImplicitStep; gradients: ConjugateGradients; solve: r -> S^-1 r, in a buffer; single: SingleGradients, or
    None.

    Nocedal and Wright 2006, algorithms 5.3 and 3.1.
    """

    # Newton steps of a substep in contact, where no tolerance is given, and of one in which something solid is struck:
    # jelly that falls by a metre on a corner is stretched by 0.68 with two, 0.45 with three, 0.43 with four.
    steps, struck = 2, 4

    def __init__(self, problem, gradients, solve, single=None, backend="AUTO"):
        self._problem, self._gradients, self._solve, self._single = problem, gradients, solve, single
        self._backend = backend
        self._part, self._solid = network_parts(problem.network), solid_particles(problem.network)
        self.wholes = WholeParts(problem, self._part, self._solid)
        # Where the springs were linearised last, and their objective there; their blocks.
        self._known: tuple[Any, float] = (None, 0.0)
        self._blocks: Any = None

    @cached_property
    def _bodies(self):
        """The TurnedHessian of stiff bodies and a mask of their particles, or None twice without any."""
        network = self._problem.network
        bodies = stiff_bodies(network, _STIFF / self._problem.dt, boxes=True)
        if not bodies:
            return None, None
        hessian = TurnedHessian(self._problem, bodies)
        within = np.zeros(network.vertex_count, dtype=bool)
        within[np.concatenate(bodies)] = True
        return (hessian, within) if hessian.known else (None, None)

    @cached_property
    def _mostly_stiff(self):
        """Whether stiff bodies are most of all that is solved: a factor of all of it is no price for a few buttons."""
        return bool(self._bodies[1].mean() > 0.5)

    @cached_property
    def to_tolerance(self):
        """The NewtonToTolerance of the same problem."""
        return NewtonToTolerance(self._problem, self._gradients, self, self._backend)

    def change(self):
        """Take up the problem's network, whose springs have other rest lengths."""
        self.__dict__.pop("to_tolerance", None)

    def touched(self, contacts):
        """The TurnedHessian where any stiff body is in a ContactSet, or None."""
        hessian, within = self._bodies
        if hessian is None or contacts is None or not within[contacts.rows.corners.values].any():
            return None
        return hessian

    def steps_of(self, *, stopped):
        """Newton steps of a substep; stopped: whether anything is struck in it."""
        return self.struck if stopped and self._solid.any() else self.steps

    def of_wholes(self, contacts):
        """Whether a ContactSet, or None, is of stiff bodies, or of parts on parts."""
        return self.touched(contacts) is not None or self.wholes.on_parts(contacts)

    def minimise(self, x, contacts_at, steps, iterations, *, borne, more):
        """Positions [m], shape (3, n), after so many steps of so many iterations, and the contacts of the last one.

        contacts_at: x -> ContactSet, or None where nothing touches; borne: whether obstacles hold what they touch: what
        they strike drags all that is about it along; more: steps beyond these at most, as long as one moves anything
        farther than they keep.
        """
        self._known, self._blocks = (None, 0.0), None
        contacts, number, most = None, 0, steps
        while number < most:
            before, contacts, number = x, contacts_at(x), number + 1
            bodies = self.touched(contacts)
            if bodies is not None and self._mostly_stiff and self.to_tolerance.quick:
                return self.to_tolerance.minimise(x, contacts_at, _SOLVED, GRADIENTS)
            if bodies is not None:
                bodies.begin(x)
                if self._mostly_stiff:
                    most, iterations = max(steps, _STEPS), MOST
            x = self._step(before, contacts, bodies, iterations, last=number == most, borne=borne)
            if contacts is None:
                continue
            moved, depth = np.abs(x - before).max(), contacts.rows.depths.min()
            if moved < _STILL * depth:
                break
            if number == most < steps + more and moved > _FAR * depth:
                most, self._known = most + 1, (None, 0.0)
        return self.balanced(x, contacts), contacts

    def balanced(self, x, contacts):
        """Positions [m] with parts that touch something moved as wholes to where nothing pulls at them so."""
        if not self.wholes.touch(contacts):
            return x
        problem, still = self._problem, _STILL * contacts.rows.depths.min()
        if self._known[0] is not x:
            self._known = x, problem.objective(x)[0]
        # Springs know nothing of it, nor does what they add to the gradient.
        g = problem.g.copy()
        for _ in range(ROUNDS if self.wholes.slip(contacts) else 1):
            whole = g.copy()
            value = problem.inertial(x) + contacts.add_gradient(x, whole)
            way = self.wholes.direction(whole, contacts, contacts.forces(x)[0], still)
            if way is None:
                break
            length = backtracked(_without_springs(problem, x, way, contacts), dot(whole, way), value)
            if not length:
                break
            x = x + length * way
            g += problem.pulled(length * way, np.empty_like(x))
        return x

    def _step(self, x, contacts, bodies, iterations, *, last, borne):
        problem, single = self._problem, self._single is not None and iterations <= FEW
        if self._known[0] is not x:
            self._known = x, problem.objective(x, linearise=True)[0]
        value, g = self._known[1], problem.g
        if self._blocks is None:
            # Of the first step: springs turn little in the others.
            self._blocks = problem.diagonal_blocks(_ACROSS)
        blocks, lanes, bearing = self._blocks, None, None
        if contacts is not None:
            both = np.concatenate([blocks, np.zeros_like(blocks)])
            lanes = contacts.linearised_lanes() if single else None
            value += contacts.add_gradient(x, g, both, lanes)
            # Solids hold together: S has what is right of those that slide.
            both[6:, self._solid] = 0.0
            blocks, bearing = both[:6], held_by_obstacles(both[6:], problem.inertia) if borne else None
        g[:, problem.network.hard_pins] = 0.0
        drift = Drift.of_touching(problem.network, self._part, contacts)
        if single:
            touched = Touched(contacts, lanes, blocks, problem.inertia, drift, bearing)
            direction = self._single.direction(g, iterations, touched)
        else:
            alone = BlockJacobi(blocks, problem.inertia)
            preconditioned = self.preconditioner(alone, drift, bearing)
            direction = self._double(g, contacts, bodies, preconditioned, iterations)
        slope = dot(g, direction)
        if not slope < 0.0:
            # The gradient in the problem's buffer has that of contacts.
            self._known = None, 0.0
            return x
        return self.searched(x, direction.copy(), slope, value, contacts, linearise=not last)

    def _double(self, g, contacts, bodies, others, iterations):
        """The direction in double precision; others: r -> what answers for all that is in no stiff body."""
        linear = g, lambda p, out: self.product(contacts, p, out), iterations
        if bodies is None:
            how = {"forcing": _FORCING, "solve": others}
        else:
            how = {"forcing": _ENOUGH, "solve": lambda r: bodies.solve(r, others)}
        return self._gradients.direction(*linear, **how)[0]

    def product(self, contacts, p, out):
        """H p [N] into `out`, with that of a ContactSet, or None."""
        self._problem.product(p, out)
        if contacts is not None:
            contacts.add_product(p, out)
            out[:, self._problem.network.hard_pins] = 0.0
        return out

    def preconditioner(self, alone, drift, bearing):
        """r -> P S^-1 P r + D^-1 r, without what would change the momentum of what nothing holds.

        alone: BlockJacobi of D; drift: Drift; bearing: P^-1, or None for the identity.
        """
        network = self._problem.network
        held = None if bearing is None else BlockJacobi(bearing, np.ones(bearing.shape[1]))

        def preconditioned(r):
            z = drift.remove(alone.solve(r))
            z += self._solve(r) if held is None else held.solve(self._solve(held.solve(r)))
            z[:, network.hard_pins] = 0.0
            return z

        return preconditioned

    def searched(self, x, direction, slope, before, contacts, *, linearise):
        """Where the energy, with that of a ContactSet or None, is lowered enough along a direction.

        x itself where rounding leaves nothing to gain.
        """
        more = None if contacts is None else contacts.value
        length, own = self._problem.search(x, direction, slope, before, more=more, linearise=linearise)
        found = x + length * direction if length else x
        self._known = found if length else None, own
        return found


def _without_springs(problem, x, way, contacts):
    """Length of a way from x [m] -> energy of an ImplicitStep's inertia and of contacts there [J]."""

    def value_at(length):
        at = x + length * way
        return problem.inertial(at) + contacts.value(at)

    return value_at
