# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that are let go from rest under gravity: what a method must not gain energy on.

SCENES has the builders by name; each returns a SpringNetwork without damping.
"""

import numpy as np
from scipy.spatial import ConvexHull
from theory import courses

from hooke.core import SpringNetwork
from hooke.core.topology import Polygons


def sheet(pinned=(), *, quads=12, size=2.0, mass=1.0, stiffness=1e4, weight=1.0, squeezed=1.0):
    """Square sheet with structural, shear and bending springs.

    pinned: vertex indices, of pin weight `weight`; size: of a side [m]; squeezed: lengths at the start over those
    at rest.
    """
    course = courses.sheet(quads)
    points = course.points * (size / course.size)
    made = SpringNetwork.from_mesh(
        points,
        course.edges,
        course.faces,
        structural=stiffness,
        shear=stiffness,
        bending=0.05 * stiffness,
        mass=mass,
        pins=_pins(len(points), pinned, weight),
    )
    return (
        made if squeezed == 1.0 else with_changed(made, points=rough(squeezed * points, 0.05 * size / quads))
    )


def star(spokes=300, *, stiffness=1e4, pinned=()):
    """A hub joined to points all over a sphere of 1 m, by springs of their distance."""
    points = np.concatenate([np.zeros((1, 3)), _sphere(spokes)])
    pairs = np.column_stack([np.zeros(spokes, dtype=int), np.arange(1, spokes + 1)])
    return SpringNetwork(
        points,
        pairs,
        masses=1.0 / len(points),
        stiffness=stiffness,
        pins=_pins(len(points), pinned),
    )


def disc(rings=1, sectors=64, *, radius=0.5, stiffness=1e4, pinned=()):
    """Triangles about a hub: with one ring a fan; vertex 0 is the hub, those of the rings follow outwards."""
    angles = 2.0 * np.pi * np.arange(sectors) / sectors
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(sectors)])
    points = [np.zeros((1, 3)), *(radius * ring / rings * circle for ring in range(1, rings + 1))]
    here = np.arange(1, sectors + 1)
    following = np.roll(here, -1)
    faces = [np.column_stack([np.zeros(sectors, dtype=int), here, following])]
    for ring in range(rings - 1):
        inner, after = here + ring * sectors, following + ring * sectors
        faces.append(np.column_stack([inner, inner + sectors, after + sectors]))
        faces.append(np.column_stack([inner, after + sectors, after]))
    return _surface(np.concatenate(points), np.concatenate(faces), stiffness, pinned)


def contour(pinned=(), *, stiffness=1e4, hubs=5, seed=1):
    """An irregular closed surface as contouring makes it: slivers, and hubs that 40 triangles meet at."""
    rng = np.random.default_rng(seed)
    centres, directions = _sphere(hubs), rng.normal(size=(160, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    angles = 2.0 * np.pi * np.arange(40) / 40
    apart = np.min(np.arccos(np.clip(directions @ centres.T, -1.0, 1.0)), axis=1) > 0.5
    collected = [centres, directions[apart]]
    for centre in centres:
        across = np.linalg.svd(centre[None])[2][1:]
        rim = np.column_stack([np.cos(angles), np.sin(angles)]) @ across
        collected.append(np.cos(0.4) * centre + np.sin(0.4) * rim)
    directions = np.concatenate(collected)
    faces = ConvexHull(directions).simplices
    waves = np.sin(4.0 * directions[:, 0]) * np.cos(3.0 * directions[:, 1])
    return _surface((1.0 + 0.3 * waves)[:, None] * directions, faces, stiffness, pinned)


def random_net(vertex_count=40, *, seed=0, pinned=(), softest=2.0, stiffest=4.0):
    """Points joined at random: stiffness of 10^softest to 10^stiffest N/m, lengths half to
    twice those at rest."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.5, 0.5, (vertex_count, 3))
    chords = rng.integers(0, vertex_count, (3 * vertex_count, 2))
    ring = np.column_stack([np.arange(vertex_count), np.roll(np.arange(vertex_count), -1)])
    pairs = np.unique(np.sort(np.concatenate([ring, chords[chords[:, 0] != chords[:, 1]]]), axis=1), axis=0)
    lengths = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    return SpringNetwork(
        points,
        pairs,
        masses=rng.uniform(0.01, 0.05, vertex_count),
        stiffness=10.0 ** rng.uniform(softest, stiffest, len(pairs)),
        rest_lengths=rng.uniform(0.5, 1.5, len(pairs)) * lengths,
        pins=_pins(vertex_count, pinned),
    )


def rope(links=40, *, heaviest=1.0, stiffness=1e4, rest_lengths=None):
    """A rope of 2 m that is held at one end and let go level; the other end is `heaviest` times heavier."""
    points = np.zeros((links + 1, 3))
    points[:, 0] = np.linspace(0.0, 2.0, links + 1)
    masses = np.full(links + 1, 1.0 / links)
    masses[-1] *= heaviest
    pairs = np.column_stack([np.arange(links), np.arange(1, links + 1)])
    pins = _pins(links + 1, [0])
    return SpringNetwork(
        points, pairs, masses=masses, stiffness=stiffness, rest_lengths=rest_lengths, pins=pins
    )


def lattice(*, stiffness=1e4, squeezed=1.0, pinned=()):
    """A block of 5 x 5 x 5 points, 0.8 m wide; squeezed as in `sheet`."""
    made = SpringNetwork.lattice(
        (5, 5, 5), 0.2, masses=1.0 / 125, stiffness=stiffness, pins=_pins(125, pinned)
    )
    return made if squeezed == 1.0 else with_changed(made, points=rough(squeezed * made.points, 0.01))


def with_changed(network, **changed):
    """The network with some of its arrays changed, and the others, rest lengths among them, as they are."""
    names = (
        "points",
        "edges",
        "masses",
        "stiffness",
        "rest_lengths",
        "damping",
        "pins",
        "pin_stiffness",
        "surface",
    )
    quantities = {name: getattr(network, name) for name in names} | changed
    return SpringNetwork(quantities.pop("points"), quantities.pop("edges"), **quantities)


def unequal(network, decades=8.0, seed=3):
    """The network with stiffness spread at random over so many powers of ten about 1e4 N/m."""
    rng = np.random.default_rng(seed)
    spread = 10.0 ** rng.uniform(4.0 - decades / 2.0, 4.0 + decades / 2.0, network.spring_count)
    return with_changed(network, stiffness=spread)


def size(network):
    """L [m], the longest side of the box about the vertices at the start, or the longest spring at rest."""
    return float(max(np.ptp(network.points, axis=0).max(), network.rest_lengths.max(initial=0.0)))


def _pins(vertex_count, pinned, weight=1.0):
    pins = np.zeros(vertex_count)
    pins[list(pinned)] = weight
    return pins


def rough(points, size, seed=5):
    """Points moved at random by up to `size` [m]: what is squeezed evenly would stay in its plane for ever."""
    return points + np.random.default_rng(seed).uniform(-size, size, points.shape)


def _sphere(count):
    """Points spread evenly over the unit sphere, along a spiral of the golden angle."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    return np.column_stack([np.sqrt(1.0 - z**2) * np.cos(turn), np.sqrt(1.0 - z**2) * np.sin(turn), z])


def _surface(points, faces, stiffness, pinned):
    return SpringNetwork.from_mesh(
        points,
        Polygons.from_faces(faces).edges(),
        faces,
        structural=stiffness,
        shear=0.0,
        bending=0.05 * stiffness,
        mass=1.0,
        pins=_pins(len(points), pinned),
    )


SCENES = {
    "sheet, corners": lambda: sheet([0, 12]),
    "sheet, edge": lambda: sheet(range(13)),
    "sheet, centre": lambda: sheet([84]),
    "sheet, stiff": lambda: sheet([0, 12], stiffness=1e6),
    "sheet, soft": lambda: sheet([0, 12], stiffness=1e2),
    "sheet, squeezed": lambda: sheet([0, 12], squeezed=0.7),
    "sheet, soft pins": lambda: sheet([0, 12], weight=0.5),
    "sheet, unequal": lambda: unequal(sheet([0, 12])),
    "sheet, 1 µm": lambda: sheet([0, 12], size=1e-6),
    "sheet, 1 km": lambda: sheet([0, 12], size=1e3),
    "star, free": star,
    "star, pinned": lambda: star(pinned=[1]),
    "fan": lambda: disc(pinned=[1]),
    "disc": lambda: disc(8, 24, pinned=[8 * 24 - 23]),
    "contour": lambda: contour([0]),
    "net": lambda: random_net(pinned=[0]),
    "net, free": lambda: random_net(seed=1),
    "rope": rope,
    "rope, heavy end": lambda: rope(heaviest=1e4),
    "rope, no length": lambda: rope(rest_lengths=0.0, stiffness=1e3),
    "lattice": lambda: lattice(pinned=range(5)),
    "lattice, squeezed": lambda: lattice(squeezed=0.6, pinned=[0]),
}
