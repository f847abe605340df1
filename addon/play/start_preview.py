# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object's simulation would begin with, built for a look and kept nowhere."""

from contextlib import contextmanager
from typing import Any, NamedTuple

from .. import sections
from ..sections.collisions import fit_of
from . import build, current_frame, sessions
from . import inputs as frame_inputs
from .frame_notes import Begun, begun, read_begun
from .lazy_values import AROUND, ENTERING, Inputs
from .surroundings import Surroundings


class First(NamedTuple):
    """The start of a simulation: what its first frame's note would say, its Doubts, Inputs of the mesh, and its Fit.

    network: SpringNetwork at the start.
    """

    begun: Begun
    doubts: list
    inputs: Inputs
    fit: Any
    network: Any


@contextmanager
def at_start(obj, scene):
    """The First of an object, with the scene at its start frame meanwhile; no frame is made, and none is touched.

    Raises MeshError and ValueError for what cannot be simulated.
    """
    with sessions.paused(), current_frame.kept(scene):
        current_frame.go_to(scene, obj.hooke.frame_start)
        # Of the object alone: colliders do not change its start.
        inputs = frame_inputs.of_mesh(obj, scene, scene.view_layers[0].depsgraph, {})
        inputs.start = inputs.only(ENTERING)
        surroundings = Surroundings({name: inputs.start[name] for name in inputs.values(AROUND)})
        start = build.at_rest(inputs, inputs.start, surroundings, sections.unprepared)
        fit = fit_of(inputs.where, start.system, start.network.points)
        doubts = [*surroundings.doubts, *fit.doubts]
        yield First(read_begun({"begun": begun(start, doubts)}), doubts, inputs, fit, start.network)
