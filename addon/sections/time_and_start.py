# SPDX-License-Identifier: GPL-3.0-or-later
"""When a simulation starts, from what, and how fast its time passes."""

from types import MappingProxyType

import numpy as np
from bpy.props import BoolProperty, FloatProperty, IntProperty

from ...core import State, at_rest
from ...core.imperfection import SLIGHT
from .. import mesh_io
from ..colliders import Doubt
from .section import Section
from .solid_objects import is_filled

# Blender has no frame beyond.
LAST_FRAME = 1_048_574

# Frames: most of a minute of film. Substeps: more take minutes on the smallest mesh.
_MOST_PRE_ROLL = 1000
_MOST_STEPS_BEFORE = 100_000
_TOO_SOFT = (
    "It is too soft to start at rest: {} of its springs would have to be shorter than they can be, so it sags; make it "
    "stiffer or lighter, or pin more of it"
)


class TimeAndStart(Section):
    """The time of a frame, and the pose that the first one shows."""

    id = "time"
    label = "Time and Start"
    # Blending happens when frames are shown: they are kept as they were simulated.
    view_only = ("loop_blend",)
    initial = MappingProxyType({"break_symmetry": True})

    time_scale: FloatProperty(
        name="Time Scale",
        description="Speed of time, as a factor of the scene's: 0.5 is slow motion",
        default=1.0,
        min=0.001,
        soft_min=0.1,
        soft_max=4.0,
        step=1,
    )
    pre_roll: IntProperty(
        name="Pre-Roll",
        description="Frames to simulate before the start frame with resting pins, so that the shot begins with "
        "settled cloth",
        default=0,
        min=0,
        max=_MOST_PRE_ROLL,
        soft_max=250,
    )
    loop_blend: IntProperty(
        name="Loop Blend",
        description="Frames at the end that blend into the first, so that the range repeats without a jump. 0 is "
        "none",
        default=0,
        min=0,
        max=LAST_FRAME,
        soft_max=50,
    )
    start_at_rest: BoolProperty(
        name="Start at Rest",
        description="Keep the modelled shape of filled surfaces and strands under gravity: springs start at "
        "lengths that bear the weight on pins and colliders. Off, they sag",
        default=False,
    )
    # Files from before there was a choice begin exactly as modelled.
    break_symmetry: BoolProperty(
        name="Break Symmetry",
        description="Start surfaces a hundredth of a cloth's thickness off the modelled shape, so that an "
        "exactly level flag falls instead of balancing. The offset is the same every time. A "
        "saved pose is not changed",
        default=False,
    )
    use_saved_pose: BoolProperty(
        name="From Saved Pose",
        description="Start with the saved pose instead of the pose at the start frame. The shape at rest and the "
        "pins stay the same",
    )

    def draw(self, layout, obj):
        """Draw the settings, and the operators on the saved pose."""
        for name in ("time_scale", "pre_roll", "loop_blend"):
            layout.prop(obj.hooke, name)
        row = layout.row()
        row.enabled = _may_start_at_rest(obj)
        row.prop(obj.hooke, "start_at_rest")
        row = layout.row()
        row.enabled = _may_balance(obj)
        row.prop(obj.hooke, "break_symmetry")
        row = layout.row()
        row.enabled = mesh_io.has_saved_pose(obj.data)
        row.prop(obj.hooke, "use_saved_pose")
        row = layout.row(align=True)
        row.operator("hooke.drape", icon="MOD_CLOTH")
        row.operator("hooke.save_pose", icon="POSE_HLT")
        row.operator("hooke.forget_pose", text="", icon="X")

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """The time of a frame, and by how much surfaces begin off their shape."""
        slight = SLIGHT if settings.break_symmetry and not is_filled(settings) else 0.0
        return {"dt": frame_time(settings, scene), "imperfection": slight}


def _may_start_at_rest(obj):
    """Whether an object has what can: sheets fold in place of bearing their weight."""
    return is_filled(obj.hooke) or not obj.data.polygons


def _may_balance(obj):
    """Whether an object has what falls and folds from balance: a surface that nothing fills."""
    return bool(obj.data.polygons) and not is_filled(obj.hooke)


def begun_at_rest(obj, simulated, arguments):
    """Give an object's Body lengths at rest of which gravity makes its shape, if it is to start so; returns Doubts.

    arguments: of its Simulation. Raises ValueError where keys change lengths as well.
    """
    if not (obj.hooke.start_at_rest and _may_start_at_rest(obj)):
        return []
    if "rest_lengths" in arguments.get("quantities", {}):
        raise ValueError(
            f"'{obj.name}' starts at rest, so keys on its Size at Rest cannot act: remove them, or turn Start at Rest "
            "off"
        )
    simulated.network, short = at_rest(simulated, arguments["gravity"], arguments["contacts"])
    return [Doubt(_TOO_SOFT.format(f"{short:,}"))] if short else []


def frame_time(settings, scene):
    """Simulated time of one frame [s]."""
    return settings.time_scale * scene.render.fps_base / scene.render.fps


def starts_from_saved_pose(obj):
    """Whether the first frame is the pose saved with the mesh."""
    return obj.hooke.use_saved_pose and mesh_io.has_saved_pose(obj.data)


def starts_elsewhere(obj):
    """Whether the first frame is another pose than the one that enters at the start frame."""
    return obj.hooke.pre_roll > 0 or starts_from_saved_pose(obj)


def begin(started, members):
    """Bring a Simulation from the start pose to where the first frame is: the saved poses, and the pre-roll.

    Raises ValueError for a pre-roll that would seem never to end.

    members: of each object that is simulated in it the object, its world matrix at the start frame, and the slice of
    its vertices; they have the same pre-roll.
    """
    network, pre_roll = started.network, members[0][0].hooke.pre_roll
    if pre_roll * started.substeps > _MOST_STEPS_BEFORE:
        raise ValueError(
            f"the Pre-Roll of '{members[0][0].name}' would take {pre_roll:,} frames of {started.substeps:,} substeps, "
            f"together more than {_MOST_STEPS_BEFORE:,}: lower one of them"
        )
    posed = [member for member in members if starts_from_saved_pose(member[0])]
    if posed:
        x = started.body.embed(network.points).copy()
        for obj, matrix, place in posed:
            x[place] = mesh_io.to_world(matrix, mesh_io.read_saved_pose(obj.data))
        x = started.body.particle_targets(x).copy()
        x[network.hard_pins] = network.points[network.hard_pins]
        started.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(pre_roll):
        started.step()
