# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces to collide with, how they move, and what is known of them by other means than Hooke's."""

import numpy as np

from hooke.core.triangle_mesh.cube import cube


def steadily(velocity):
    """Pose of what moves with a velocity [m/s]."""

    def pose(t):
        matrix = np.eye(4)
        matrix[:3, 3] = np.multiply(velocity, t)
        return matrix

    return pose


def octasphere(levels=2):
    """Unit sphere: an octahedron, every triangle split into four so many times; its points and triangles."""
    points = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    triangles = np.array(
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    )
    for _ in range(levels):
        a, b, c = points[triangles.T]
        middles = (a + b) / 2, (b + c) / 2, (c + a) / 2
        corners = np.concatenate([a, b, c, *middles])
        points, place = np.unique(np.round(corners, 12), axis=0, return_inverse=True)
        a, b, c, ab, bc, ca = place.reshape(6, -1)
        triangles = np.concatenate(
            [np.column_stack(t) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
    return points / np.linalg.norm(points, axis=1, keepdims=True), triangles


def bumpy(levels=3):
    """A head of sorts: brows, a nose and a dent on a sphere."""
    points, triangles = octasphere(levels)
    x, y, z = points.T
    radius = 1.0 + 0.15 * np.sin(5 * x) * np.cos(4 * z) + 0.4 * np.exp(-20 * ((x - 1) ** 2 + y**2 + z**2))
    return points * (radius - 0.5 * np.exp(-8 * (x**2 + (y - 1) ** 2 + z**2)))[:, None], triangles


def torus(around=24, across=12):
    """Of the radii 1 and 0.35."""
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2 * np.pi * u.ravel() / around, 2 * np.pi * v.ravel() / across
    r = 1.0 + 0.35 * np.cos(b)
    at = [((u + i) % around * across + (v + j) % across).ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    points = np.column_stack([r * np.cos(a), r * np.sin(a), 0.35 * np.sin(b)])
    return points, np.concatenate([np.column_stack(at)[:, [0, 1, 2]], np.column_stack(at)[:, [0, 2, 3]]])


def plate(count=9, size=2.0):
    """A level square of quads about the origin."""
    side = np.linspace(-size / 2, size / 2, count)
    x, y = (axis.ravel() for axis in np.meshgrid(side, side, indexing="ij"))
    i, j = (axis.ravel() for axis in np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij"))
    first = i * count + j
    a, b, c, d = first, first + count, first + count + 1, first + 1
    points = np.column_stack([x, y, np.zeros_like(x)])
    return points, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def beside(mesh, other):
    """Two meshes as one."""
    (points, triangles), (more, others) = mesh, other
    return np.concatenate([points, more]), np.concatenate([triangles, others + len(points)])


def unwelded(mesh):
    """Every triangle with points of its own."""
    points, triangles = mesh
    return points[triangles].reshape(-1, 3), np.arange(triangles.size).reshape(-1, 3)


def slivers(mesh):
    """With triangles without area, and repeated corners, added."""
    points, triangles = mesh
    a, b, _ = triangles[:4].T
    return points, np.concatenate([triangles, np.column_stack([a, b, a]), np.column_stack([b, b, b])])


SOLIDS = {
    "sphere": octasphere(),
    "cube": cube(),
    "torus": torus(),
    "bumpy": bumpy(),
    "two cubes that share an edge": beside(cube(1.0), (cube(1.0)[0] + [1.0, 1.0, 0.0], cube(1.0)[1])),
    "unwelded": unwelded(torus()),
    "slivers": slivers(torus()),
    "inside out": (bumpy()[0], bumpy()[1][:, ::-1]),
    "hollow": beside(octasphere(), (0.5 * octasphere()[0], octasphere()[1][:, ::-1])),
    "open by a triangle": (bumpy()[0], bumpy()[1][1:]),
}
SHEETS = {
    "plate": plate(),
    "dome": (octasphere()[0], octasphere()[1][octasphere()[0][octasphere()[1]].mean(axis=1)[:, 2] > 0.0]),
    "one triangle": (np.eye(3), np.array([[0, 1, 2]])),
    "flat and closed": (cube()[0] * [1.0, 1.0, 0.0], cube()[1]),
    "three wings": (
        np.array([[0, 0, -1], [0, 0, 1], [1, 0, 0], [-0.5, 0.8, 0], [-0.5, -0.8, 0]], dtype=float),
        np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]]),
    ),
}


def distances_by_trying(x, points, triangles):
    """Distance of every point from the closest of all triangles, by plane and sides of each."""
    a, b, c = (corner[None] for corner in points[triangles].swapaxes(0, 1))
    x = x[:, None]
    n = np.cross(b - a, c - a)
    area = np.linalg.norm(n, axis=-1, keepdims=True)
    n = n / np.where(area > 0.0, area, 1.0)
    height = np.sum((x - a) * n, axis=-1)
    foot = x - height[..., None] * n
    inside = np.broadcast_to(area[..., 0] > 0.0, height.shape)
    best = np.full(height.shape, np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        side = end - start
        inside = inside & (np.sum(np.cross(side, foot - start) * n, axis=-1) >= 0.0)
        length = np.sum(side * side, axis=-1)
        share = np.clip(np.sum((x - start) * side, axis=-1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(x - start - share[..., None] * side, axis=-1))
    return np.where(inside, np.abs(height), best).min(axis=1)


def winding_numbers(x, points, triangles):
    """How often the triangles go round every point: the sum of solid angles over 4 pi (van Oosterom, Strackee 1983)."""
    a, b, c = (corner[None] - x[:, None] for corner in points[triangles].swapaxes(0, 1))
    la, lb, lc = (np.linalg.norm(side, axis=-1) for side in (a, b, c))
    over = np.sum(a * np.cross(b, c), axis=-1)
    under = la * lb * lc + np.sum(a * b, -1) * lc + np.sum(b * c, -1) * la + np.sum(c * a, -1) * lb
    return np.arctan2(over, under).sum(axis=1) / (2 * np.pi)


def scattered(points, triangles, within, count=120, seed=0):
    """Positions within a distance of triangles, and as many in the box about them."""
    rng = np.random.default_rng(seed)
    corners = points[triangles[rng.integers(0, len(triangles), count)]]
    on = np.einsum("ij,ijk->ik", rng.dirichlet(np.ones(3), count), corners)
    way = rng.normal(size=(count, 3))
    near = on + within * rng.uniform(-1, 1, (count, 1)) * way / np.linalg.norm(way, axis=1, keepdims=True)
    low, high = points.min(axis=0) - 0.2, points.max(axis=0) + 0.2
    return np.concatenate([near, rng.uniform(low, high, (count, 3))])
