# SPDX-License-Identifier: GPL-3.0-or-later
"""The equations of one implicit step: objective, gradient, residual and line search."""

from functools import cached_property

import numpy as np

from ..forces import pin_weights
from ..kernels.lanes import slice_count
from ..kernels.motion import add_inertia
from ..spring_ends import NO_ROWS
from .part_sums import PartSums
from .tensions import Tensions

# Armijo's constant, the share of the promised decrease that a step must deliver.
_SUFFICIENT = 1e-4

# Share of a step below which none is tried. What begins exactly as far from a surface as it keeps presses on it
# nowhere: a step that knows of no contact there leads on by thousands of what contacts are deep, and down to 2^-12 was
# none at all.
_SHORTEST = 2.0**-24


class ImplicitStep:
    """1/(2 dt^2) |M^(1/2) (x - y)|^2 + V(x), whose gradient is that of m (x - y)/dt^2 = f(x, (x - start)/dt).

    Damping has no potential: its part of the objective is mu/(2 dt) |A(x - start) - p|^2 a spring, p the part
    perpendicular to it at some position. With p of x itself the gradient is the equations' own; a line search holds
    the p of where it started. Soft pins are springs of zero rest length to their targets.

    Backward Euler has y = x_t + dt v_t + dt^2 f_ext/m and start = x_t; other formulas come in its shape, see
    `ProjectiveDynamics`. Positions and gradients are of shape (3, vertex_count), one row an axis.

    network: SpringNetwork; dt: of the formula [s]; tensions: of springs that are not as the network has them, or None;
    airs: ReactiveAirs, whose mass particles have as well.
    g, pull: the gradient evaluated last, and the part of the inertia in it [N]; inertia: m/dt^2 [kg/s^2]; parts:
    PartSums.
    """

    parts = cached_property(lambda step: PartSums(step.network, step.airs))

    def __init__(self, network, dt, *, tensions=None, airs=()):
        self.network, self.dt, self.airs = network, dt, airs
        self.inertia = network.masses / dt**2
        self.damped = bool(network.springs.damping.any())
        self._tensions = tensions or Tensions(network, dt)
        self._pin_weights = pin_weights(network)
        self._diagonal = _single(self.inertia, network.soft_pins, self._pin_weights)
        self._rounding_of_place = rounding_of_place(network, self.inertia)
        self._rounding_of_energy = rounding_of_energy(network)
        shape = (3, network.vertex_count)
        self.g, self.pull, self._scaled = (np.empty(shape) for _ in range(3))
        self._energies = np.empty(slice_count(network.vertex_count))
        inertial = {"inertia": self.inertia, "energies": self._energies}
        self._add_inertia = add_inertia.bound(**inertial, pull=self.pull, gradient=self.g)
        self._weigh_inertia = add_inertia.bound(**inertial, pull=NO_ROWS, gradient=NO_ROWS)
        self._y = self.start = np.zeros(shape)
        self._soft_targets = np.empty((3, len(network.soft_pins)))
        # Where the gradient in the buffer was linearised, until it is used.
        self._known: np.ndarray | None = None

    def begin(self, y, start, soft_targets):
        """Set what the step is about.

        y: position without internal forces, with the hard pins on their targets; start: positions damping counts
        from; both [m]. soft_targets: of the soft pins at the end of the step [m], shape (soft count, 3).
        """
        self._y, self.start, self._soft_targets = np.ascontiguousarray(y), start, soft_targets.T
        self._tensions.start_from(start)

    @property
    def enclosures(self):
        """EnclosureOperators as the gradient left them, or None."""
        return self._tensions.enclosures

    @property
    def aims(self):
        """y [m], shape (3, vertex_count), and the soft pins' targets [m], shape (soft count, 3)."""
        return self._y, self._soft_targets.T

    def change(self, network):
        """Take up a network whose springs have other rest lengths, and are the same in all else."""
        self.network = network
        self._tensions.change(network)

    @property
    def of_springs_alone(self):
        """Whether the second derivative has nothing but springs, inertia and pins: `single_product` has all of it."""
        return self._tensions.of_springs_alone

    def gradient(self, x, *, linearise=False):
        """Gradient at x [N], zero at hard pins, in a buffer.

        linearise: whether products will be asked for.
        """
        known, self._known = self._known, None
        if not (linearise and known is x):
            self._tensions.energy_and_gradient(x, self.g, linearise=linearise)
            self._add_inertia_and_pins(x)
        return self.g

    def linearised_value(self, x):
        """Objective at x [J] as `value`; the next gradient to be asked for, linearised there, is known then."""
        energy = self._tensions.energy_and_gradient(x, self.g, linearise=True)
        self._known = x
        return energy + self._add_inertia_and_pins(x)

    def product(self, p, out):
        """H p [N] into `out`, H the second derivative where it was linearised last, see `Tensions.product`."""
        network = self.network
        self._tensions.product(p, out)
        out += self.pulled(p, self._scaled)
        if len(network.soft_pins):
            out[:, network.soft_pins] += self._pin_weights * p[:, network.soft_pins]
        out[:, network.hard_pins] = 0.0
        return out

    def pulled(self, p, out):
        """Inertial force for p [N], with that of the air, into `out`; p: [m], shape (3, vertex_count)."""
        np.multiply(self.inertia, p, out=out)
        for air in self.airs:
            air.push(air.momentum(p) / self.dt**2, out)
        return out

    def single_product(self, p, r, free, out):
        """A callable that has H p in `out`, and returns p . out where vertices are free, 1 or 0, and p . r.

        All are fields in `kernels.lanes`, which stay the same arrays.
        """
        return self._tensions.single_product(p, r, free, self._diagonal, out)

    def diagonal_blocks(self, least_across=0.0):
        """Diagonal blocks of H of `product`: xx, yy, zz, xy, yz and zx, shape (6, vertex_count) [N/m].

        least_across: see `Curvature.diagonal_blocks`.
        """
        network, blocks = self.network, np.zeros((6, self.network.vertex_count))
        blocks[:3] = self.inertia
        blocks[:3, network.soft_pins] += self._pin_weights
        return self._tensions.diagonal_blocks(blocks, least_across)

    def value(self, x, enough=np.inf):
        """Objective at x [J] with damping's p of x, and no gradient; or some of it that is at least enough."""
        pinned = x[:, self.network.soft_pins] - self._soft_targets
        pins = 0.5 * dot(self._pin_weights * pinned, pinned)
        pins += self.inertial(x)
        return pins + self._tensions.energy(x, enough - pins)

    def inertial(self, x):
        """The inertia's part of the objective at x [J]."""
        self._weigh_inertia(np.ascontiguousarray(x), self._y)
        return float(self._energies.sum()) + self._energy_of_air(x)

    def _energy_of_air(self, x, *gradients):
        """The part of the objective at x that is the inertia of air [J]; its gradient is added to those given."""
        if not self.airs:
            return 0.0
        away = x - self._y
        energy = 0.0
        for air in self.airs:
            momentum = air.momentum(away)
            for gradient in gradients:
                air.push(momentum / self.dt**2, gradient)
            energy += float(np.einsum("i,i->", momentum, momentum))
        return 0.5 * energy / self.dt**2

    def objective(self, x, *, linearise=False):
        """Objective at x [J] with damping's p of x and with the held one, as `gradient`, which stays in its buffer."""
        self._known = None
        own, held = self._tensions.energies(x, self.g, linearise=linearise)
        rest = self._add_inertia_and_pins(x)
        return own + rest, held + rest

    def hold(self):
        """Keep damping's p of where the objective was evaluated last."""
        self._tensions.hold()

    def search(self, x, direction, slope, before, *, more=None, linearise=False):
        """How far along a direction the objective is lowered enough, see `backtracked`, and the objective there.

        before: the objective at x, where it was evaluated last; the gradient is that of x again where the length is 0.
        more: a position -> what is minimised besides [J], in `before` and the slope as well, or None; linearise:
        whether products will be asked for there.
        """
        self.hold()
        own = 0.0

        def value_at(length):
            nonlocal own
            at = x + length * direction
            own, held = self.objective(at, linearise=linearise)
            return held if more is None else held + more(at)

        length = backtracked(value_at, slope, before, self._rounding_of_energy)
        return (length, own) if length else (length, self.objective(x)[0])

    def relative_residual(self):
        """Norm of the gradient evaluated last over the norms of its two parts, inertia and springs; 0 for rounding."""
        gradient = np.sqrt(dot(self.g, self.g))
        if gradient <= self._rounding_of_place * np.abs(self._y).max(initial=0.0):
            # Of free fall no more is left, nor of its parts.
            return 0.0
        springs = self.g - self.pull
        return float(gradient / (np.sqrt(dot(self.pull, self.pull)) + np.sqrt(dot(springs, springs))))

    def residual(self, x):
        """Relative residual at x."""
        self.gradient(x)
        return self.relative_residual()

    def _add_inertia_and_pins(self, x):
        """Add their part of the gradient, and return their part of the objective [J]."""
        network, g = self.network, self.g
        self._add_inertia(np.ascontiguousarray(x), self._y)
        energy = float(self._energies.sum()) + self._energy_of_air(x, self.pull, g)
        if len(network.soft_pins):
            soft = network.soft_pins
            away = x[:, soft] - self._soft_targets
            g[:, soft] += self._pin_weights * away
            energy += 0.5 * dot(self._pin_weights * away, away)
        g[:, network.hard_pins] = 0.0
        return energy


def values_of_parts(step, x):
    """Objective of every part of an ImplicitStep at x [J], as its `value`, shape (parts.count,)."""
    y, soft_targets = step.aims
    soft = step.network.soft_pins
    pinned = x[:, soft] - soft_targets.T
    energies = step._tensions.energies_of_parts(x, step.parts)
    energies += step.parts.inertial(x - y, step.inertia, step.airs, step.dt)
    weights = pin_weights(step.network)
    return energies + 0.5 * step.parts.sums(weights * np.einsum("ij,ij->j", pinned, pinned), soft)


def backtracked(value_at, slope, before, rounding=0.0):
    """Longest of 1, 1/2, 1/4 … of a step that lowers an objective enough (Armijo), 0 where none does but for rounding.

    value_at: length -> objective; slope: of it at 0, along the step; before: it at 0; rounding: that it has beside its
    own size's.

    Nocedal and Wright 2006, algorithm 3.1.
    """
    length, rounding = 1.0, rounding + 8.0 * np.finfo(np.float64).eps * abs(before)
    while length > _SHORTEST:
        if value_at(length) <= before + _SUFFICIENT * length * slope + rounding:
            return length
        length *= 0.5
    return 0.0


def rounding_of_place(network, inertia):
    """Norm of the gradient that rounding makes for every metre between the origin and the particles [N/m]."""
    stencils, count = network.stencils, network.vertex_count
    diagonal = inertia + np.bincount(network.edges.ravel(), np.repeat(network.stiffness, 2), count)
    pulls = stencils.stiffness[:, None] * stencils.weights**2
    diagonal += np.bincount(stencils.vertices.ravel(), pulls.ravel(), count)
    return 8.0 * np.finfo(np.float64).eps * float(np.linalg.norm(diagonal))


def rounding_of_energy(network):
    """Rounding of the energy of stencils that are linear [J]: of what hardly bends, far more than that energy is."""
    linear = network.stencil_operators.linear
    if linear is None:
        return 0.0
    extent = float(np.sum(np.ptp(network.points, axis=0) ** 2))
    return 8.0 * np.finfo(np.float64).eps * float(np.linalg.norm(linear.bounds)) * extent


def dot(a, b):
    """Product of two fields, summed over all entries."""
    return float(np.einsum("ij,ij->", a, b))


def _single(inertia, soft_pins, weights):
    """The diagonal of inertia and soft pins in single precision, as far as that goes; beyond, see KeptFactor."""
    diagonal = inertia.copy()
    diagonal[soft_pins] += weights
    return np.minimum(diagonal, np.finfo(np.float32).max).astype(np.float32)
