# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `contact`: what touches, what slides, and what bounces, by the core's Standard.

Each scene is stepped by turns with its contacts and without them (the ribbon: without those of its own), so that what
else the machine does falls on both. What is inside, or went through, is found by means of the
benchmark's own.
"""

from time import process_time

import numpy as np

from hooke.core.forces import kinetic_energy

from .contact_laws import bounces, capstan, slopes
from .contact_scenes import scenes
from .courses import FPS
from .intersections import crosses_itself, crosses_solid


def run(options):
    """Simulate all scenes, and then what has a solution on paper."""
    rows = []
    for scene in scenes(options.large):
        rows.append(_measured(scene))
        print(f"  {scene.name}: measured", flush=True)
    return {"title": "contact", "scenes": rows, "laws": [*slopes(), *capstan(), *bounces()]}


def _measured(scene):
    """Figures of a scene."""
    touching, free = (scene.make(of) for of in (True, False))
    network = touching.network
    triangles, edges = network.surface.triangles, network.surface.edges
    seconds, energies = np.zeros((2, scene.frames)), []
    worst, deepest, itself, through = -np.inf, -np.inf, 0, 0
    momentum = _momentum(touching)
    for frame in range(scene.frames):
        for number, simulation in enumerate((touching, free)):
            began = process_time()
            simulation.step()
            seconds[number, frame] = process_time() - began
        x, t = touching.state.x, (frame + 1) / FPS
        energies.append(kinetic_energy(network, touching.state.v))
        rest, now = (np.linalg.norm(p[edges[:, 0]] - p[edges[:, 1]], axis=1) for p in (network.points, x))
        worst = max(worst, float((now / rest).max()) - 1.0)
        if scene.inside is not None:
            deepest = max(deepest, scene.inside(x, t))
        itself += scene.apart and crosses_itself(x, edges, triangles)
        through += scene.solid is not None and crosses_solid(x, edges, triangles, *scene.solid(t))
    parts = np.linalg.norm(network.masses[:, None] * touching.state.v, axis=1).sum()
    return {
        "name": scene.name,
        "vertices": network.vertex_count,
        "frames": scene.frames,
        "milliseconds": (1e3 * seconds[0]).tolist(),
        "ratio": float(seconds[0].sum() / seconds[1].sum()),
        "worst": worst,
        "deepest": None if scene.inside is None else deepest,
        "itself": itself if scene.apart else None,
        "through": None if scene.solid is None else through,
        "rest": float(energies[-1] / max(energies)),
        "momentum": float(np.linalg.norm(_momentum(touching) - momentum) / parts),
        "free": not network.pins.any() and not np.any(touching.system.gravity),
    }


def _momentum(simulation):
    return simulation.network.masses @ simulation.state.v


SCENES = (
    "",
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
KNOWN = ("", "expected", "worst found", "cases", "outside")


def tables(results):
    """(title, headings, rows of text) of scenes and of what is known on paper."""
    yield "contact: scenes", SCENES, [_cells(row) for row in results["scenes"]]
    yield "contact: beside the solution on paper", KNOWN, [tuple(row) for row in results["laws"]]


def _cells(row):
    return (
        row["name"],
        f"{row['vertices']:,}",
        str(row["frames"]),
        f"{np.mean(row['milliseconds']):,.1f}",
        f"{row['ratio']:.1f}",
        f"{100 * row['worst']:.1f} %",
        "–" if row["deepest"] is None else f"{1e3 * row['deepest']:.2f} mm",
        *("–" if row[name] is None else str(row[name]) for name in ("itself", "through")),
        f"{row['rest']:.0e}",
        f"{row['momentum']:.0e}" if row["free"] else "–",
    )
