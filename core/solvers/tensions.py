# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs' part of an implicit step's objective, in blocks of springs that stay in the processor's cache."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..ends import Ends
from .curvature import SHORTEST, Curvature


class Tensions:
    """Gradient and energy of all springs and of their damping during one step, axis by axis.

    Springs have the energy k/2 (|u| - L)^2 with u = sum of w_i x_i, and damping has mu/(2 dt) |A(x - x_start) - p|^2,
    p the part perpendicular to the spring at some position. Positions are of shape (3, vertex_count): one
    row an axis keeps every operation contiguous.

    Of stencils that have a constant second derivative B, as what bends a sheet that is flat at rest, gradient and
    energy are B x and x B x/2. Volumes are among the springs.

    network: SpringNetwork; dt: of the damping [s]; single: whether products may be in single precision.
    """

    def __init__(self, network, dt, *, single=False):
        self._damped = bool(network.springs.damping.any())
        self._linear = network.stencil_operators.linear_matrix
        self._volumes = network.volume_operators
        self._blocks = _blocks(network, dt)
        size = max((block.stop - block.start for block in self._blocks), default=0)
        self._u, self._w = np.empty((3, size)), np.empty((3, size))
        self._length, self._stretch, self._scale = np.empty(size), np.empty(size), np.empty(size)
        count = self._blocks[-1].stop if self._damped else 0
        self._u_start = np.zeros((3, count))
        # u_start + p, where damping would rest, at the position evaluated last and at the one that is held.
        self._resting, self._held = np.zeros((3, 0)), np.zeros((3, 0))
        self._vertex_count, self._single = network.vertex_count, single

    @cached_property
    def _curvature(self):
        return Curvature(self._blocks, self._vertex_count, self._linear, single=self._single)

    def change(self, network):
        """Take up the rest lengths of a network that is the same in all else, in which stencils are linear too."""
        for block in self._blocks:
            block.rest_lengths[:] = block.ends.row(network.springs.rest_lengths)

    def start_from(self, x):
        """Set the positions at the start of the step that damping counts from."""
        if self._damped:
            for block in self._blocks:
                block.ends.differences(
                    x, self._u_start[:, block.start : block.stop], self._w[:, : block.size]
                )

    def gradient(self, x, out, *, linearise=False):
        """Gradient at x, with p of x itself, into `out` of shape (3, vertex_count).

        linearise: whether `product` will be asked for about x.
        """
        out[:] = 0.0
        for block in self._blocks:
            self._stretch_springs(block, x)
            self._add_damping(block)
            if linearise:
                self._linearise(block)
            self._add_forces(block, out)
        self._add_linear(x, out)
        if self._volumes is not None:
            self._volumes.add_gradient(x, out, linearise=linearise)
        return out

    def energy(self, x):
        """Energy at x [J], with p of x itself."""
        total = 0.0
        for block in self._blocks:
            self._stretch_springs(block, x)
            total += self._elastic_energy(block)
            along = self._add_damping(block)
            if along is not None:
                total += 0.5 * _dot(block.damping * along, along)
        if self._volumes is not None:
            total += self._volumes.energy(x)
        return total + self._add_linear(x)

    def product(self, p, out):
        """H p into `out`, H the second derivative about the position that was linearised, see `Curvature`."""
        self._curvature.product(p, out)
        if self._volumes is not None:
            self._volumes.add_product(p, out)
        return out

    def diagonal_blocks(self, out, least_across=0.0):
        """Add to `out` what H of `product` has at each vertex itself, see `Curvature.diagonal_blocks`."""
        self._curvature.diagonal_blocks(out, least_across)
        if self._volumes is not None:
            self._volumes.add_blocks(out)
        return out

    def energies(self, x, out, *, linearise=False):
        """As `gradient`; returns the energy [J] with p of x itself, and with p of the held position."""
        out[:] = 0.0
        own = other = 0.0
        if self._damped and self._resting.size == 0:
            self._resting, self._held = np.zeros_like(self._u_start), np.zeros_like(self._u_start)
        for block in self._blocks:
            self._stretch_springs(block, x)
            elastic = self._elastic_energy(block)
            own, other = own + elastic, other + elastic
            along = self._add_damping(block)
            if along is not None:
                own += 0.5 * _dot(block.damping * along, along)
                other += self._damping_energy(block, along)
            if linearise:
                self._linearise(block)
            self._add_forces(block, out)
        rest = self._add_linear(x, out)
        if self._volumes is not None:
            rest += self._volumes.add_gradient(x, out, linearise=linearise)
        return own + rest, other + rest

    def hold(self):
        """Keep p of the position that was last given to `energies`."""
        self._resting, self._held = self._held, self._resting

    def _add_linear(self, x, out=None):
        """Energy [J] of stencils whose second derivative is constant; their gradient is added to `out`, if any."""
        if self._linear is None:
            return 0.0
        energy = 0.0
        for axis, row in enumerate(x):
            # From a place nearby: far from the origin rounding would be as large as what little bends.
            row = row - row[0]
            pull = self._linear @ row
            energy += 0.5 * _dot(pull, row)
            if out is not None:
                out[axis] += pull
        return energy

    def _stretch_springs(self, block, x):
        """Into the buffers: u, its length, the stretch |u| - L, and as scale the tension k (|u| - L)."""
        u, w = self._u[:, : block.size], self._w[:, : block.size]
        length, stretch = self._length[: block.size], self._stretch[: block.size]
        block.ends.differences(x, u, w)
        np.einsum("ij,ij->j", u, u, out=length)
        np.sqrt(length, out=length)
        np.subtract(length, block.rest_lengths, out=stretch)
        np.multiply(stretch, block.stiffness, out=self._scale[: block.size])
        # Changes no length but of ends that meet, in a fifth of a maximum's time.
        length += SHORTEST

    def _elastic_energy(self, block):
        """Energy [J] of the springs of a block that `_stretch_springs` left in the buffers."""
        return 0.5 * _dot(self._scale[: block.size], self._stretch[: block.size])

    def _add_damping(self, block):
        """Add the dampers' tension mu/dt n . (u - u_start) to the scale; returns n . (u - u_start), or None."""
        if not self._damped:
            return None
        u, w = self._u[:, : block.size], self._w[:, : block.size]
        np.subtract(u, self._u_start[:, block.start : block.stop], out=w)
        w *= u
        along = w[0] + w[1]
        along += w[2]
        along /= self._length[: block.size]
        self._scale[: block.size] += block.damping * along
        return along

    def _damping_energy(self, block, along):
        """Energy with the held p; notes u_start + p of this position, where its damping would rest."""
        u, w = self._u[:, : block.size], self._w[:, : block.size]
        span = slice(block.start, block.stop)
        np.subtract(u, self._held[:, span], out=w)
        energy = 0.5 * sum(_dot(block.damping * row, row) for row in w)
        np.multiply(u, along / self._length[: block.size], out=w)
        np.subtract(u, w, out=self._resting[:, span])
        return energy

    def _linearise(self, block):
        u, length, tension, *buffers = (
            of[..., : block.size] for of in (self._u, self._length, self._scale, self._stretch, self._w[0])
        )
        self._curvature.note(block, u, length, tension, *buffers)

    def _add_forces(self, block, out):
        """Turn u into the springs' force vectors, tension times u/|u|, and add their sums at the vertices."""
        u, scale = self._u[:, : block.size], self._scale[: block.size]
        scale /= self._length[: block.size]
        u *= scale
        block.ends.add(u, out)


class LimitedTensions(Tensions):
    """Of springs that are stiffer beyond a strain: of tension k s + b (s - limit L) where s = |u| - L > limit L.

    Without their second derivative. beyond: b [N/m] of the springs along edges, shape (spring_count,); limit: the
    strain.
    """

    def __init__(self, network, dt, beyond, limit):
        super().__init__(network, dt)
        beyond = np.concatenate([beyond, np.zeros(len(network.stencils))])
        rows = [(block.ends.row(beyond), limit * block.rest_lengths) for block in self._blocks]
        self._beyond, self._limits = (np.concatenate(row) for row in zip(*rows, strict=True))
        self._more = np.empty_like(self._beyond)

    def _stretch_springs(self, block, x):
        super()._stretch_springs(block, x)
        span = slice(block.start, block.stop)
        more = self._more[span]
        np.subtract(self._stretch[: block.size], self._limits[span], out=more)
        np.maximum(more, 0.0, out=more)
        more *= self._beyond[span]
        self._scale[: block.size] += more

    def _elastic_energy(self, block):
        # What is beyond is stretched from its limit only.
        span = slice(block.start, block.stop)
        return super()._elastic_energy(block) - 0.5 * _dot(self._more[span], self._limits[span])


class _Block(NamedTuple):
    """Springs start … stop in the order of all blocks, gaps with no stiffness among them; damping is divided by dt."""

    start: int
    stop: int
    size: int
    ends: Ends
    stiffness: np.ndarray
    rest_lengths: np.ndarray
    damping: np.ndarray


def _blocks(network, dt):
    blocks, start = [], 0
    springs = network.springs
    for ends in (*network.ends, *network.stencil_operators.ends):
        quantities = springs.stiffness, springs.rest_lengths, springs.damping / dt
        stop = start + ends.size
        blocks.append(_Block(start, stop, ends.size, ends, *(ends.row(values) for values in quantities)))
        start = stop
    return blocks


def _dot(a, b):
    return float(np.einsum("i,i->", a, b))
