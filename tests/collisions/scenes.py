# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches in the subject `contact`: scenes, each with its colliders as triangles too, and simulations of them."""

import numpy as np
from theory.courses import FPS

from hooke.core import Box, Member, Plane, Sphere, SpringNetwork, Together
from hooke.core.contacts import RigidMesh, SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points
from hooke.core.triangle_mesh.cube import cube

from .scene import THICKNESS, Scene, dropped, simulated, started


def scenes(large):
    """All of them; large: also with four times the vertices."""
    found = [ball(51), creased(51), heap("ribbon's heap", (201, 11, 1)), curtain(41), sheets()]
    return (
        [*found, ball(101), creased(101), curtain(81), heap("sheet's heap, 101²", (101, 101, 1))]
        if large
        else found
    )


def ball(side):
    """A sheet of 2 m that falls on a ball and a floor."""
    sphere, floor = Sphere(0.5, (0.0, 0.0, 0.0), friction=0.4), Plane((0.0, 0.0, -0.5), friction=0.4)

    def inside(x, t):
        return float(-np.minimum(sphere.distances(x), floor.distances(x)).min())

    return dropped(f"ball and floor, {side}²", side, (sphere, floor), None, inside)


def creased(side):
    """The same on a ball of sharp folds."""
    points, triangles = _creased_ball()
    mesh = RigidMesh(points, triangles, friction=0.4, thickness=THICKNESS)
    return dropped(f"creased mesh, {side}²", side, (mesh,), lambda t: (points, triangles), None)


def heap(name, shape):
    """A sheet with so many vertices along its sides, 1 cm apart, that stands on a floor and falls in a heap."""
    points = lattice_points(shape, 0.01)
    along, across, _ = points.T
    noise = np.random.default_rng(0).normal(scale=1e-3, size=shape[0]).repeat(shape[1])
    start = np.column_stack([2e-3 * np.sin(2.0 * np.pi * along / 0.37 + 1.0) + noise, across, along + 0.02])
    network = SpringNetwork.from_mesh(points, faces=lattice_faces(shape), material=Material())
    contacts = Plane(), SelfCollision(THICKNESS)
    return Scene(
        name,
        42,
        lambda touches: started(simulated(network, contacts if touches else contacts[:1]), start),
        None,
        lambda x, t: float(-x[:, 2].min()),
        apart=True,
    )


def hanging():
    """A sheet of 1 m, level but for a tenth of a per cent, that hangs from one corner."""
    shape = (41, 41, 1)
    points = lattice_points(shape, 0.025)
    start = points.copy()
    start[1:, 2] += np.random.default_rng(0).normal(scale=1e-3, size=len(points))[1:]
    network = SpringNetwork.from_mesh(points, faces=lattice_faces(shape), material=Material(), pins=[0])
    contacts = (SelfCollision(THICKNESS),)
    return Scene(
        "sheet from one corner",
        36,
        lambda touches: started(simulated(network, contacts if touches else ()), start),
        apart=True,
    )


def curtain(side):
    """A curtain of 2 m, hung by its upper edge, that a box of 0.3 m strikes at 6 m/s and carries off."""
    speed, begin, size = 6.0, -0.5, (0.3, 0.3, 0.3)
    grid = SpringNetwork.grid((side, side), 2.0 / (side - 1))
    points = grid.points[:, [0, 2, 1]] - [1.0, 0.0, 1.0]
    top = 1.0 * (points[:, 2] > 1.0 - 1e-6)
    network = SpringNetwork.from_mesh(points, faces=grid.surface.polygons, material=Material(), pins=top)

    def pose(t):
        matrix = np.eye(4)
        matrix[1, 3] = begin + speed * t
        return matrix

    box = Box(size, pose=pose, thickness=THICKNESS)
    corners, triangles = cube(size[0])

    def solid(t):
        return corners + pose(t)[:3, 3], triangles

    def inside(x, t):
        return float(-box.distances(x - pose(t)[:3, 3]).min())

    return Scene(
        f"box through a curtain at 6 m/s, {side}²",
        8,
        lambda touches: simulated(network, (box,) if touches else ()),
        solid,
        inside,
    )


def sheets():
    """Two sheets of 21² that strike each other in the air, without gravity: their momentum is theirs."""
    grid = SpringNetwork.grid((21, 21), 0.05)
    other = grid.points[:, [2, 0, 1]] + [0.5, 0.013, -0.487]
    made_of = {"faces": grid.surface.polygons, "material": Material()}
    networks = [SpringNetwork.from_mesh(points, **made_of) for points in (grid.points, other)]
    both = np.concatenate([grid.points, other])
    v = np.zeros_like(both)
    v[: len(grid.points), 2], v[len(grid.points) :, 2] = 1.0, -1.0
    # Flat upon flat is a case of its own: the upper one is turned about its edge by a little.
    both[len(grid.points) :] = grid.points @ _turn(0.1) + [0.02, 0.01, 0.15]

    def make(touches):
        members = [Member(network) for network in networks]
        number = np.repeat([0, 1], len(grid.points))
        contacts = (SelfCollision(THICKNESS, bodies=number),) if touches else ()
        how = EFFORTS["STANDARD"].settings
        simulation = Together(members, contacts=contacts, dt=1 / FPS, gravity=(0.0, 0.0, 0.0), **how)
        return started(simulation, both, v)

    return Scene("two free sheets", 24, make, apart=True)


def _turn(angle):
    """Rotation about the y axis."""
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])


def _creased_ball(rings=36, folds=12):
    """A ball of 0.5 m with sharp folds from pole to pole, 2,520 triangles."""
    down = np.linspace(0.0, np.pi, rings + 1)[1:-1]
    around = np.arange(3 * folds) * 2.0 * np.pi / (3 * folds)
    radius = 0.5 + 0.08 * np.abs((np.arange(3 * folds) % 3) - 1.0) * np.sin(down)[:, None]
    body = radius[..., None] * np.stack(
        [
            np.sin(down)[:, None] * np.cos(around),
            np.sin(down)[:, None] * np.sin(around),
            np.cos(down)[:, None] * np.ones_like(around),
        ],
        axis=-1,
    )
    points = np.concatenate([[(0.0, 0.0, 0.5)], body.reshape(-1, 3), [(0.0, 0.0, -0.5)]])
    count, last = len(around), len(points) - 1
    column = np.arange(count)
    after = (column + 1) % count
    triangles = [np.column_stack([np.zeros_like(column), 1 + column, 1 + after])]
    for ring in range(rings - 2):
        a, b = 1 + ring * count + column, 1 + ring * count + after
        triangles += [np.column_stack([a, a + count, b]), np.column_stack([b, a + count, b + count])]
    tail = 1 + (rings - 2) * count
    triangles.append(np.column_stack([np.full_like(column, last), tail + after, tail + column]))
    return points, np.concatenate(triangles)
