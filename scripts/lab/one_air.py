# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether only the speed of a flag against the air counts, and neither its mesh nor the frame rate."""

import numpy as np
from measuring.measured import Measured

from hooke.core import AirDrag, Material, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind, Winds
from hooke.core.topology import lattice_faces, lattice_points

from .flapping import flapping

WIDTH, SECONDS, FROM = 1.5, 6, 3
RATES, SHARES = (24, 60), (0.0, 0.5, 1.0)
# Columns and rows of quads.
MESHES = (32, 21), (46, 29), (64, 42), (90, 60)
BLOWN_SECONDS, BLOWN_FROM, YAW = 6, 2, 0.03
SILK = Material(stretch=4e3, shear=30.0, bending=1.5e-6, area_density=0.069)


def _flag(columns, rows, material, wave=0.0):
    """A flag held by its side, in the plane y = 0 but for a wave, and masks of its sides."""
    points = lattice_points((columns + 1, rows + 1, 1), 1.0)[:, [0, 2, 1]] * [
        WIDTH / columns,
        0.0,
        1.0 / rows,
    ]
    points[:, 1] = wave * np.sin(7.0 * points[:, 0] + 3.0 * points[:, 2] ** 2)
    held, free = points[:, 0] == 0.0, points[:, 0] > WIDTH * (1.0 - 0.5 / columns)
    faces = lattice_faces((columns + 1, rows + 1, 1))
    network = SpringNetwork.from_mesh(
        points, faces=faces, material=material, pins=np.flatnonzero(held).tolist()
    )
    return network, held, free


def carried(speed):
    """Cells: how far below level the free side is [degrees], at every rate in wind, in half of it, and carried."""
    return [f"{_angle(speed, share, rate):.0f}°" for rate in RATES for share in SHARES]


def _angle(speed, share, rate):
    network, held, free = _flag(18, 12, Material(), 1e-3)
    own = np.array([-speed * share, 0.0, 0.0])
    air = AirDrag(wind=(speed * (1.0 - share), 0.0, 0.0), inertia=1.0)
    simulation = Simulation(network, dt=1 / rate, forces=air, **EFFORTS["STANDARD"].settings)
    simulation.state = State(network.points, np.tile(own, (network.vertex_count, 1)))
    pole, ways = network.points[network.pinned], []
    for x in simulation.frames(SECONDS * rate, pin_targets=lambda t: pole + own * t):
        ways.append(x[free].mean(axis=0) - x[held].mean(axis=0))
    x, _, z = np.array(ways[FROM * rate :]).T
    return np.degrees(np.arctan2(-z, x)).mean()


def fluttering(strength, mesh):
    """Cells: the way of the free side [mm] and its beats [1/s] at every rate; the mean and worst stretch of edges."""
    found = [_blown(strength, mesh, rate) for rate in RATES]
    cells = [f"{1e3 * way:.0f}, {beats:.1f}" for way, beats, *_ in found]
    return *cells, ", ".join(f"{100.0 * value:.1f}" for value in np.max(found, axis=0)[2:]) + " %"


def _blown(strength, mesh, rate):
    network, _, free = _flag(mesh[0], mesh[1], SILK)
    pose = np.eye(4)
    along = np.array([np.cos(YAW), np.sin(YAW), 0.0])
    pose[:3, :3] = np.column_stack([[0, 0, 1], np.cross(along, [0, 0, 1]), along])
    # Blender's Wind of a strength, see docs/air.md.
    air = AirDrag(wind=Winds([Wind(1.07 * np.sqrt(strength), Reach(pose))]), inertia=1.0)
    simulation = Simulation(network, dt=1 / rate, forces=air, **EFFORTS["STANDARD"].settings)
    sides = network.surface.polygons.edges()
    rest = np.linalg.norm(np.subtract(*network.points[sides.T]), axis=1)
    sideways, stretches = [], []
    for x in simulation.frames(BLOWN_SECONDS * rate):
        sideways.append(x[free, 1].mean())
        stretches.append(np.linalg.norm(np.subtract(*x[sides.T]), axis=1) / rest - 1.0)
    stretches = np.array(stretches[BLOWN_FROM * rate :])
    return *flapping(np.array(sideways[BLOWN_FROM * rate :]), rate), stretches.mean(), stretches.max()


TABLES = (
    Measured(
        "carried",
        "air.md",
        (
            "speed [m/s]",
            *(f"{how}, {rate} fps" for rate in RATES for how in ("in wind", "half and half", "carried")),
        ),
        {f"{speed:g}": (speed,) for speed in (1.0, 2.4, 5.0, 7.6, 10.0)},
        carried,
    ),
    Measured(
        "meshes",
        "air.md",
        (
            "Strength of Wind",
            "vertices",
            *(f"way [mm], beats [1/s], {rate} fps" for rate in RATES),
            "stretch: mean, worst edge",
        ),
        {
            (f"{strength}", f"{(columns + 1) * (rows + 1):,}"): (strength, (columns, rows))
            for strength in (10, 30, 100)
            for columns, rows in MESHES
        },
        fluttering,
        "A flag of silk, 1.5 × 1 m, in the core, at *Standard*: the way of its free side and its beats from the third "
        "second on.",
    ),
)
