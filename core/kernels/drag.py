# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag on triangles and strands, each by itself."""

import numpy as np

from .kernel import kernel
from .signature import Indices

# Of an element without a size the axis is nothing, and any divisor does.
_SMALLEST = 1e-300


def _motion_example(random, size):
    n, m = size + 3, size
    fields = (random.normal(size=(3, n)) for _ in range(3))
    triangles = Indices(random.integers(0, n, (m, 3)), n)
    return *fields, triangles, np.empty((3, m)), np.empty((3, m)), np.empty(m)


@kernel(
    "x(3,n) v(3,n) gained(3,n) triangles(m,3)<n -> axes(3,m) u(3,m) gains(m)",
    over="m",
    grain=8192,
    example=_motion_example,
)
def triangle_motion(x, v, gained, triangles, axes, u, gains):
    """Normals of triangles, as long as their areas, their mean velocities, and gained ones along the normals."""
    a, b, c = (x.take(column, axis=1) for column in triangles.T)
    axes[:] = 0.5 * np.cross(b - a, c - a, axis=0)
    total, more = (sum(field.take(column, axis=1) for column in triangles.T) for field in (v, gained))
    u[:] = total / 3.0
    size = np.sqrt(np.einsum("im,im->m", axes, axes))
    gains[:] = np.einsum("im,im->m", more, axes) / (3.0 * np.maximum(size, _SMALLEST))


def _drag_example(random, size):
    rows = random.normal(size=(3, size)), random.normal(size=(3, size)), random.normal(size=size)
    ones = random.choice([1, size], 3)
    of_each = random.uniform(0.1, 2.0, size), *(random.uniform(0.1, 2.0, one) for one in ones)
    law = np.array([0.7, 0.1, random.choice([0.0, 2.0]), random.choice([0.0, 1.0]), 0.05, 0.04, 4.0])
    return *rows, *of_each, law, np.empty((3, size))


@kernel(
    "axes(3,m) u(3,m) gains(m) mobilities(m) lift(p) widths(q) presence(r) law(7) -> found(3,m) "
    "where p=1|m q=1|m r=1|m",
    over="m",
    grain=8192,
    example=_drag_example,
)
def drag(axes, u, gains, mobilities, lift, widths, presence, law, found):
    """Mean force on every element over dt.

    axes: shape (3, m), as long as the element is large; u: mean velocities against the air [m/s]; gains: along the
    axes, in the substep so far [m/s]; mobilities: velocity of the mean by an impulse [1/kg]; lift, widths, presence:
    see `AirDrag`, of each or of all.
    law: along the axis and beside it, over size and squared velocity; what |u| is raised by, always and in swings
    [m/s]; dt [s]; the speed squared, over width and what was lost, at which a swing counts by half [1/m]; how many
    times as much as all else a swing's drag slows down at most.
    """
    along, beside, always, swing, dt, pace, slowing = law
    size = np.sqrt(np.einsum("im,im->m", axes, axes))
    units = axes / np.maximum(size, _SMALLEST)
    signed = np.einsum("im,im->m", u, units)
    speed, across = np.abs(signed), u - signed * units
    other = np.sqrt(np.einsum("im,im->m", across, across))
    size, limit = size * presence, dt * mobilities
    flat, lifted = along * (speed + always), lift * other
    rate = size * np.sqrt(flat * flat + lifted * lifted)
    if swing > 0.0:
        all_of_it = size * along * swing
        of_swing = limit * rate, limit * all_of_it / slowing, pace / widths
        rate = rate + all_of_it * _swinging(signed, gains, other, *of_swing)
    found[:] = -(rate * signed / (1.0 + limit * rate)) * units
    rate = size * beside * (other + always)
    found -= rate / (1.0 + limit * rate) * across


def _swinging(signed, gains, other, steady, least, pace):
    """Share of a swing's drag, sin^2 w / (w + least |u| + pace u^2), with w what the speed along the axis falls by.

    w is that without the drag of swings: what gains speed, as what falls or a fold that grows, has none; sin is of the
    angle at which the air is met.
    """
    after = np.abs(signed) / (1.0 + steady)
    before = np.abs(signed) - np.copysign(gains, gains * signed)
    w = np.maximum(before - after, 0.0)
    aslant = signed**2 / np.maximum(signed**2 + other**2, _SMALLEST)
    return aslant * w / np.maximum(w + least * after + pace * (after * after + other * other), _SMALLEST)
