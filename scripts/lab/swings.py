# SPDX-License-Identifier: GPL-3.0-or-later
"""How what swings comes to rest in real air, by the two numbers of its law."""

import numpy as np
from measuring.measured import Measured

from hooke.core import AirDrag, Material, Settling, Simulation, Sphere, SpringNetwork
from hooke.core.effort import EFFORTS

FPS, G, REACH, DENSITY, SPACING = 24, 9.81, 0.2, 0.136, 0.02
AIRS = {
    "*Settling* 0.1": None,
    "u₀ 4, κ 4": {"swing_speed": 4.0},
    "**u₀ 8, κ 4**": {},
    "u₀ 8, κ 8": {"slowing": 8.0},
    "u₀ 12, κ 4": {"swing_speed": 12.0},
    "u₀ 8, no bound": {"slowing": np.inf},
    "none": {"swing_speed": 0.0},
}


def _air(how, drag):
    return Settling(0.1) if how is None else AirDrag(drag, **how)


def _strip(air):
    """Drop over reach of a strip of 20 cm in the last third of its third second, least and most."""
    x, y = np.meshgrid(np.arange(-1, 11) * SPACING, np.arange(4) * SPACING)
    corner = np.arange(x.size).reshape(x.shape)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1)
    material = Material(
        shear=1e3, bending=DENSITY * G * REACH**3 / 5, area_density=DENSITY, damping_ratio=0.1
    )
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    pins = corner[:, :2].ravel().tolist()
    network = SpringNetwork.from_mesh(points, faces=faces.reshape(-1, 4), material=material, pins=pins)
    simulation = Simulation(network, dt=1 / FPS, forces=air, **EFFORTS["FINE"].settings)
    tips = [x[corner[:, -1]].mean(axis=0) for x in simulation.frames(3 * FPS)]
    ratios = [-tip[2] / tip[0] for tip in tips[-8:]]
    return min(ratios), max(ratios)


def _speeds(simulation, seconds):
    """Heights of frames [m], and speeds at some times [mm/s], root mean squares."""
    heights, speeds = [], []
    for x in simulation.frames(round(seconds[-1] * FPS)):
        heights.append(x[:, 2].mean())
        speeds.append(1e3 * np.sqrt(np.mean(simulation.state.v**2)))
    return heights, ", ".join(f"{speeds[round(second * FPS) - 1]:.0f}" for second in seconds)


def row(how):
    """Cells of an air."""
    low, high = zip(*(_strip(_air(how, drag)) for drag in (0.5, 1.2)), strict=True)
    standard = {"dt": 1 / FPS, "forces": _air(how, 1.2), **EFFORTS["STANDARD"].settings}
    sheet = SpringNetwork.grid((21, 21), 0.1, material=Material(), pins=[0, 20])
    heights, swinging = _speeds(Simulation(sheet, **standard), (3, 6, 10))
    cloth = SpringNetwork.grid((31, 31), 0.04, material=Material())
    ball = Sphere(0.4, (0.6, 0.6, -0.6))
    _, lying = _speeds(Simulation(cloth, contacts=[ball], **standard), (1.25, 2.5, 5))
    strips = [f"{one:.3f} to {other:.3f}" for one, other in zip(low, high, strict=True)]
    return *strips, f"{heights[FPS - 1]:.2f}".replace("-", "−"), swinging, lying


TABLES = (
    Measured(
        "swings",
        "air.md",
        (
            "air",
            "strip, drag 0.5",
            "strip, drag 1.2",
            "sheet: mean height at 1 s",
            "its speed after 3, 6 and 10 s [mm/s]",
            "on a ball after 1.25, 2.5 and 5 s [mm/s]",
        ),
        {name: (how,) for name, how in AIRS.items()},
        row,
    ),
)
