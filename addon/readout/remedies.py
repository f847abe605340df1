# SPDX-License-Identifier: GPL-3.0-or-later
"""What one click mends: `REMEDIES` is the catalogue that the status offers from."""

from typing import Any

from ...core.diagnostics import enough_substeps
from ...core.effort import EFFORTS
from ...core.integrators import INTEGRATORS
from .. import output_nodes
from ..play import sessions

PIN_GROUP_NAMES = ("pin", "pins", "pinned", "hold", "goal")

# From quick to true; Converged is no everyday choice.
_EFFORTS_UP = ("DRAFT", "STANDARD", "FINE")


class Remedy:
    """Something that can be set right: whether and how is said of an object in a scene."""

    id: str

    def label(self, obj, scene) -> str:
        """What the button says, "" where there is nothing to do."""
        raise TypeError(f"{type(self).__name__} says nothing: a remedy must")

    def apply(self, obj, scene):
        """Set it right."""
        raise TypeError(f"{type(self).__name__} applies nothing: a remedy must")


class ChoosePinGroup(Remedy):
    """The group whose name says that it holds, or the only one there is that is not a bone's."""

    id = "PIN_GROUP"

    def label(self, obj, scene):
        """The group's name."""
        name = pin_group(obj)
        return f"Pin Group '{name}'" if name and name != obj.hooke.pin_group else ""

    def apply(self, obj, scene):
        """Choose it."""
        obj.hooke.pin_group = pin_group(obj)


class RaiseEffort(Remedy):
    """The next quality up."""

    id = "EFFORT"

    def _next(self, obj):
        effort = obj.hooke.effort
        if obj.hooke.integrator != "PROJECTIVE_DYNAMICS" or effort == "CONVERGED":
            return None
        place = _EFFORTS_UP.index(effort) + 1 if effort in _EFFORTS_UP else len(_EFFORTS_UP) - 1
        return _EFFORTS_UP[place] if place < len(_EFFORTS_UP) else None

    def label(self, obj, scene):
        """The quality's name."""
        effort = self._next(obj)
        return f"Quality {EFFORTS[effort].label}" if effort is not None else ""

    def apply(self, obj, scene):
        """Choose it."""
        obj.hooke.effort = self._next(obj)


class SetSubsteps(Remedy):
    """As many substeps as the integrator needs to be stable."""

    id = "SUBSTEPS"

    def label(self, obj, scene):
        """Their number."""
        enough = stable_substeps(obj)
        return f"Set {enough:,} Substeps" if enough is not None and enough != obj.hooke.substeps else ""

    def apply(self, obj, scene):
        """Set them."""
        obj.hooke.substeps = stable_substeps(obj)


class UseProjectiveDynamics(Remedy):
    """The integrator for which everything acts."""

    id = "INTEGRATOR"

    def label(self, obj, scene):
        """Its name, as the panel has it."""
        method = INTEGRATORS["PROJECTIVE_DYNAMICS"]
        return method.label if obj.hooke.integrator != "PROJECTIVE_DYNAMICS" else ""

    def apply(self, obj, scene):
        """Choose it."""
        obj.hooke.integrator = "PROJECTIVE_DYNAMICS"


class PlayEveryFrame(Remedy):
    """Playback that drops no frames."""

    id = "EVERY_FRAME"

    def label(self, obj, scene):
        """As Blender's own menu has it."""
        return "Play Every Frame" if scene.sync_mode == "FRAME_DROP" else ""

    def apply(self, obj, scene):
        """Set the scene's playback."""
        scene.sync_mode = "NONE"


class AddModifier(Remedy):
    """Hooke's modifier, where it was removed."""

    id = "MODIFIER"

    def label(self, obj, scene):
        """That it is put back."""
        return "Put the Modifier Back" if output_nodes.find(obj) is None else ""

    def apply(self, obj, scene):
        """Add it."""
        output_nodes.add(obj)


class GoToStart(Remedy):
    """The start frame, where the true simulation begins."""

    id = "START"

    def label(self, obj, scene):
        """Its number."""
        start = obj.hooke.frame_start
        return f"Go to Frame {start}" if scene.frame_current != start else ""

    def apply(self, obj, scene):
        """Go there."""
        scene.frame_set(obj.hooke.frame_start)


class LaterEnd(Remedy):
    """A range that reaches the current frame."""

    id = "END"

    def label(self, obj, scene):
        """The frame's number."""
        frame = scene.frame_current
        return f"End at Frame {frame}" if frame > obj.hooke.frame_end else ""

    def apply(self, obj, scene):
        """Move the end there."""
        obj.hooke.frame_end = scene.frame_current


REMEDIES: dict[str, Remedy] = {
    remedy.id: remedy
    for remedy in (
        ChoosePinGroup(),
        RaiseEffort(),
        SetSubsteps(),
        UseProjectiveDynamics(),
        PlayEveryFrame(),
        AddModifier(),
        GoToStart(),
        LaterEnd(),
    )
}


def pin_group(obj):
    """Name of the vertex group that is meant to hold an object, else "".

    By its name, or as the only one, or as the only one that is not a bone's.
    """
    names = [group.name for group in obj.vertex_groups]
    told = [name for name in names if name.lower() in PIN_GROUP_NAMES]
    bones = _bones(obj)
    others = names if len(names) == 1 else [name for name in names if name not in bones]
    return (told or (others if len(others) == 1 else [""]))[0]


def _bones(obj):
    """Names of the bones that move an object by the vertex groups called like them, a set."""
    modifiers = [each for each in obj.modifiers if each.type == "ARMATURE" and each.use_vertex_groups]
    rigs = [each.object for each in modifiers if each.object is not None and each.object.type == "ARMATURE"]
    return {bone.name for rig in rigs for bone in rig.data.bones}


def stable_substeps(obj):
    """Number of substeps at which the running simulation is stable, or None where there is none."""
    running: Any = sessions.find(obj)
    simulation = running.simulation if running is not None else None
    if simulation is None:
        return None
    return enough_substeps(simulation.network, simulation.integrator, simulation.dt)
