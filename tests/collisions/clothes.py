# SPDX-License-Identifier: GPL-3.0-or-later
"""What clothes do in the subject `contact`: a cloth on Suzanne, a skirt on legs, and a shirt on a body."""

import numpy as np
from theory.courses import FPS

from hooke.core import SpringNetwork
from hooke.core.contacts import DeformingMesh, RigidMesh
from hooke.core.material import Material
from hooke.core.topology import Polygons

from .scene import THICKNESS, Scene, dropped, simulated

# Time of a double step, and that in which a walk begins [s].
PERIOD, BEGINS = 28 / FPS, 0.5


def clothes():
    """All of them; needs bpy."""
    return [on_suzanne(51), skirt(), shirt()]


def on_suzanne(side):
    """A sheet of 2 m on a monkey's head, 1.9 m wide and of 3,936 triangles, her top at z = 0.5 m; needs bpy."""
    # All other scenes do without Blender.
    from measuring.blender import monkey

    points, faces = monkey(1.4, 1)
    triangles = Polygons.from_faces(faces).triangles()
    points[:, 2] += 0.5 - points[:, 2].max()
    mesh = RigidMesh(points, triangles, friction=0.4, thickness=THICKNESS)
    return dropped(f"Suzanne, {side}²", side, (mesh,), lambda t: (points, triangles))


def skirt():
    """A skirt of 2,232 vertices, pinned at the waist, on hips and legs that walk on the spot."""
    around, down, waist, hem, hip, wide = 72, 30, 1.08, 0.5, 0.9, 0.1
    share = np.linspace(0.0, 1.0, down + 1)
    radius = 0.165 + 0.1 * share**0.6
    points = _rings(np.column_stack([1.15 * radius, radius]), waist + (hem - waist) * share, around)
    faces = _quads(np.arange(len(points)).reshape(down + 1, around))
    waistband = 1.0 * (np.arange(len(points)) < around)
    network = SpringNetwork.from_mesh(points, faces=faces, material=Material(), pins=waistband)
    sides = np.array([-1.0, 1.0])
    legs = [_rounded((side * wide, 0.0, hip / 2), (0.085, 0.085, hip / 2 + 0.05)) for side in sides]

    def motions(t):
        swing = 0.6 * _begun(t) * np.sin(2.0 * np.pi * t / PERIOD)
        return [
            _about(np.zeros(3), np.eye(3)),
            *(_about((0.0, 0.0, hip), _turn(0, side * swing)) for side in sides),
        ]

    body = [_rounded((0.0, 0.0, hip + 0.06), (0.19, 0.14, 0.17)), *legs]
    return _worn("skirt on a walk", network, body, motions)


def shirt():
    """A shirt of 1,620 vertices that nothing pins, on a body that turns, walks ahead and moves its arms."""
    points, faces = _shirt()
    network = SpringNetwork.from_mesh(points, faces=faces, material=Material())
    sides = np.array([-1.0, 1.0])
    arms = [_rounded((side * 0.36, 0.0, -0.09), (0.27, 0.045, 0.045), axis=0) for side in sides]
    trunk = [
        _rounded((0.0, 0.0, -0.32), (0.165, 0.105, 0.3)),
        _rounded((0.0, 0.0, 0.05), (0.045, 0.045, 0.15)),
    ]

    def motions(t):
        swing = _begun(t) * np.sin(2.0 * np.pi * t / PERIOD)
        whole, ahead = _turn(2, 0.5 * swing), np.array([0.0, -0.8 * _begun(t) * t, 0.0])
        parts = [_about(np.zeros(3), np.eye(3))] * 2
        parts += [_about((side * 0.16, 0.0, -0.09), _turn(1, 0.35 * swing)) for side in sides]
        return [(turn @ whole, shift @ whole + ahead) for turn, shift in parts]

    return _worn("shirt on a moving body", network, [*trunk, *arms], motions)


def _worn(name, network, parts, motions):
    """Scene of a garment on a body of convex parts; motions: t [s] -> of every part a turn and a shift [m]."""
    counts = np.cumsum([0, *(len(points) for points, _ in parts)])
    triangles = np.concatenate([of_part + first for (_, of_part), first in zip(parts, counts, strict=False)])

    def posed(t):
        moved = zip(parts, motions(t), strict=True)
        return np.concatenate([points @ turn + shift for (points, _), (turn, shift) in moved])

    def inside(x, t):
        points = posed(t)
        ranges = zip(counts, counts[1:], parts, strict=False)
        return max(_deepest(x, points[first:end], of_part) for first, end, (_, of_part) in ranges)

    mesh = DeformingMesh(posed, triangles, friction=0.4, thickness=THICKNESS)
    return Scene(
        name,
        72,
        lambda touches: simulated(network, (mesh,) if touches else ()),
        lambda t: (posed(t), triangles),
        inside,
    )


def _deepest(x, points, triangles):
    """How deep the deepest of x [m] is in a convex mesh [m], negative where all are outside."""
    a, b, c = points[triangles.T]
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    beyond = x @ normals.T - np.einsum("ij,ij->i", normals, a)
    return float(-beyond.max(axis=1).min())


def _rounded(center, half, axis=2, around=24, down=16):
    """A convex body of half axes [m] about a center [m], between an ellipsoid and a tube along an axis.

    Returns points, shape (count, 3) [m], and triangles wound outwards.
    """
    heights = np.cos(np.pi * np.linspace(0.0, 1.0, down + 1)[1:-1])
    radius = np.sqrt(1.0 - heights**4)
    body = _rings(np.column_stack([radius, radius]), heights, around)
    points = np.concatenate([[(0.0, 0.0, 1.0)], body, [(0.0, 0.0, -1.0)]])
    rows = 1 + np.arange(len(body)).reshape(-1, around)
    quads = _quads(rows)
    one, next_one = rows[[0, -1]], np.roll(rows[[0, -1]], -1, axis=1)
    ends = [
        np.column_stack([np.zeros(around, dtype=int), one[0], next_one[0]]),
        np.column_stack([np.full(around, len(points) - 1), next_one[1], one[1]]),
    ]
    # Turned from along z: by a cyclic change of axes, which keeps what is outside.
    points = np.roll(points, axis + 1, axis=1) * half + center
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], *ends])


def _rings(radii, heights, around):
    """Points of rings about the z axis [m], ring by ring; radii: along x and y, shape (ring_count, 2) [m]."""
    turns = 2.0 * np.pi * np.arange(around) / around
    x, y = radii[:, :1] * np.cos(turns), radii[:, 1:] * np.sin(turns)
    return np.stack([x, y, np.broadcast_to(heights[:, None], x.shape)], axis=-1).reshape(-1, 3)


def _quads(rows):
    """Quads between rings of vertices, given by number from the top down; wound outwards."""
    return _cells(np.column_stack([rows, rows[:, :1]]))


def _shirt():
    """A shirt of two sides that share their rims, open at neck, hem and cuffs: points, shape (count, 3) [m], and quads.

    x is across the body, y before (negative) and behind it, z up from the shoulders.
    """
    wide, deep, sleeve, long, hem, neck = 0.2, 0.13, 0.08, 0.3, -0.62, (0.1, 0.07)
    of_trunk, of_sleeve, of_arm, below = 18, 12, 11, 17
    # Rims are steep: columns and rows are nearer to each other there, and half as near as what is even around a tube.
    trunk, down = _nearer_at_ends(of_trunk), _nearer_at_ends(of_sleeve)
    along = np.linspace(wide, wide + long, of_arm + 1)[1:]
    x = np.concatenate([-along[::-1], wide * (2.0 * trunk - 1.0), along])
    z = np.concatenate([-2.0 * sleeve * down, np.linspace(-2.0 * sleeve, hem, below + 1)[1:]])
    x, z = np.meshgrid(x, z)
    inner, low = np.abs(x) < wide + 1e-9, np.maximum(-z / (2.0 * sleeve), 1e-12)
    width, mouth = (np.sqrt(np.maximum(1.0 - (x / half) ** 2, 0.0)) for half in (wide, neck[0]))
    # From the neck's opening to the whole of the trunk, a sleeve's height below.
    share = np.sqrt(np.maximum(1.0 - (1.0 - np.minimum(low, 1.0)) ** 2, 0.0))
    of_tube = np.sqrt(np.maximum(sleeve**2 - (z + sleeve) ** 2, 0.0))
    y = np.maximum(np.where(inner, deep * width * share + neck[1] * mouth * (1.0 - share), 0.0), of_tube)
    kept = inner | (low < 1.0 + 1e-9)
    front = np.where(kept, np.cumsum(kept).reshape(kept.shape) - 1, -1)
    apart = kept & (y > 1e-4)
    back = np.where(apart, kept.sum() + np.cumsum(apart).reshape(kept.shape) - 1, front)
    points = np.concatenate(
        [np.stack([x, sign * y, z], axis=-1)[of_side] for sign, of_side in ((-1.0, kept), (1.0, apart))]
    )
    # Seen from outside, both go around against the clock.
    faces = [_cells(front), _cells(back)[:, ::-1]]
    return points, np.concatenate([of_side[(of_side >= 0).all(axis=1)] for of_side in faces])


def _nearer_at_ends(count):
    """Shares from 0 to 1 in so many steps, half even and half as those of even angles along a diameter."""
    share = np.linspace(0.0, 1.0, count + 1)
    return 0.5 * (share + 0.5 * (1.0 - np.cos(np.pi * share)))


def _cells(numbers):
    """Quads of a lattice of vertices, given by number from the top down."""
    corners = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
    return np.stack(corners, axis=-1).reshape(-1, 4)


def _begun(t):
    """From 0 to 1 without a jerk at either end, t [s]."""
    share = np.clip(t / BEGINS, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _about(joint, turn):
    """Turn and shift [m] of a rotation about a joint [m]: x becomes x @ turn + shift."""
    return turn, joint - joint @ turn


def _turn(axis, angle):
    """Rotation about an axis by its number, for rows: x @ turn."""
    one, other = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[one, one] = turn[other, other] = np.cos(angle)
    turn[one, other], turn[other, one] = np.sin(angle), -np.sin(angle)
    return turn
