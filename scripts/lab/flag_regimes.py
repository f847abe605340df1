# SPDX-License-Identifier: GPL-3.0-or-later
"""How often and how far flags of several mass ratios flap, as numbers without dimension.

A square flag that is held by one edge, without weight: its mass ratio is rho L / m, and its speed U L sqrt(m / B) for
the flexural rigidity B.
"""

import numpy as np
from measuring.page import table

from hooke.core import Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

from .flapping import flapping

DENSITY, LENGTH, SPEED, COLUMNS, ROWS = 1.204, 1.0, 4.0, 24, 12
SECONDS, FROM, YAW = 12, 6, 0.03
# Mass ratio and speed: of each above where it begins to flap.
FLAGS = ((0.3, 28.0), (1.0, 16.0), (1.0, 20.0), (3.0, 14.0), (3.0, 18.0))
RUNS = (("STANDARD", 24), ("STANDARD", 60), ("FINE", 24))


def rows():
    """The table, as text."""
    found = []
    for mass_ratio, speed in FLAGS:
        flapped = [_flapping(mass_ratio, speed, *run) for run in RUNS]
        frequencies = ", ".join(f"{beat * LENGTH / SPEED:.2f}" for beat, _ in flapped)
        widths = ", ".join(f"{width / LENGTH:.2f}" for _, width in flapped)
        strouhal = ", ".join(f"{beat * width / SPEED:.2f}" for beat, width in flapped)
        found.append([f"{mass_ratio:g}", f"{speed:g}", frequencies, widths, strouhal])
        print("  " + "; ".join(found[-1]), flush=True)
    return table(["mass ratio", "speed", "f L/U", "way of the edge over L", "f times way over U"], found)


def _flapping(mass_ratio, speed, effort, rate):
    """How often the free edge beats [1/s], and how far it goes sideways [m]."""
    mass = DENSITY * LENGTH / mass_ratio
    bending = mass * (SPEED * LENGTH / speed) ** 2
    network, edge = _flag(Material(stretch=4e4 * mass, shear=4e3 * mass, bending=bending, area_density=mass))
    # Along x, but for a little that something begins with.
    along = np.array([np.cos(YAW), np.sin(YAW), 0.0])
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([[0, 0, 1], np.cross(along, [0, 0, 1]), along])
    wind = Wind(SPEED, Reach(pose), inertia=1.0)
    simulation = Simulation(network, dt=1 / rate, forces=wind, gravity=(0, 0, 0), **EFFORTS[effort].settings)
    y = np.array([x[edge, 1].mean() for x in simulation.frames(SECONDS * rate)])[FROM * rate :]
    way, beats = flapping(y, rate)
    return beats, way


def _flag(material):
    x, z = np.meshgrid(np.linspace(0, LENGTH, COLUMNS + 1), np.linspace(0, LENGTH, ROWS + 1))
    at = np.arange(x.size).reshape(x.shape)
    faces = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], -1).reshape(-1, 4)
    points = np.column_stack([x.ravel(), np.zeros(x.size), z.ravel()])
    return SpringNetwork.from_mesh(points, faces=faces, material=material, pins=at[:, 0].tolist()), at[:, -1]
