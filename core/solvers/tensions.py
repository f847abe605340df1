# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs' part of an implicit step's objective: gradient, energy, and products of the second derivative."""

from copy import copy
from functools import cached_property, lru_cache

import numpy as np

from ..kernels import Indices
from ..kernels.curvature import add_curvature, add_curvature_lanes
from ..kernels.lanes import multiply_linear, slice_count
from ..kernels.springs import add_spring_pulls
from ..spring_ends import NO_ROWS, NONE, NOT_BENT, NOT_TOLD

_NO_ENTRIES = np.empty(0, np.float32)


class Tensions:
    """Gradient and energy of all springs and of their damping during one step, axis by axis.

    Springs have the energy k/2 (|u| - L)^2 with u = sum of w_i x_i, and damping has mu/(2 dt) |A(x - x_start) - p|^2,
    p the part perpendicular to the spring at some position. Positions are of shape (3, vertex_count): one
    row an axis keeps every operation contiguous.

    Of stencils that have a constant second derivative B, as what bends a sheet that is flat at rest, gradient and
    energy are B x and x B x/2. Volumes, pleats and enclosures are among the springs.

    network: SpringNetwork; dt: of the damping [s].
    enclosures: EnclosureOperators of its own, or None.
    """

    def __init__(self, network, dt):
        self._linear, self._dt = network.stencil_operators.linear, dt
        self._elements = stepping(network, dt)
        self.enclosures = copy(network.enclosure_operators)
        damped = bool(network.springs.damping.any())
        both = network.ends, network.stencil_operators.ends
        self._blocks = [_Block(ends, network.springs, dt, damped) for ends in both if ends.size]

    def change(self, network):
        """Take up lengths and angles at rest of a network that is the same in all else, its linear stencils too."""
        for block in self._blocks:
            block.change(rest_lengths=block.ends.row(network.springs.rest_lengths))
        self._elements = stepping(network, self._dt)
        self.enclosures = copy(network.enclosure_operators)

    def start_from(self, x):
        """Set the positions at the start of the step that damping counts from."""
        for block in self._blocks:
            block.start_from(x)
        if self._elements is not None:
            self._elements.start_from(x)

    def gradient(self, x, out, *, linearise=False):
        """Gradient at x, with p of x itself, into `out` of shape (3, vertex_count).

        linearise: whether products will be asked for about x.
        """
        self.energy_and_gradient(x, out, linearise=linearise)
        return out

    def energy_and_gradient(self, x, out, *, linearise=False):
        """As `gradient`; returns the energy [J] with p of x itself."""
        return self._evaluate(x, out, linearise=linearise)[0]

    def energy(self, x, enough=np.inf):
        """Energy at x [J], with p of x itself; where that is enough, without what is linear, which only adds to it."""
        energies = [block.evaluate(x)[0] for block in self._blocks]
        if self._elements is not None:
            energies.append(self._elements.energy(x))
        if self.enclosures is not None:
            energies.append(self.enclosures.energy(x))
        total = sum(energies)
        return total if total >= enough or self._linear is None else total + self._linear.energy(x)

    def energies_of_parts(self, x, parts):
        """Energy of every part at x [J], with p of x itself, shape (parts.count,); parts: PartSums."""
        total = np.zeros(parts.count)
        for block in self._blocks:
            block.evaluate(x, each=block.each)
            total += np.bincount(block.parts_by(parts), block.each, parts.count)
        if self._linear is not None:
            total += self._linear.energies_of_parts(x, parts)
        if self._elements is not None:
            total += parts.sums(self._elements.energies(x), self._elements.firsts)
        if self.enclosures is not None:
            total += parts.sums(self.enclosures.energies(x), parts.of_pieces)
        return total

    def product(self, p, out):
        """H p into `out`, H the second derivative about the position that was linearised, without compression's part.

        A spring of tension T >= 0 and length l has T/l across itself and k + mu/dt along itself: positive semidefinite,
        and of damping the part that does not turn.
        """
        if not out.flags.c_contiguous:
            out[:] = self.product(p, np.empty(out.shape))
            return out
        p, out[:] = np.ascontiguousarray(p), 0.0
        for block in self._blocks:
            block.add_product(p, out)
        if self._linear is not None:
            self._linear.add_product(p, out)
        if self._elements is not None:
            self._elements.add_product(p, out)
        if self.enclosures is not None:
            self.enclosures.add_product(p, out)
        return out

    @property
    def of_springs_alone(self):
        """Whether `single_product` has all of the second derivative."""
        others = self._elements, self.enclosures
        return all(each is None for each in others) and len(self._blocks) > 0

    def single_product(self, p, r, free, diagonal, out):
        """A callable that has H p + diagonal p in `out`, and returns p . out at what is free, and p . r.

        All are fields in `kernels.lanes`, which stay the same arrays. The callable takes another, or None, that adds
        to `out` what is no spring.
        """
        names = "starts", "columns", "entries"
        starts = self._linear.single if self._linear is not None else _no_rows(len(p))
        multiply = multiply_linear.bound(
            **dict(zip(names, starts, strict=True)), diagonal=diagonal, p=p, out=out
        )
        products = [block.single_product(p, r, free, out) for block in self._blocks]

        def product(more=None):
            multiply()
            if more is not None:
                more()
            return [add() for add in products][-1]

        return product

    def diagonal_blocks(self, out, least_across=0.0):
        """Add to `out` what H of `product` has at each vertex: xx, yy, zz, xy, yz and zx, shape (6, vertex_count).

        least_across: share of its stiffness that a spring has across itself at least.
        """
        for block in self._blocks:
            block.ends.add_blocks(*block.about, block.stiffness, least_across, out)
        if self._linear is not None:
            out[:3] += self._linear.bounds
        if self._elements is not None:
            self._elements.add_blocks(out)
        if self.enclosures is not None:
            self.enclosures.add_blocks(out)
        return out

    def energies(self, x, out, *, linearise=False):
        """As `gradient`; returns the energy [J] with p of x itself, and with p of the held position."""
        return self._evaluate(x, out, linearise=linearise, held=True)

    def hold(self):
        """Keep p of the position that was last given to `energies`."""
        for block in self._blocks:
            block.resting, block.held = block.held, block.resting

    def _evaluate(self, x, out, *, linearise, held=False):
        out[:] = 0.0
        own = other = 0.0
        for block in self._blocks:
            of_block = block.evaluate(x, out, block.about if linearise else NOT_BENT, held=held)
            own, other = own + of_block[0], other + of_block[1]
        rest = self._add_linear(x, out)
        if self._elements is not None:
            rest += self._elements.add_gradient(x, out, linearise=linearise)
        if self.enclosures is not None:
            rest += self.enclosures.add_gradient(x, out)
        return own + rest, other + rest

    def _add_linear(self, x, out):
        """Energy [J] of stencils whose second derivative is constant; their gradient is added to `out`."""
        return 0.0 if self._linear is None else self._linear.add(x, out)


def stepping(network, dt):
    """Operators of a network's volumes and pleats in an implicit step of dt [s], or None."""
    operators = network.element_operators
    return None if operators is None else operators.stepping(dt)


class LimitedTensions(Tensions):
    """Of springs that are stiffer beyond a strain: of tension k s + b (s - limit L) where s = |u| - L > limit L.

    Without their second derivative. beyond: b [N/m] of the springs along edges, shape (spring_count,); limit: the
    strain.
    """

    def __init__(self, network, dt, beyond, limit):
        super().__init__(network, dt)
        beyond = np.concatenate([beyond, np.zeros(len(network.stencils))])
        for block in self._blocks:
            block.change(beyond=block.ends.row(beyond), limits=limit * block.rest_lengths)


class _Block:
    """Springs along edges, or all others that are not linear, with what the kernel is told of them.

    damping: divided by dt, of the length 0 where nothing is damped; begun: u at the start of the step; resting, held:
    where damping would rest at the position evaluated last, and at the one that is held.
    """

    def __init__(self, ends, springs, dt, damped):
        self.ends = ends
        self.stiffness, self.rest_lengths = ends.row(springs.stiffness), ends.row(springs.rest_lengths)
        self.damping = ends.row(springs.damping) / dt if damped else NONE
        self.begun, self.resting, self.held = (np.zeros((3, len(self.damping))) for _ in range(3))
        self.beyond = self.limits = NONE
        self._bound: dict = {}
        self._parts: np.ndarray | None = None
        self._energies = np.empty((slice_count(ends.vertices.below), 2))

    def change(self, **arrays):
        """Set arrays of these names."""
        vars(self).update(arrays)
        self._bound.clear()

    @cached_property
    def about(self):
        """n, shape (size, 4), and the stiffness [N/m] across and along it, shape (size, 2), where it was linearised."""
        return np.empty((self.ends.size, 4), np.float32), np.empty((self.ends.size, 2), np.float32)

    def start_from(self, x):
        """Set the positions that damping counts from."""
        if len(self.damping):
            self.ends.differences(x, self.begun)

    def parts_by(self, parts):
        """Number of the part of every spring; parts: PartSums, the same at all times."""
        if self._parts is None:
            self._parts = parts.part[self.ends.vertices.values[:, 0]]
        return self._parts

    @cached_property
    def each(self):
        """Energy of every spring [J], where it was asked for."""
        return np.empty(self.ends.size)

    def evaluate(self, x, out=NO_ROWS, bent=NOT_BENT, *, held=False, each=NOT_TOLD):
        """Energies [J] at x, with damping's own p and with the held one; see the kernel for what is written."""
        past = (self.held, self.resting) if held else (NO_ROWS, NO_ROWS)
        asked = id(past[0]), id(bent[0]), id(each)
        if asked not in self._bound:
            self._bound[asked] = self._bound_to(past, bent, each)
        self._bound[asked](np.ascontiguousarray(x), out)
        return [float(energy) for energy in self._energies.sum(axis=0)]

    def _bound_to(self, past, bent, each):
        """`add_spring_pulls` of x and out."""
        numbers = {"stiffness": self.stiffness, "rest_lengths": self.rest_lengths, "damping": self.damping}
        numbers |= {"begun": self.begun, "held": past[0], "beyond": self.beyond, "limits": self.limits}
        written = {"directions": bent[0], "stiff": bent[1], "energies": self._energies, "each": each}
        return add_spring_pulls.bound(**self.ends.in_slices, **numbers, resting=past[1], **written)

    def add_product(self, p, out):
        """Add what an increment p changes the pulls by to `out`, about where it was linearised."""
        add_curvature(p, *self.ends.in_slices.values(), *self.about, out)

    def single_product(self, p, r, free, out):
        """A callable that adds the same in `kernels.lanes`, see `Tensions.single_product`."""
        sums, (directions, stiff) = np.empty_like(self._energies), self.about
        of_springs = {**self.ends.in_slices, "directions": directions, "stiff": stiff}
        add = add_curvature_lanes.bound(**of_springs, p=p, free=free, r=r, out=out, sums=sums)

        def product():
            add()
            return [float(products) for products in sums.sum(axis=0)]

        return product


@lru_cache(maxsize=8)
def _no_rows(count):
    """Arguments of `multiply_linear` for a matrix without entries."""
    return Indices(np.zeros(count + 1, dtype=int), 1), Indices(np.empty(0, dtype=int), count), _NO_ENTRIES
