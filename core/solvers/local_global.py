# SPDX-License-Identifier: GPL-3.0-or-later
"""Local/global iterations: one implicit step as a minimisation on a matrix that is factorised once."""

import numpy as np

from ..forces import pin_weights
from .factors import FACTORS, factor_cost
from .lbfgs import LBFGS
from .lumping import lumped
from .newton import SUFFICIENT, ImplicitStep, Newton
from .tensions import Tensions
from .truncated_newton import TruncatedNewton

# Iterations before the speed of convergence is judged: the first ones are no measure of it.
_FIRST_JUDGED = 20

# A factorisation of Newton's matrix costs more than this many iterations on the factor that is kept.
_WORTH_NEWTON = 200


class LocalGlobal:
    """Minimises 1/(2 dt^2) |M^(1/2) (x - y)|^2 + V(x), with damping as in `ProjectiveDynamics`.

    The matrix S = M/dt^2 + A^T (K + diag(mu)/dt) A + W is factorised once, with the hard pins' rows and
    columns replaced by the identity; W has the soft pins' weights. An iteration is x -= S^-1 gradient(x).

    network: SpringNetwork; dt: of the formula [s]; backend: see `linear.factorise`; lump: whether weak springs
    are lumped in S, see `lumping`: a preconditioner, and still an upper bound of the objective's second derivative.
    """

    def __init__(self, network, dt, backend="AUTO", *, lump=False):
        self.network, self.dt, self.backend = network, dt, backend
        matrix = global_matrix(network, dt, lump=lump)
        # M/dt^2 makes it so, unless it drowns in the rounding of the springs' part.
        rounding = network.vertex_count * np.finfo(np.float64).eps * np.abs(matrix.data).max()
        definite = bool((network.masses / dt**2).min() > rounding)
        self.factor = FACTORS.factor(matrix, backend, factor_cost(network).memory, definite=definite)
        self._inertia = network.masses / dt**2
        self._tensions = Tensions(network, dt)
        self._pin_weights = pin_weights(network)
        shape = (3, network.vertex_count)
        # The gradient, x - y, the inertia's part of the gradient, and S^-1 gradient.
        self._gradient, self._away, self._pull, self._increment = (np.empty(shape) for _ in range(4))
        self._quasi_newton: LBFGS | None = None
        self._newton: Newton | None = None
        self._truncated: TruncatedNewton | None = None
        # Of the last step: where it ended, and what it was about.
        self._x: np.ndarray | None = None
        self._y = self._start = np.empty(shape)
        self._soft_targets = np.empty((3, len(network.soft_pins)))

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
    ):
        """Positions after the iterations, or earlier where the relative residual is at most the tolerance.

        y: position without internal forces, with the hard pins on their targets; start: positions damping
        counts from; both [m], shape (3, vertex_count). soft_targets [m], shape (soft count, 3).
        acceleration: "NONE", "NEWTON" or "LBFGS"; secant: Secant for the first of plain iterations. With a
        tolerance, Newton's method finishes what would take many times more iterations.
        first: where plain iterations start, y unless told; contacts: Seats that filter them, or None.
        """
        self._y, self._soft_targets, self._start = y, soft_targets.T, start
        self._tensions.start_from(start)
        if acceleration == "LBFGS":
            x = self._accelerated(y.copy(), iterations, tolerance)
        else:
            x = y.copy() if first is None else first
            x[:, self.network.hard_pins] = y[:, self.network.hard_pins]
            if acceleration == "NEWTON" and tolerance and contacts is None:
                x = self._newton_to_tolerance(x, iterations, tolerance)
            elif acceleration == "NEWTON":
                x = self._newton_step(x, iterations, contacts)
            else:
                x = self._plain(x, iterations, tolerance, secant, contacts)
        self._x = x
        return x

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        if self._x is None:
            return 0.0
        self._gradient_at(self._x)
        return self._relative_residual()

    def _plain(self, x, iterations, tolerance, secant, contacts):
        """x -= S^-1 gradient(x), again and again: never raises the objective. The first may be a Secant's."""
        progress = _Progress(tolerance)
        for number in range(iterations):
            g = self._gradient_at(x)
            if contacts is not None:
                contacts.filter_gradient(g)
            stops = tolerance and progress.stops(self._relative_residual(), iterations - number)
            # Newton's method, which would finish slow convergence, knows no contacts.
            if stops and (progress.converged or contacts is None):
                return self._finished(x, iterations - number, progress)
            if secant is not None and number == 0:
                increment = secant.direction(x, g, g - self._pull, self._inertia, self._solved)
            else:
                increment = np.negative(self._solved(g), out=self._increment)
            if contacts is not None:
                contacts.filter_increment(increment)
            x += increment
        return x

    def _newton_step(self, x, iterations, contacts):
        """One truncated Newton step of so many conjugate gradients; with contacts a plain iteration after it.

        Linearised contacts and friction let truncated steps gain energy; a plain iteration takes it away.
        """
        g = self._gradient_at(x, linearise=True)
        if contacts is not None:
            contacts.filter_gradient(g)
        step, _ = self._newton_direction(g, iterations, contacts=contacts)
        if contacts is not None:
            contacts.filter_increment(step)
        x += step
        return x if contacts is None else self._plain(x, 1, 0.0, None, contacts)

    def _newton_to_tolerance(self, x, iterations, tolerance):
        """Truncated Newton steps with a line search, of so many conjugate gradients in all, then Newton's method."""
        progress, left = _Progress(tolerance), iterations
        while True:
            before, _ = self._objective(x)
            g = self._gradient_at(x, linearise=True)
            residual = self._relative_residual()
            if progress.stops(residual, left) or left <= 0:
                return self._finished(x, iterations, progress)
            # Eisenstat and Walker 1996: as much as the quadratic model is worth, and no more than is asked for.
            forcing = max(min(0.1, residual), 0.3 * tolerance / residual)
            step, used = self._newton_direction(g, left, forcing=min(forcing, 0.5))
            slope = _dot(g, step)
            if used == 0 or not slope < 0.0:
                return self._finished(x, iterations, progress)
            length, _ = self._search(x, step, slope, before)
            if length == 0.0:
                return self._finished(x, iterations, progress)
            x = x + length * step
            left -= used

    def _newton_direction(self, gradient, iterations, **options):
        if self._truncated is None:
            self._truncated = TruncatedNewton(gradient.shape)
        return self._truncated.direction(gradient, self._product, self._solved, iterations, **options)

    def _product(self, p, out):
        """H p, H the second derivative of the objective about the position that was linearised last."""
        network = self.network
        self._tensions.product(p, out)
        out += np.multiply(self._inertia, p, out=self._away)
        if len(network.soft_pins):
            out[:, network.soft_pins] += self._pin_weights * p[:, network.soft_pins]
        out[:, network.hard_pins] = 0.0

    def _accelerated(self, x, iterations, tolerance):
        """L-BFGS with a line search from step 1: never raises the objective.

        Damping has none: in the line search its part keeps the p of the position searched from, where that
        objective's gradient is the equations' own.
        """
        if self._quasi_newton is None:
            self._quasi_newton = LBFGS(x.size)
        quasi_newton, progress = self._quasi_newton, _Progress(tolerance)
        quasi_newton.forget()
        before, _ = self._objective(x)
        step = np.zeros_like(x)
        for number in range(iterations):
            g = self._gradient
            if tolerance and progress.stops(self._relative_residual(), iterations - number):
                return self._finished(x, iterations - number, progress)
            solved = self._solved(g)
            direction = quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(x.shape)
            slope = _dot(g, direction)
            if not slope < 0.0:
                quasi_newton.forget()
                direction, slope = -solved, -_dot(g, solved)
            if number == iterations - 1 and not quasi_newton.remembers:
                # The full step on S alone never raises the objective, so it needs no look at it.
                return x + direction
            length, before = self._search(x, direction, slope, before)
            if length == 0.0:
                break
            step = length * direction
            x = x + step
        return x

    def _search(self, x, direction, slope, before):
        """Longest of 1, 1/2, 1/4 … that lowers the objective enough (Armijo), and the objective there.

        0 where rounding leaves nothing to gain; the gradient is then that of x.
        """
        self._tensions.hold()
        length = 1.0
        while length > 1e-9:
            own, held = self._objective(x + length * direction)
            rounding = 8.0 * np.finfo(np.float64).eps * abs(before)
            if held <= before + SUFFICIENT * length * slope + rounding:
                return length, own
            length *= 0.5
        return 0.0, self._objective(x)[0]

    def _finished(self, x, left, progress):
        """x where it is converged, else by Newton's method with the iterations that are left."""
        if progress.converged:
            return x
        if self._newton is None:
            self._newton = Newton(self.network, self.dt, self.backend)
        y, start, soft_targets = (
            np.ascontiguousarray(a.T) for a in (self._y, self._start, self._soft_targets)
        )
        problem = ImplicitStep(self.network, self.dt, y, start, soft_targets)
        x, _ = self._newton.minimise(problem, np.ascontiguousarray(x.T), left, progress.tolerance)
        return np.ascontiguousarray(x.T)

    def _solved(self, g):
        """S^-1 g, one row an axis, in a buffer."""
        self._increment[:] = self.factor.solve(g.T).T
        return self._increment

    def _gradient_at(self, x, *, linearise=False):
        """Gradient of the objective, (3, vertex_count), zero at hard pins; linearise: see `Tensions`."""
        self._tensions.gradient(x, self._gradient, linearise=linearise)
        self._add_inertia_and_pins(x)
        return self._gradient

    def _objective(self, x):
        """Objective at x with damping's p of x and with the held one; leaves the gradient in its buffer."""
        own, held = self._tensions.energies(x, self._gradient)
        self._add_inertia_and_pins(x)
        rest = 0.5 * _dot(self._pull, self._away)
        if len(self.network.soft_pins):
            away = x[:, self.network.soft_pins] - self._soft_targets
            rest += 0.5 * _dot(self._pin_weights * away, away)
        return own + rest, held + rest

    def _add_inertia_and_pins(self, x):
        network, g = self.network, self._gradient
        np.subtract(x, self._y, out=self._away)
        np.multiply(self._away, self._inertia, out=self._pull)
        g += self._pull
        if len(network.soft_pins):
            soft = network.soft_pins
            g[:, soft] += self._pin_weights * (x[:, soft] - self._soft_targets)
        g[:, network.hard_pins] = 0.0

    def _relative_residual(self):
        g, inertia = self._gradient, self._pull
        scale = np.linalg.norm(inertia) + np.linalg.norm(g - inertia)
        return float(np.linalg.norm(g) / scale) if scale > 0.0 else 0.0


class _Progress:
    """Residuals of the iterations so far: whether to stop, because converged or because Newton is quicker."""

    def __init__(self, tolerance):
        self.tolerance, self.converged = tolerance, False
        self._residuals: list[float] = []

    def stops(self, residual, left):
        """Take note of a residual with so many iterations left; whether to stop iterating."""
        self.converged = not residual > self.tolerance
        if self.converged:
            return True
        self._residuals.append(residual)
        count = len(self._residuals)
        if count < _FIRST_JUDGED:
            return False
        # Linear convergence, at the rate of the later half: quasi-Newton steps go up and down on the way.
        span = count // 2
        per_iteration = np.log(self._residuals[-1 - span] / residual) / span
        return per_iteration * min(left, _WORTH_NEWTON) < np.log(residual / self.tolerance)


def global_matrix(network, dt, *, lump=False):
    """M/dt^2 + A^T (K + diag(mu)/dt) A + W, SciPy CSC, with the identity at hard pins; lump: see `lumping`."""
    from scipy import sparse

    diagonal = network.masses / dt**2
    diagonal[network.soft_pins] += pin_weights(network)
    weights = network.stiffness + network.damping / dt
    incidence = network.incidence.matrix()
    if lump:
        weights = lumped(network.edges, weights, network.vertex_count)
        incidence, weights = incidence[weights > 0.0], weights[weights > 0.0]
    weights = sparse.diags(weights)
    # Eliminating the pinned unknowns this way keeps vertex indices as they are.
    free = np.ones(network.vertex_count)
    free[network.hard_pins] = 0.0
    keep = sparse.diags(free)
    matrix = keep @ (sparse.diags(diagonal) + incidence.T @ weights @ incidence) @ keep
    return (matrix + sparse.diags(1.0 - free)).tocsc()


def _dot(a, b):
    return float(np.einsum("ij,ij->", a, b))
