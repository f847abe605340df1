# SPDX-License-Identifier: GPL-3.0-or-later
"""What efforts gain on networks that fall on surfaces with friction, and whether these come to rest."""

from typing import NamedTuple

import numpy as np
from energies.energy_scenes import size
from energies.friction_scenes import SCENES
from measuring.page import significant

from hooke.core import Simulation
from hooke.core.effort import EFFORTS

from .energy import FPS, LIMIT, energy

FRAMES = 600


class Fall(NamedTuple):
    """What was found: the most that energy rose above its least so far, and kinetic energy at the end, over m g L."""

    gained: float
    moving: float


def fall(scene, effort, frames=FRAMES):
    """The Fall of a scene with an Effort."""
    network, contacts = scene()
    simulation = Simulation(network, dt=1.0 / FPS, contacts=contacts, **effort.settings)
    scale = network.masses[network.free].sum() * 9.81 * size(network)
    least, gained = energy(simulation), 0.0
    for _ in range(frames):
        simulation.step()
        now = energy(simulation)
        gained, least = max(gained, now - least), min(least, now)
    kinetic = 0.5 * float(network.masses @ np.sum(simulation.state.v**2, axis=1))
    return Fall(gained / scale, kinetic / scale)


def run(converged_frames):
    """Print the Fall of every scene with every effort; what gains more than the limit is marked."""
    for name, scene in SCENES.items():
        cells = []
        for effort in EFFORTS.values():
            found = fall(scene, effort, converged_frames if effort.tolerance else FRAMES)
            over = " beyond" if found.gained > LIMIT else ""
            cells.append(f"{effort.label} {significant(found.gained)} ({found.moving:.0e}){over}")
        print("  ".join([f"  {name}:", *cells]), flush=True)
