# SPDX-License-Identifier: GPL-3.0-or-later
"""What surfaces bear of bodies, and what friction takes with it, all at once."""

import numpy as np

from ..directions import lengths
from ..listed import chosen
from .elimination import eliminated

# Particles that surfaces hold at most, three unknowns each: 120 take 3 ms.
_MOST = 40

# Of the mean compliance, for particles that several surfaces hold in the same directions.
_ROUNDING = 1e-9

# Only to divide by.
_LEAST = 1e-300


class ContactCompliance:
    """Newton steps of bodies that surfaces hold, in the unknowns of their contacts.

    Friction goes with what presses, and what presses, where a body is stiff and the friction large, with friction:
    taken one after the other, they chase each other, and a block that nearly tips over stands for ever on a slope that
    is too steep. With C the directions in which particles are held, D those in which friction comes with what presses,
    H the second derivative and W = C^T H^-1 (C - D), the forces q on the contacts of a step that answers to a
    gradient g are those of W q = C^T H^-1 g, and the answer is H^-1 (g - (C - D) q). W is small and dense.

    hessian: TurnedHessian.

    Alart and Curnier 1991, "A mixed formulation for frictional contact problems prone to Newton like solution methods",
    for what is slipping and sticking; Duriez, Dubois, Kheddar and Andriot 2006, "Realistic haptic rendering of
    interacting deformable objects in virtual environments", for W.
    """

    def __init__(self, hessian):
        self._hessian = hessian

    def serves(self, contacts):
        """Whether what Seats hold is little enough."""
        grips = contacts.grips()
        return grips is None or self._hessian.within(grips.particles).sum() <= _MOST

    def answer(self, g, free, others, contacts):
        """The answer [m] to a gradient [N] that Seats filtered, and by how much pushes change [N], of Seats' grips.

        free: what the TurnedHessian answers; others: see there. None where too much is held.
        """
        grips = contacts.grips()
        if grips is None:
            return free, np.zeros(0)
        gained, within = np.zeros(len(grips.particles)), self._hessian.within(grips.particles)
        held = chosen(grips, within)
        if len(held.particles) > _MOST:
            return None
        if len(held.particles) == 0:
            return free, gained
        axes = _axes(held)
        q = self._forces(held, axes, free)
        gained[within] = q[:, 0]
        borne, forces = np.zeros_like(g), np.einsum("ka,kax->xk", q, axes)
        for row, force in zip(borne, forces, strict=True):
            row += np.bincount(held.particles, force, len(row))
        return self._hessian.solve(g - borne, others), gained

    def _forces(self, held, axes, free):
        """Forces [N] along the axes, shape (count, 3)."""
        slips = ~held.sticking
        taken = np.where(slips & held.along.any(axis=1), held.friction, 0.0)
        w = self._between(held.particles, axes)
        w[..., 0] -= taken * w[..., 1]
        # What slips is held along its normal, and aside of its way as by a spring: friction turns with the way.
        known, aside = np.ones(axes.shape[:2], dtype=bool), np.zeros(axes.shape[:2])
        known[slips, 1] = False
        known[slips, 2] = held.most[slips] > 0.0
        aside[slips, 2] = (held.slipped / np.maximum(held.most, _LEAST))[slips]
        rows = np.flatnonzero(known)
        matrix = w.reshape(known.size, -1)[np.ix_(rows, rows)]
        matrix[np.diag_indices(len(rows))] += aside[known] + _ROUNDING * np.trace(matrix) / len(rows)
        gone = np.einsum("kax,xk->ka", axes, free[:, held.particles])
        q = np.zeros_like(gone)
        q[known] = eliminated(matrix, gone[known])
        q[:, 1] -= taken * q[:, 0]
        return q

    def _between(self, particles, axes):
        """How far particles go along their axes by forces along each other's, shape (count, 3, count, 3) [m/N]."""
        own = axes @ self._hessian.axes_of(particles)
        w = np.einsum("iax,ijxy->ijay", own, self._hessian.compliance(particles))
        return np.einsum("ijay,jby->iajb", w, own)


def _axes(held):
    """Normals, ways that friction opposes, or any along the plane, and the third; shape (count, 3, 3)."""
    n = held.n
    aside = np.cross(n, np.eye(3)[np.abs(n).argmin(axis=1)])
    aside /= lengths(aside)[:, None]
    opposed = (~held.sticking & held.along.any(axis=1))[:, None]
    u = np.where(opposed, held.along, aside)
    return np.stack([n, u, np.cross(n, u)], axis=1)
