# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that touch, by the core alone, stepped by turns with their contacts and without them.

Of the ribbon: without those of its own. What is inside, or went through, is found by means of the tests' own.
"""

from time import process_time

import numpy as np
from collisions.clothes import clothes
from collisions.intersections import crosses_itself, crosses_solid
from collisions.scenes import scenes
from measuring.measured import Measured
from theory.courses import FPS

from hooke.core.forces import kinetic_energy

HEADINGS = (
    "vertices",
    "frames",
    "ms a frame",
    "time : without",
    "worst edge",
    "deepest vertex",
    "frames through itself",
    "frames through a collider",
    "kinetic energy at the end : peak",
    "momentum off",
)


def cells(scene):
    """Cells of a scene."""
    touching, free = (scene.make(of) for of in (True, False))
    network = touching.network
    triangles, edges = network.surface.triangles, network.surface.edges
    seconds, energies = np.zeros(2), []
    worst, deepest, itself, through = -np.inf, -np.inf, 0, 0
    momentum = network.masses @ touching.state.v
    for frame in range(scene.frames):
        for number, simulation in enumerate((touching, free)):
            began = process_time()
            simulation.step()
            seconds[number] += process_time() - began
        x, t = touching.state.x, (frame + 1) / FPS
        energies.append(kinetic_energy(network, touching.state.v))
        rest, now = (np.linalg.norm(p[edges[:, 0]] - p[edges[:, 1]], axis=1) for p in (network.points, x))
        worst = max(worst, float((now / rest).max()) - 1.0)
        if scene.inside is not None:
            deepest = max(deepest, scene.inside(x, t))
        itself += scene.apart and crosses_itself(x, edges, triangles)
        through += scene.solid is not None and crosses_solid(x, edges, triangles, *scene.solid(t))
    off = np.linalg.norm(network.masses @ touching.state.v - momentum)
    off /= np.linalg.norm(network.masses[:, None] * touching.state.v, axis=1).sum()
    held = network.pins.any() or np.any(touching.system.gravity)
    return (
        f"{network.vertex_count:,}",
        scene.frames,
        f"{1e3 * seconds[0] / scene.frames:,.1f}",
        f"{seconds[0] / seconds[1]:.1f}",
        f"{100 * worst:.1f} %",
        "–" if scene.inside is None else f"{1e3 * deepest:.2f} mm",
        itself if scene.apart else "–",
        "–" if scene.solid is None else through,
        f"{energies[-1] / max(energies):.0e}",
        "–" if held else f"{off:.0e}",
    )


def tables(_options):
    """All scenes, and clothes."""
    yield Measured(
        "contact",
        "benchmark.md",
        ("", *HEADINGS),
        {scene.name: (scene,) for scene in (*scenes(large=True), *clothes())},
        cells,
        below="Measured on {machine}.",
    )
