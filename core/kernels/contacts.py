# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that are linearised: what they press and rub with, their energy and second derivative, and impulses.

Of m contacts each has four corners with weights, of which those of weight 0 are none, a normal n, and an offset: its
gap is n . u + offset, u = sum of w_i x_i, and it presses where that is negative. Positions are of shape
(3, vertex_count), one row an axis. Contacts add to the same vertices, so each kernel goes by itself, on one thread.
"""

import numpy as np

from .contact_laws import friction, push
from .kernel import kernel
from .lanes import lanes_of
from .signature import Indices

# Force [N] below which nothing presses or rubs: only to divide by.
_LEAST = 1e-300

# Of what a contact that stiffens presses with, what one that hardly leaves counts for where nothing else presses.
_BARELY = 1e-9

# Sum of weights beyond which a contact is with what is no vertex: else it is nought, but for rounding.
_OUTSIDE = 0.5

_CONTACTS = "corners(m,4)<n weights(m,4) normals(3,m) offsets(m)"


def _some(random, size):
    """Positions, and corners, weights, normals and offsets of contacts, of which about half press."""
    n = 2 * size + 4
    corners = random.permuted(np.tile(np.arange(n), (size, 1)), axis=1)[:, :4].reshape(size, 4)
    weights, normals = random.normal(size=(size, 4)), random.normal(size=(3, size))
    weights[random.random((size, 4)) < 0.3] = 0.0
    normals /= np.sqrt(_dot(normals, normals))
    return random.normal(size=(3, n)), Indices(corners, n), weights, normals, random.normal(size=size)


def _begin_example(random, size):
    x, *contacts = _some(random, size)
    n = x.shape[1]
    return (
        *(x, random.normal(size=(3, n)), *contacts, random.normal(size=(3, size))),
        *(random.uniform(0.1, 1.0, size), random.uniform(1.0, 9.0, size)),
        *(random.uniform(size=n) * random.integers(0, 2, n), random.uniform(size=n)),
        *(random.normal(size=(3, n)), random.normal(size=(3, n)), 20.0, 0.1, 2.0 / 3.0),
        *(np.empty(size), np.empty((3, size)), np.empty(size), np.empty((3, size)), np.empty(n)),
    )


@kernel(
    f"x(3,n) start(3,n) {_CONTACTS} carried(3,m) depths(m) firmness(m) inverse_masses(n) springs(n) pressed(3,n) "
    "rubbed(3,n) inertial:f8 elastic:f8 share:f8 -> stiffness(m) offset(3,m) loads(m) sticking(3,m) total(n)",
    over=None,
    example=_begin_example,
)
def begin_contacts(
    x,
    start,
    corners,
    weights,
    normals,
    offsets,
    carried,
    depths,
    firmness,
    inverse_masses,
    springs,
    pressed,
    rubbed,
    inertial,
    elastic,
    share,
    stiffness,
    offset,
    loads,
    sticking,
    total,
):
    """History of contacts: stiffness, reference of sliding, and the normal and friction forces.

    stiffness: k = inertial/(sum of w^2/m) + elastic sum of w^2 K, times the firmness, 0 of those whose vertices are all
    held; springs: K at each vertex [N/m]. offset: with u the way slid in the formula's time, share times what is
    carried less u at the start [m]. loads and sticking: normal forces and friction [N] of those that the vertices had,
    pressed and rubbed: each contact has of them the share that its normal force at x has of all at the vertex, total.
    What hardly leaves has so little of one that it counts where nothing else presses: what it bore is forgotten in no
    step in which others do.
    """
    squares = weights**2
    moved = np.einsum("mk,mk->m", squares, inverse_masses[corners])
    free = moved > 0.0
    of_springs = np.einsum("mk,mk->m", squares, springs[corners])
    stiffness[:] = np.where(
        free, firmness * (inertial / np.where(free, moved, 1.0) + elastic * of_springs), 0.0
    )
    offset[:] = share * carried - _differences(start, corners, weights)
    gaps = _dot(normals, _differences(x, corners, weights)) + offsets
    pushes = push(gaps, stiffness, depths)[0]
    pushes = np.where(gaps < depths, np.maximum(pushes, _BARELY * stiffness * depths), pushes)
    shares = np.abs(weights) * pushes[:, None]
    total[:] = np.bincount(corners.ravel(), shares.ravel(), len(total))
    shares /= np.maximum(total[corners], _LEAST)
    # Both sides of what is between particles tell as much: each counts by half.
    signs = np.sign(weights)
    sides = (signs > 0.0).any(axis=1).astype(float) + (signs < 0.0).any(axis=1)
    shares *= signs / np.maximum(sides, 1.0)[:, None]
    loads[:] = np.maximum(_dot(normals, _differences(pressed, corners, shares)), 0.0)
    rubbing = _differences(rubbed, corners, shares)
    sticking[:] = rubbing - _dot(normals, rubbing) * normals


def _pulls_example(random, size):
    x, *contacts = _some(random, size)
    n = x.shape[1]
    given, bent, lanes = (size * random.integers(0, 2) for _ in range(3))
    added, blocks = (n * random.integers(0, 2) for _ in range(2))
    return (
        *(x, *contacts, random.uniform(1.0, 2.0, size), random.uniform(0.1, 1.0, size)),
        *(random.normal(size=(3, size)), random.normal(size=(3, size)), random.uniform(-1.0, 3.0, size)),
        *(0.1, random.normal(size=(3, added)), random.normal(size=(12, blocks))),
        *(np.empty(given), np.empty((3, given)), np.empty((2, bent)), np.empty((3, bent))),
        *(np.empty((lanes, 8), np.float32), np.empty(1)),
    )


@kernel(
    f"x(3,n) {_CONTACTS} stiffness(m) depths(m) offset(3,m) sticking(3,m) limits(m) firm:f8 "
    "-> out(3,g) blocks(12,h) forces(f) along(3,f) firmness(2,c) slopes(3,c) lanes:f4(l,8) energy(1) "
    "where g=0|n h=0|n f=0|m c=0|m l=0|m",
    over=None,
    example=_pulls_example,
)
def add_contact_pulls(
    x,
    corners,
    weights,
    normals,
    offsets,
    stiffness,
    depths,
    offset,
    sticking,
    limits,
    firm,
    out,
    blocks,
    forces,
    along,
    firmness,
    slopes,
    lanes,
    energy,
):
    """Add the gradient of what presses and rubs, see `push` and `friction`, to `out` [N], and return its energy [J].

    firm: stiffness of what sticks, in parts of that of what presses. blocks: what the second derivative has at each
    vertex itself is added to it: xx, yy, zz, xy, yz and zx, and again what it has of normal forces of contacts with the
    outside, whose weights do not sum to nought. forces, along: of every contact [N]. firmness, slopes: of
    the second derivative a n n^T + c (I - n n^T - t t^T) a and c [N/m], and t; lanes: n and a, t and c in single
    precision. What is not asked for has the length 0.
    """
    u = _differences(x, corners, weights)
    normal, pressing, active = push(_dot(normals, u) + offsets, stiffness, depths)
    slid = u + offset
    slid -= _dot(normals, slid) * normals
    rubs, rubbing, stick, slope = friction(slid, sticking, firm * stiffness, np.maximum(limits, 0.0))
    energy[0] = pressing.sum() + rubbing.sum()
    if out.size:
        _add_at(out, corners, weights, -(normal * normals + rubs))
    if blocks.size:
        outside = active * (np.abs(weights.sum(axis=1)) > _OUTSIDE)
        for row, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
            both = normals[i] * normals[j]
            entries = (active - stick) * both - stick * slope[i] * slope[j] + (i == j) * stick
            _add_at(blocks[row::6], corners, weights**2, (entries, outside * both))
    if forces.size:
        forces[:], along[:] = normal, rubs
    if firmness.size:
        firmness[:], slopes[:] = (active, stick), slope
    if lanes.size:
        lanes[:, :3], lanes[:, 3], lanes[:, 4:7], lanes[:, 7] = normals.T, active, slope.T, stick


def _lanes_example(random, size):
    x, corners, weights, *_ = _some(random, size)
    n = x.shape[1]
    lanes = random.normal(size=(size, 8)).astype(np.float32)
    lanes[:, [3, 7]] *= random.integers(0, 2, (size, 1))
    return lanes_of(random, n), corners, weights, lanes, lanes_of(random, n)


@kernel(
    "p:f4(n,4) corners(m,4)<n weights(m,4) lanes:f4(m,8) -> out:f4(n,4)", over=None, example=_lanes_example
)
def add_contact_lanes(p, corners, weights, lanes, out):
    """Add what an increment p changes the pulls of contacts by, in `lanes`, see `add_contact_pulls`."""
    n, active, t, stick = lanes[:, :3].T, lanes[:, 3], lanes[:, 4:7].T, lanes[:, 7]
    rows = p[:, :3].T.astype(float)
    u = _differences(rows, corners, weights)
    along = _dot(n, u)
    pulls = active * along * n + stick * (u - along * n - _dot(t, u) * t)
    rows = out[:, :3].T.astype(float)
    _add_at(rows, corners, weights, pulls)
    out[:, :3] = rows.T


def _scatter_example(random, size):
    _, corners, weights, pulls, _ = _some(random, size)
    return corners, weights, pulls, random.normal(size=(3, corners.below))


@kernel("corners(m,4)<n weights(m,4) pulls(3,m) -> out(3,n)", over=None, example=_scatter_example)
def scatter_contacts(corners, weights, pulls, out):
    """Add to each vertex what contacts pull with, times their weights there."""
    _add_at(out, corners, weights, pulls)


def _impulse_example(random, size):
    x, corners, weights, normals, _ = _some(random, size)
    n = x.shape[1]
    least = np.where(random.random(size) < 0.3, -np.inf, random.normal(size=size))
    return (
        *(corners, weights, normals, random.uniform(0.5, 1.0, n) * random.integers(0, 2, n), least, 3, 0.0),
        *(np.empty((3, n)), np.empty((2, size)), np.empty(size), np.empty(n)),
    )


@kernel(
    "corners(m,4)<n weights(m,4) normals(3,m) inverse_masses(n) least(m) sweeps:i8 enough:f8 "
    "-> pushed(3,n) totals(2,m) split(m) among(n)",
    over=None,
    example=_impulse_example,
)
def push_apart(
    corners, weights, normals, inverse_masses, least, sweeps, enough, pushed, totals, split, among
):
    """Changes of velocity by impulses along normals that push and never pull, after which contacts part so fast.

    least: speeds that they are short of, as if nothing changed, negative where they may lose some; -inf of what gives
    nothing. By Jacobi's iterations on masses that are split among the contacts of a vertex, which never overshoot
    (Tonge, Benevolenski and Voroshilov 2012, "Mass splitting for jitter-free parallel rigid body simulation"),
    accelerated by Nesterov's momentum, which begins anew where it leads uphill (Mazhar, Heyn, Negrut and Tasora 2015,
    "Using Nesterov's method to accelerate multibody dynamics with friction and contact"): at most so many sweeps,
    until no impulse changes a speed by more than enough. totals: the impulses and those that momentum leads to; among:
    how many contacts a vertex has; split: the inverse of what an impulse moves of masses that are split [1/kg].
    """
    meant = least > -np.inf
    pulls = np.where(weights != 0.0, meant[:, None].astype(float), 0.0)
    among[:] = np.bincount(corners.ravel(), pulls.ravel(), len(among))
    split[:] = meant * np.einsum("mk,mk->m", weights**2, (inverse_masses * np.maximum(among, 1.0))[corners])
    firm = split > 0.0
    moved, least = np.where(firm, split, 1.0), np.where(firm, least, 0.0)
    totals[:], pushed[:], count = 0.0, 0.0, 0.0
    total, led = totals
    for _ in range(sweeps):
        gained = _dot(normals, _differences(pushed, corners, weights))
        found = np.where(firm, np.maximum(led + (least - gained) / moved, 0.0), 0.0)
        change, step = found - led, found - total
        count = 0.0 if change @ step < 0.0 else count + 1.0
        goes_on = bool((np.abs(change) * split > enough).any())
        total[:] = found
        led[:] = found + (count / (count + 3.0) * step if goes_on else 0.0)
        pushed[:] = 0.0
        _add_at(pushed, corners, weights, led * normals)
        pushed *= inverse_masses
        if not goes_on:
            break
    pushed[:] = 0.0
    _add_at(pushed, corners, weights, total * normals)
    pushed *= inverse_masses


def _differences(x, corners, weights):
    return np.einsum("mk,amk->am", weights, x[:, corners])


def _add_at(out, corners, weights, pulls):
    """Add pulls, times weights, at corners."""
    for total, pull in zip(out, pulls, strict=True):
        total += np.bincount(corners.ravel(), (weights * pull[:, None]).ravel(), len(total))


def _dot(a, b):
    return np.einsum("ij,ij->j", a, b)
