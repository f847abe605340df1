# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulation was made from, as checksums: whether its frames still hold."""

import hashlib
from typing import NamedTuple

import numpy as np

from . import mesh_io, output_nodes, properties
from .version import VERSION


class Inputs(NamedTuple):
    """Checksums of what a simulation is made from.

    quick: settings, scene and base mesh, cheap enough to compare every frame.
    start: the pose at the start frame and the world matrix there, None while they are not known.
    mesh: edges, face corners, pin weights, and the saved pose it starts from.
    """

    quick: tuple
    start: tuple | None
    mesh: tuple

    @classmethod
    def of(cls, obj, scene, start):
        """Of the object as it is; start: Start, or None."""
        return cls(
            quick_inputs(obj, scene), start.checksums() if start is not None else None, mesh_inputs(obj)
        )

    def record(self, start):
        """What a cache on disk keeps, as something JSON can hold."""
        return {
            "version": VERSION,
            "quick": _digest(self.quick),
            "mesh": list(self.mesh),
            "start": list(start.checksums()),
            "matrix": start.matrix.tolist(),
        }

    def fits(self, record):
        """Whether a cache's record is of these inputs; a start that is not known fits any."""
        return (
            quick_fits(record, self.quick)
            and record["mesh"] == list(self.mesh)
            and (self.start is None or record["start"] == list(self.start))
        )


class Start(NamedTuple):
    """The pose that enters at the start frame, object space, float32, and the object's world matrix there."""

    pose: np.ndarray
    matrix: np.ndarray

    def checksums(self):
        """Checksums of both."""
        return mesh_io.fingerprint(self.pose), mesh_io.fingerprint(self.matrix)


class Pose(NamedTuple):
    """Checksums of the pose that enters a frame, in all and of what the simulation reads of it."""

    whole: int
    pins: tuple

    @classmethod
    def of(cls, matrix, target, pinned):
        """Of a world matrix, all target positions, and the indices of the pinned vertices."""
        pins = mesh_io.fingerprint(matrix), mesh_io.fingerprint(target[pinned])
        return cls(mesh_io.fingerprint(target), pins)

    @classmethod
    def entering(cls, obj, depsgraph, pinned):
        """Of the object's current frame; raises MeshError."""
        matrix = mesh_io.world_matrix(obj, depsgraph)
        return cls.of(matrix, output_nodes.read_target(obj, depsgraph), pinned)


class Note(NamedTuple):
    """What is kept beside every frame: the pose that entered it, and its largest strain."""

    pose: Pose
    strain: float

    @classmethod
    def read(cls, note):
        """From what JSON made of it."""
        (whole, pins), strain = note
        return cls(Pose(whole, tuple(pins)), strain)


def quick_inputs(obj, scene):
    """The inputs cheap enough to compare every frame."""
    mesh = obj.data
    return (
        properties.settings_fingerprint(obj, scene),
        (len(mesh.vertices), len(mesh.edges), len(mesh.loops)),
        mesh_io.fingerprint(mesh_io.read_positions(mesh)),
    )


def quick_fits(record, quick):
    """Whether a cache's record is of these quick inputs, which spares reading the mesh where it is not."""
    return record["version"] == VERSION and record["quick"] == _digest(quick)


def mesh_inputs(obj):
    """Checksums of edges, face corners, pin weights and the saved pose in use."""
    mesh = obj.data
    arrays = [mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh).corners, mesh_io.read_pin_weights(obj)]
    if properties.starts_from_saved_pose(obj):
        arrays.append(mesh_io.read_saved_pose(mesh))
    return tuple(mesh_io.fingerprint(array) for array in arrays)


def _digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()
