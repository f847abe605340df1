# SPDX-License-Identifier: GPL-3.0-or-later
"""What pairs do without springs: they part, by Newton steps on their energy and inertia, and move as one."""

import numpy as np

# Newton steps without and with friction, and conjugate gradients in each at most; how small they make the rest. What
# presses is far too much at first to rub with.
_STEPS, _RUBBING, _GRADIENTS, _CLOSE = 4, 2, 8, 1e-4

# Share of a step from which on a shorter one is not worth to try.
_SHORTEST = 1e-2


def parted(pairs, x, inertia):
    """Positions [m] of the least of inertia/2 |x' - x|^2 and a PairEnergy, as far as a few Newton steps come.

    x: shape (3, particle_count); inertia: [N/m], shape (particle_count,), infinite of what does not move.
    """
    inverse = 1.0 / inertia
    moving = np.where(inverse > 0.0, inertia, 0.0)
    pairs.place(x)
    if not pairs.pressing.any():
        pairs.bear()
        return x
    moved, lower = _pushed(pairs.rubbed_nowhere(inverse))
    for _ in range(_RUBBING * lower):
        pairs.place(x + moved)
        if not pairs.pressing.any():
            break
        g = moving * moved
        pairs.add_gradient(g)
        g *= inverse > 0.0
        before = pairs.energy() + 0.5 * float((moving * moved**2).sum())
        step = _newton_step(pairs, g, moving, inverse)
        length, slope = 1.0, float((g * step).sum())
        while slope < 0.0 and length > _SHORTEST:
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


def _pushed(pairs):
    """The same of Unrubbed pairs: how far they move particles [m], and whether to the end of the steps.

    The unknowns are forces along the normals: no step without friction leaves what these can do.
    """
    pushed, forces, parting = pairs.pushed, np.zeros(len(pairs.depths)), np.zeros(len(pairs.depths))
    depths, tried = pairs.depths, np.zeros(len(pairs.depths), dtype=bool)
    for _ in range(_STEPS):
        if not (depths > 0.0).any():
            break
        pressing, stiffness, energy = pairs.law(depths)
        before = energy + 0.5 * _dot(forces, parting)
        r = pressing - forces
        step, way, slope = _push(pushed, r, np.where(tried | pairs.near(depths), stiffness, 0.0))
        tried, length = np.zeros_like(tried), 1.0
        while slope < 0.0 and length > _SHORTEST:
            depths = pairs.depths - parting - length * way
            tried |= depths > 0.0
            after = 0.5 * _dot(forces + length * step, parting + length * way)
            if pairs.law(depths)[2] + after < before:
                forces, parting = forces + length * step, parting + length * way
                break
            length *= 0.5
        else:
            return pushed.moved(forces), False
    return pushed.moved(forces), True


def _push(pushed, r, stiffness):
    """Forces [N] that part pairs like a Newton step, how far [m], and the slope along it [J].

    r: forces that are out of balance [N]; the conjugate gradients of `_newton_step`, of what r moves alone.
    """
    step, way = np.zeros_like(r), np.zeros_like(r)
    p, of_r = r, pushed.parting(r)
    of_p, rz = of_r, _dot(r, of_r)
    first, g = rz, r
    for _ in range(_GRADIENTS):
        if not rz > _CLOSE * first:
            break
        product = p + stiffness * of_p
        length = rz / _dot(of_p, product)
        step, way = step + length * p, way + length * of_p
        r, of_r = r - length * product, of_r - length * pushed.parting(product)
        rz, last = _dot(r, of_r), rz
        p, of_p = r + (rz / last) * p, of_r + (rz / last) * of_p
    return step, way, -_dot(g, way)


def matched(pushed, field, other):
    """What added to a field has an AlongNormals part in it as in another, with the least change by impulses."""
    lacking = pushed.along(other - field)
    impulses, p = np.zeros_like(lacking), lacking.copy()
    rr = first = _dot(lacking, lacking)
    for _ in range(_GRADIENTS):
        if not rr > _CLOSE * first:
            break
        product = pushed.parting(p)
        length = rr / _dot(p, product)
        impulses += length * p
        lacking -= length * product
        rr, last = _dot(lacking, lacking), rr
        p = lacking + (rr / last) * p
    return pushed.moved(impulses)


def _dot(a, b):
    return float(np.einsum("i,i->", a, b))


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
