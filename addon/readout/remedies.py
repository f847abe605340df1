# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of one click: the status offers from the catalogue `REMEDIES`."""

from math import floor, log10

import bpy
import numpy as np

from ...core.effort import EFFORTS
from ...core.integrators import INTEGRATORS
from .. import output_nodes, preflight
from ..play import sessions
from ..sections import add_collision, below, fall, unsewn
from .distance_remedies import FitDistances, FitOuterThickness
from .frame_remedies import GoToNewest, GoToStart, LaterEnd, PlayEveryFrame
from .library_remedies import MakeLocal
from .mesh_remedies import FillHoles, JoinSeams, Merge, TurnOutside
from .order_remedies import RaiseColliderModifiers, RaiseModifiers
from .remedy import Remedy

PIN_GROUP_NAMES = ("pin", "pins", "pinned", "hold", "goal")

# Strain of what bears all of the weight above it; and the least filling, where there is no weight [kPa].
_SINKS, _LEAST_FILLING = 0.1, 1.0

# From quick to true; Converged is no everyday choice.
_EFFORTS_UP = ("DRAFT", "STANDARD", "FINE")


class ChoosePinGroup(Remedy):
    """The group with a name for pins, or the only group that is not a bone's."""

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


class AddModifier(Remedy):
    """Hooke's modifier, where it was removed."""

    id = "MODIFIER"

    def label(self, obj, scene):
        """That it is put back."""
        return "Put the Modifier Back" if output_nodes.find(obj) is None else ""

    def apply(self, obj, scene):
        """Add it."""
        output_nodes.add(obj)


class MakeCollider(Remedy):
    """Collision physics for what an object falls onto or through."""

    id = "COLLIDER"

    def _found(self, obj, scene):
        depsgraph = bpy.context.view_layer.depsgraph
        found = below(obj, depsgraph, fall(obj, scene)) if depsgraph is not None else None
        return found if found is not None and found.library is None else None

    def label(self, obj, scene):
        """Its name."""
        found = self._found(obj, scene)
        return f"Make Collider: {found.name}" if found is not None else ""

    def apply(self, obj, scene):
        """Give it Collision physics, and let the object collide."""
        add_collision(self._found(obj, scene))
        obj.hooke.collisions = True


class Fill(Remedy):
    """A filling that bears the body's own weight."""

    id = "FILLING"

    def label(self, obj, scene):
        """Its stiffness."""
        settings = obj.hooke
        hollow = settings.measure == "AREA" and settings.fill_stiffness == 0.0
        return f"Filling {_filling(obj, scene):g} kPa" if hollow else ""

    def apply(self, obj, scene):
        """Set it."""
        obj.hooke.fill_stiffness = _filling(obj, scene)


class MoreCells(Remedy):
    """As many cells as are no thicker than the body"""

    id = "CELLS"

    def label(self, obj, scene):
        """Their number."""
        return f"{_cells(obj):,} Cells" if _is_thin(obj) and _cells(obj) <= _most_cells(obj) else ""

    def apply(self, obj, scene):
        """Set it."""
        obj.hooke.fill_cells = _cells(obj)


class MakeSheet(Remedy):
    """No filling: its faces are sheets of the same material"""

    id = "SHEET"

    def label(self, obj, scene):
        """The new value."""
        return "Make It a Sheet" if _is_thin(obj) else ""

    def apply(self, obj, scene):
        """Empty it."""
        obj.hooke.fill_stiffness = 0.0


class Sew(Remedy):
    """Seams of loose edges."""

    id = "SEWING"

    def label(self, obj, scene):
        """The setting that is turned on."""
        return "Turn Sewing On" if unsewn(obj) else ""

    def apply(self, obj, scene):
        """Turn it on."""
        obj.hooke.sewing = True


class UnitScale(Remedy):
    """Units shown as the simulation uses them."""

    id = "UNIT_SCALE"

    def label(self, obj, scene):
        """As Blender calls it."""
        return "Set Unit Scale to 1" if scene.unit_settings.scale_length != 1.0 else ""

    def apply(self, obj, scene):
        """Set it."""
        scene.unit_settings.scale_length = 1.0


REMEDIES: dict[str, Remedy] = {
    remedy.id: remedy
    for remedy in (
        ChoosePinGroup(),
        RaiseEffort(),
        SetSubsteps(),
        UseProjectiveDynamics(),
        PlayEveryFrame(),
        AddModifier(),
        RaiseModifiers(),
        RaiseColliderModifiers(),
        GoToStart(),
        GoToNewest(),
        LaterEnd(),
        MakeCollider(),
        Fill(),
        MoreCells(),
        MakeSheet(),
        Sew(),
        UnitScale(),
        Merge(),
        FillHoles(),
        JoinSeams(),
        TurnOutside(),
        FitDistances(),
        FitOuterThickness(),
        MakeLocal(),
    )
}


def offered(complaint, obj, scene):
    """The id of the first remedy that a Complaint names and that changes something, or None."""
    known = (name for name in complaint.remedies if name in REMEDIES)
    return next((name for name in known if REMEDIES[name].label(obj, scene)), None)


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


def _filling(obj, scene):
    """Young's modulus [kPa] with which a cube of its volume is pressed by a tenth at its foot, one digit, upwards."""
    running = sessions.find(obj)
    room = running.take.begun.room if running is not None else 0.0
    pressure = obj.hooke.fill_density * np.linalg.norm(fall(obj, scene)) * room ** (1.0 / 3.0)
    modulus = max(1e-3 * pressure / _SINKS, _LEAST_FILLING)
    digit = 10.0 ** floor(log10(modulus))
    return float(np.ceil(modulus / digit - 1e-9) * digit)


def _is_thin(obj):
    """Whether an object is thinner than the cells that fill it."""
    return obj.hooke.fill_stiffness > 0.0 and any(preflight.too_thin(obj, preflight.shape_of(obj)))


def _cells(obj):
    """The least number of cells that are no thicker than an object, one digit, upwards."""
    shape = preflight.shape_of(obj)
    count = abs(preflight.volume(shape)) / preflight.thickness(shape) ** 3
    digit = 10.0 ** floor(log10(count))
    return int(np.ceil(count / digit) * digit)


def _most_cells(obj):
    return obj.hooke.bl_rna.properties["fill_cells"].hard_max


def stable_substeps(obj):
    """Number of substeps at which the object's simulation is stable, or None where there is none."""
    running = sessions.find(obj)
    return running.take.begun.enough if running is not None else None
