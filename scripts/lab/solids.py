# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids beside what theory says: a beam at resolutions of its surface, jelly that falls, frames of a fine mesh.

Needs bpy.
"""

from time import process_time

import numpy as np
from measuring.blender import empty_scene, monkey
from measuring.measured import Measured
from measuring.page import significant
from theory.boxes import box, turn, volume
from theory.solid_beam import ratios, theory

from hooke.core import Plane, Simulation, Solid
from hooke.core.effort import EFFORTS

FPS = 24
BEAM, SPACINGS = (1.0, 0.2, 0.2), (0.2, 0.1, 0.05, 0.025)
OTHERS = {
    "turned about three axes": (BEAM, turn(0.35, 0.5, 0.7)),
    "1 × 0.1 × 0.1 m": ((1.0, 0.1, 0.1), None),
    "1 × 0.5 × 0.05 m": ((1.0, 0.5, 0.05), None),
}
# The preset Jelly.
JELLY = {"modulus": 3e5, "poisson": 0.48, "density": 1000.0, "damping_ratio": 0.05}
FALLEN, SUBDIVIDED = 72, 4


def beam(size, spacing, turned=None, poisson=0.25):
    """Cells: stretch, sag and frequency over theory."""
    return [f"{value:.3f}" for value in ratios(size, spacing, turned, poisson=poisson)]


def fallen(angles, effort):
    """Cells: extreme strains, volumes, and depth, of a cube that falls."""
    points, faces = box((1.0, 1.0, 1.0), 0.125)
    points = (points - 0.5) @ turn(*angles)
    points[:, 2] += 1.0 - points[:, 2].min()
    body = Solid.from_mesh(points, faces=faces, **JELLY)
    simulation = Simulation(body, dt=1.0 / FPS, contacts=Plane(), **EFFORTS[effort].settings)
    begun, longest, shortest, least, lowest = volume(points, faces), 0.0, 0.0, 1.0, 0.0
    share = 1.0
    for x in simulation.frames(FALLEN):
        strains = simulation.network.strains(simulation.state.x)
        longest, shortest = max(longest, strains.max()), min(shortest, strains.min())
        share = volume(x, faces) / begun
        least, lowest = min(least, share), min(lowest, x[:, 2].min())
    percent = (f"{100 * value:+.0f} %" for value in (longest, shortest))
    return (*percent, f"{100 * least:.1f} %", f"{100 * share:.1f} %", significant(-lowest))


def suzanne():
    """Cells: vertices, particles, times, and depth, of a monkey that falls."""
    empty_scene(FPS)
    points, faces = monkey(1.0, SUBDIVIDED)
    points[:, 2] += 1.0 - points[:, 2].min()
    began = process_time()
    body = Solid.from_mesh(points, faces=faces, **JELLY)
    made = process_time() - began
    simulation = Simulation(body, dt=1.0 / FPS, contacts=Plane(), **EFFORTS["STANDARD"].settings)
    times, lowest = [], 0.0
    for _ in range(FALLEN):
        began = process_time()
        simulation.step()
        x = simulation.vertices
        times.append(1e3 * (process_time() - began))
        lowest = min(lowest, x[:, 2].min())
    falls, lies = np.mean(times[1:8]), np.array(times[12:])
    wide = np.ptp(points, axis=0).max()
    return (
        f"{len(points):,}",
        f"{body.network.vertex_count:,}",
        f"{made:.1f} s",
        f"{falls:.0f} ms",
        f"{np.median(lies):.0f} ms",
        f"{lies.max():.0f} ms",
        f"{100 * -lowest / wide:.2f} %",
    )


_THEORY = theory(BEAM)
TABLES = (
    Measured(
        "solid-beams",
        "solver_figures.md",
        ("", "stretch", "sag", "frequency"),
        {
            **{f"edges of {spacing:g} m": (BEAM, spacing) for spacing in SPACINGS},
            **{name: (size, 0.1, turned) for name, (size, turned) in OTHERS.items()},
            "Poisson's ratio 0.45": (BEAM, 0.1, None, 0.45),
        },
        beam,
        "A beam of 1 × 0.2 × 0.2 m, 100 kPa and 1000 kg/m³, clamped at one end, over theory: stretch "
        f"{_THEORY.stretch:.4f} m and sag {_THEORY.sag:.4f} m by its weight (Timoshenko), first frequency "
        f"{_THEORY.frequency / (2.0 * np.pi):.4f} Hz "
        "(Euler–Bernoulli, which leaves out shear: with it the frequency is 2 to 3 % lower).",
    ),
    Measured(
        "solid-cubes",
        "solver_figures.md",
        ("", "longest spring", "shortest", "least volume", "at the end", "below the floor [m]"),
        {
            f"{name}, {EFFORTS[effort].label}": (angles, effort)
            for name, angles in (("flat", (0.0, 0.0, 0.0)), ("on a corner", (0.5, 0.35, 0.0)))
            for effort in ("STANDARD", "FINE")
        },
        fallen,
        "A cube of jelly, 1 m, falls by 1 m onto a floor: in three seconds, and volume at their end.",
    ),
    Measured(
        "solid-suzanne",
        "solver_figures.md",
        (
            "",
            "vertices",
            "particles",
            "made in",
            "a frame in the air",
            "on the floor, median",
            "at most",
            "below the floor",
        ),
        {"Suzanne of jelly": ()},
        suzanne,
        "Suzanne of jelly falls by 1 m at *Standard*; her lowest vertex is below the floor by a share of her size.",
        "{machine}.",
    ),
)
