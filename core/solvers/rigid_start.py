# SPDX-License-Identifier: GPL-3.0-or-later
"""Where stiff bodies begin a substep in contact: moved as a whole onto what they would go into."""

import numpy as np

from ..directions import across
from ..rotations import nearest_rotation, turned

# Inertia about every axis at least, as a share of what it is about all: a straight body turns about itself.
_THIN = 1e-9

# Share of a slip by which it differs on a surface that moves.
_MOVES = 1e-6

# Only to divide by.
_LEAST = 1e-300

# Residual of the nearest point, over 1, below which nothing satisfies all.
_NOWHERE = 1e-9


def moved_onto(x, start, bodies, masses, borne):
    """Positions [m], shape (3, vertex_count), in which bodies are moved rigidly, as little as their inertia allows.

    The least kinetic energy of shifts and turns that leave nothing below its plane, with Coulomb's friction on the
    shift; what that leaves no slip anywhere on a surface at rest is where it was. Bodies that no rigid motion brings
    out stay. Needs SciPy.

    start: positions at the start of the substep, shape (vertex_count, 3); bodies: particles of each; masses [kg];
    borne: particles, normals (count, 3), depths below their planes [m], negative above, ways along them so far
    (count, 3) [m] and coefficients of friction of what may be on a surface.

    Lawson and Hanson 1974, "Solving Least Squares Problems", chapter 23, LDP.
    """
    particles, n, depths, slips, friction = borne
    number = np.full(x.shape[1], -1)
    for index, body in enumerate(bodies):
        number[body] = index
    x, of = x.copy(), number[particles]
    for index in np.unique(of[(depths > 0.0) & (of >= 0)]):
        body, chosen = bodies[index], of == index
        at, m = x[:, body], masses[body]
        centre = np.einsum("ij,j->i", at, m) / m.sum()
        arms = x.T[particles[chosen]] - centre
        moment = _moment_of_inertia(at.T - centre, m)
        rows = np.hstack([n[chosen], np.cross(arms, n[chosen])])
        pushes, motion = _least_motion(rows, depths[chosen], m.sum(), moment)
        if pushes is None:
            continue
        shift, turn = motion[:3], motion[3:]
        most = friction[chosen] * np.linalg.norm(shift)
        ways = across(slips[chosen] + shift + np.cross(turn, arms), n[chosen])
        back = across(start[particles[chosen]] - x.T[particles[chosen]], n[chosen])
        if _sticks(back, slips[chosen], ways, most):
            x[:, body] = start[body].T
            continue
        shift = shift - _rubbed(pushes, ways, most)
        x[:, body] = centre[:, None] + shift[:, None] + turned(at - centre[:, None], turn)
    return x


def _sticks(back, slips, ways, most):
    """Whether friction brings all to rest on surfaces that rest: the way back is then the slip so far."""
    rests = np.abs(back + slips).max() <= _MOVES * np.abs(slips).max(initial=_LEAST)
    return bool(rests and (np.einsum("ij,ij->i", ways, ways) <= most**2).all())


def rotation(arms, at):
    """The rotation that takes arms about their mean, shape (3, count), nearest to `at` but for a shift.

    Kabsch 1976, "A solution for the best rotation to relate two sets of vectors".
    """
    return nearest_rotation(np.einsum("ij,kj->ik", at - at.mean(axis=1, keepdims=True), arms))


def _moment_of_inertia(arms, masses):
    square = np.einsum("ij,ij->i", arms, arms)
    return np.diag([np.einsum("i,i->", masses, square)] * 3) - np.einsum("i,ij,ik->jk", masses, arms, arms)


def _least_motion(rows, depths, mass, moment):
    """Pushes at the rows, and the motion of least energy that goes so far along each at least; None where none does."""
    from scipy.optimize import nnls

    if not (np.isfinite(rows).all() and np.isfinite(depths).all()):
        # The simulation is told of positions that are not finite.
        return None, None
    matrix = np.zeros((6, 6))
    matrix[:3, :3], matrix[3:, 3:] = mass * np.eye(3), moment + _THIN * np.trace(moment) * np.eye(3)
    root = np.linalg.cholesky(matrix)
    scaled = np.linalg.solve(root, rows.T)
    size = max(np.abs(depths).max(), _LEAST)
    scale = max(np.abs(scaled).max(), _LEAST)
    both, last = np.vstack([scaled / scale, depths[None] / size]), np.eye(7)[6]
    try:
        pushes, _ = nnls(both, last)
    except RuntimeError:
        # It gives up after so many turns: then the iterations begin without.
        return None, None
    left = both @ pushes - last
    if not -left[6] > _NOWHERE:
        return None, None
    motion = np.linalg.solve(root.T, -left[:6] / left[6]) * (size / scale)
    return pushes, motion


def _rubbed(pushes, ways, most):
    """What friction takes of the shift of the whole [m].

    pushes: at particles; ways: along their planes, (count, 3) [m]; most: that friction can take there [m].
    """
    if not pushes.sum() > 0.0:
        return np.zeros(3)
    weights = pushes / pushes.sum()
    slip = weights @ ways
    length = np.linalg.norm(slip)
    return min(weights @ most, length) / max(length, _LEAST) * slip
