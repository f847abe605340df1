# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy, momentum and rest of networks that are let go: E(t) - E(0) - work, of every effort and method."""

from typing import NamedTuple

import numpy as np

from energies.energy_scenes import size
from hooke.core import INTEGRATORS, Simulation, SimulationDiverged

FPS, FRAMES = 24, 2000
# The largest gain that is let pass, in parts of m g L, and the share of its peak that is rest.
LIMIT, RESTING = 0.01, 1e-4
G = np.array([0.0, 0.0, -9.81])


class Trace(NamedTuple):
    """Figures after every frame: E - E(0) - work of the pins, in parts of m g L; kinetic energy [J].

    momentum: largest difference from m g t, in parts of the sum of all m |v|; None where something is pinned.
    """

    gained: np.ndarray
    kinetic: np.ndarray
    momentum: float | None


class Fall(NamedTuple):
    """The most that energy rose above its least so far, and kinetic energy at the end, over m g L."""

    gained: float
    moving: float


def energy(simulation):
    """Kinetic energy of the free vertices, elastic energy as the method has it, and energy in gravity [J]."""
    network, state = simulation.network, simulation.state
    elastic = simulation.integrator.elastic_energy(state.x, state.t)
    return kinetic(simulation) + elastic + 9.81 * float(network.masses @ state.x[:, 2])


def kinetic(simulation):
    """Kinetic energy of the free vertices [J]."""
    network, v = simulation.network, simulation.state.v
    return 0.5 * float(network.masses[network.free] @ np.sum(v[network.free] ** 2, axis=1))


def scale(network):
    """m g L of the free vertices [J]."""
    return network.masses[network.free].sum() * 9.81 * size(network)


def work_of_pins(network, before, after):
    """Work of hard pins that all move alike between two states [J], whatever holds the others to them.

    It is by the force on all of them: the gain of the others' momentum beyond that of their weight.
    """
    free, pins = network.free, network.hard_pins
    momentum = network.masses[free] @ (after.v - before.v)[free]
    force = momentum / (after.t - before.t) - network.masses[free].sum() * G
    moved = (after.x - before.x)[pins]
    return float(force @ moved.mean(axis=0) - np.sum(network.masses[pins, None] * moved * G))


def options_of(integrator):
    """Sets of options under which a method is tried: substeps, iterations, and its choices."""
    method = INTEGRATORS[integrator]
    if "iterations" not in method.options:
        return [{"substeps": 1}, {"substeps": 5}]
    counts = [{"substeps": s, "iterations": n} for s, n in ((1, 1), (1, 4), (5, 1), (10, 4))]
    choices = [{name: word} for name, words in method.choices.items() for word in words[1:]]
    if len(method.choices) > 1:
        choices.append({name: words[1] for name, words in method.choices.items()})
    return counts + [{**count, **choice} for count in counts[2:] for choice in choices]


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
    return most / scale(network)


def fall(scene, effort, frames=600):
    """The Fall of a scene with an Effort."""
    network, contacts = scene()
    simulation = Simulation(network, dt=1.0 / FPS, contacts=contacts, **effort.settings)
    least, gained = energy(simulation), 0.0
    for _ in range(frames):
        simulation.step()
        now = energy(simulation)
        gained, least = max(gained, now - least), min(least, now)
    return Fall(gained / scale(network), kinetic(simulation) / scale(network))


def trace(scene, effort, seconds, forces=(), until=np.inf):
    """The Trace of a scene with an effort; until: when pins stop [s]."""
    network, settings = scene.build(), dict(effort.settings)
    targets = scene.pin_targets(network, until)
    # The work is summed over substeps, so where pins move a substep is a step by itself.
    parts, substeps = (settings.pop("substeps"), 1) if targets else (1, settings.pop("substeps"))
    simulation = Simulation(network, dt=1.0 / FPS / parts, substeps=substeps, forces=forces, **settings)
    start, work = energy(simulation), 0.0
    gained, moving, momentum = [], [], 0.0
    for _ in range(seconds * FPS):
        for _ in range(parts):
            before = simulation.state
            simulation.step(targets)
            if targets:
                work += work_of_pins(network, before, simulation.state)
        gained.append(energy(simulation) - start - work)
        moving.append(kinetic(simulation))
        momentum = max(momentum, _momentum_error(simulation))
    pinned = len(network.pinned) > 0
    return Trace(np.array(gained) / scale(network), np.array(moving), None if pinned else momentum)


def resting_from(kinetic):
    """Frames after which kinetic energy stays below RESTING of its peak; None where it does not."""
    last = int(np.flatnonzero(kinetic > RESTING * kinetic.max())[-1]) + 1
    return last if last < len(kinetic) else None


def _momentum_error(simulation):
    masses, state = simulation.network.masses, simulation.state
    error = masses @ state.v - masses.sum() * G * state.t
    return float(np.linalg.norm(error) / (masses @ np.linalg.norm(state.v, axis=1)))
