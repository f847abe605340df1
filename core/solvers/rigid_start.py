# SPDX-License-Identifier: GPL-3.0-or-later
"""Where stiff bodies begin a substep in contact: moved as a whole onto what they would go into."""

import numpy as np

# Only to divide by.
_LEAST = 1e-300

# Residual of the nearest point, over 1, below which nothing satisfies all.
_NOWHERE = 1e-9


def moved_onto(x, bodies, masses, borne):
    """Positions [m], shape (3, vertex_count), in which bodies are moved rigidly, as little as their inertia allows.

    The least kinetic energy of shifts and turns that leave nothing below its plane, with Coulomb's friction on the
    shift. Bodies that no rigid motion brings out stay. Needs SciPy.

    bodies: particles of each; masses [kg]; borne: particles, normals (count, 3), depths below their planes [m], negative
    above, ways along them so far (count, 3) [m] and coefficients of friction of what may be on a surface.

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
        centre = at @ m / m.sum()
        arms = x.T[particles[chosen]] - centre
        moment = _moment_of_inertia(at.T - centre, m)
        rows = np.hstack([n[chosen], np.cross(arms, n[chosen])])
        pushes, motion = _least_motion(rows, depths[chosen], m.sum(), moment)
        if pushes is None:
            continue
        shift, turn = motion[:3], motion[3:]
        shift = shift + _friction(shift, pushes, slips[chosen] + shift + np.cross(turn, arms), friction[chosen])
        x[:, body] = centre[:, None] + shift[:, None] + _turned(at - centre[:, None], turn)
    return x


def _moment_of_inertia(arms, masses):
    square = np.einsum("ij,ij->i", arms, arms)
    return np.diag([masses @ square] * 3) - np.einsum("i,ij,ik->jk", masses, arms, arms)


def _least_motion(rows, depths, mass, moment):
    """Pushes at the rows, and the motion of least energy that goes so far along each at least; None without one."""
    from scipy.optimize import nnls

    matrix = np.zeros((6, 6))
    matrix[:3, :3], matrix[3:, 3:] = mass * np.eye(3), moment + 1e-9 * np.trace(moment) * np.eye(3)
    root = np.linalg.cholesky(matrix)
    scaled = np.linalg.solve(root, rows.T)
    size = max(np.abs(depths).max(), _LEAST)
    scale = max(np.abs(scaled).max(), _LEAST)
    pushes, _ = nnls(np.vstack([scaled / scale, depths[None] / size]), np.eye(7)[6])
    left = np.vstack([scaled / scale, depths[None] / size]) @ pushes - np.eye(7)[6]
    if not -left[6] > _NOWHERE:
        return None, None
    motion = np.linalg.solve(root.T, -left[:6] / left[6]) * (size / scale)
    return pushes, motion


def _friction(shift, pushes, slips, friction):
    """What friction takes of the way of the whole along what it is shifted from."""
    far = np.linalg.norm(shift)
    if not (far > 0.0 and pushes.sum() > 0.0):
        return np.zeros(3)
    weights = pushes / pushes.sum()
    n = shift / far
    slip = weights @ slips
    slip = slip - (slip @ n) * n
    length = np.linalg.norm(slip)
    return -min(weights @ friction * far, length) / max(length, _LEAST) * slip


def _turned(arms, turn):
    """Arms, shape (3, count), turned by a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(turn)
    if angle == 0.0:
        return arms
    x, y, z = turn / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return arms + np.sin(angle) * (cross @ arms) + (1.0 - np.cos(angle)) * (cross @ (cross @ arms))
