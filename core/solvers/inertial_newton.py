# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method on inertia and contacts with obstacles, and nothing else."""

import numpy as np

from ..kernels.blocks import add_block_solve, factor_blocks
from ..kernels.lanes import advance_lanes, follow_lanes, from_lanes, to_lanes
from .conjugate_gradients import ENOUGH
from .implicit_step import backtracked, dot
from .supernodal import single_factor


class InertialNewton:
    """Minimises 1/2 |I^(1/2) (x - y)|^2 with contacts of obstacles, as NewtonPCG does where there are springs as well.

    Particles without contacts are at y, and of contacts of single particles the blocks D are all of the second
    derivative: then D^-1 is Newton's step. Stencils of several are solved by a few conjugate gradients in single
    precision on D^-1. Nothing conserves a momentum here: obstacles bear what they are pushed with.

    inertia: I, m/dt^2 of every particle [N/m]; hard_pins: indices of those that stay.
    """

    # In steps of methods without contacts these are so firm that what presses is hardly bent: one is nearly exact.
    steps = 1

    def __init__(self, inertia, hard_pins):
        count = len(inertia)
        self._inertia, self._pins, self._y = inertia, hard_pins, np.zeros((3, count))
        self._fields = r, _, p, hp, step = [np.zeros((count, 4), np.float32) for _ in range(5)]
        self._heavy = np.repeat(inertia.astype(np.float32)[:, None], 4, axis=1)
        self._factors, self._step = np.empty((count, 8), np.float32), np.empty((3, count))
        free = np.ones(count, np.float32)
        free[hard_pins] = 0.0
        self._follow = follow_lanes.bound(z=self._fields[1], p=p)
        self._advance = advance_lanes.bound(p=p, change=hp, free=free, step=step, r=r)
        self._alone = add_block_solve.bound(factors=self._factors, r=r, z=self._fields[1])

    def begin(self, y):
        """Take y [m], shape (3, n)."""
        self._y = y

    def steps_of(self, *, stopped):
        """See `NewtonPCG.steps_of`."""
        return self.steps

    # Nothing is moved as a whole.
    wholes = None

    def of_wholes(self, contacts):
        """See `NewtonPCG.of_wholes`: nothing holds together here."""
        return False

    def minimise(self, x, contacts_at, steps, iterations, *, borne, more=0):
        """See `NewtonPCG.minimise`."""
        contacts = contacts_at(x)
        return (self._y.copy() if contacts is None else self._stepped(x, contacts, iterations)), contacts

    def _stepped(self, x, contacts, iterations):
        g, blocks = self._inertia * (x - self._y), np.zeros((12, x.shape[1]))
        blocks[:3] = self._inertia
        before, lanes = 0.5 * dot(g, x - self._y), contacts.linearised_lanes()
        before += contacts.add_gradient(x, g, blocks, lanes)
        g[:, self._pins] = 0.0
        factor_blocks(blocks[:6], self._inertia, self._factors)
        one = contacts.rows.of_single
        direction = self._direction(
            g, contacts.lanes_product(lanes, *self._fields[2:4]), 1 if one else iterations
        )
        return self._searched(x, direction, dot(g, direction), before, contacts)

    def _direction(self, gradient, add_product, iterations):
        """-H^-1 g nearly, in a buffer; with one iteration -D^-1 g."""
        r, z, p, hp, step = self._fields
        factor = single_factor(gradient)
        to_lanes(gradient, -factor, r)
        step[:] = 0.0
        enough, curvature = ENOUGH**2 * dot(r, r), 0.0
        for number in range(iterations):
            z[:] = 0.0
            self._alone()
            if iterations == 1:
                step[:] = z
                break
            if number:
                self._follow(np.full(1, -dot(z, hp) / curvature, np.float32))
            else:
                p[:] = z
            np.multiply(self._heavy, p, out=hp)
            add_product()
            curvature, slope = dot(p, hp), dot(p, r)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                break
            self._advance(np.full(1, slope / curvature, np.float32))
            if dot(r, r) <= enough:
                break
        from_lanes(step, 1.0 / factor, self._step)
        return self._step

    def _searched(self, x, direction, slope, before, contacts):
        """Where the energy is lowered enough along a direction; x itself where rounding leaves nothing to gain."""
        if not slope < 0.0:
            return x

        def value_at(length):
            at = x + length * direction
            away = at - self._y
            return 0.5 * dot(self._inertia * away, away) + contacts.value(at)

        length = backtracked(value_at, slope, before)
        return x + length * direction if length else x
