# SPDX-License-Identifier: GPL-3.0-or-later
"""What pairs do without springs: they part, by Newton steps on their energy and inertia, and move as one."""

import numpy as np

# Newton steps without and with friction, and conjugate gradients in each at most; how small they make the rest.
_STEPS, _RUBBING, _GRADIENTS, _CLOSE = 4, 2, 8, 1e-4


def parted(pairs, x, inertia):
    """Positions [m] of the least of inertia/2 |x' - x|^2 and a PairEnergy, as far as a few Newton steps come.

    x: shape (3, particle_count); inertia: [N/m], shape (particle_count,), infinite of what does not move.
    """
    inverse = 1.0 / inertia
    moving = np.where(inverse > 0.0, inertia, 0.0)
    moved = np.zeros_like(x)
    pairs.place(x)
    for number in range(_STEPS + _RUBBING):
        if not pairs.pressing.any():
            break
        g = moving * moved
        # What presses is far too much at first to rub with.
        pairs.add_gradient(g, rubs=number >= _STEPS)
        g *= inverse > 0.0
        before = pairs.energy() + 0.5 * float((moving * moved**2).sum())
        step = _newton_step(pairs, g, moving, inverse)
        length, slope = 1.0, float((g * step).sum())
        while slope < 0.0 and length > 1e-2:
            tried = moved + length * step
            pairs.place(x + tried)
            if pairs.energy() + 0.5 * float((moving * tried**2).sum()) < before:
                moved = tried
                break
            length *= 0.5
        else:
            break
    pairs.place(x + moved)
    pairs.bear()
    return x + moved


def matched(pairs, field, other, inverse_masses):
    """What added to a field has pairs that press part in it as in another, with the least change by impulses.

    inverse_masses: [1/kg], shape (particle_count,).
    """
    weights, normals = pairs.pressed()
    lacking = np.einsum("ij,ij->i", normals, weights @ np.ascontiguousarray((other - field).T))
    moved, p = np.zeros_like(field), lacking.copy()
    rr = first = float(np.einsum("i,i->", lacking, lacking))
    for _ in range(_GRADIENTS):
        if not rr > _CLOSE * first:
            break
        step = inverse_masses * (weights.T @ (p[:, None] * normals)).T
        product = np.einsum("ij,ij->i", normals, weights @ np.ascontiguousarray(step.T))
        length = rr / float(np.einsum("i,i->", p, product))
        moved += length * step
        lacking -= length * product
        rr, last = float(np.einsum("i,i->", lacking, lacking)), rr
        p = lacking + (rr / last) * p
    return moved


def _newton_step(pairs, g, moving, inverse):
    """Conjugate gradients on inertia and pairs: preconditioned with the inertia, they keep momentum."""
    step, r = np.zeros_like(g), -g
    z = inverse * r
    p, rz = z.copy(), float((r * z).sum())
    first = rz
    for _ in range(_GRADIENTS):
        if not rz > _CLOSE * first:
            break
        hp = moving * p
        pairs.add_product(p, hp)
        hp *= inverse > 0.0
        length = rz / float((p * hp).sum())
        step += length * p
        r -= length * hp
        z = inverse * r
        rz, last = float((r * z).sum()), rz
        p = z + (rz / last) * p
    return step
