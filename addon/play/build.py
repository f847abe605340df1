# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulation of an object from its inputs."""

from ...core import INTEGRATORS
from .. import mesh_io, preflight, sections
from .take import Unresumable


def at_rest(inputs, start, surroundings):
    """Simulation of the object in the pose of `start`, Inputs of the start frame, in its Surroundings.

    Raises MeshError and ValueError for what cannot be simulated.
    """
    obj, scene = inputs.where.obj, inputs.where.scene
    method, matrix = INTEGRATORS[obj.hooke.integrator], start["matrix"]
    preflight.check_scipy(method)
    mesh_io.check_scale(obj, matrix)
    points = mesh_io.to_world(matrix, start["pose"])
    network = sections.network(obj, points, inputs["edges"], inputs["polygons"], inputs["maps"])
    if method.needs_scipy and (cost := preflight.start_cost(obj.name, network)):
        print(f"hooke: {cost}", flush=True)
    built, surroundings.doubts = sections.simulation(obj, scene, network, inputs["maps"], surroundings.values)
    return built


def simulation(inputs, snapshot, surroundings):
    """Simulation of the object at a snapshot, or where its first frame is if that is None, in its Surroundings.

    Raises as `at_rest`, and Unresumable for a snapshot of something else.
    """
    obj, built = inputs.where.obj, at_rest(inputs, inputs.start, surroundings)
    if snapshot is None:
        sections.begin(obj, built, inputs.start["matrix"])
        return built
    try:
        built.restore(snapshot)
    except ValueError as error:
        raise Unresumable(f"the cached state of '{obj.name}' is of another simulation ({error})") from error
    return built
