# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings on Object.hooke, and the one place that turns them into arguments of the core."""

import bpy
import numpy as np
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core import INTEGRATORS, Simulation, SpringNetwork, State
from ..core.diagnostics import enough_substeps
from . import bakes, mesh_io
from .bakes.record import HookeBake, HookeBakedItem
from .solver_settings import SolverSettings

# A setting that changed during a simulation would make its start meaningless: none can be animated.
_FIXED: set[str] = set()

# Beyond this a frame takes minutes, and Blender would seem to hang.
_MOST_SUBSTEPS = 10_000


class HookeSettings(SolverSettings, bpy.types.PropertyGroup):
    """Settings of one simulated object."""

    enabled: BoolProperty(name="Hooke", description="Simulate this object", options={"HIDDEN"})
    pin_group: StringProperty(
        name="Pin Group",
        description="Vertex group of the pinned vertices, which follow whatever moves them: weight 1 holds "
        "exactly, less pulls with the pin stiffness; without one the object falls freely",
        options=_FIXED,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="Of the springs along edges [N/m]",
        default=1e4,
        min=1e-6,
        soft_min=1.0,
        soft_max=1e6,
        precision=1,
        options=_FIXED,
    )
    shear: FloatProperty(
        name="Shear",
        description="Stiffness of the springs across faces, as a factor of Stiffness; 0 leaves them out",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
        options=_FIXED,
    )
    bending: FloatProperty(
        name="Bending",
        description="Stiffness of the springs to the vertex beyond the next, as a factor of Stiffness; "
        "0 leaves them out",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        options=_FIXED,
    )
    mass: FloatProperty(
        name="Mass",
        description="Of the whole object [kg], spread evenly over its vertices",
        default=1.0,
        min=1e-6,
        soft_min=0.01,
        soft_max=100.0,
        unit="MASS",
        options=_FIXED,
    )
    damping: FloatProperty(
        name="Damping",
        description="Of every spring along its direction [N s/m]; turning and falling are not damped",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=4,
        options=_FIXED,
    )
    pin_stiffness: FloatProperty(
        name="Pin Stiffness",
        description="Pull on a pinned vertex of a weight below 1: weight times this [N/m]",
        default=10.0,
        min=1e-6,
        soft_max=1e3,
        options=_FIXED,
    )
    length_normalised: BoolProperty(
        name="Length Normalised",
        description="Read Stiffness as force per unit of fractional stretch [N] and divide it by each spring's "
        "length, so that a denser mesh of the same sheet hangs the same",
        options=_FIXED,
    )
    frame_start: IntProperty(
        name="Start", description="Frame the simulation starts from", default=1, options=_FIXED
    )
    frame_end: IntProperty(
        name="End", description="Last frame that is simulated and baked", default=250, options=_FIXED
    )
    pre_roll: IntProperty(
        name="Pre-Roll",
        description="Frames that are simulated before the start frame, with the pins at rest, so that it begins "
        "settled",
        default=0,
        min=0,
        soft_max=250,
        options=_FIXED,
    )
    time_scale: FloatProperty(
        name="Time Scale",
        description="Simulated time in a frame, as a factor of the scene's: 0.5 is slow motion",
        default=1.0,
        min=0.001,
        soft_min=0.1,
        soft_max=4.0,
        options=_FIXED,
    )
    loop_blend: IntProperty(
        name="Loop Blend",
        description="Number of frames at the end that blend into the first, so that the range repeats without "
        "a jump; 0 for none",
        default=0,
        min=0,
        soft_max=50,
        options=_FIXED,
    )
    use_saved_pose: BoolProperty(
        name="Start from Saved Pose",
        description="Begin with the saved pose in place of the pose at the start frame, which stays the rest "
        "pose; the pins stay where they are",
        options=_FIXED,
    )
    cache_id: StringProperty(name="Cache", description="Name of the object's cache files", options={"HIDDEN"})
    bake_mode: EnumProperty(
        name="Mode", description="What a bake keeps the frames as", items=bakes.mode_items(), options=_FIXED
    )
    bake_step: IntProperty(
        name="Step",
        description="Frames from one shape key to the next, linear in between; the last frame always gets one",
        default=1,
        min=1,
        soft_max=10,
        options=_FIXED,
    )
    bake_tolerance: FloatProperty(
        name="Tolerance",
        description="Largest distance of any vertex from its simulated position in any frame [m]; less takes more "
        "shapes",
        default=1e-3,
        min=1e-6,
        soft_min=1e-4,
        soft_max=0.1,
        precision=4,
        step=0.01,
        subtype="DISTANCE",
        options=_FIXED,
    )
    bake: PointerProperty(type=HookeBake)


# Changing one of these makes what was simulated stale.
_INPUTS = (
    "pin_group",
    "stiffness",
    "shear",
    "bending",
    "mass",
    "damping",
    "pin_stiffness",
    "integrator",
    "length_normalised",
    "automatic_substeps",
    "substeps",
    "iterations",
    "acceleration",
    "tolerance",
    "time_stepping",
    "newton_iterations",
    "damping_rate",
    "max_stretch",
    "frame_start",
    "pre_roll",
    "time_scale",
    "use_saved_pose",
)


def settings_fingerprint(obj, scene):
    """Everything but the mesh that determines a simulation, as a tuple to compare."""
    values = tuple(getattr(obj.hooke, name) for name in _INPUTS)
    return values, _frame_time(scene, obj.hooke), _gravity(scene)


def network(obj, points, edges, polygons, pins):
    """SpringNetwork of an object: points in world space [m], pins per vertex.

    Raises ValueError from the core.
    """
    settings = obj.hooke
    return SpringNetwork.from_mesh(
        points,
        edges,
        polygons,
        structural=settings.stiffness,
        shear=settings.shear * settings.stiffness,
        bending=settings.bending * settings.stiffness,
        length_normalised=settings.length_normalised,
        mass=settings.mass,
        damping=settings.damping,
        pins=pins,
        pin_stiffness=settings.pin_stiffness,
    )


def simulation(obj, scene, spring_network):
    """Simulation of an object's network with one step a frame."""
    settings = obj.hooke
    method, substeps = INTEGRATORS[settings.integrator], settings.substeps
    if settings.automatic_substeps:
        enough = enough_substeps(spring_network, method, _frame_time(scene, settings))
        if enough is not None and enough > _MOST_SUBSTEPS:
            raise ValueError(
                f"{method.label} needs {enough:,} substeps on '{obj.name}', more than {_MOST_SUBSTEPS:,}: choose "
                "Projective Dynamics, or less stiffness"
            )
        substeps = substeps if enough in (None, 1) else enough
    options = {name: getattr(settings, name) for name in shown_options(obj)}
    if not settings.tolerance:
        # Every method has a tolerance of its own.
        options.pop("tolerance", None)
    return Simulation(
        spring_network,
        settings.integrator,
        dt=_frame_time(scene, settings),
        substeps=substeps,
        gravity=_gravity(scene),
        **options,
    )


def shown_options(obj):
    """Names of the integrator's options that are settings too, in the integrator's order."""
    return [name for name in INTEGRATORS[obj.hooke.integrator].options if hasattr(obj.hooke, name)]


def starts_from_saved_pose(obj):
    """Whether the first frame is the pose saved with the mesh."""
    return obj.hooke.use_saved_pose and mesh_io.has_saved_pose(obj.data)


def starts_elsewhere(obj):
    """Whether the first frame is another pose than the one that enters at the start frame."""
    return obj.hooke.pre_roll > 0 or starts_from_saved_pose(obj)


def begin(obj, started, matrix):
    """Bring a Simulation from the start pose to where the first frame is: the saved pose, and the pre-roll.

    matrix: the object's world matrix at the start frame.
    """
    network = started.network
    if starts_from_saved_pose(obj):
        x = mesh_io.to_world(matrix, mesh_io.read_saved_pose(obj.data))
        x[network.hard_pins] = network.points[network.hard_pins]
        started.state = State(x, np.zeros_like(x), 0.0)
    for _ in range(obj.hooke.pre_roll):
        started.step()


def _frame_time(scene, settings):
    return settings.time_scale * scene.render.fps_base / scene.render.fps


def _gravity(scene):
    return tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)


_CLASSES = (HookeBakedItem, HookeBake, HookeSettings)


def register():
    """Register the settings as Object.hooke."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.hooke = PointerProperty(type=HookeSettings)  # type: ignore[attr-defined]


def unregister():
    """Remove Object.hooke."""
    del bpy.types.Object.hooke  # type: ignore[attr-defined]
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
