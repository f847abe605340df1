# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that begins exactly level or round: how soon it is down, and when it folds."""

import numpy as np
from measuring.measured import Measured

from hooke.core import AirDrag, Box, Material, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.imperfection import SLIGHT
from hooke.core.topology import lattice_faces, lattice_points

FPS, AROUND, DOWN = 24, 48, 20
COTTON = Material(stretch=5e3, shear=100.0, bending=13e-6, area_density=0.136)
TABLE = Box(center=(0.0, 0.0, -0.051), size=(0.8, 0.8, 0.1))
EFFORT_NAMES = "STANDARD", "FINE"


def _tube(widening):
    """Points, faces and the held rim of a tube of 0.6 m that hangs, of 0.12 m at the top."""
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    share = np.linspace(0.0, 1.0, DOWN + 1)[:, None]
    radii = 0.12 + widening * share
    height = np.broadcast_to(-0.6 * share, (DOWN + 1, AROUND))
    points = np.stack([radii * np.cos(angles), radii * np.sin(angles), height], axis=-1)
    number = np.arange(points[..., 0].size).reshape(DOWN + 1, AROUND)
    beside = np.roll(number, -1, axis=1)
    faces = np.stack([number[:-1], number[1:], beside[1:], beside[:-1]], axis=-1)
    return points.reshape(-1, 3), faces.reshape(-1, 4), number[0], ()


def _sheet(columns, rows, width, held, *, upright):
    """The same of a sheet about the origin; held: points -> mask."""
    points = lattice_points((columns + 1, rows + 1, 1), width / columns)
    points -= points.mean(axis=0)
    points = points[:, [0, 2, 1]] if upright else points
    return points, lattice_faces((columns + 1, rows + 1, 1)), np.flatnonzero(held(points)), ()


def _poncho():
    """A square of 1.4 m with a square hole, held by its rim."""
    points, faces, *_ = _sheet(32, 32, 1.4, lambda points: points[:, 0] > np.inf, upright=False)
    out = np.abs(points[:, :2]).max(axis=1)
    faces = faces[(out >= 0.13)[faces].all(axis=1)]
    kept, renumbered = np.unique(faces, return_inverse=True)
    return points[kept], renumbered.reshape(faces.shape), np.flatnonzero(out[kept] < 0.14), ()


SCENES = {
    "cone": _tube(0.28),
    "cylinder": _tube(0.0),
    "flag, held by its side": _sheet(24, 16, 1.5, lambda p: p[:, 0] == p[:, 0].min(), upright=True),
    "banner, held above": _sheet(24, 24, 1.0, lambda p: p[:, 2] == p[:, 2].max(), upright=True),
    "banner, held below": _sheet(24, 24, 1.0, lambda p: p[:, 2] == p[:, 2].min(), upright=True),
    "poncho": _poncho(),
    "table cloth": (*_sheet(32, 32, 1.5, lambda p: p[:, 0] > np.inf, upright=False)[:3], (TABLE,)),
}


def row(effort, scene):
    """Cells: the fall at half a second, a second and two, and the bend of the surface at half a second and a second."""
    points, faces, pins, contacts = scene
    network = SpringNetwork.from_mesh(points, faces=faces, material=COTTON, pins=pins.tolist())
    how = {"dt": 1 / FPS, "forces": AirDrag(), "imperfection": SLIGHT, "contacts": contacts}
    frames = list(Simulation(network, **how, **EFFORTS[effort].settings).frames(2 * FPS))
    falls = [1e3 * (points - x)[:, 2].mean() for x in (frames[11], frames[23], frames[47])]
    return *(f"{fall:.0f}" for fall in falls), *(f"{_turn(faces, x):.0f}°" for x in (frames[11], frames[23]))


def _turn(faces, x):
    """Root mean square of the angle between the normals of neighbouring faces [degrees]."""
    a, b, c, d = x[faces].transpose(1, 0, 2)
    normals = np.cross(c - a, d - b)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    sides = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    order = np.lexsort(sides.T)
    same = np.flatnonzero((sides[order][1:] == sides[order][:-1]).all(axis=1))
    one, other = order[same] // 4, order[same + 1] // 4
    cosines = np.einsum("ij,ij->i", normals[one], normals[other])
    return np.degrees(np.sqrt(np.mean(np.arccos(np.clip(cosines, -1.0, 1.0)) ** 2)))


TABLES = (
    Measured(
        "starts",
        "solver_figures.md",
        ("", "effort", "fallen at 0.5 s [mm]", "1 s", "2 s", "turn between faces at 0.5 s", "1 s"),
        {
            (name, effort.title()): (effort, scene)
            for name, scene in SCENES.items()
            for effort in EFFORT_NAMES
        },
        row,
        "Cotton of perfect grids, in still air: how far the mean has fallen, and the angle between neighbouring faces, "
        "root mean square.",
    ),
)
