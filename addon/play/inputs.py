# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs of a frame, read once into named arrays and hashed once; staleness compares these arrays.

`READERS` lists all inputs. A line there with its groups is read, stored with the frames, compared, and available to
building and stepping the simulation.
"""

from typing import Any, NamedTuple

from ...core.kernels import CHOSEN
from .. import mesh_io, output_nodes, sections
from ..version import VERSION
from . import keys
from .joint_inputs import Joined
from .lazy_values import AROUND, ENTERING, MESH, SCENE, STEP, Inputs, Reader, Unnamed

# Names of an object's vertices, edges and faces at rest, for people.
THE_MESH = "the mesh"


class Where(NamedTuple):
    """Where inputs are read: an object, and the scene and the dependency graph that evaluate it."""

    obj: Any
    scene: Any
    depsgraph: Any


def of_frame(obj, scene, depsgraph, start, kept):
    """Inputs of the scene's frame.

    start: Inputs of the start frame, or None where that was not seen; kept: dict that carries what is read of the
    mesh from frame to frame, until the caller empties it; depsgraph: None where what is evaluated is not asked for.
    """
    where = Where(obj, scene, depsgraph)
    members = sections.together(where) if depsgraph is not None else []
    if not members:
        return Inputs(READERS, where, start, kept)
    # Kept frames are of these members, and of each of them.
    uids = tuple(member.session_uid for member in members)
    joined = [
        Inputs(READERS, Where(member, scene, depsgraph), None, kept.setdefault(uid, {}))
        for member, uid in zip(members, uids, strict=True)
    ]
    return Joined(joined, where, start, kept.setdefault(uids, {}))


def of_mesh(obj, scene, depsgraph, kept):
    """Inputs of an object alone, also where it is simulated with others; kept: as of `of_frame`."""
    return Inputs(READERS, Where(obj, scene, depsgraph), None, kept.setdefault("alone", {}))


def _counts(inputs):
    mesh = inputs.where.obj.data
    return len(mesh.vertices), len(mesh.edges), len(mesh.loops)


def _saved_pose(inputs):
    obj = inputs.where.obj
    return mesh_io.read_saved_pose(obj.data) if sections.starts_from_saved_pose(obj) else None


def _pin_targets(inputs):
    return mesh_io.to_world(inputs["matrix"], inputs["pose"][inputs["followed"]])


def _around(section):
    return Reader(
        lambda inputs: Unnamed(section.surroundings(inputs.where)),
        (ENTERING, STEP, AROUND),
        section.surrounded_by,
    )


READERS = {
    "version": Reader(lambda inputs: VERSION, (SCENE,), "Hooke's version"),
    # The compiled ones round differently from NumPy's.
    "kernels": Reader(lambda inputs: CHOSEN.name, (SCENE,), "Hooke's kernels"),
    "settings": Reader(
        lambda inputs: sections.settings_fingerprint(inputs.where.obj, inputs.where.scene),
        (SCENE,),
        "the settings",
    ),
    "counts": Reader(_counts, (SCENE,), THE_MESH),
    "points": Reader(lambda inputs: mesh_io.read_positions(inputs.where.obj.data), (SCENE,), THE_MESH),
    "edges": Reader(lambda inputs: mesh_io.read_edges(inputs.where.obj.data), (MESH,), THE_MESH),
    "polygons": Reader(lambda inputs: mesh_io.read_polygons(inputs.where.obj.data), (MESH,), THE_MESH),
    "painted": Reader(lambda inputs: sections.read_maps(inputs.where.obj), (MESH,), "the vertex groups"),
    "rest_shape": Reader(lambda inputs: sections.rest_shape(inputs.where.obj), (SCENE,), "the rest shape"),
    "pleats": Reader(lambda inputs: sections.read_pleats(inputs.where.obj), (MESH,), "the pleats"),
    # Where modifiers change the weights of pins, any vertex may become one.
    "weights_change": Reader(
        lambda inputs: sections.changed_weights(inputs.where), (SCENE,), "what changes the weights"
    ),
    # Follows from these, settings and maps, which are compared themselves.
    "followed": Reader(lambda inputs: sections.followed(inputs.where, inputs["painted"]), ()),
    "saved_pose": Reader(_saved_pose, (MESH,), "the saved pose"),
    "matrix": Reader(
        lambda inputs: mesh_io.world_matrix(inputs.where.obj, inputs.where.depsgraph),
        (ENTERING, STEP),
        "the object's motion",
    ),
    "pose": Reader(
        lambda inputs: output_nodes.read_target(inputs.where.obj, inputs.where.depsgraph),
        (ENTERING,),
        "the pose that enters",
    ),
    "pin_targets": Reader(_pin_targets, (STEP,), "the pins' motion"),
    "keyed": Reader(
        lambda inputs: Unnamed(sections.read_keyed(inputs.where)),
        (ENTERING, STEP, AROUND),
        "the keys of the settings",
    ),
    # Animated values are compared where they are read. These say which frames stay the same after an edit of keys.
    "animation": Reader(lambda inputs: keys.read(inputs.where), ()),
    **{section.id: _around(section) for section in sections.SECTIONS if section.surrounded_by},
}
