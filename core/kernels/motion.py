# SPDX-License-Identifier: GPL-3.0-or-later
"""Where inertia leads, what it pulls with, and the motion that an end makes.

Positions and velocities of States are of shape (n, 3), all other fields have one row an axis, shape (3, n).
"""

import numpy as np

from .kernel import kernel
from .lanes import VERTICES, slice_count
from .rows import rows_of


def _inertial_example(random, size):
    past = size * int(random.integers(0, 2))
    fields = (random.normal(size=(count, 3)) for count in (size, size, past, past, size))
    return (
        *fields,
        random.uniform(1.0, 2.0, size),
        0.25,
        *(np.empty((3, size)) for _ in range(2)),
    )


@kernel(
    "x(n,3) v(n,3) past_x(b,3) past_v(b,3) force(n,3) masses(n) a:f8 -> start(3,n) y(3,n) where b=0|n",
    over="n",
    grain=16384,
    example=_inertial_example,
)
def inertial_place(x, v, past_x, past_v, force, masses, a, start, y):
    """Where a formula of a [s] starts from, and where it leads without springs: y = start + a v + a^2 f/m [m].

    Without a past backward Euler's, from x with v; with the state one step before BDF2's, from
    (4 x - past)/3, in a form that leaves what rests exactly where it is.
    """
    if len(past_x):
        x, v = x + (x - past_x) / 3.0, v + (v - past_v) / 3.0
    start[:] = x.T
    np.multiply(force.T, a**2 / masses, out=y)
    y += start
    y += a * v.T


def _shares_example(random, size):
    fields = (random.normal(size=(size, 3)) for _ in range(3))
    solid = random.integers(0, 2, size).astype(np.uint8)
    return *fields, random.uniform(1.0, 2.0, size), solid, 0.5, np.empty(size)


@kernel(
    "v(n,3) past_v(n,3) force(n,3) masses(n) solid:u1(n) dt:f8 -> shares(n)",
    over="n",
    grain=16384,
    example=_shares_example,
)
def balanced_shares(v, past_v, force, masses, solid, dt, shares):
    """Share of the forces' acceleration that a particle did not follow in the step before, 0 to 1; none of solids."""
    pulled, gained = force / masses[:, None], (v - past_v) / dt
    followed = np.einsum("ij,ij->i", gained, pulled)
    square = np.einsum("ij,ij->i", pulled, pulled) + np.finfo(float).tiny
    shares[:] = np.where(solid, 0.0, 1.0 - np.clip(followed / square, 0.0, 1.0))


def _balanced_example(random, size):
    starts, joined, _ = rows_of(random, size, size)
    shares = random.uniform(0.0, 1.0, size)
    return (
        random.normal(size=(size, 3)),
        random.uniform(1.0, 2.0, size),
        starts,
        joined,
        shares,
        np.empty((3, size)),
    )


@kernel(
    "force(n,3) masses(n) starts(n+1)<=e joined(e)<n shares(n) -> held(3,n)",
    over="n",
    grain=16384,
    example=_balanced_example,
)
def balanced_acceleration(force, masses, starts, joined, shares, held):
    """The forces' acceleration times the mean share of what each particle is joined to, its own where that is none."""
    counts = np.diff(starts)
    rows = np.repeat(np.arange(len(masses)), counts)
    sums = np.bincount(rows, shares[joined], len(masses))
    mean = np.where(counts > 0, sums / np.maximum(counts, 1), shares)
    np.multiply(mean / masses, force.T, out=held)


def _inertia_example(random, size):
    asked = size * int(random.integers(0, 2))
    return (
        *(random.normal(size=(3, size)), random.normal(size=(3, size)), random.uniform(1.0, 2.0, size)),
        *(np.empty((3, asked)), random.normal(size=(3, asked)), np.empty(slice_count(size))),
    )


@kernel(
    "x(3,n) y(3,n) inertia(n) -> pull(3,p) gradient(3,p) energies(s) where p=0|n",
    over="s",
    grain=16,
    example=_inertia_example,
)
def add_inertia(x, y, inertia, pull, gradient, energies):
    """Inertia's pull m/dt^2 (x - y), which is added to a gradient where both are asked for; energies: by slices [J]."""
    away = x - y
    pulls = inertia * away
    if pull.size:
        pull[:] = pulls
        gradient += pulls
    of_vertices = 0.5 * np.einsum("ij,ij->j", pulls, away)
    energies[:] = np.add.reduceat(of_vertices, np.arange(0, x.shape[1], VERTICES)) if x.size else 0.0


@kernel(
    "end(3,n) start(3,n) a:f8 -> x(n,3) v(n,3)",
    over="n",
    grain=32768,
    example=lambda random, size: (
        *(random.normal(size=(3, size)), random.normal(size=(3, size)), 0.25),
        *(np.empty((size, 3)), np.empty((size, 3))),
    ),
)
def ended_motion(end, start, a, x, v):
    """Positions, and the velocities of a formula that goes from start to end in a [s]."""
    x[:], v[:] = end.T, ((end - start) / a).T
