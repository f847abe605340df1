# SPDX-License-Identifier: GPL-3.0-or-later
"""What methods and efforts gain on networks that are let go from rest, and on pins that swing: E(t) - E(0) - work."""

import numpy as np
from energies.energy_scenes import SCENES, size
from measuring.page import significant

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged
from hooke.core.effort import EFFORTS

FPS = 24
FRAMES = 2000
LIMIT = 0.01


def options_of(integrator):
    """Sets of options under which a method is tried: substeps, iterations, and what its choices offer."""
    method = INTEGRATORS[integrator]
    if "iterations" not in method.options:
        return [{"substeps": 1}, {"substeps": 5}]
    counts = [{"substeps": s, "iterations": n} for s, n in ((1, 1), (1, 4), (5, 1), (10, 4))]
    choices = [{name: word} for name, words in method.choices.items() for word in words[1:]]
    if len(method.choices) > 1:
        choices.append({name: words[1] for name, words in method.choices.items()})
    return counts + [{**count, **choice} for count in counts[2:] for choice in choices]


def work_of_pins(network, before, after):
    """Work of hard pins that all move alike between two states [J], whatever holds the others to them.

    It is by the force on all of them, which is what the momentum of the others gains beyond that of their weight.
    """
    free, pins = network.free, network.hard_pins
    weight = np.array([0.0, 0.0, -9.81])
    momentum = network.masses[free] @ (after.v - before.v)[free]
    force = momentum / (after.t - before.t) - network.masses[free].sum() * weight
    moved = (after.x - before.x)[pins]
    return float(force @ moved.mean(axis=0) - np.sum(network.masses[pins, None] * moved * weight))


def energy(simulation):
    """Kinetic energy of the free vertices, elastic energy as the method has it, and energy in gravity [J]."""
    network, state = simulation.network, simulation.state
    moving = network.masses[network.free, None] * state.v[network.free] ** 2
    elastic = simulation.integrator.elastic_energy(state.x, state.t)
    return 0.5 * float(moving.sum()) + elastic + 9.81 * float(network.masses @ state.x[:, 2])


def gain(network, integrator="PROJECTIVE_DYNAMICS", frames=FRAMES, **options):
    """Largest E(t) - E(0) over frames from rest, in parts of m g L; infinite where it diverges."""
    simulation = Simulation(network, integrator, dt=1.0 / FPS, **options)
    start, most = energy(simulation), 0.0
    try:
        for _ in range(frames):
            simulation.step()
            most = max(most, energy(simulation) - start)
    except SimulationDiverged:
        return np.inf
    return most / (network.masses[network.free].sum() * 9.81 * size(network))


def cases():
    """Label, integrator and options of every method that is called always stable, and of every effort."""
    for id, method in INTEGRATORS.items():
        if method.stability_limit == np.inf:
            for options in options_of(id):
                yield " ".join([method.label, *(f"{k} {v}" for k, v in options.items())]), id, options
    for effort in EFFORTS.values():
        yield f"Effort {effort.label}", "PROJECTIVE_DYNAMICS", dict(effort.settings)


def run():
    """Print the largest gain of every case and the scene it comes from; what exceeds the limit is marked."""
    for label, integrator, options in cases():
        gains = {name: gain(build(), integrator, **options) for name, build in SCENES.items()}
        worst = max(gains, key=gains.__getitem__)
        over = [name for name, value in gains.items() if value > LIMIT]
        print(f"  {label}: {significant(gains[worst])} m g L ({worst})", flush=True)
        for name in over:
            print(f"    beyond {LIMIT}: {name}, {significant(gains[name])}", flush=True)
