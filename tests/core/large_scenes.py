# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene of every kind, of about as many vertices as are asked for, in which something happens at once."""

import numpy as np
from theory.boxes import box, turn

from hooke.core import (
    EFFORTS,
    AirDrag,
    Inside,
    Material,
    Plane,
    Plasticity,
    SelfCollision,
    Settling,
    Sewing,
    Simulation,
    Solid,
    Sphere,
    SpringNetwork,
    State,
    Wind,
    Yield,
)
from hooke.core.topology import Polygons, lattice_faces, lattice_points

from .surfaces import octasphere

DT = 1.0 / 24.0
FLOOR = Plane(friction=0.4)
COTTON = Material(stretch=5e3, shear=100.0, bending=1e-5, area_density=0.136)


def square(count, size=1.0):
    """Points of a level sheet about the origin, its faces, and how many vertices a side has."""
    side = round(count**0.5)
    points = lattice_points((side, side, 1), size / (side - 1))
    return points - points.mean(axis=0), lattice_faces((side, side, 1)), side


def sheet(count, size=1.0, height=0.0, **quantities):
    points, faces, _ = square(count, size)
    quantities = {"material": COTTON, **quantities}
    return SpringNetwork.from_mesh(np.add(points, (0.0, 0.0, height)), faces=faces, **quantities)


def simulated(body, effort="STANDARD", velocity=(0.0, 0.0, 0.0), **arguments):
    how = {"forces": AirDrag(), **EFFORTS[effort].settings, **arguments}
    simulation = Simulation(body, dt=DT, **how)
    x = simulation.state.x
    simulation.state = State(x, np.broadcast_to(np.asarray(velocity), x.shape).copy(), 0.0)
    return simulation


def corners(count):
    """Pins of two corners of a square."""
    side = square(count)[2]
    return [0, side * (side - 1)]


def contact(count):
    """A sheet that falls on a ball above a floor."""
    around = [Sphere(0.2, (0.0, 0.0, 0.25)), FLOOR]
    return simulated(sheet(count, height=0.47), velocity=(0.0, 0.0, -1.0), contacts=around)


def self_collision(count):
    """A sheet folded over itself that falls on a floor."""
    points, faces, _ = square(count)
    x, y, z = points.T
    bend, radius = np.pi * 0.02, 0.02
    angle = np.clip(x / radius, 0.0, bend / radius)
    folded = np.column_stack(
        [np.where(x > bend, bend - x, np.where(x > 0.0, radius * np.sin(angle), x)), y, z]
    )
    folded[:, 2] = radius * (1.0 - np.cos(angle)) + 0.01
    network = SpringNetwork.from_mesh(folded, faces=faces, material=COTTON)
    return simulated(network, velocity=(0.0, 0.0, -0.5), contacts=[FLOOR, SelfCollision(0.003)])


def solid(count):
    """A slab of jelly that falls on its corner on a floor, filled with a lattice of so many particles."""
    cells = round((count / 11.0) ** 0.5)
    points, faces = box((1.0, 1.0, 5.0 / cells), 0.25)
    points = (points - 0.5) @ turn(0.3, 0.2, 0.0).T
    points += [0.0, 0.0, 0.005 - points[:, 2].min()]
    body = Solid.from_mesh(points, faces=faces, cells=5 * cells**2, modulus=2e4)
    return simulated(body, velocity=(0.0, 0.0, -1.0), contacts=FLOOR)


def strands(count):
    """Hairs of 0.2 m and of a hair's width that hang from above a ball and swing against it."""
    each = 20
    hairs = count // each
    roots = square(hairs, 0.2)[0]
    hairs = len(roots)
    points = np.repeat(np.add(roots, (0.205, 0.0, 0.5)), each, axis=0)
    points[:, 2] -= np.tile(np.linspace(0.0, 0.2, each), hairs)
    first = np.arange(hairs * each).reshape(hairs, each)
    edges = np.column_stack([first[:, :-1].ravel(), first[:, 1:].ravel()])
    hair = Material(line_stiffness=500.0, line_bending=1e-8, line_density=6e-6)
    network = SpringNetwork.from_mesh(points, edges, material=hair, pins=first[:, 0])
    around = [Sphere(0.1, (0.0, 0.0, 0.3)), SelfCollision(1e-4)]
    return simulated(network, velocity=(-1.0, 0.0, 0.0), contacts=around)


def air(count):
    """A flag in a wind whose air has inertia."""
    return simulated(sheet(count, pins=corners(count)), forces=Wind(5.0, gusts=1.0, inertia=1.0))


def seams(count):
    """Two panels that are sewn along their rims."""
    flat, quads, side = square(count // 2)
    i, j = np.divmod(np.arange(len(flat)), side)
    rim = np.flatnonzero((i % (side - 1) == 0) | (j % (side - 1) == 0))
    faces = np.concatenate([quads, quads[:, ::-1] + len(flat)])
    edges = np.concatenate([Polygons.from_faces(faces).edges(), np.column_stack([rim, rim + len(flat)])])
    points = np.concatenate([np.add(flat, (0.0, 0.0, 0.1)), np.add(flat, (0.0, 0.0, 0.01))])
    network = SpringNetwork.from_mesh(points, edges, faces, material=COTTON, sewing=Sewing(0.1))
    return simulated(network, forces=Settling(), contacts=[FLOOR, SelfCollision(0.003)])


def pressure(count):
    """A ball of cloth that is blown up and falls on a floor."""
    level = round(np.log2((count - 2) / 4.0) / 2.0)
    points, faces = octasphere(level)
    network = SpringNetwork.from_mesh(
        0.3 * points + [0.0, 0.0, 0.31], faces=faces, material=COTTON, inside=Inside(200.0)
    )
    return simulated(network, velocity=(0.0, 0.0, -1.0), contacts=FLOOR)


def tears(count):
    """A sheet between two held sides that part."""
    side = square(count)[2]
    pins = np.concatenate([np.arange(side), np.arange(side * (side - 1), side * side)])
    network = sheet(count, pins=pins, tears_at=0.02)
    return simulated(network, contacts=SelfCollision(0.003))


def plasticity(count):
    """A sheet that stays bent where it falls over a ball."""
    yields = Plasticity(Yield(0.01), Yield(2.0))
    network = sheet(count, height=0.47, plasticity=yields)
    return simulated(network, velocity=(0.0, 0.0, -1.0), contacts=[Sphere(0.2, (0.0, 0.0, 0.25)), FLOOR])


def pins(count):
    """A sheet between hard and soft pins, over a ball that it hangs against."""
    weights = np.zeros(square(count)[2] ** 2)
    weights[corners(count)], weights[-1] = 1.0, 0.5
    network = sheet(count, height=0.46, pins=weights)
    return simulated(network, contacts=Sphere(0.2, (0.0, 0.0, 0.25)))
