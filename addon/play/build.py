# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulation of an object from its inputs, or of those that collide with each other."""

from contextlib import contextmanager

import numpy as np

from ...core import INTEGRATORS, Member, Together
from .. import mesh_io, preflight, sections
from ..console import say
from ..sections.collisions import fit_of
from . import shared_simulation
from .frame_errors import Unresumable
from .joint_inputs import Joined
from .lazy_values import MESH, SCENE


def at_rest(inputs, start, surroundings, make=sections.simulation):
    """Simulation of the object in the pose of `start`, Inputs of the start frame, in its Surroundings.

    make: `sections.simulation`, or `sections.unprepared` for that in its place.
    Raises MeshError and ValueError for what cannot be simulated.
    """
    obj, scene = inputs.where.obj, inputs.where.scene
    sections.check_limits(obj)
    points, around = _at(obj, start["matrix"], start["pose"]), surroundings.values
    maps = sections.followed_maps(inputs["painted"], around)
    body, remake = _body(inputs, points, start["matrix"], around, maps)
    built, surroundings.doubts = make(obj, scene, body, maps, around, remake)
    return built


def simulation(inputs, snapshot, surroundings):
    """Simulation of the object at a snapshot, or where its first frame is if that is None, in its Surroundings.

    Raises as `at_rest`, and Unresumable for a snapshot of something else.
    """
    if isinstance(inputs, Joined):
        return _share(inputs, snapshot, surroundings)
    obj, built = inputs.where.obj, at_rest(inputs, inputs.start, surroundings)
    if snapshot is None:
        sections.begin(built, [(obj, inputs.start["matrix"], slice(None))])
        surroundings.doubts += fit_of(inputs.where, built.system, built.state.x).doubts
        return built
    with _resuming(obj):
        built.restore(snapshot)
    return built


def _share(inputs, snapshot, surroundings):
    """The object's Share of a simulation of all that collide with each other, of one that runs where there is one."""
    obj = inputs.where.obj
    with _resuming(obj):
        rest = _rest(inputs, snapshot)
    made_from = [inputs.checksums(group) for group in (SCENE, MESH)]
    group = shared_simulation.running(made_from, rest, surroundings, begun=snapshot is None)
    if group is None:
        own = surroundings.copy()
        together, doubts = _together(inputs, rest, own)
        group = shared_simulation.Group(together, own, made_from, doubts, rest)
        if snapshot is None:
            matrices = [inputs.start[f"{number}.matrix"] for number in range(len(inputs.objects))]
            sections.begin(together, list(zip(inputs.objects, matrices, _places(inputs), strict=True)))
            group.begin()
    if snapshot is not None:
        snapshot = {name: array for name, array in snapshot.items() if not name.startswith("around_")}
        with _resuming(obj):
            group.go_to(snapshot)
    surroundings.doubts = group.doubts[inputs.own]
    return shared_simulation.Share(
        group, inputs.own, group.start if snapshot is None else snapshot, surroundings
    )


def _together(inputs, rest, surroundings):
    """Together of all objects in their Surroundings, and sentences about each; rest: positions of all [m]."""
    for obj in inputs.objects:
        sections.check_limits(obj)
    sections.check_alike(inputs.objects)
    members, weights, doubts, quantities, off, begin = [], [], [], [], [], 0
    arguments: dict = {}
    for number, of_one in enumerate(inputs.members):
        obj, scene = of_one.where.obj, of_one.where.scene
        sections.check_pins(obj, False, "simulated with what it collides with")
        sections.check_whole(obj)
        count = of_one["counts"][0]
        around = inputs.around(number, surroundings.values)
        place = f"{number}.matrix"
        known = place in inputs.start
        matrix = inputs.start[place] if known else None
        maps = sections.followed_maps(of_one["painted"], around)
        body, remake = _body(of_one, rest[begin : begin + count], matrix, around, maps)
        begin += count
        found, told = sections.arguments(obj, scene, body, maps, around, remake)
        told += sections.begun_at_rest(obj, body, found)
        quantities.append(found.pop("quantities", {}))
        off.append(np.full(body.network.vertex_count, found.pop("imperfection")))
        members.append(Member(body, found.pop("forces"), found.pop("contacts")))
        weights.append(_spread(body, maps))
        doubts.append(told)
        # Automatic ones are enough for all.
        arguments = found | {"substeps": max(found["substeps"], arguments.get("substeps", 1))}
    contact = sections.between(
        inputs.objects,
        weights,
        [inputs[f"{number}.surface"] for number in range(len(members))],
        np.repeat(np.arange(len(members)), [of_one.network.network.vertex_count for of_one in members]),
        inputs["meeting"],
    )
    arguments["imperfection"] = np.concatenate(off)
    return Together(members, contacts=[contact], quantities=quantities, **arguments), doubts


def _places(inputs):
    """Slices of the objects' vertices among those of all."""
    ends = np.cumsum([of_one["counts"][0] for of_one in inputs.members]).tolist()
    return [slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]


def _rest(inputs, snapshot):
    """Positions of all objects at rest [m]; raises ValueError where the snapshot lacks them and the start too."""
    if "0.pose" in inputs.start:
        return np.concatenate(
            [
                _at(obj, inputs.start[f"{number}.matrix"], inputs.start[f"{number}.pose"])
                for number, obj in enumerate(inputs.objects)
            ]
        )
    rest, count = snapshot.get("rest"), sum(of_one["counts"][0] for of_one in inputs.members)
    if rest is None or rest.shape != (count, 3):
        raise ValueError("it holds no shape at rest")
    return rest


def _spread(body, maps):
    """Weights of all of a Body's particles; of those that nothing touches 1."""
    inner = np.ones(body.network.vertex_count - (body.outside or body).network.vertex_count)
    return maps.spread(lambda weights: np.concatenate([body.of_particles(weights), inner]))


def _body(inputs, points, matrix, around, maps):
    """Body of an object at points [m], and values of keyed settings, and weights, by name -> the same with these.

    matrix: of the object at the start, None where it is not known; around: its surroundings; maps: Weights; what it
    takes long for is printed.
    """
    obj, keyed = inputs.where.obj, around.get("keyed", {})
    method = INTEGRATORS[obj.hooke.integrator]
    preflight.check_scipy(method)
    of_mesh = obj, points, inputs["edges"], inputs["polygons"]
    rest = _resting(inputs, matrix)
    body = sections.body(*of_mesh, maps, keyed, rest=rest)
    if method.needs_scipy and (cost := preflight.start_cost(obj.name, body.network)):
        say(f"hooke: {cost}")
    return body, lambda values, weights: sections.body(*of_mesh, maps.now(weights), keyed, values, rest)


def _resting(inputs, matrix):
    """Where an object's vertices are at rest [m], None where they are where they start; raises Unresumable."""
    rest = inputs["rest_shape"]
    if rest is None:
        return None
    if matrix is None:
        raise Unresumable(
            f"the cached state of '{inputs.where.obj.name}' lacks the place of its shape at rest"
        )
    return mesh_io.to_world(matrix, rest)


def _at(obj, matrix, pose):
    """Positions of an object's vertices in the world [m]; raises MeshError for a scale that flattens it."""
    mesh_io.check_scale(obj, matrix, obj.hooke.frame_start)
    return mesh_io.to_world(matrix, pose)


@contextmanager
def _resuming(obj):
    """Raise Unresumable if a snapshot does not fit."""
    try:
        yield
    except mesh_io.MeshError:
        raise
    except ValueError as error:
        raise Unresumable(f"the cached state of '{obj.name}' is of another simulation ({error})") from error
